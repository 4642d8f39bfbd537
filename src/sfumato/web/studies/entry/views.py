"""A new entry: its page, what its script sends, and what the page needs when there is no connection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.entry.changes import Malformed
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.finishing import finish
from sfumato.web.studies.entry.pairing import code_of, first_with_code
from sfumato.web.studies.entry.posting import posted_changes
from sfumato.web.studies.entry.rendering import Shown, form_page
from sfumato.web.studies.entry.requests import answered, may_change, read_request, refusal, store
from sfumato.web.studies.entry.saving import EntryRefused, new_entry
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.models import Entry, Study

__all__ = ["enter", "finish_and_go_on", "number_of", "save_new", "shown_of", "token", "typed_values", "worker"]


@study_page("participant", grant="enter")
@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, study: Study) -> HttpResponse:
    """An empty form; a form that was sent whole makes the entry and goes to it."""
    current = current_form(study)
    if current is None or study.state != Study.OPEN:
        return render(request, "entry/not_open.html", {"has_form": current is not None})
    form, shown = current[1], shown_of(request)
    code, error = request.GET.get("second", "") if study.double else "", ""
    try:
        if request.method == "POST":
            changes = posted_changes(form, request.POST)
            if not changes:
                raise EntryRefused(_("Nothing was typed yet."))
            entry = _entry(request, study, request.POST.get("client_key", ""), request.POST.get("code", ""))
            outcome = store(entry, changes, request.user)
            if outcome.refused:
                shown.errors, shown.typed = outcome.refused, typed_values(changes)
                return _page(request, study, form, shown, code, entry=entry, status=422)
            if request.POST.get("do") == "finish":
                return finish_and_go_on(request, study, entry)
            return redirect(f"{reverse('study-entry', args=[study.id, entry.id])}?section={number_of(request)}")
        if code:
            first_with_code(study, request.user, _centre(request, study), code)
    except (EntryRefused, Malformed) as refused:
        code, error = "", str(refused)
    return _page(request, study, form, shown, code, error=error, status=422 if error else 200)


def _page(
    request: HttpRequest,
    study: Study,
    form: Any,
    shown: Shown,
    code: str,
    *,
    entry: Entry | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    answers = Answers() if entry is None else Answers.from_json(entry.answers)
    page = form_page(form, answers, shown)
    if request.method == "POST" and request.POST.get("client_key"):
        page["client_key"] = request.POST["client_key"]
    page |= {
        "shown_json": json.dumps(page["shown_values"]),
        "save_url": reverse("study-enter-save", args=[study.id]),
        "token_url": reverse("study-enter-token", args=[study.id]),
        "enter_url": reverse("study-enter", args=[study.id]),
        "study_id": study.id,
        "user": str(request.user.pk),
        "revision": 0 if entry is None else entry.revision,
        "offline": study.offline,
        "second_of": code,
    }
    return render(request, "entry/enter.html", {"entry_form": page, "error": error}, status=status)


@study_page("participant", grant="enter")
@require_POST
def save_new(request: HttpRequest, study: Study) -> HttpResponse:
    """Changes of an entry that the browser began, in JSON; the first of them make the entry."""
    try:
        content = read_request(request)
        entry = _entry(request, study, content.get("client_key"), content.get("code", ""))
        if not may_change(request, entry):
            raise EntryRefused(_("This entry is finished, and you may not change finished entries."))
        return answered(study, entry, store(entry, content["changes"], request.user))
    except (Malformed, EntryRefused) as error:
        return refusal(error)


def _entry(request: HttpRequest, study: Study, client_key: Any, code: Any) -> Entry:
    """The entry with this key of the browser, which is made the first time."""
    if not (isinstance(client_key, str) and client_key.isalnum() and 16 <= len(client_key) <= 64):
        raise Malformed("wanted the key of a new entry")
    known = Entry.objects.filter(study=study, author=request.user, client_key=client_key).first()
    if known is not None:
        return known
    centre = _centre(request, study)
    first = None
    if code:
        if not study.double or not isinstance(code, str):
            raise EntryRefused(_("This study has no double entry."))
        first = first_with_code(study, request.user, centre, code)
    entry = new_entry(study, request.user, client_key=client_key, centre=centre, double_of=first)
    Event.record(request.user, "enter", f"entry {entry.id}", project=study)
    return entry


def _centre(request: HttpRequest, study: Study) -> Any:
    membership = study.memberships.filter(user=request.user, ended=None).select_related("centre").first()
    return membership.centre if membership else None


@study_page("participant")
@require_GET
def token(request: HttpRequest, study: Study) -> HttpResponse:  # noqa: ARG001
    """The token that requests need, for a page that is older than the session."""
    return JsonResponse({"token": get_token(request), "user": str(request.user.pk)})


@study_page("participant", grant="enter")
@require_GET
def worker(request: HttpRequest, study: Study) -> HttpResponse:  # noqa: ARG001
    """The script that answers for this page while there is no connection; it covers addresses below its own only."""
    path = finders.find("interface/pages/studies_worker.js")
    return HttpResponse(Path(str(path)).read_bytes(), content_type="text/javascript")


def shown_of(request: HttpRequest) -> Shown:
    """The section, the language and the episodes that a request asks for."""
    source = request.POST if request.method == "POST" else request.GET
    section, start = source.get("section", "0"), request.GET.get("from", "")
    shown = Shown(source.get("language") or get_language() or "en", int(section) if _small(section) else 0)
    if _small(start):
        shown.window = {request.GET.get("group", ""): int(start)}
    return shown


def _small(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 7


def number_of(request: HttpRequest) -> int:
    """The section that comes after a form that was sent."""
    section = shown_of(request).section
    return max(section + {"next": 1, "previous": -1}.get(request.POST.get("do", ""), 0), 0)


def typed_values(changes: list[dict[str, Any]]) -> dict[tuple[str, str], Any]:
    """What was typed, by question and episode."""
    return {(change["question"], change["episode"]): change["value"] for change in changes if "question" in change}


def finish_and_go_on(request: HttpRequest, study: Study, entry: Entry) -> HttpResponse:
    """Finish an entry and go to the next person, or back to the entry with what is missing."""
    if finish(entry, request.user):
        return redirect(f"{reverse('study-entry', args=[study.id, entry.id])}?missing=1")
    sentence = _("Entry %(number)s is finished. This is the form of the next person.") % {"number": entry.number}
    if study.double and entry.double_of_id is None:
        sentence += " " + _("The code for its second entry is %(code)s.") % {"code": code_of(entry)}
    messages.success(request, sentence)
    return redirect("study-enter" if "enter" in request.grants else "study-entries", study.id)
