"""Whether a chart, together with those that left the study before, reveals a count below k.

Each published number counts a set of people, so charts are compared by these sets: two numbers whose sets differ by a
few people reveal them by subtraction, sums of several numbers do so too, and hidden counts may be bounded from both
charts.  What cannot be decided is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext as _

from sfumato.web.studies.charting.bounding import OtherTables
from sfumato.web.studies.charting.sums import few_people

__all__ = ["Number", "SharedTable", "reveals"]

_MOST_PARTS = 400  # into which charts divide the people, where counts are hidden
_MOST_NUMBERS = 20_000_000
Matrix = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Number:
    """A number of a chart: the people whom it counts, and whether it is shown or hidden."""

    people: frozenset[str]
    shown: bool


@dataclass(frozen=True)
class SharedTable:
    """A chart that left the study or is about to: its questions, everybody whom it counts, and its numbers."""

    questions: frozenset[str]
    people: frozenset[str]
    numbers: tuple[Number, ...]


def reveals(new: SharedTable, earlier: Sequence[SharedTable], k: int) -> str:
    """A sentence that says how the new chart would reveal a count below k; empty if it does not."""
    for table in earlier:
        if _differ_by_few(new, table, k):
            return _("the difference to a chart that was shared before would reveal a count below %(k)s") % {"k": k}
    tables = _linked(new, earlier)
    if len(tables) == 1:
        return ""  # a chart by itself is judged when its counts are hidden
    parts = _parts(tables)
    if len(parts) * sum(len(table.numbers) for table in tables) > _MOST_NUMBERS:
        return _("too many charts were shared before to be compared with this one")
    members, counts = np.array(list(parts), dtype=np.int64).T, np.array(list(parts.values()), dtype=np.int64)
    is_shown = np.array([number.shown for table in tables for number in table.numbers])
    shown = np.unique(members[is_shown], axis=0)
    if sentence := few_people(shown, counts, k):
        return sentence
    groups = _small(tables, members, counts, k)
    if len(groups) and len(parts) > _MOST_PARTS:
        return _("it and charts that were shared before divide people into too many groups to be checked together")
    others = OtherTables(shown, np.unique(members[~is_shown], axis=0), counts)
    if not all(others.has(group, k) for group in groups):
        return _("together with charts that were shared before it would reveal that a hidden count is below %(k)s") % {
            "k": k
        }
    return ""


def _small(tables: Sequence[SharedTable], members: Matrix, counts: Matrix, k: int) -> Matrix:
    """The groups of fewer than k people: hidden counts, and what two numbers of charts share or differ by.

    Two numbers of charts about the same people and different questions are left out: what they share was not published.
    """
    owner = np.repeat(np.arange(len(tables)), [len(table.numbers) for table in tables])
    near = np.array([[table.people != other.people or table is other for other in tables] for table in tables])
    groups = []
    for place, group in enumerate(members):
        others = members[near[owner[place], owner]]
        pairs = np.vstack([group[None, :], others & group, group & ~others])
        sizes = pairs @ counts
        groups.append(pairs[(sizes > 0) & (sizes < k)])
    return np.unique(np.vstack(groups), axis=0)


def _differ_by_few(new: SharedTable, old: SharedTable, k: int) -> bool:
    """Whether two shown numbers count nearly the same people."""
    shown = {number.people for number in old.numbers if number.shown}
    for people in {number.people for number in new.numbers if number.shown}:
        for other in shown:
            if abs(len(people) - len(other)) < k and people != other:
                more, fewer = len(people - other), len(other - people)
                if more < k and fewer < k:
                    return True
    return False


def _linked(new: SharedTable, earlier: Sequence[SharedTable]) -> list[SharedTable]:
    """The charts that bear on the new one.

    Charts of different questions about the same people do not: any two of their tables can be true together.
    """
    linked, rest = [new], list(earlier)
    while True:
        near = [
            table
            for table in rest
            if any(table.questions & other.questions or table.people != other.people for other in linked)
        ]
        if not near:
            return linked
        linked += near
        rest = [table for table in rest if not any(table is other for other in near)]


Part = tuple[bool, ...]


def _parts(tables: Sequence[SharedTable]) -> Counter[Part]:
    """How many people are counted by exactly the same numbers."""
    counted: dict[str, list[bool]] = {person: [] for table in tables for person in table.people}
    for table in tables:
        for number in table.numbers:
            for person, part in counted.items():
                part.append(person in number.people)
    return Counter(map(tuple, counted.values()))
