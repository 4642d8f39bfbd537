"""What the script of the form sends and gets: changes in JSON, and what came of them."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.entry.changes import Malformed, read_changes
from sfumato.web.studies.entry.pairing import code_of
from sfumato.web.studies.entry.saving import EntryRefused, Saved, save
from sfumato.web.studies.models import Entry, Revision

__all__ = ["MOST_BYTES", "answered", "may_change", "read_request", "refusal", "store"]

MOST_BYTES = 4 * 2**20


def may_change(request: Any, entry: Entry) -> bool:
    """Whether the user may change an entry: a draft needs the grant enter or edit, a finished one edit."""
    return "edit" in request.grants or (entry.complete is None and "enter" in request.grants)


def read_request(request: HttpRequest) -> dict[str, Any]:
    """The JSON of a request, sent for the user who is signed in; its "changes" are read."""
    if len(request.body) > MOST_BYTES:
        raise Malformed(f"wanted at most {MOST_BYTES // 2**20} MB")
    try:
        content = json.loads(request.body)
    except (ValueError, RecursionError):
        raise Malformed("wanted JSON") from None
    if not isinstance(content, dict):
        raise Malformed("wanted a JSON object")
    if content.get("user") != str(request.user.pk):
        raise EntryRefused(_("Another person is signed in in this browser."))
    content["changes"] = read_changes(content.get("changes"))
    return content


def store(entry: Entry, changes: list[dict[str, Any]], user: Any) -> Saved:
    """Save changes that carry their base; a change of somebody else's entry is an event."""
    outcome = save(entry, changes, user, base=entry.revision)
    if entry.author_id != user.pk and outcome.revision != entry.revision:
        Event.record(user, "edit", f"entry {entry.id}", project=entry.study)
    return outcome


def answered(study: Any, entry: Entry, outcome: Saved) -> JsonResponse:
    """What came of a save, for the script."""
    url = reverse("study-entry", args=[study.id, entry.id])
    people = {
        row.number: (row.by.username if row.by else "", row.at.isoformat())
        for row in Revision.objects.filter(
            entry=entry, number__in={conflict["revision"] for conflict in outcome.conflicts}
        ).select_related("by")
    }
    return JsonResponse(
        {
            "entry": str(entry.id),
            "number": entry.number,
            "url": url,
            "save": reverse("study-entry-save", args=[study.id, entry.id]),
            "conflicts_url": reverse("study-entry-conflicts", args=[study.id, entry.id]),
            "code": code_of(entry) if study.double and entry.double_of_id is None else "",
            "revision": outcome.revision,
            "refused": [
                {"question": key, "episode": episode, "sentence": sentence}
                for (key, episode), sentence in outcome.refused.items()
            ],
            "conflicts": [
                {
                    "question": conflict["question"],
                    "episode": conflict["episode"],
                    "by": people.get(conflict["revision"], ("", ""))[0],
                    "at": people.get(conflict["revision"], ("", ""))[1],
                }
                for conflict in outcome.conflicts
            ],
            "changed": _values(outcome.changed),
            "calculated": _values(outcome.calculated),
        }
    )


def refusal(error: Malformed | EntryRefused) -> JsonResponse:
    """A request of which nothing was saved."""
    return JsonResponse({"sentence": str(error)}, status=409 if isinstance(error, EntryRefused) else 422)


def _values(places: dict[tuple[str, str], Any]) -> list[dict[str, Any]]:
    return [{"question": key, "episode": episode, "value": value} for (key, episode), value in places.items()]
