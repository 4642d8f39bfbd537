"""l-diversity of a table: every equivalence class has at least l different sensitive values.

A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", IEEE ICDE,
2006 (distinct and entropy l-diversity).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Table
from sfumato.params import param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.equivalence_classes import Classes, sensitive_columns
from sfumato.privacy.checks.persons_and_records import by_both, checked_by_rows
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, MINIMALITY, PRESENCE, Limit

__all__ = ["LDiversity", "effective_values", "matched_values"]

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
            "the probability of a sensitive value: one of the l different values of an equivalence class may be far "
            "more frequent than the others",
            rank=2,
        ),
        Limit("similarity", "sensitive values with similar meaning, such as three diseases of the stomach", rank=3),
        Limit("ruled-out-values", "an attacker who can rule out some values or rows of an equivalence class"),
        Limit(
            "absent-values",
            "absent values: an attacker learns that a person does not have a value that is missing from the "
            "equivalence class",
        ),
        Limit("other-sensitive-column", "an attacker who knows one sensitive column and infers another"),
        Limit(
            "who-is-who-values",
            "re-identification: an attacker may find the row of a person, unless k-anonymity is promised too",
            rank=3,
        ),
        COMPOSITION,
        LEARNED,
        MINIMALITY,
        PRESENCE,
    )
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown-diversity",
        "several records of one person: persons are not known here, so the l values of an equivalence class may all "
        "belong to one person",
        rank=2,
    )

    l: int = param(  # noqa: E741
        at_least=2, stronger="higher", help="how many sensitive values every equivalence class must have; the paper's l"
    )
    variant: str = param(
        "distinct",
        choices=("distinct", "entropy"),
        help="whether to count distinct values or to require an entropy of log l",
    )

    def check(self, published: Table, original: Table | None = None) -> Verdict:
        self._require_kind(published)
        table: Table = published
        columns = sensitive_columns(self.name, table, original)
        source: CheckedFrom = "files" if table.persons is None else "original"
        if len(table) == 0:
            return Verdict(True, source, {"unit": table.unit, "groups": 0, "smallest_diversity": None})

        def counted(counted_table: Table) -> Verdict:
            return self._counted(counted_table, columns, source)

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
            violating += [
                (float(diversity[number]), index, column, classes.label(int(number)))
                for index, number in enumerate(bad)
            ]
        number: Any = int if self.variant == "distinct" else lambda value: round(float(value), 6)
        measured = {
            "unit": table.unit,
            "groups": n_groups,
            "smallest_diversity": number(min(smallest)),
            "violating_groups": len(violating),
        }
        violating.sort(key=lambda entry: entry[:3])
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
        diversity = np.bincount(ids, minlength=len(classes)).astype(np.float64)
        if by_person:
            persons = np.unique(np.column_stack((classes.ids, classes.units)), axis=0)[:, 0]
            alike = np.bincount(persons, minlength=len(classes)) == np.bincount(classes.ids, minlength=len(classes))
            starts = np.searchsorted(classes.ids, np.arange(len(classes) + 1))
            for number in np.flatnonzero(~alike):  # a person has several values here
                part = slice(starts[number], starts[number + 1])
                diversity[number] = matched_values(classes.values[part].tolist(), classes.units[part].tolist())
        return diversity, diversity >= self.l


def matched_values(values: Iterable[int], persons: Iterable[Any]) -> int:
    """How many values can be given to a person each who has it: a largest matching, by augmenting paths.

    values, persons : who has which value, each pair once.
    """
    holders: dict[int, list[Any]] = {}
    for value, person in zip(values, persons, strict=True):
        holders.setdefault(value, []).append(person)
    given: dict[Any, int] = {}  # person -> value
    matched = 0
    for value in sorted(holders, key=lambda candidate: (len(holders[candidate]), candidate)):
        came_from: dict[Any, int] = {}  # person -> the value that asked for them
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
    effective, enough = np.empty(len(classes)), np.empty(len(classes), dtype=bool)
    for number in range(len(classes)):
        effective[number], enough[number] = effective_values(sizes[starts[number] : starts[number + 1]].tolist(), l)
    return effective, enough


def effective_values(counts: Sequence[int], l: int) -> tuple[float, bool]:  # noqa: E741
    """The number of equally frequent values that would have the entropy of these counts, and whether it is at least l.

    >>> effective_values([3, 3], 2)[1], effective_values([4, 3], 2)[1]
    (True, False)
    """
    total = sum(counts)
    entropy = log(total) - sum(count * log(count) for count in counts) / total
    if abs(entropy - log(l)) < _CLOSE:  # H >= log l  <=>  total^total >= l^total * prod count^count
        return exp(entropy), total**total >= l**total * prod(count**count for count in counts)
    return exp(entropy), entropy >= log(l)
