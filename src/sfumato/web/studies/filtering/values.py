"""The distinct values that are stored for a question, with the number of entries of each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, QuerySet
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sfumato.web.studies.entry.indexing import question_rows
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.entry.words import LONGEST_WORD, searchable
from sfumato.web.studies.filtering.checking import columns_of_type, is_numeric
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.models import Cell, Entry, Study

__all__ = ["StoredValue", "label_of", "range_of", "stored_values"]


class StoredValue(NamedTuple):
    """A stored value: the text that a condition takes, the words that a page shows, and how many entries hold it."""

    text: str
    label: str
    count: int  # type: ignore[assignment]  # a tuple's method has this name too


def stored_values(
    study: Study,
    question_key: str,
    entries: QuerySet[Entry],
    author: Any = None,
    *,
    limit: int | None = None,
    search: str = "",
    form: Form | None = None,
    choices: Sequence[Choice] | None = None,
) -> list[StoredValue]:
    """The distinct values of a question among entries, the most frequent ones if there are more than `limit`.

    Options come in the order of the form, numbers and days in ascending order, texts by frequency.  search : only
    values whose label contains these letters.  author : the user, if a participant.
    """
    form = form_of(study) if form is None else form
    question, group = form.by_key[question_key]
    options = choices if choices is not None else choices_of_form(form).get(question_key, ())
    cells = _cells(study, question_key, entries, author)
    if search and question.type == "string":
        cells, search = cells.filter(search__contains=searchable(search)), ""
    counted = Count("entry", distinct=group is not None)
    stored: list[StoredValue] = []
    for column in columns_of_type(question):
        rows = cells.filter(**{f"{column}__isnull": False}).values_list(column).annotate(count=counted)
        rows = rows.order_by("-count", column)
        for value, count in rows[:limit] if limit and not search else rows:
            text = _text(column, value)
            stored.append(StoredValue(text, label_of(question, options, text), count))
    if search:
        stored = [value for value in stored if searchable(search) in searchable(value.label)]
    return _in_order(question, options, stored[:limit])


def range_of(
    study: Study, question_key: str, entries: QuerySet[Entry], author: Any = None, form: Form | None = None
) -> tuple[str, str]:
    """The smallest and the largest stored number or day, as texts; empty ones without answers."""
    form = form_of(study) if form is None else form
    cells = _cells(study, question_key, entries, author)
    for column in columns_of_type(form.question(question_key)):
        if column != "word":
            known = cells.filter(**{f"{column}__isnull": False})
            bounds = known.aggregate(low=Min(column), high=Max(column))
            if bounds["low"] is not None:
                return _text(column, bounds["low"]), _text(column, bounds["high"])
    return "", ""


def label_of(question: Question, choices: Sequence[Choice], text: str) -> str:
    """The words that a page shows for a text of a condition or of the index."""
    if question.type in ("one", "many", "list"):
        language = get_language() or "en"
        return next((choice.text(language) for choice in choices if choice.key == text), text)
    if question.type == "yes_no":
        return {"yes": _("yes"), "no": _("no")}.get(text, text)
    if question.type == "date":
        try:
            return date_format(date.fromisoformat(text), "DATE_FORMAT")
        except ValueError:
            return text
    if not is_numeric(question) and len(text) >= LONGEST_WORD:
        return text[: LONGEST_WORD // 2] + "\N{HORIZONTAL ELLIPSIS}"
    return text


def _cells(study: Study, question_key: str, entries: QuerySet[Entry], author: Any) -> QuerySet[Cell]:
    """The cells of a question among entries of the study, by leaving out the others: most often there are none.

    So both databases read a covering index once, where a join of cells and entries took ten times as long.
    """
    every = Entry.objects.filter(study=study)
    cells = Cell.objects.filter(question=question_rows(study).get(question_key))
    if author is not None:
        every, cells = every.filter(author=author), cells.filter(author=author)
    others = every.exclude(pk__in=entries.order_by().values("pk"))
    return cells.exclude(entry__in=others.values("pk"))


def _text(column: str, value: Any) -> str:
    if column == "day":
        return date.fromordinal(value).isoformat()
    return _number(value) if column == "number" else str(value)


def _number(number: float) -> str:
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _in_order(question: Question, choices: Sequence[Choice], stored: list[StoredValue]) -> list[StoredValue]:
    if question.type == "date":
        return sorted(stored)
    if is_numeric(question):
        return sorted(stored, key=lambda value: _numeric(value.text))
    places = {choice.key: place for place, choice in enumerate(choices)}
    places |= {"yes": -2, "no": -1} if question.type == "yes_no" else {}
    return sorted(stored, key=lambda value: places.get(value.text, len(places)))


def _numeric(text: str) -> tuple[float, str]:
    try:
        return float(text), ""
    except ValueError:
        return float("inf"), text
