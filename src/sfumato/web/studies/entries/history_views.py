"""Pages about what happened to an entry: history, notes, conflicts, deletion."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.words import tidy
from sfumato.web.studies.entries.choosing import ReasonWanted, resolve, stored_answer
from sfumato.web.studies.entries.history import Texts, history_of
from sfumato.web.studies.entries.removing import KEPT_DAYS, delete_entry, restore_entry
from sfumato.web.studies.entries.views import visible_entry
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.requests import may_change
from sfumato.web.studies.entry.saving import EntryRefused, save
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, Note, Revision, Study

__all__ = ["conflicts", "delete", "deleted", "history", "note", "restore", "restore_episode"]

_AT_ONCE = 100


def _form(study: Study) -> Form:
    current = current_form(study)
    return Form() if current is None else current[1]


def _place(source: Any) -> tuple[str, str] | None:
    question = tidy(source.get("question", ""), 40)
    return (question, tidy(source.get("episode", ""), 40)) if question else None


@study_page("participant")
@require_GET
def history(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Who changed what, when and why, with notes; of one answer, if the address names it."""
    entry, place, form = visible_entry(request, study, entry_id), _place(request.GET), _form(study)
    language, revisions = get_language() or "en", entry.revisions.select_related("by")
    if place is not None:
        numbers = [row.number for row in revisions.iterator(chunk_size=500) if _touches(row, place)]
        revisions = revisions.filter(number__in=numbers)
    page = Paginator(revisions, _AT_ONCE).get_page(request.GET.get("page"))
    notes = entry.notes.select_related("by")
    texts = Texts(form, language)
    texts.number_episodes(entry)
    return render(
        request,
        "entries/history.html",
        {
            "entry": entry,
            "place": place,
            "label": texts.label(*place) if place else "",
            "page": page,
            "lines": history_of(entry, list(page), form, language, place),
            "notes": [
                (row, texts.label(row.question, row.episode) if row.question else "")
                for row in (notes.filter(question=place[0], episode=place[1]) if place else notes)
            ],
            "may_change": may_change(request, entry) and study.state == Study.OPEN,
            "rest": urlencode({"question": place[0], "episode": place[1]}) if place else "",
        },
    )


def _touches(revision: Revision, place: tuple[str, str]) -> bool:
    return any((change.get("question"), change.get("episode", "")) == place for change in revision.patch)


def _is_known(entry: Entry, form: Form, question: str, episode: str) -> bool:
    """Whether an entry has this answer; an episode that was removed is in its history."""
    if question not in form.by_key:
        return False
    group = form.group_of(question)
    if group is None or Answers.from_json(entry.answers).scope(group.key, episode) is not None:
        return group is not None or not episode
    return any(
        change.get("episode") == episode for row in entry.revisions.iterator(chunk_size=500) for change in row.patch
    )


@study_page("participant")
@require_POST
def note(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Add a note about an entry or one of its answers."""
    entry, place, text = visible_entry(request, study, entry_id), _place(request.POST), request.POST.get("text", "")
    if place is not None and not _is_known(entry, _form(study), *place):
        raise Http404
    if text := tidy(text, 2000):
        key, episode = place or ("", "")
        Note.objects.create(entry=entry, question=key, episode=episode, text=text, by=request.user)
        Event.record(request.user, "note", f"entry {entry.id}", project=study)
    query = f"?{urlencode({'question': place[0], 'episode': place[1]})}" if place else ""
    return redirect(reverse("study-entry-history", args=[study.id, entry.id]) + query)


@study_page("participant")
@require_POST
def restore_episode(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Bring back an episode that was removed."""
    entry = visible_entry(request, study, entry_id)
    group, episode = request.POST.get("group", "")[:40], request.POST.get("episode", "")[:40]
    try:
        if not may_change(request, entry):
            raise EntryRefused(_("You may not change this entry."))
        change = {"group": group, "episode": episode, "do": "restore"}
        outcome = save(entry, [change], request.user, base=entry.revision)
        for sentence in outcome.refused.values():
            messages.error(request, sentence)
    except EntryRefused as refused:
        messages.error(request, str(refused))
    return redirect("study-entry-history", study.id, entry.id)


@study_page("participant")
@require_http_methods(["GET", "POST"])
def conflicts(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Answers that wait for a choice, side by side; one is chosen with a reason."""
    entry, form, error = visible_entry(request, study, entry_id), _form(study), {}
    waiting = entry.conflicts.filter(resolved=None).select_related("by")
    if request.method == "POST":
        chosen = next((row for row in waiting if str(row.pk) == request.POST.get("conflict")), None)
        if chosen is None:
            raise Http404
        try:
            if not may_change(request, entry):
                raise EntryRefused(_("You may not change this entry."))
            resolve(chosen, request.POST.get("choice", ""), request.POST.get("reason", ""), request.user, form)
            return redirect("study-entry-conflicts" if waiting.all().exists() else "study-entry", study.id, entry.id)
        except (ReasonWanted, EntryRefused) as refused:
            error = {str(chosen.pk): str(refused)}
    texts = Texts(form, get_language() or "en")
    texts.number_episodes(entry)
    stored = {row.pk: stored_answer(form, entry, row.question, row.episode) for row in waiting}
    texts.learn([(row.question, value) for row in waiting for value in (row.value, stored[row.pk])])
    people = {
        row.number: row for row in entry.revisions.select_related("by").filter(number__in=[w.revision for w in waiting])
    }
    rows = [
        {
            "conflict": row,
            "label": texts.label(row.question, row.episode),
            "mine": texts.value(row.question, row.value),
            "theirs": texts.value(row.question, stored[row.pk]),
            "revision": people.get(row.revision),
            "error": error.get(str(row.pk), ""),
            "reason": request.POST.get("reason", "") if str(row.pk) in error else "",
        }
        for row in waiting
    ]
    return render(request, "entries/conflicts.html", {"entry": entry, "rows": rows}, status=422 if error else 200)


@study_page("participant", grant="delete")
@require_POST
def delete(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Delete an entry."""
    entry, reason = visible_entry(request, study, entry_id), tidy(request.POST.get("reason", ""), 500)
    if not reason:
        messages.error(request, _("Say why you delete this entry."))
        return redirect("study-entry", study.id, entry.id)
    delete_entry(entry, request.user, reason)
    messages.success(
        request,
        _("Entry %(number)s was deleted. An administrator of the study can restore it for %(days)s days.")
        % {"number": entry.number, "days": KEPT_DAYS},
    )
    return redirect("study-entries", study.id)


@study_page("inspector")
@require_GET
def deleted(request: HttpRequest, study: Study) -> HttpResponse:
    """Entries that were deleted and can be restored."""
    rows = study.entries.exclude(deleted=None).select_related("author", "centre").order_by("-deleted")
    limit = timezone.now() - timedelta(days=KEPT_DAYS)
    return render(request, "entries/deleted.html", {"rows": rows.filter(deleted__gt=limit)[:500], "days": KEPT_DAYS})


@study_page("administrator")
@require_POST
def restore(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Bring a deleted entry back."""
    entry = get_object_or_404(Entry, study=study, pk=entry_id)
    restore_entry(entry, request.user)
    return redirect("study-entry", study.id, entry.id)
