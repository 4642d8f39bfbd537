"""Records reduced to their frequent labels, the input of the mining kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.kernels.recoding.subsequence_supports import holders_of_labels

__all__ = ["Frequent"]


@dataclass(frozen=True, eq=False)
class Frequent:
    """The records with their frequent labels alone, renumbered in their order; records of one unit are adjacent."""

    offsets: Ints
    codes: Ints
    units: Ints
    supports: Ints  # of each label
    original: Ints  # the code of each label in the data

    @classmethod
    def of(cls, data: Ragged, threshold: int) -> Self:
        """The records with labels that reach the threshold, without empty records."""
        by_unit, unit_starts = data.by_unit()
        starts, _ = holders_of_labels(by_unit.codes, by_unit.offsets, unit_starts, len(data.names))
        supports = np.diff(starts)
        frequent = supports >= threshold
        is_frequent = frequent[by_unit.codes]
        lengths = np.bincount(by_unit.record_of_element()[is_frequent], minlength=len(data))
        nonempty = lengths > 0
        unit = np.repeat(np.arange(len(unit_starts) - 1, dtype=np.int32), np.diff(unit_starts))
        return cls(
            np.concatenate(([0], np.cumsum(lengths[nonempty]))).astype(np.int64),
            (np.cumsum(frequent) - 1).astype(np.int32)[by_unit.codes[is_frequent]],
            unit[nonempty],
            supports[frequent],
            np.flatnonzero(frequent).astype(np.int32),
        )

    def rare_first(self) -> Self:
        """The labels renumbered by rising support, and sorted in every record."""
        order = np.argsort(self.supports, kind="stable")
        rank = np.empty(self.n_labels, dtype=np.int64)
        rank[order] = np.arange(self.n_labels)
        keys = np.sort(self.record_of_label * self.n_labels + rank[self.codes])
        codes = (keys % max(1, self.n_labels)).astype(np.int32)
        return type(self)(self.offsets, codes, self.units, self.supports[order], self.original[order])

    @property
    def n_labels(self) -> int:
        return len(self.original)

    @property
    def n_units(self) -> int:
        return int(np.count_nonzero(np.diff(self.units, prepend=-1)))

    @property
    def record_of_label(self) -> Ints:
        """The record that each code belongs to."""
        return np.repeat(np.arange(len(self.units), dtype=np.int64), np.diff(self.offsets))

    @property
    def longest(self) -> int:
        """The length of the longest record."""
        return int(np.diff(self.offsets).max(initial=0))
