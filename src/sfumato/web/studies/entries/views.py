"""The list of entries, and the page on which an entry is seen and changed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.studies.entries.listing import STATES, page_of_entries
from sfumato.web.studies.entry.changes import Malformed
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.finishing import unanswered
from sfumato.web.studies.entry.pairing import code_of
from sfumato.web.studies.entry.posting import posted_changes
from sfumato.web.studies.entry.rendering import Shown, form_page
from sfumato.web.studies.entry.requests import answered, may_change, read_request, refusal, store
from sfumato.web.studies.entry.saving import EntryRefused
from sfumato.web.studies.entry.sections import section_of
from sfumato.web.studies.entry.views import finish_and_go_on, number_of, shown_of, typed_values
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, Study

__all__ = ["entries", "entry", "save_entry", "visible_entry"]


def visible_entry(request: HttpRequest, study: Study, entry_id: Any) -> Entry:
    """An entry that the user may see; 404 for others."""
    return get_object_or_404(Entry.visible_in(study, request.user, request.study_role), pk=entry_id)


@study_page("participant")
@require_GET
def entries(request: HttpRequest, study: Study) -> HttpResponse:
    """Own entries, or all of them for administrators."""
    visible = Entry.visible_in(study, request.user, request.study_role)
    centres = [] if request.study_role == "participant" else list(study.centres.all())
    query = request.GET.copy()
    if query.get("centre") not in {str(centre.id) for centre in centres}:
        query["centre"] = ""
    page = page_of_entries(visible, query)
    query.pop("page", None)
    return render(
        request,
        "entries/entries.html",
        {
            "page": page,
            "query": query,
            "rest": query.urlencode(),
            "states": STATES,
            "centres": centres,
            "restricted": any(query.get(name) for name in ("number", "state", "centre")),
        },
    )


@study_page("participant")
@require_http_methods(["GET", "POST"])
def entry(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """An entry: its answers, which can be changed where the user may."""
    current = visible_entry(request, study, entry_id)
    _version, form = current_form(study) or (None, Form())
    shown, sentence = shown_of(request), ""
    if request.method == "POST":
        try:
            if not may_change(request, current):
                raise EntryRefused(_("You may not change this entry."))
            changes = posted_changes(form, request.POST)
            outcome = store(current, changes, request.user)
            if outcome.conflicts:
                return redirect("study-entry-conflicts", study.id, current.id)
            if not outcome.refused:
                if request.POST.get("do") == "finish":
                    return finish_and_go_on(request, study, current)
                url = reverse("study-entry", args=[study.id, current.id])
                language = shown.language if shown.language in form.languages else form.languages[0]
                return redirect(f"{url}?section={number_of(request)}&language={language}")
            shown.errors, shown.typed = outcome.refused, typed_values(changes)
            current.refresh_from_db()
        except (EntryRefused, Malformed) as refused:
            sentence = str(refused)
    context = _page(request, study, current, form, shown)
    return render(
        request,
        "entries/entry.html",
        {**context, "sentence": sentence},
        status=422 if shown.errors or sentence else 200,
    )


def _page(request: HttpRequest, study: Study, current: Entry, form: Form, shown: Shown) -> dict[str, Any]:
    answers, entered = Answers.from_json(current.answers), localdate(current.created)
    shown.editable = may_change(request, current) and study.state == Study.OPEN
    shown.notes = Counter(current.notes.values_list("question", "episode"))
    missing = unanswered(form, answers, entered) if request.GET.get("missing") else []
    if missing and "section" not in request.GET:
        shown.section = section_of(form)[missing[0][0]]
    page = form_page(form, answers, shown, entered=entered)
    page |= {
        "shown_json": json.dumps(page["shown_values"]),
        "save_url": reverse("study-entry-save", args=[study.id, current.id]),
        "token_url": reverse("study-enter-token", args=[study.id]),
        "enter_url": reverse("study-enter", args=[study.id]),
        "entry_url": reverse("study-entry", args=[study.id, current.id]),
        "history_url": reverse("study-entry-history", args=[study.id, current.id]),
        "study_id": study.id,
        "user": str(request.user.pk),
        "revision": current.revision,
        "offline": study.offline,
        "complete": current.complete,
        "client_key": current.client_key,
    }
    return {
        "entry_form": page,
        "entry": current,
        "may_change": may_change(request, current),
        "may_delete": "delete" in request.grants,
        "missing": _links(form, missing, page["language"]),
        "waiting": current.conflicts.filter(resolved=None).count(),
        "note_count": sum(shown.notes.values()),
        "code": code_of(current) if study.double and current.double_of_id is None else "",
    }


def _links(form: Form, missing: list[tuple[str, str]], language: str) -> list[dict[str, Any]]:
    """Where the fields of required questions are that have no answer."""
    numbers = section_of(form)
    return [
        {"section": numbers[key], "anchor": f"f-{key}-{episode}-q", "label": form.question(key).text(language)}
        for key, episode in missing[:50]
    ]


@study_page("participant")
@require_POST
def save_entry(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Changes of an entry, in JSON."""
    current = visible_entry(request, study, entry_id)
    try:
        content = read_request(request)
        if not may_change(request, current):
            raise EntryRefused(_("You may not change this entry."))
        return answered(study, current, store(current, content["changes"], request.user))
    except (Malformed, EntryRefused) as error:
        return refusal(error)
