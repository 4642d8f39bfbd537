"""Double entry compared: where the two entries of a pair differ, who typed what, and the choice between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.entries.choosing import keep_stored, require_choice, stored_answer
from sfumato.web.studies.entry.changes import place_of
from sfumato.web.studies.entry.saving import EntryRefused, locked_entry, save
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Entry, Revision

__all__ = ["Disagreement", "choose", "disagreements", "typed_by"]


@dataclass(frozen=True)
class Disagreement:
    """An answer, or a whole episode (question "" and values None), in which two entries differ.

    episode, second_episode : keys of the episode in the first and in the second entry; "" outside of groups, or where
    that entry has no such episode.  number : which episode of the group it is, from 1.  settled : the revision in
    which somebody chose the first one.
    """

    question: str
    group: str
    episode: str
    second_episode: str
    number: int
    first: Stored | None
    second: Stored | None
    settled: Revision | None = None

    @property
    def name(self) -> str:
        """What a form sends to name it."""
        return "|".join((self.question, self.group, self.episode, self.second_episode))


def disagreements(form: Form, first: Entry, second: Entry) -> list[Disagreement]:
    """Where the entries differ, in the order of the form; episodes are compared in the order of their start."""
    settled, rows = _settled(first, second), []
    for row in _differences(form, Answers.from_json(first.answers), Answers.from_json(second.answers)):
        name = (row.question, row.group, row.episode, row.second_episode, _text(row.first), _text(row.second))
        rows.append(replace(row, settled=settled.get(name)))
    return rows


def _text(stored: object) -> str:
    return repr(stored)


def _differences(form: Form, first: Answers, second: Answers) -> Iterator[Disagreement]:
    for question in form.questions:
        if question.type == "group":
            yield from _of_group(question, first, second)
        elif question.is_answered and first.values.get(question.key) != second.values.get(question.key):
            pair = first.values.get(question.key), second.values.get(question.key)
            yield Disagreement(question.key, "", "", "", 0, *pair)


def _of_group(group: Question, first: Answers, second: Answers) -> Iterator[Disagreement]:
    ours, theirs = (_in_order(group, answers) for answers in (first, second))
    for number in range(max(len(ours), len(theirs))):
        key, values = ours[number] if number < len(ours) else ("", {})
        other, others = theirs[number] if number < len(theirs) else ("", {})
        if not key or not other:
            yield Disagreement("", group.key, key, other, number + 1, None, None)
            continue
        for question in group.questions:
            if question.is_answered and values.get(question.key) != others.get(question.key):
                pair = values.get(question.key), others.get(question.key)
                yield Disagreement(question.key, group.key, key, other, number + 1, *pair)


def _in_order(group: Question, answers: Answers) -> list[tuple[str, dict[str, Stored]]]:
    rows = answers.episodes.get(group.key, [])
    return sorted(rows, key=lambda row: str(row[1].get(group.starts, "9999")))


def _settled(first: Entry, second: Entry) -> dict[tuple[str, ...], Revision]:
    """The revisions in which the answer of the first entry was kept, by what they decided."""
    settled = {}
    for revision in first.revisions.exclude(reason="").select_related("by").order_by("number"):
        for change in revision.patch:
            if change.get("second") == str(second.id) and "declined" in change:
                names = tuple(change.get(name, "") for name in ("question", "group", "episode", "second_episode"))
                settled[(*names, _text(change["value"]), _text(change["declined"]))] = revision
    return settled


def typed_by(entry: Entry) -> dict[tuple[str, str], tuple[str, datetime]]:
    """Who typed each answer last, and when, by question (or group, for an episode that was added) and episode."""
    people: dict[tuple[str, str], tuple[str, datetime]] = {}
    for revision in entry.revisions.select_related("by").order_by("number").iterator(chunk_size=200):
        for change in revision.patch:
            people[place_of(change)] = (revision.by.username if revision.by else "", revision.at)
    return people


def choose(form: Form, first: Entry, second: Entry, name: str, choice: str, reason: str, user: Any) -> None:
    """Settle a disagreement: "second" writes its answer into the first entry, "first" keeps what is there."""
    reason = require_choice(choice, ("first", "second"), reason)
    with transaction.atomic():
        current = locked_entry(first)
        row = next((row for row in disagreements(form, current, second) if row.name == name), None)
        if row is None or row.settled is not None:
            raise EntryRefused(_("This answer changed meanwhile. Look at the two entries again."))
        if choice == "second":
            changes = _taken(form, second, row)
            marks = {"second": str(second.id)}
            outcome = save(current, changes, user, base=current.revision, reason=reason, marks=marks)
            if outcome.refused:
                raise EntryRefused(next(iter(outcome.refused.values())))
        else:
            marks = {"second": str(second.id), "group": row.group, "second_episode": row.second_episode}
            keep_stored(current, form, (row.question, row.episode), row.second, reason, user, marks=marks)
        Event.record(user, "choose", f"entry {current.id}", project=current.study)


def _taken(form: Form, second: Entry, row: Disagreement) -> list[dict[str, Any]]:
    if row.question:
        value = stored_answer(form, second, row.question, row.second_episode)
        return [{"question": row.question, "episode": row.episode, "value": value}]
    if not row.second_episode:
        return [{"group": row.group, "episode": row.episode, "do": "retire"}]
    values = Answers.from_json(second.answers).scope(row.group, row.second_episode) or {}
    answered = [inner.key for inner in form.question(row.group).questions if inner.type != "calculated"]
    return [
        {"group": row.group, "episode": row.second_episode, "do": "add"},
        *({"question": key, "episode": row.second_episode, "value": values[key]} for key in answered if key in values),
    ]
