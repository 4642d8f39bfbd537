"""The entries of the demonstration study, with their history, notes, and conflicts of two devices."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.examples.patients import Patient
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Conflict, Entry, Membership, Note, Revision, Study

__all__ = ["add_entries"]

_CORRECTED = 12  # one in so many finished entries was corrected later


def add_entries(study: Study, people: Sequence[Patient], authors: Sequence[Membership]) -> None:
    """Add an entry for each patient, made by the participant of the patient's centre, and index them."""
    now, versions = timezone.now(), {version.number: version for version in study.form_versions.all()}
    entries: list[Entry] = []
    revisions: list[Revision] = []
    numbers = [0] * len(authors)
    for patient in people:
        author, numbers[patient.centre] = authors[patient.centre], numbers[patient.centre] + 1
        created = now - timedelta(days=patient.days_ago)
        entry = Entry(
            study=study,
            author_id=author.user_id,
            centre_id=author.centre_id,
            number=numbers[patient.centre],
            form_version=versions[patient.version],
            answers=patient.answers.to_json(),
            revision=1,
            client_key=str(uuid.uuid4()),
            created=created,
            changed=created,
            complete=created if patient.finished else None,
        )
        entries.append(entry)
        revisions.append(Revision(entry=entry, number=1, patch=_patch(patient.answers), by=author.user, at=created))
    finished = [entry for entry in entries if entry.complete]
    reason = "read from the chart again"
    revisions += [_correction(entry, "temperature", _higher(entry), reason) for entry in finished[::_CORRECTED]]
    revisions += _conflict(finished[1])
    Entry.objects.bulk_create(entries)
    Revision.objects.bulk_create(revisions)
    Note.objects.bulk_create(_notes(entries))
    Conflict.objects.bulk_create([_open_conflict(finished[0], "temperature")])
    index_entries(entries, Form.from_json(study.form_version.tree), question_rows(study))


def _patch(answers: Answers) -> list[dict[str, Any]]:
    """The changes that made these answers, as a revision keeps them."""
    patch = [_change(key, "", value) for key, value in answers.values.items()]
    for group, rows in answers.episodes.items():
        for episode, values in rows:
            patch.append({"group": group, "episode": episode, "do": "add", "value": None, "before": None})
            patch += [_change(key, episode, value) for key, value in values.items()]
    return patch


def _change(key: str, episode: str, value: Stored, before: Stored | None = None) -> dict[str, Any]:
    return {"question": key, "episode": episode, "value": value, "before": before}


def _higher(entry: Entry) -> str:
    return f"{min(42.0, float(entry.answers['values']['temperature']) + 0.4):.1f}"


def _correction(entry: Entry, key: str, value: str, reason: str, *, conflict_with: int | None = None) -> Revision:
    """Change an answer of an entry that is not stored yet."""
    values = entry.answers["values"]
    change = _change(key, "", value, values.get(key))
    values[key] = value
    entry.revision += 1
    entry.changed = min(entry.changed + timedelta(hours=3), timezone.now())
    return Revision(
        entry=entry,
        number=entry.revision,
        patch=[change],
        by_id=entry.author_id,
        at=entry.changed,
        reason=reason,
        conflict_with=conflict_with,
    )


def _conflict(entry: Entry) -> list[Revision]:
    """An answer that was changed on two devices: the second writer saw both and chose."""
    first = _correction(entry, "outcome", "same", "")
    return [
        first,
        _correction(entry, "outcome", "progress", "the phone was not up to date", conflict_with=first.number),
    ]


def _open_conflict(entry: Entry, key: str) -> Conflict:
    """An answer that was typed on a second device after the last change, and that waits for a choice."""
    value = entry.revisions.get(number=entry.revision).patch[0]["before"]
    return Conflict(entry=entry, question=key, value=value, revision=entry.revision, by_id=entry.author_id)


def _notes(entries: Sequence[Entry]) -> list[Note]:
    """Remarks about drafts, and about the answer that was changed twice."""
    drafts = [entry for entry in entries if not entry.complete]
    texts = (
        "waiting for the laboratory",
        "ask the ward for the country of residence",
        "transferred, call the other clinic",
    )
    return [
        Note(entry=entry, text=text, by_id=entry.author_id, created=entry.changed)
        for entry, text in zip(drafts, texts, strict=False)
    ]
