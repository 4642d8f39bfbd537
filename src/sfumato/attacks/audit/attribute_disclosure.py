"""Attribute disclosure in a table: what the equivalence class of a record reveals about its sensitive value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.coded_columns import CodedColumns, class_sizes, codes_of, combined
from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.params import JsonObject, exact
from sfumato.privacy import LDiversity

__all__ = ["Disclosure", "disclosure_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Disclosure:
    """What equivalence classes reveal about one sensitive column; a missing value counts as a value.

    values : how many values there are.  most_frequent : the share of the most frequent one among all units.
    one_value_classes, one_value_units : classes with one sensitive value, and how many units have a record in one.
    distinct_l, entropy_l : the l for which the table has distinct and entropy l-diversity.
    closeness : the t for which it has t-closeness, with equal distances.
    inferred : how many units have a value that is inferred with at least the probability of the threshold.
    probabilities : float64[units], of each unit the largest share of its own value in its class.
    """

    column: str
    values: int
    most_frequent: float
    one_value_classes: int
    one_value_units: int
    distinct_l: int
    entropy_l: float
    closeness: float
    inferred: int
    probabilities: Floats

    def to_json(self) -> JsonObject:
        names = [name for name in self.__dataclass_fields__ if name != "probabilities"]
        return {name: getattr(self, name) for name in names}


def disclosure_of(
    table: Table, column: str, coded: CodedColumns, classes: Ints, n_classes: int, threshold: float
) -> Disclosure:
    """Measure one sensitive column.

    The attacker knows the equivalence class of a person and infers each sensitive value with its share among the
    persons of the class (records, where persons are unknown).  With persons, l and t are the worse of counting rows
    and counting persons, as the privacy models do.
    """
    values, n_values = codes_of(table[column])
    pairs = _Pairs.of(classes, values, coded.units, coded.n_units)
    sizes = class_sizes(classes, n_classes, coded.units, coded.n_units)
    limit = exact(threshold)
    inferred = pairs.counts * limit.denominator >= sizes[pairs.classes] * limit.numerator
    share = pairs.counts / sizes[pairs.classes]
    probabilities = np.zeros(coded.n_units)
    np.maximum.at(probabilities, coded.units, share[pairs.of_row])
    one_value = np.bincount(pairs.classes, minlength=n_classes) == 1
    by_rows = pairs if table.persons is None else _Pairs.of(classes, values, np.arange(len(table)), len(table))
    return Disclosure(
        column=column,
        values=n_values,
        most_frequent=float(pairs.totals(n_values).max(initial=0) / max(1, coded.n_units)),
        one_value_classes=int(one_value.sum()),
        one_value_units=coded.units_with(one_value[classes]),
        distinct_l=_distinct_l(table, column, pairs, n_classes),
        entropy_l=min(counted.entropy_l(n_classes) for counted in (pairs, by_rows)),
        closeness=max(counted.closeness(n_classes, n_values) for counted in (pairs, by_rows)),
        inferred=coded.units_with(inferred[pairs.of_row]),
        probabilities=probabilities,
    )


def _distinct_l(table: Table, column: str, pairs: _Pairs, n_classes: int) -> int:
    """The fewest values in a class; with persons, the fewest that different persons can have."""
    if table.persons is None:
        return int(np.bincount(pairs.classes, minlength=n_classes).min(initial=len(table))) if n_classes else 0
    known = tuple(name for name in table.quasi_identifiers if name != column)
    alone = Table(table.frame, quasi_identifiers=known, sensitive=(column,), persons=table.persons)
    return int(LDiversity(l=2).check(alone).measured["smallest_diversity"])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The classes and sensitive values that come together; counts : how many units have the value there.

    of_row : the pair of each row.
    """

    classes: Ints
    values: Ints
    counts: Ints
    of_row: Ints
    units: Ints
    n_units: int

    @classmethod
    def of(cls, classes: Ints, values: Ints, units: Ints, n_units: int) -> _Pairs:
        n_values = int(values.max(initial=0)) + 1
        keys = classes * n_values + values
        of_row, n_pairs = combined(keys)
        key_of_pair = np.zeros(n_pairs, dtype=np.int64)
        key_of_pair[of_row] = keys
        counts = class_sizes(of_row, n_pairs, units, n_units)
        return cls(key_of_pair // n_values, key_of_pair % n_values, counts, of_row, units, n_units)

    def totals(self, n_values: int) -> Ints:
        """How many units have each value, in any class."""
        return class_sizes(self.values[self.of_row], n_values, self.units, self.n_units)

    def entropy_l(self, n_classes: int) -> float:
        """The number of equally frequent values that would have the smallest entropy of a class."""
        if n_classes == 0:
            return 0.0
        sums = np.bincount(self.classes, weights=self.counts, minlength=n_classes)
        logs = np.bincount(self.classes, weights=self.counts * np.log(self.counts), minlength=n_classes)
        return float(np.exp(np.log(sums) - logs / sums).min())

    def closeness(self, n_classes: int, n_values: int) -> float:
        """The largest half sum of |a/n - b/N| over all values, of a class and the whole table."""
        if n_classes == 0:
            return 0.0
        totals = self.totals(n_values)
        total = int(totals.sum())
        sums = np.bincount(self.classes, weights=self.counts, minlength=n_classes).astype(np.int64)
        expected = totals[self.values] * sums[self.classes]
        # a value that a class lacks adds b n; the numbers stay below 2^53
        excess = np.abs(self.counts * total - expected) - expected
        distances = np.bincount(self.classes, weights=excess, minlength=n_classes) / total + sums
        return float((distances / (2 * sums)).max())
