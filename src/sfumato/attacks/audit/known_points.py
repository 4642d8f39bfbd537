"""The visits or items that an attacker can know: the records of each person as flat arrays, as sequences or sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from sfumato.data.base import Ints, frozen_array
from sfumato.data.ragged import Ragged, rows_copied

__all__ = ["KnowablePoints"]


@dataclass(frozen=True, eq=False)
class KnowablePoints:
    """Records with those of one unit next to each other; a unit is a person, or a record where persons are unknown.

    codes : int32[total].  offsets : int64[records + 1].  units : int32[records].
    unit_offsets : int64[units + 1], over records.  names : who the units are; private.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["b", "a", "b"], ["c"], ["a"]], persons=["ann", "bob", "ann"])
    >>> KnowablePoints.of(walks, ordered=False).codes.tolist()
    [0, 1, 0, 2]
    """

    codes: Ints
    offsets: Ints
    units: Ints
    unit_offsets: Ints
    n_labels: int
    names: pl.Series

    @classmethod
    def of(cls, data: Ragged, *, ordered: bool) -> KnowablePoints:
        """The visits or items of a dataset; without order, a record is the set of its distinct labels."""
        if data.persons is None:
            rows, counts = data, np.ones(len(data), dtype=np.int64)
            ids = pl.Series(np.arange(1, len(data) + 1)) if data.ids is None else data.ids
            names = ids.alias(data.record)
        else:
            rows = data.take(np.argsort(data.persons.codes, kind="stable"))
            # a dataset that was cut out of a larger one can name persons of whom nothing is left
            present, counts = np.unique(data.persons.codes, return_counts=True)
            names = data.persons.names.gather(present).alias("person")
        codes, offsets = (rows.codes, rows.offsets) if ordered else _sets(rows)
        # all arrays are read-only alike, so that kernels are compiled once
        return cls(
            codes=frozen_array(codes, np.int32),
            offsets=frozen_array(offsets, np.int64),
            units=frozen_array(np.repeat(np.arange(len(counts)), counts), np.int32),
            unit_offsets=frozen_array(np.concatenate(([0], np.cumsum(counts))), np.int64),
            n_labels=len(data.names),
            names=names,
        )

    def __len__(self) -> int:
        """How many units there are."""
        return len(self.unit_offsets) - 1

    def take(self, units: Ints) -> KnowablePoints:
        """Some of the units, in the given order, without their names, which no one asks for while units are counted."""
        unit_offsets, records = self.unit_offsets[: len(units) + 1], units
        if not np.array_equal(self.unit_offsets, np.arange(len(self) + 1)):  # otherwise everybody has one record
            counts = np.diff(self.unit_offsets)[units]
            unit_offsets = np.concatenate(([0], np.cumsum(counts)))
            records = np.repeat(self.unit_offsets[:-1][units] - unit_offsets[:-1], counts) + np.arange(unit_offsets[-1])
        numbers = np.arange(len(units), dtype=np.int32)
        return replace(
            self,
            codes=frozen_array(rows_copied(self.codes, self.offsets, records), np.int32),
            offsets=frozen_array(np.concatenate(([0], np.cumsum(self.lengths[records]))), np.int64),
            units=frozen_array(np.repeat(numbers, np.diff(unit_offsets)), np.int32),
            unit_offsets=frozen_array(unit_offsets, np.int64),
            names=self.names.clear(),
        )

    @property
    def lengths(self) -> Ints:
        """How many visits or items each record has."""
        return np.diff(self.offsets)

    @property
    def longest(self) -> int:
        return int(self.lengths.max(initial=0))

    @property
    def points_of_unit(self) -> Ints:
        """How many visits or items the records of each unit have together."""
        return np.diff(self.offsets[self.unit_offsets])


def _sets(data: Ragged) -> tuple[Ints, Ints]:
    pairs = np.unique(data.record_of_element() * max(1, len(data.names)) + data.codes)
    record, codes = np.divmod(pairs, max(1, len(data.names)))
    counts = np.bincount(record, minlength=len(data))
    return codes, np.concatenate(([0], np.cumsum(counts)))
