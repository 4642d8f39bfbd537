"""Read the answers of entries for a file, some entries at a time, so that many take neither memory nor a long query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from sfumato.web.studies.exporting.choosing import Column
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.forms.values import value_of
from sfumato.web.studies.models import Entry, Study

__all__ = ["Record", "Typed", "Written", "most_episodes", "read_entries"]

Typed = str | int | float | date | None
_AT_ONCE = 500


@dataclass
class Record:
    """An entry with the answers that count: those of questions that are asked, or were before they were retired."""

    entry: Entry
    values: dict[str, Stored]
    episodes: dict[str, list[dict[str, Stored]]]


def read_entries(entries: QuerySet[Entry], form: Form) -> Iterator[Record]:
    """The records of entries, in the order in which they were made.  form : the one in use."""
    keys = list(entries.order_by("created", "number").values_list("pk", flat=True))
    is_plain = not any(row.when.rules or row.type == "calculated" for row, _group in form.walk())
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        rows = Entry.objects.filter(pk__in=part).in_bulk()
        for key in part:
            if key in rows:  # it may have been deleted meanwhile
                yield _everything(rows[key]) if is_plain else _record(rows[key], form)


def _everything(entry: Entry) -> Record:
    """The record of an entry whose form asks every question."""
    episodes = {
        group: [row.get("values", {}) for row in rows] for group, rows in entry.answers.get("episodes", {}).items()
    }
    return Record(entry, entry.answers.get("values", {}), episodes)


def most_episodes(entries: QuerySet[Entry], form: Form) -> dict[str, int]:
    """The greatest number of episodes of an entry, by group."""
    most: dict[str, int] = {}
    for record in read_entries(entries, form):
        for group, rows in record.episodes.items():
            most[group] = max(most.get(group, 0), len(rows))
    return most


def _record(entry: Entry, form: Form) -> Record:
    answers = with_calculated(form, Answers.from_json(entry.answers), localdate(entry.created))
    places = asked(form, answers)
    known = form.by_key
    values = {key: stored for key, stored in answers.values.items() if key not in known or (key, "") in places}
    episodes = {
        group: [
            {key: stored for key, stored in row.items() if key not in known or (key, name) in places}
            for name, row in rows
        ]
        for group, rows in answers.episodes.items()
        if group not in known or (group, "") in places
    }
    return Record(entry, values, episodes)


class Written:
    """Answers as a file has them: labels of options in a language, or their keys."""

    def __init__(self, study: Study, choices: dict[str, tuple[Choice, ...]], language: str, *, labels: bool) -> None:
        self.labels = labels
        self.texts = {key: {row.key: row.text(language) for row in rows} for key, rows in choices.items()}
        self.yes_no = {"yes": _("yes"), "no": _("no")}
        self.states = (_("withdrawn"), _("draft"), _("complete")) if labels else ("withdrawn", "draft", "complete")
        self.centres = dict(study.centres.values_list("pk", "name"))
        people = study.memberships.values_list("user_id", "user__first_name", "user__last_name", "user__username")
        self.authors = {key: f"{first} {last}".strip() or name for key, first, last, name in people}

    def row(self, columns: Sequence[Column], record: Record, episode: dict[str, Stored] | None = None) -> list[Typed]:
        """The values of the columns; of an episode, if one is given, otherwise of the entry."""
        return [self._of(column, record, episode) for column in columns]

    def _of(self, column: Column, record: Record, episode: dict[str, Stored] | None) -> Typed:
        if column.question is None:
            return self.about(column.key, record.entry)
        if column.number:
            rows = record.episodes.get(column.group, [])
            values = rows[column.number - 1] if column.number <= len(rows) else {}
        else:
            values = record.values if episode is None else episode
        stored = values.get(column.key)
        return None if stored is None else self.typed(column.question, stored)

    def typed(self, question: Question, stored: Stored) -> Typed:
        """An answer as a number, a date or a text."""
        kind = question.type
        if kind in ("one", "list", "many"):
            texts = self.texts.get(question.key, {}) if self.labels else {}
            if isinstance(stored, str):
                return texts.get(stored, stored)
            return ("; " if self.labels else " ").join(texts.get(key, key) for key in stored)
        if kind == "string" and isinstance(stored, str):
            return stored
        try:
            value: Any = value_of(question, stored)
        except ValueError:  # of an earlier type
            return stored if isinstance(stored, str) else " ".join(stored)
        if isinstance(value, bool):
            word = "yes" if value else "no"
            return self.yes_no[word] if self.labels else word
        if isinstance(value, Decimal):
            return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)
        return value

    def about(self, key: str, entry: Entry) -> Typed:
        """A value about the entry itself."""
        if key == "@entry":
            return str(entry.pk)
        if key == "@number":
            return entry.number
        if key == "@centre":
            return self.centres.get(entry.centre_id)
        if key == "@author":
            return self.authors.get(entry.author_id)
        if key == "@created":
            return localdate(entry.created)
        return self.states[0 if entry.withdrawn else 1 if entry.complete is None else 2]
