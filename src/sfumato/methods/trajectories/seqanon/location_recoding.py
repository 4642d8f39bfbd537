"""A recoding of locations whose supports are kept up to date: merge labels one at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.recoding.pattern_counts import pattern_parts, pattern_table
from sfumato.kernels.recoding.rare_patterns import numbers_of_rare, patterns_of_numbers
from sfumato.kernels.recoding.subsequence_supports import (
    PatternTable,
    absorb_label,
    holders_of_labels,
    next_rare,
)
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.labelled_records import location_visits
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels, Widen
from sfumato.threads import side_by_side, spans

__all__ = ["Recoding"]

_SLOTS = 2**16  # that one thread reads at least


class Recoding(MergedLabels):
    """The records under their current labels, with the supports of all patterns of some sizes."""

    def __init__(self, data: Trajectories) -> None:
        self._data = data
        grouped, self._unit_offsets = data.by_unit()
        self._offsets = grouped.offsets
        self.codes = grouped.codes.copy()
        n_labels = len(data.names)
        starts, units = holders_of_labels(self.codes, self._offsets, self._unit_offsets, n_labels)
        self._holders = [[units[starts[label] : starts[label + 1]]] for label in range(n_labels)]
        super().__init__(data, np.diff(starts), np.bincount(self.codes, minlength=n_labels))
        self._tick = len(self._unit_offsets)
        self._scratch = np.full(n_labels, -1, dtype=np.int64)

    @property
    def longest(self) -> int:
        return int(np.diff(self._offsets).max(initial=0))

    def protect(self, smallest: int, largest: int, k: int, run: Run, widen: Widen) -> bool:
        """Widen labels for one rare pattern after the other (steps 3 to 8 of SEQANON)."""
        with run.phase(f"counting patterns of size {largest}"):
            self.count(smallest, largest)
            rare = self.rare(k)
        with run.phase(f"merging at size {largest}"):
            row = self.next_rare(rare, 0, k)
            while row < len(rare):
                run.advance(row, len(rare))
                if not widen(self, self.rarest_label(rare[row])):  # step 6
                    return False
                row = self.next_rare(rare, row, k)
        return True

    def count(self, smallest: int, largest: int) -> None:
        """Count the supports of all patterns of these sizes, to be kept up to date from here on."""
        self._drop_suppressed()
        self._sizes = (smallest, largest)
        parts = pattern_parts(self.codes, self._offsets, self._unit_offsets, len(self.current), smallest, largest)
        self._table = pattern_table(parts, largest)

    def rare(self, k: int) -> npt.NDArray[np.int32]:
        """The patterns with a support below k: smaller support first, then name order."""
        keys, counts = self._table.keys, self._table.counts
        width, bits = keys.shape[1], len(self.rank).bit_length()
        if k << width * bits >= 2**63:  # too much for one number each
            rows = np.flatnonzero((counts > 0) & (counts < k))
            ranks = np.append(self.rank, -1)[keys[rows]]
            return np.ascontiguousarray(keys[rows[np.lexsort((*ranks.T[::-1], counts[rows]))]])
        found = side_by_side(
            lambda span: numbers_of_rare(keys, counts, *span, k, self.rank, bits), spans(len(counts), _SLOTS)
        )
        numbers = np.sort(np.concatenate(list(found)))
        patterns = np.empty((len(numbers), width), dtype=np.int32)
        written = side_by_side(
            lambda span: patterns_of_numbers(numbers, *span, self.current, bits, patterns),
            spans(len(numbers), _SLOTS),
        )
        list(written)
        return patterns

    def next_rare(self, patterns: npt.NDArray[np.int32], start: int, k: int) -> int:
        """Where the next pattern that is still too rare stands, or the number of patterns."""
        return int(next_rare(patterns, start, self.current, self._table, k))

    def _join(self, kept: int, gone: int) -> None:
        """Only the units that hold the rarer label are visited."""
        smallest, largest = self._sizes
        *table, gained, self._tick = absorb_label(
            self.codes,
            self._offsets,
            self._unit_offsets,
            self._scratch,
            kept,
            gone,
            np.concatenate(self._holders[gone]),
            smallest,
            largest,
            self._table,
            self._tick,
        )
        self._table = PatternTable(*table)
        self._holders[kept].append(gained)
        self._holders[gone] = []
        self.support[kept] += len(gained)

    def suppress(self, label: int) -> int:
        """Take a label out of every record; returns how many locations it stood for.

        Patterns that hold it are no longer read, and are forgotten when patterns are counted again; the supports of
        all others stay what they are.
        """
        self._holders[label] = []
        return super().suppress(label)

    def _drop_suppressed(self) -> None:
        if np.all(self.current >= 0):
            return
        keep = self.current[self.codes] >= 0
        if not keep.all():
            self._offsets = np.concatenate(([0], np.cumsum(keep)))[self._offsets]
            self.codes = self.codes[keep]

    def longest_of_units(self) -> Ints:
        self._drop_suppressed()
        lengths = np.diff(self._offsets)
        units = np.repeat(np.arange(len(self._unit_offsets) - 1), np.diff(self._unit_offsets))
        longest = np.zeros(len(self._unit_offsets) - 1, dtype=np.int64)
        np.maximum.at(longest, units, lengths)
        return np.bincount(longest)

    def published_visits(self, visits_allowed: int | None) -> Ints:
        return location_visits(self._data, self.current, visits_allowed)
