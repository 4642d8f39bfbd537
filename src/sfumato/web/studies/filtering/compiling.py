"""Conditions as SQL: each part is one subquery on the index of answers, the same on SQLite and PostgreSQL.

A part selects entries by `IN` and a subquery of its own, which both databases answer once from a covering index; EXISTS
took up to five times as long on SQLite, because it was asked for each entry.
What the conditions mean is written in `sfumato.web.studies.filtering.twin`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from sfumato.web.studies.entry.indexing import question_rows
from sfumato.web.studies.entry.words import searchable
from sfumato.web.studies.filtering.checking import check, columns_of_type, day_of, key_of
from sfumato.web.studies.filtering.tree import (
    About,
    All,
    Answered,
    AnyOf,
    Between,
    Condition,
    Contains,
    During,
    Has,
    Is,
    Not,
    OneOf,
    Test,
    Then,
)
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Cell, Entry, Episode, Study

__all__ = ["entries_where", "form_of"]

_LAST = date.max.toordinal()


def form_of(study: Study) -> Form:
    """The form in use; an empty one before the first is published."""
    version = study.form_version
    return Form() if version is None else Form.from_json(version.tree)


def entries_where(
    study: Study, condition: Condition, entries: QuerySet[Entry], author: Any = None, form: Form | None = None
) -> QuerySet[Entry]:
    """The entries for which a condition holds; `ConditionRefused` if it does not fit the form.

    entries : those that the user sees.  author : the user, if a participant; then no row of another author is read.
    """
    form = form_of(study) if form is None else form
    check(condition, form)
    if condition == All():
        return entries
    return entries.filter(_Compiler(form, question_rows(study), author).entry(condition))


class _Compiler:
    def __init__(self, form: Form, rows: dict[str, int], author: Any) -> None:
        self.form, self.rows = form, rows
        self.own: dict[str, Any] = {} if author is None else {"author": author}

    def entry(self, condition: Condition) -> Q:
        """A condition in a query on entries."""
        if isinstance(condition, Is):
            return Q(pk__in=self._cells(condition).values("entry"))
        if isinstance(condition, About):
            return _about(condition)
        if isinstance(condition, Has):
            return self._has(condition)
        if isinstance(condition, Then):
            return Q(pk__in=self._then(condition.parts, condition.within_days).values("entry"))
        if isinstance(condition, During):
            return Q(pk__in=self._during(condition).values("entry"))
        return _joined(condition, self.entry)

    def episode(self, condition: Condition) -> Q:
        """A condition in a query on episodes."""
        if isinstance(condition, Is):
            return Q(pk__in=self._cells(condition).filter(episode__isnull=False).values("episode"))
        return _joined(condition, self.episode)

    def _cells(self, condition: Is) -> QuerySet[Cell]:
        question = self.form.question(condition.question)
        row = self.rows[condition.question]
        return Cell.objects.filter(_passes(question, condition.test), question=row, **self.own)

    def _episodes(self, condition: Has) -> QuerySet[Episode]:
        rows = Episode.objects.filter(group=self.rows[condition.group], **self.own)
        return rows if condition.inside is None else rows.filter(self.episode(condition.inside))

    def _has(self, condition: Has) -> Q:
        rows = self._episodes(condition).values("entry")
        if condition.at_least > 1:
            rows = rows.annotate(count=Count("pk")).filter(count__gte=condition.at_least).values("entry")
        return Q(pk__in=rows)

    def _then(self, parts: tuple[Has, ...], within_days: int | None) -> QuerySet[Episode]:
        """The episodes of the first part that the others follow."""
        rows = self._episodes(parts[0]).filter(starts__isnull=False)
        if len(parts) == 1:
            return rows
        later = self._then(parts[1:], within_days).filter(entry=OuterRef("entry"), starts__gt=OuterRef("starts"))
        if within_days is not None:
            later = later.filter(starts__lte=OuterRef("starts") + within_days)
        return rows.filter(Exists(later))

    def _during(self, condition: During) -> QuerySet[Episode]:
        """The episodes of the first part that share a day with another one of the second."""
        second = (
            self._episodes(condition.second)
            .filter(_days_in_order(), entry=OuterRef("entry"), starts__lte=Coalesce(OuterRef("ends"), Value(_LAST)))
            .filter(Q(ends=None) | Q(ends__gte=OuterRef("starts")))
            .exclude(pk=OuterRef("pk"))
        )
        return self._episodes(condition.first).filter(_days_in_order(), Exists(second))


def _days_in_order() -> Q:
    """An episode with a start; one that ends before it starts has no day."""
    return Q(starts__isnull=False) & (Q(ends=None) | Q(ends__gte=F("starts")))


def _joined(condition: Condition, compiled: Any) -> Q:
    if isinstance(condition, Not):
        return ~compiled(condition.part)
    joined = Q()
    assert isinstance(condition, All | AnyOf)
    for part in condition.parts:
        joined = joined & compiled(part) if isinstance(condition, All) else joined | compiled(part)
    return joined


def _passes(question: Question, test: Test) -> Q:
    """A test in a query on cells."""
    if isinstance(test, Answered):
        return reduce(or_, (Q(**{f"{column}__isnull": False}) for column in columns_of_type(question)))
    if isinstance(test, Contains):
        return Q(search__contains=searchable(test.text), word__isnull=False)  # so that an index of words is used
    if isinstance(test, OneOf):
        keys = [key_of(question, word) for word in test.words]
        columns = sorted({key.column for key in keys})
        passes = Q()
        for column in columns:
            passes |= Q(**{f"{column}__in": sorted({key.value for key in keys if key.column == column})})
        return passes
    low, high = (key_of(question, bound) if bound else None for bound in (test.low, test.high))
    column = (low or high).column  # type: ignore[union-attr]  # `check` wants a bound
    return _between(column, low and low.value, high and high.value, test.strict)


def _between(column: str, low: Any, high: Any, strict: bool) -> Q:
    above, below = ("gt", "lt") if strict else ("gte", "lte")
    passes = Q(**{f"{column}__isnull": False})
    if low is not None:
        passes &= Q(**{f"{column}__{above}": low})
    if high is not None:
        passes &= Q(**{f"{column}__{below}": high})
    return passes


def _about(condition: About) -> Q:
    test = condition.test
    if isinstance(test, Between):
        return _created(test)
    if isinstance(test, Answered):
        return Q(centre__isnull=False)
    assert isinstance(test, OneOf)
    if condition.field == "state":
        passes = Q()
        states = {
            "draft": Q(complete=None),
            "complete": Q(complete__isnull=False),
            "withdrawn": Q(withdrawn__isnull=False),
        }
        for word in test.words:
            passes |= states[word]
        return passes
    if condition.field == "author":
        return Q(author__in=test.words)
    return Q(centre__in=test.words, centre__isnull=False)


def _created(test: Between) -> Q:
    """Days are those of UTC, and a bound means the whole day."""
    passes = Q()
    if test.low:
        passes &= Q(created__gte=_midnight(day_of(test.low) + (1 if test.strict else 0)))
    if test.high:
        passes &= Q(created__lt=_midnight(day_of(test.high) + (0 if test.strict else 1)))
    return passes


def _midnight(day: int) -> datetime:
    if day > _LAST:
        return datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    return datetime.combine(date.fromordinal(day), time(), UTC)
