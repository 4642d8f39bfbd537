"""The reference implementation of conditions: their meaning, literally, on the answers of one entry.

Slow and simple.  `sfumato.web.studies.filtering.compiling` asks the database, and tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date
from itertools import pairwise, product
from typing import Any

from sfumato.web.studies.entry.words import searchable
from sfumato.web.studies.filtering.checking import day_of, key_of
from sfumato.web.studies.filtering.tree import (
    About,
    All,
    Answered,
    AnyOf,
    Between,
    Condition,
    Contains,
    Has,
    Is,
    Not,
    OneOf,
    Test,
    Then,
)
from sfumato.web.studies.forms.answers import Answers
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.forms.values import value_of

__all__ = ["Facts", "holds"]


@dataclass(frozen=True)
class Facts:
    """What is known about an entry besides its answers; ids as texts, "" for no centre."""

    created: date
    author: str
    centre: str = ""
    complete: bool = False
    withdrawn: bool = False

    @classmethod
    def of(cls, entry: Any) -> Facts:
        """Those of a stored entry."""
        return cls(
            entry.created.astimezone(UTC).date(),
            str(entry.author_id),
            str(entry.centre_id or ""),
            entry.complete is not None,
            entry.withdrawn is not None,
        )


@dataclass
class _Episode:
    key: str
    values: dict[str, list[str]]
    starts: int | None
    ends: int | None


def holds(condition: Condition, form: Form, answers: Answers, facts: Facts) -> bool:
    """Whether a condition holds for an entry."""
    return _World(form, answers, facts).holds(condition, None)


class _World:
    """The answers that count: those of questions that are asked, and that are values of their type."""

    def __init__(self, form: Form, answers: Answers, facts: Facts) -> None:
        whole = with_calculated(form, answers, facts.created)
        places = asked(form, whole)
        self.form, self.facts = form, facts
        self.values = _counting(form, whole.values, places, "")
        self.episodes: dict[str, list[_Episode]] = {}
        for group, rows in whole.episodes.items():
            if (group, "") in places:
                self.episodes[group] = [
                    _episode(form.question(group), key, _counting(form, values, places, key)) for key, values in rows
                ]

    def holds(self, condition: Condition, episode: _Episode | None) -> bool:
        if isinstance(condition, All):
            return all(self.holds(part, episode) for part in condition.parts)
        if isinstance(condition, AnyOf):
            return any(self.holds(part, episode) for part in condition.parts)
        if isinstance(condition, Not):
            return not self.holds(condition.part, episode)
        if isinstance(condition, Is):
            question = self.form.question(condition.question)
            return any(_passes(question, text, condition.test) for text in self._texts(question, episode))
        if isinstance(condition, About):
            return _passes_about(self.facts, condition)
        if isinstance(condition, Has):
            return len(self._matching(condition)) >= condition.at_least
        if isinstance(condition, Then):
            return any(_in_order(row, condition.within_days) for row in product(*map(self._matching, condition.parts)))
        return any(
            first is not second and _share_day(first, second)
            for first in self._matching(condition.first)
            for second in self._matching(condition.second)
        )

    def _texts(self, question: Question, episode: _Episode | None) -> list[str]:
        if episode is not None:
            return episode.values.get(question.key, [])
        group = self.form.group_of(question.key)
        if group is None:
            return self.values.get(question.key, [])
        rows = self.episodes.get(group.key, [])
        return [text for row in rows for text in row.values.get(question.key, [])]

    def _matching(self, condition: Has) -> list[_Episode]:
        rows = self.episodes.get(condition.group, [])
        return [row for row in rows if condition.inside is None or self.holds(condition.inside, row)]


def _counting(
    form: Form, values: dict[str, str | list[str]], places: set[tuple[str, str]], episode: str
) -> dict[str, list[str]]:
    counting: dict[str, list[str]] = {}
    for key, stored in values.items():
        if (key, episode) not in places or not form.question(key).is_answered:
            continue
        try:
            value_of(form.question(key), stored)
        except ValueError:
            continue
        counting[key] = [stored] if isinstance(stored, str) else list(stored)
    return counting


def _episode(group: Question, key: str, values: dict[str, list[str]]) -> _Episode:
    days = [day_of(values[name][0]) if name in values else None for name in (group.starts, group.ends)]
    return _Episode(key, values, *days)


def _passes(question: Question, text: str, test: Test) -> bool:
    if isinstance(test, Answered):
        return True
    if isinstance(test, OneOf):
        return key_of(question, text) in {key_of(question, word) for word in test.words}
    if isinstance(test, Contains):
        return searchable(test.text) in searchable(text)
    value = key_of(question, text)
    low, high = (key_of(question, bound) if bound else None for bound in (test.low, test.high))
    if any(bound is not None and bound.column != value.column for bound in (low, high)):
        return False
    return _between(value.value, low and low.value, high and high.value, test.strict)


def _between(value: Any, low: Any, high: Any, strict: bool) -> bool:
    if strict:
        return (low is None or low < value) and (high is None or value < high)
    return (low is None or low <= value) and (high is None or value <= high)


def _passes_about(facts: Facts, condition: About) -> bool:
    test = condition.test
    if isinstance(test, Between):
        low, high = (day_of(bound) if bound else None for bound in (test.low, test.high))
        return _between(facts.created.toordinal(), low, high, test.strict)
    if isinstance(test, Answered):
        return bool(facts.centre)
    assert isinstance(test, OneOf)
    if condition.field == "state":
        states = {"complete" if facts.complete else "draft"} | ({"withdrawn"} if facts.withdrawn else set())
        return not states.isdisjoint(test.words)
    return (facts.author if condition.field == "author" else facts.centre) in test.words


def _in_order(episodes: tuple[_Episode, ...], within_days: int | None) -> bool:
    days = [episode.starts for episode in episodes]
    for day, later in pairwise(days):
        if day is None or later is None or later <= day:
            return False
        if within_days is not None and later - day > within_days:
            return False
    return True


def _share_day(first: _Episode, second: _Episode) -> bool:
    if first.starts is None or second.starts is None:
        return False
    ends = [episode.ends for episode in (first, second) if episode.ends is not None]
    return all(max(first.starts, second.starts) <= end for end in ends)
