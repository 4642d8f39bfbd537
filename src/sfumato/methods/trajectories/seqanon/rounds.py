"""A recoding of locations in rounds: patterns are counted, many labels are merged at once, and all is counted again."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.recoding.rare_patterns import next_apart
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.labelled_records import (
    location_visits,
    pattern_supports,
    units_by_longest,
)
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels, Widen

__all__ = ["Counted", "Counts", "DatasetCounts", "Rounds"]

Codes = npt.NDArray[np.int32]
MOST_RARE = 1_000_000
"""How many rare patterns are read in a round, the rarest first; the others are counted again in the next one."""


class Counted(NamedTuple):
    """The supports of labels, int64[locations], and the rare patterns, int32[n, largest size].

    A label is the number of the smallest location under it.  Patterns are padded with -1 and sorted: smaller support
    first, then in the order of their labels.
    """

    support: Ints
    rare: Codes


class Counts(Protocol):
    """Records of which only counts are known; label_of : int32[locations], -1 where visits are suppressed."""

    longest: int  # visits of the longest record

    def count(self, label_of: Codes, smallest: int, largest: int, k: int, most: int) -> Counted:
        """The supports of labels, and the first patterns of these sizes with a support below k, at most so many."""

    def longest_of_units(self, label_of: Codes) -> Ints:
        """How many units have a longest record of 0, 1, 2, ... visits."""

    def location_visits(self, label_of: Codes, visits_allowed: int | None) -> Ints:
        """The visits of each location that are left where a record keeps at most so many."""


class DatasetCounts:
    """Counts of a dataset on one machine."""

    def __init__(self, data: Trajectories) -> None:
        self._data = data
        self.longest = int(data.lengths.max(initial=0))

    def count(self, label_of: Codes, smallest: int, largest: int, k: int, most: int) -> Counted:
        patterns, supports = pattern_supports(self._data, label_of, smallest, largest)
        sizes = np.count_nonzero(patterns >= 0, axis=1)
        support = np.zeros(len(label_of), dtype=np.int64)
        support[patterns[sizes == 1, 0]] = supports[sizes == 1]
        rows = np.flatnonzero((supports < k) & (sizes >= smallest))
        rows = rows[np.lexsort((*patterns[rows].T[::-1], supports[rows]))][:most]
        return Counted(support, patterns[rows])

    def longest_of_units(self, label_of: Codes) -> Ints:
        return units_by_longest(self._data, label_of)

    def location_visits(self, label_of: Codes, visits_allowed: int | None) -> Ints:
        return location_visits(self._data, label_of, visits_allowed)


class Rounds(MergedLabels):
    """Labels that take part in at most one merge between two counts, so that no merge rests on an old support.

    A rare pattern with a label that was merged, or whose nearest label was merged, waits for the next round.
    """

    def __init__(self, side: Trajectories, counts: Counts) -> None:
        every = np.arange(len(side.names), dtype=np.int32)
        support = counts.count(every, 1, 1, 1, 0).support
        super().__init__(side, support, counts.location_visits(every, None))
        self._counts = counts
        self._waits = np.zeros(len(every), dtype=bool)

    @property
    def longest(self) -> int:
        return self._counts.longest

    def protect(self, smallest: int, largest: int, k: int, run: Run, widen: Widen) -> bool:
        """Widen labels round by round (steps 3 to 8 of SEQANON)."""
        while True:
            with run.phase(f"counting patterns of size {largest}"):
                counted = self._counts.count(self._ranks(), smallest, largest, k, MOST_RARE)
            if not len(counted.rare):
                return True
            with run.phase(f"merging at size {largest}"):
                self.support[self.active] = counted.support[self.rank[self.active]]
                if not self._merge_round(counted.rare, run, widen):
                    return False

    def _merge_round(self, rare: Codes, run: Run, widen: Widen) -> bool:
        """Widen a label of every pattern whose labels have not changed since they were counted."""
        self._waits[:] = False
        rare, row = np.where(rare >= 0, self.current[rare], -1).astype(np.int32), 0
        while (row := next_apart(rare, row, self._waits)) < len(rare):
            run.advance(row, len(rare))
            label = self.rarest_label(rare[row])  # step 6
            if not widen(self, label):
                return False
            self._waits[label] = True
        return True

    def postpones(self, partner: int) -> bool:
        return bool(self._waits[partner])

    def _join(self, kept: int, gone: int) -> None:
        self._waits[[kept, gone]] = True

    def longest_of_units(self) -> Ints:
        return self._counts.longest_of_units(self._ranks())

    def published_visits(self, visits_allowed: int | None) -> Ints:
        return self._counts.location_visits(self._ranks(), visits_allowed)

    def _ranks(self) -> Codes:
        """The label of each location as the number of the smallest location under it."""
        return np.where(self.current >= 0, self.rank[self.current], -1).astype(np.int32)
