"""l-diversity of a table: whoever finds the class of a person still meets l different sensitive values.

A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", IEEE ICDE,
2006 (distinct and entropy l-diversity).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.params import param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.equivalence_classes import Classes, sensitive_columns
from sfumato.privacy.checks.persons_and_records import by_both, checked_by_rows
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, MINIMALITY, PRESENCE, Limit

__all__ = ["LDiversity"]

_WITNESSES = 5
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class LDiversity(PrivacyModel):
    """Every class of rows that share their quasi-identifiers has at least l well represented sensitive values.

    Notes
    -----
    Distinct l-diversity: l different values.  Entropy l-diversity: the entropy of the values is at least log l, which
    is decided in whole numbers where it is close.  A missing value is a value like any other.  Where there are several
    sensitive columns, each of them is diverse.

    Where persons are known, l different values must belong to l different persons (a matching): several values of one
    person are one person's.  The entropy, a matter of shares, must suffice counting rows and counting every person once
    for each of their values.

    Examples
    --------
    >>> table = Table({"age": [30, 30, 31, 31], "ill": ["flu", "hiv", "flu", "flu"]}, sensitive=("ill",))
    >>> LDiversity(l=2).check(table).witnesses
    ({'values': {'age': 31}, 'column': 'ill', 'diversity': 1},)
    """

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[str] = "l-diversity"
    kinds: ClassVar[tuple[str, ...]] = ("table",)
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "skewness",
            "how likely a sensitive value becomes: of l different values in a class one may be far more frequent",
        ),
        Limit(
            "similarity", "sensitive values that differ but mean much the same, such as three illnesses of the stomach"
        ),
        Limit("ruled-out-values", "an attacker who can rule out some of the values of a class, or some of its rows"),
        Limit("absent-values", "what a class rules out: a value that does not occur in it is not the person's"),
        Limit("other-sensitive-column", "an attacker who knows one sensitive column and asks for another"),
        Limit(
            "who-is-who-values",
            "who is who: a row may be found alone among l different values, unless k-anonymity is promised too",
        ),
        COMPOSITION,
        LEARNED,
        MINIMALITY,
        PRESENCE,
    )
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown-diversity",
        "several records of one person: persons are not known here, so the values of one person may be the l different "
        "ones",
    )

    l: int = param(at_least=2, stronger="higher", help="how many sensitive values every class must have; the paper's l")  # noqa: E741
    variant: str = param(
        "distinct",
        choices=("distinct", "entropy"),
        help="whether to count different values or to ask for an entropy of log l",
    )

    def check(self, published: Any, original: Any = None) -> Verdict:
        self._require_kind(published)
        table: Table = published
        columns = sensitive_columns(self.name, table, original)
        source: CheckedFrom = "files" if table.persons is None else "original"
        if len(table) == 0:
            return Verdict(True, source, {"unit": table.unit, "groups": 0, "smallest_diversity": None})

        def counted(some: Table) -> Verdict:
            return self._counted(some, columns, source)

        if self.variant == "distinct":  # as many values in rows as in persons, or more
            return checked_by_rows(counted(table), table, original)
        ratios = ("smallest_diversity", "violating_groups")
        verdict = by_both(counted, table, ratios=ratios, worst=lambda measured: -float(measured["smallest_diversity"]))
        return checked_by_rows(verdict, table, original)

    def _counted(self, table: Table, columns: tuple[str, ...], source: CheckedFrom) -> Verdict:
        smallest, violating, n_groups = [], [], 0
        for column in columns:
            classes = Classes.of(table, column)
            n_groups = max(n_groups, len(classes))
            diversity, enough = self._diversity(classes, table.persons is not None)
            smallest.append(diversity.min())
            bad = np.flatnonzero(~enough)
            violating += [(float(diversity[one]), at, column, classes.label(int(one))) for at, one in enumerate(bad)]
        number: Any = int if self.variant == "distinct" else lambda value: round(float(value), 6)
        measured = {
            "unit": table.unit,
            "groups": n_groups,
            "smallest_diversity": number(min(smallest)),
            "violating_groups": len(violating),
        }
        violating.sort(key=lambda found: found[:3])
        witnesses = tuple(
            {"values": label, "column": column, "diversity": number(diversity)}
            for diversity, _, column, label in violating[:_WITNESSES]
        )
        return Verdict(not violating, source, measured, witnesses)

    def _diversity(self, classes: Classes, by_person: bool) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """How diverse each class is, and whether that is enough."""
        if self.variant == "entropy":
            return _entropies(classes, self.l)
        ids, _, _ = classes.pairs()
        found = np.bincount(ids, minlength=len(classes)).astype(np.float64)
        if by_person:
            persons = np.unique(np.column_stack((classes.ids, classes.units)), axis=0)[:, 0]
            alike = np.bincount(persons, minlength=len(classes)) == np.bincount(classes.ids, minlength=len(classes))
            starts = np.searchsorted(classes.ids, np.arange(len(classes) + 1))
            for one in np.flatnonzero(~alike):  # somebody has several values here
                part = slice(starts[one], starts[one + 1])
                found[one] = _matched(classes.values[part], classes.units[part])
        return found, found >= self.l


def _matched(values: Ints, persons: Ints) -> int:
    """How many values can be given to a person each who has it: a largest matching, by augmenting paths."""
    holders: dict[int, list[int]] = {}
    for value, person in zip(values.tolist(), persons.tolist(), strict=True):
        holders.setdefault(value, []).append(person)
    given: dict[int, int] = {}  # person -> value
    matched = 0
    for value in sorted(holders, key=lambda one: (len(holders[one]), one)):
        came_from: dict[int, int] = {}  # person -> the value that asked for them
        waiting, end = [value], None
        while waiting and end is None:
            asking = waiting.pop()
            for person in holders[asking]:
                if person in came_from:
                    continue
                came_from[person] = asking
                if person not in given:
                    end = person
                    break
                waiting.append(given[person])
        if end is None:
            continue
        taken = {v: p for p, v in given.items()}
        while True:
            asking = came_from[end]
            before = taken.get(asking)
            given[end] = asking
            if before is None:
                break
            end = before
        matched += 1
    return matched


def _entropies(classes: Classes, l: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:  # noqa: E741
    """The number of equally frequent values that would have the entropy of each class, and whether it is at least l."""
    ids, _, sizes = classes.pairs()
    starts = np.searchsorted(ids, np.arange(len(classes) + 1))
    found, enough = np.empty(len(classes)), np.empty(len(classes), dtype=bool)
    for one in range(len(classes)):
        counts = sizes[starts[one] : starts[one + 1]].tolist()
        total = sum(counts)
        entropy = log(total) - sum(count * log(count) for count in counts) / total
        found[one] = exp(entropy)
        enough[one] = entropy >= log(l)
        if abs(entropy - log(l)) < _CLOSE:  # H >= log l  <=>  total^total >= l^total * prod count^count
            enough[one] = total**total >= l**total * prod(count**count for count in counts)
    return found, enough
