"""Which classes of rows are safe to publish: enough persons, and sensitive values that are diverse and close."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import occurrences, texts_of
from sfumato.kernels.tables.equivalence_classes import distinct_pairs
from sfumato.methods.relational.frequency_sets import FrequencySet
from sfumato.params import exact

__all__ = ["ClassRequirement", "value_numbers"]

Flags = npt.NDArray[np.bool_]
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class ClassRequirement:
    """The demands on every class.

    k : how many persons, or rows where persons are not known, it must have.
    l : how many different values it must have in each sensitive column, of as many persons.
    t : how far the values of a sensitive column may be from those of the whole table, in rows and in persons.
    values : int64[rows] for each sensitive column that matters; a missing value is a value of its own.
    times : int64[rows], how many equal rows of the data each row stands for; None for one each.
    """

    k: int
    l: int  # noqa: E741
    t: float
    units: Ints | None
    values: tuple[Ints, ...]
    times: Ints | None = None

    @classmethod
    def of(cls, table: Table, k: int, l: int = 1, t: float = 1.0, times: Ints | None = None) -> Self:  # noqa: E741
        units = None if table.persons is None else table.persons.codes
        if units is not None and occurrences(units, times).max(initial=0) <= 1:
            units = None  # a row each: persons are rows
        columns = table.sensitive if l > 1 or t < 1 else ()
        return cls(k, l, t, units, tuple(value_numbers(table[column]) for column in columns), times)

    @property
    def by_row(self) -> bool:
        """Whether more than the number of rows matters."""
        return self.units is not None or bool(self.values)

    @property
    def lasting(self) -> bool:
        """Whether merging safe classes always makes a safe one.

        Where persons with several rows count once for each of their values, merging can move a class away from the
        whole table.
        """
        return self.t >= 1 or self.units is None

    @cached_property
    def _shared(self) -> Ints:
        """The rows of persons who have several; only those can count twice."""
        assert self.units is not None
        return np.flatnonzero(np.bincount(self.units)[self.units] > 1)

    def support(self, classes: FrequencySet) -> npt.NDArray[np.int64]:
        """How many persons, or rows, are in each class."""
        if self.units is None or classes.ids is None:
            return classes.counts
        if self.times is not None:
            ids = classes.ids[distinct_pairs(classes.ids, self.units)]
            return np.bincount(ids, minlength=len(classes))
        ids = classes.ids[self._shared]
        again = ~distinct_pairs(ids, self.units[self._shared])
        return classes.counts - np.bincount(ids[again], minlength=len(classes))

    def safe(self, classes: FrequencySet) -> Flags:
        """Whether each class is safe."""
        safe = np.asarray(self.support(classes) >= self.k)
        for values in self.values:
            held = _Held(classes, values, self.units, self.times)
            if self.l > 1:
                safe &= held.diverse(self.l)
            if self.t < 1:
                safe &= held.close(self.t)
        return safe

    def unsafe_rows(self, classes: FrequencySet) -> int:
        """How many rows are in classes that are not safe."""
        return int(classes.counts[~self.safe(classes)].sum())


class _Held:
    """Who holds which sensitive value in which class: one entry for each value of each person in a class."""

    def __init__(self, classes: FrequencySet, values: Ints, units: Ints | None, times: Ints | None) -> None:
        assert classes.ids is not None
        self._number, self._values = len(classes), int(values.max(initial=0)) + 1
        cells, entry = np.unique(classes.ids * np.int64(self._values) + values, return_inverse=True)
        # how many have each value in a class, and which values there are in the whole table: in rows, and in persons
        everybody = occurrences(values, times, self._values)
        self._counted = [(occurrences(entry, times, len(cells)), everybody)]
        if units is not None:
            whole = values[distinct_pairs(values.astype(np.int32), units)]
            new = distinct_pairs(entry.astype(np.int32), units)
            entry, units = entry[new], units[new]
            everybody = np.bincount(whole, minlength=self._values)
            self._counted.append((np.bincount(entry, minlength=len(cells)), everybody))
        self._entries, self._holders = entry, units
        self._cell_class, self._cell_value = cells // self._values, cells % self._values

    def diverse(self, l: int) -> Flags:  # noqa: E741
        """Whether each class has l different values that belong to l different persons."""
        diversity = np.bincount(self._cell_class, minlength=self._number)
        enough = np.asarray(diversity >= l)
        if self._holders is None:
            return enough
        class_of = self._cell_class[self._entries]
        persons = np.bincount(
            class_of[distinct_pairs(class_of.astype(np.int32), self._holders)], minlength=self._number
        )
        several = enough & (persons < np.bincount(class_of, minlength=self._number))
        for number in np.flatnonzero(several):  # a person has several values here
            here = np.flatnonzero(class_of == number)
            pairs = zip(self._cell_value[self._entries[here]].tolist(), self._holders[here].tolist(), strict=True)
            enough[number] = _matched(list(pairs), l)
        return enough

    def close(self, t: float) -> Flags:
        """Whether half the sum of the differences between shares in a class and in the whole table is at most t.

        Where persons are known, in rows and in persons.
        """
        return np.asarray(np.all([self._close(t, held, whole) for held, whole in self._counted], axis=0))

    def _close(self, t: float, held: Ints, everybody: Ints) -> Flags:
        total, size = int(everybody.sum()), np.bincount(self._cell_class, weights=held, minlength=self._number)
        size = size.astype(np.int64)
        expected = everybody[self._cell_value] * size[self._cell_class]
        moved = np.maximum(held * total - expected, 0)  # what is too much in one place is too little elsewhere
        surplus = np.zeros(self._number, dtype=np.int64)
        np.add.at(surplus, self._cell_class, moved)
        distance = surplus / np.maximum(size * total, 1)
        close = np.asarray(distance <= t)
        for number in np.flatnonzero(np.abs(distance - t) < _CLOSE):  # too close for floating point
            close[number] = Fraction(int(surplus[number]), int(size[number]) * total) <= exact(t)
        return close


def _matched(pairs: list[tuple[int, int]], wanted: int) -> bool:
    """Whether `wanted` values can be given to different persons who have them: augmenting paths."""
    holders: dict[int, list[int]] = {}
    for value, person in sorted(pairs):
        holders.setdefault(value, []).append(person)
    value_of: dict[int, int] = {}

    def give(value: int, asked: set[int]) -> bool:
        for person in holders[value]:
            if person not in asked:
                asked.add(person)
                if person not in value_of or give(value_of[person], asked):
                    value_of[person] = value
                    return True
        return False

    matched = 0
    for value in holders:
        matched += give(value, set())
        if matched >= wanted:
            return True
    return False


def value_numbers(column: pl.Series) -> Ints:
    """The values of a column numbered in the order of their texts, a missing one last."""
    texts = texts_of(column)
    values = texts.drop_nulls().unique().sort()
    numbers = texts.cast(pl.Enum(values)).to_physical().fill_null(len(values))
    return numbers.to_numpy().astype(np.int64)
