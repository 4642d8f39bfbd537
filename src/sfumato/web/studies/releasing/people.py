"""Whose answers may leave a study, and how they are read from the index of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast
from django.utils.translation import gettext, override

from sfumato.web.studies.forms.tree import Question
from sfumato.web.studies.models import Cell, Entry, Study

__all__ = ["ID_TEXT", "Answer", "answers_of", "frequent_texts", "people_in"]

ID_TEXT = Cast("id", CharField())
"""The id of an entry as its database writes it, which is read several times faster than a UUID."""

_FEWEST_PEOPLE = 5  # with the same free text

Value = str | int | float | date


class Answer(NamedTuple):
    """A value, and the place of its episode among those of the entry."""

    place: tuple[bool, int, int]
    value: Value


def people_in(study: Study, entries: QuerySet[Entry] | None = None, *, drafts: bool = False) -> QuerySet[Entry]:
    """The entries of a study that may be published: complete, not deleted, not withdrawn, one for each person.

    drafts : whether entries that are not complete are taken, too.
    """
    chosen = (Entry.objects.filter(study=study) if entries is None else entries.filter(study=study)).filter(
        deleted=None, withdrawn=None, double_of=None
    )
    return chosen if drafts else chosen.filter(complete__isnull=False)


def answers_of(
    entries: QuerySet[Entry], questions: Iterable[Question], labels: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, list[Answer]]]:
    """The answers by question and entry (as `ID_TEXT` writes it), each list in the order of episodes, by one statement.

    labels : the text of each option, by question and key.
    """
    by_key = {question.key: question for question in questions}
    answers: dict[str, dict[str, list[Answer]]] = {key: {} for key in by_key}
    cells = Cell.objects.filter(entry__in=entries.order_by(), question__key__in=by_key).values_list(
        Cast("entry_id", CharField()), "question__key", "episode__starts", "episode__position", "word", "number", "day"
    )
    for entry, key, starts, position, word, number, day in cells.iterator(chunk_size=20_000):
        value = _value(by_key[key].type, labels.get(key, {}), word, number, day)
        place = (starts is None, starts or 0, position or 0)
        answers[key].setdefault(entry, []).append(Answer(place, value))
    for of_question in answers.values():
        for several in of_question.values():
            if len(several) > 1:
                several.sort(key=lambda answer: (answer.place, str(answer.value)))
    return answers


def frequent_texts(answers: Mapping[str, list[Answer]], language: str) -> dict[str, list[Answer]]:
    """Free texts of several people; a published directory shows also the texts that stand behind a group.

    Every other text, which can be about one person, becomes the word for others.
    """
    people = Counter(text for several in answers.values() for text in {answer.value for answer in several})
    with override(language):
        other = gettext("other")
    return {
        entry: [
            answer if people[answer.value] >= _FEWEST_PEOPLE else answer._replace(value=other) for answer in several
        ]
        for entry, several in answers.items()
    }


def _value(kind: str, labels: Mapping[str, str], word: str | None, number: float | None, day: int | None) -> Value:
    if day is not None:
        return date.fromordinal(day)
    if number is not None:
        return int(number) if kind == "integer" else number
    text = word or ""
    return labels.get(text, text) if kind in ("one", "many", "list") else text
