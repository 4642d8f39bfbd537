"""A recoding of locations in the making: merge labels, keep supports and distances, publish.

Shared by the methods that merge locations until every short subsequence is supported well enough.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints, Members, read_only
from sfumato.kernels.recoding.pattern_counts import pattern_parts, pattern_table
from sfumato.kernels.recoding.rare_patterns import numbers_of_rare, patterns_of_numbers
from sfumato.kernels.recoding.subsequence_supports import (
    PatternTable,
    absorb_label,
    holders_of_labels,
    next_rare,
)
from sfumato.methods.base import Outcome
from sfumato.methods.trajectories.seqanon.label_linkage import Linkage
from sfumato.threads import side_by_side, spans

__all__ = ["TIE", "Nearest", "Recoding"]

_SLOTS = 2**16  # that one thread reads at least
TIE = 1 + 1e-9  # distances this close are equal: sums of the same numbers differ in their last digits


class Nearest(NamedTuple):
    """The nearest label, and its mean distance (times a factor)."""

    label: int
    distance: float


class Recoding:
    """Every visited location under its current label.

    A label is a number, that of one of its locations; `rank` is the smallest location under it, so that
    ranks order labels by name.  `support` counts the units that hold a label, `visits` the visits under it.
    """

    def __init__(self, data: Trajectories) -> None:
        self.data = data
        grouped, self._unit_offsets = data.by_unit()
        self._offsets = grouped.offsets
        self._origin = np.arange(len(data.codes))
        if data.persons is not None:
            self._origin = data.by_record(self._origin, np.argsort(data.persons.codes, kind="stable"))
        self.codes = grouped.codes.copy()
        n_labels = len(data.names)
        starts, units = holders_of_labels(self.codes, self._offsets, self._unit_offsets, n_labels)
        self._holders = [[units[starts[label] : starts[label + 1]]] for label in range(n_labels)]
        self.support = np.diff(starts)
        self.visits = np.bincount(self.codes, minlength=n_labels)
        self.rank = np.arange(n_labels)
        self.current = np.arange(n_labels, dtype=np.int32)
        self._tick = len(self._unit_offsets)
        self._scratch = np.full(n_labels, -1, dtype=np.int64)
        self._linkage = Linkage(data, np.flatnonzero(self.support > 0))

    @property
    def longest(self) -> int:
        """The number of visits of the longest record: no pattern is longer."""
        return int(np.diff(self._offsets).max(initial=0))

    @property
    def active(self) -> Ints:
        """The labels in use, in no particular order."""
        return self._linkage.active

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

    def rarest_label(self, pattern: npt.NDArray[np.int32]) -> int:
        """The label of a pattern with the smallest support, ties by name."""
        labels = np.unique(self.current[pattern[pattern >= 0]])
        return int(labels[np.lexsort((self.rank[labels], self.support[labels]))[0]])

    def nearest(self, label: int, factor: npt.NDArray[np.float64] | None = None) -> Nearest | None:
        """The active label with the smallest mean distance (times a factor): ties by support, then name."""
        distances = self._linkage.distances(label, factor)
        best = distances.min(initial=np.inf)
        if best == np.inf:
            return None
        close = self.active[distances <= best * TIE]
        return Nearest(int(close[np.lexsort((self.rank[close], self.support[close]))[0]]), float(best))

    def merge(self, first: int, second: int) -> None:
        """Make two labels one; only the units that hold the rarer one are visited."""
        kept, gone = (first, second) if self.support[first] >= self.support[second] else (second, first)
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
        self.support[gone] = 0
        self.visits[kept] += self.visits[gone]
        self.rank[kept] = min(self.rank[kept], self.rank[gone])
        self._linkage.join(kept, gone, self.current)

    def suppress(self, label: int) -> int:
        """Take a label out of every record; returns how many locations it stood for.

        Patterns that hold it are no longer read, and are forgotten when patterns are counted again; the supports of
        all others stay what they are.
        """
        gone = self.current == label
        self.current[gone] = -1
        self.support[label] = 0
        self._holders[label] = []
        self._linkage.leave(label)
        return int(np.count_nonzero(gone))

    def _drop_suppressed(self) -> None:
        if np.all(self.current >= 0):
            return
        keep = self.current[self.codes] >= 0
        if not keep.all():
            self._offsets = np.concatenate(([0], np.cumsum(keep)))[self._offsets]
            self.codes, self._origin = self.codes[keep], self._origin[keep]

    def visits_allowed(self, k: int, m: int) -> int:
        """How many visits a record may keep when one label is left: enough units must have as many."""
        self._drop_suppressed()
        lengths = np.diff(self._offsets)
        units = np.repeat(np.arange(len(self._unit_offsets) - 1), np.diff(self._unit_offsets))
        longest = np.zeros(len(self._unit_offsets) - 1, dtype=np.int64)
        np.maximum.at(longest, units, lengths)
        for size in range(1, min(m, self.longest) + 1):
            if 0 < np.count_nonzero(longest >= size) < k:
                return size - 1
        return int(longest.max(initial=0))

    def displacements(self) -> npt.NDArray[np.float64]:
        """For each location the mean distance to the locations under its label; 0 where it is suppressed."""
        means = np.zeros(len(self.current))
        locations = np.flatnonzero(np.isin(self.current, self.active))
        members = locations[np.argsort(self.current[locations], kind="stable")]
        _, position, sizes = np.unique(self.current[members], return_inverse=True, return_counts=True)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        means[members] = self._linkage.mean_distances(members, position, starts)
        return means

    def outcome(self, visits_allowed: int | None = None) -> Outcome[Trajectories]:
        """The recoded records; visits beyond the allowed number are suppressed and counted."""
        self._drop_suppressed()
        names, members, code_of_label = self._published_names()
        kept, codes, origin = np.diff(self._offsets), self.codes, self._origin
        if visits_allowed is not None:
            inside = np.arange(len(codes)) - np.repeat(self._offsets[:-1], kept)
            keep = inside < visits_allowed
            kept, codes, origin = np.minimum(kept, visits_allowed), codes[keep], origin[keep]
        data = replace(
            self.data,
            offsets=np.concatenate(([0], np.cumsum(kept))),
            codes=read_only(code_of_label[codes]),
            names=names,
            members=members,
            ids=None,
            persons=None,
            times=None,
            taxonomy=None,
            constraints=None,
        )
        counts = {
            "suppressed_visits": len(self.data.codes) - len(codes),
            "suppressed_records": int(np.count_nonzero(kept == 0)),
            "merged_locations": sum(len(group) for group in members.values()),
        }
        return Outcome(data, origin, counts)

    def _published_names(self) -> tuple[tuple[str, ...], Members, npt.NDArray[np.int32]]:
        """Short labels for merged locations, numbered in name order; others keep their names."""
        below: dict[int, list[str]] = {int(label): [] for label in self.active}
        visited = np.flatnonzero(np.isin(self.current, self.active))
        for location in visited:
            below[int(self.current[location])].append(self.data.names[location])
        prefix = "g"
        while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in self.data.names):
            prefix += "g"
        merged = sorted((label for label in below if len(below[label]) > 1), key=lambda label: self.rank[label])
        label_names = {label: f"{prefix}{number}" for number, label in enumerate(merged, start=1)}
        members = {label_names[label]: tuple(below[label]) for label in merged}
        final = {label: label_names.get(label, group[0]) for label, group in below.items()}
        names = tuple(sorted(final.values()))
        position = {name: code for code, name in enumerate(names)}
        code_of_label = np.full(len(self.current), -1, dtype=np.int32)
        for label, name in final.items():
            code_of_label[label] = position[name]
        return names, members, code_of_label
