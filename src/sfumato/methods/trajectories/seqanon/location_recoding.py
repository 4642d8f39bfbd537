"""A recoding of locations in the making: merge labels, keep supports and distances, publish.

Shared by the methods that merge locations until every short subsequence is supported well enough.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints, Members
from sfumato.kernels.recoding.average_linkage import add_distances, linkage_distances, relabel
from sfumato.kernels.recoding.subsequence_supports import (
    PatternTable,
    absorb_label,
    count_patterns,
    holders_of_labels,
    next_rare,
)
from sfumato.methods.base import Outcome

__all__ = ["Recoding"]

_ROWS = 256  # at most this many labels keep a row of distances, so that 100,000 locations fit into memory
_TIE = 1 + 1e-9  # distances this close are equal: sums of the same numbers differ in their last digits


class Recoding:
    """Every visited location under its current label.

    A label is a number, that of one of its locations; `rank` is the smallest location under it, so that
    ranks order labels by name.  `support` counts the units that hold a label.
    """

    def __init__(self, data: Trajectories) -> None:
        self.data = data
        grouped, self._unit_offsets = data.by_unit()
        self._grouped_records = (
            np.arange(len(data)) if data.persons is None else np.argsort(data.persons.codes, kind="stable")
        )
        self._offsets = grouped.offsets
        self._origin = data.elements_of(self._grouped_records)
        self.codes = grouped.codes.copy()
        n_labels = len(data.names)
        starts, units = holders_of_labels(self.codes, self._offsets, self._unit_offsets, n_labels)
        self._holders = [[units[starts[label] : starts[label + 1]]] for label in range(n_labels)]
        self.support = np.diff(starts)
        self.rank = np.arange(n_labels)
        self.current = np.arange(n_labels, dtype=np.int32)
        self._tick = len(self._unit_offsets)
        self._scratch = np.full(n_labels, -1, dtype=np.int64)
        self._linkage = _Linkage(data, np.flatnonzero(self.support > 0))

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
        self._table = PatternTable(
            *count_patterns(self.codes, self._offsets, self._unit_offsets, len(self.current), smallest, largest)
        )

    def rare(self, k: int) -> npt.NDArray[np.int32]:
        """The patterns with a support below k: smaller support first, then name order."""
        keys, counts = self._table.keys, self._table.counts
        rows = np.flatnonzero((keys[:, 0] >= 0) & (counts > 0) & (counts < k))
        patterns, supports = keys[rows], counts[rows]
        ranks = np.append(self.rank, -1)[patterns]
        order = np.lexsort((*ranks.T[::-1], supports))
        return np.ascontiguousarray(patterns[order])

    def next_rare(self, patterns: npt.NDArray[np.int32], start: int, k: int) -> int:
        """Where the next pattern that is still too rare stands, or the number of patterns."""
        return int(next_rare(patterns, start, self.current, self._table, k))

    def rarest_label(self, pattern: npt.NDArray[np.int32]) -> int:
        """The label of a pattern with the smallest support, ties by name."""
        labels = np.unique(self.current[pattern[pattern >= 0]])
        return int(labels[np.lexsort((self.rank[labels], self.support[labels]))[0]])

    def nearest(self, label: int, factor: npt.NDArray[np.float64] | None = None) -> int | None:
        """The active label with the smallest mean distance (times a factor): ties by support, then name."""
        distances = self._linkage.distances(label, factor)
        best = distances.min(initial=np.inf)
        if best == np.inf:
            return None
        close = self.active[distances <= best * _TIE]
        return int(close[np.lexsort((self.rank[close], self.support[close]))[0]])

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
        keep = self.current[self.codes] >= 0
        if not keep.all():
            self._offsets = np.concatenate(([0], np.cumsum(keep)))[self._offsets]
            self.codes, self._origin = self.codes[keep], self._origin[keep]

    def visits_allowed(self, k: int, m: int) -> int:
        """How many visits a record may keep when one label is left: enough units must have as many."""
        lengths = np.diff(self._offsets)
        units = np.repeat(np.arange(len(self._unit_offsets) - 1), np.diff(self._unit_offsets))
        longest = np.zeros(len(self._unit_offsets) - 1, dtype=np.int64)
        np.maximum.at(longest, units, lengths)
        for size in range(1, min(m, self.longest) + 1):
            if 0 < np.count_nonzero(longest >= size) < k:
                return size - 1
        return int(longest.max(initial=0))

    def outcome(self, visits_allowed: int | None = None) -> Outcome[Trajectories]:
        """The recoded records; visits beyond the allowed number are suppressed and counted."""
        self._drop_suppressed()
        names, members, code_of_label = self._published_names()
        lengths = np.diff(self._offsets)
        kept = lengths if visits_allowed is None else np.minimum(lengths, visits_allowed)
        inside = np.arange(len(self.codes)) - np.repeat(self._offsets[:-1], lengths)
        keep = inside < np.repeat(kept, lengths)
        data = replace(
            self.data,
            offsets=np.concatenate(([0], np.cumsum(kept))),
            codes=code_of_label[self.codes[keep]],
            names=names,
            members=members,
            ids=None,
            persons=None,
            times=None,
            taxonomy=None,
            constraints=None,
        )
        counts = {
            "suppressed_visits": int(len(self.data.codes) - keep.sum()),
            "suppressed_records": int(np.count_nonzero(kept == 0)),
            "merged_locations": sum(len(group) for group in members.values()),
        }
        return Outcome(data, self._origin[keep], counts)

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


class _Linkage:
    """Average linkage between the active labels; see `sfumato.kernels.recoding.average_linkage`."""

    def __init__(self, data: Trajectories, active: Ints) -> None:
        if data.places is None:
            raise ValueError("places are needed")
        self._points = np.asfortranarray(data.places.points(data.names))
        self._radius = data.places.radius
        n = len(self._points)
        self.active = active
        self._at = np.zeros(n, dtype=np.int64)
        self._at[active] = np.arange(len(active))
        self._centroids = np.asfortranarray(self._points[active])
        self._alike = np.ones(len(active))
        self._sizes = np.ones(n)
        self._first = np.arange(n)
        self._end = np.arange(n)
        self._following = np.full(n, -1)
        self._row_of = np.full(n, -1)
        self._many = max(32, -(-n // _ROWS))
        self._rows = np.zeros((n // self._many + 1, n))
        self._free = list(range(len(self._rows)))

    def distances(self, label: int, factor: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64]:
        """To the active labels, as far as they can be the nearest; infinite to others."""
        distances: npt.NDArray[np.float64] = linkage_distances(
            self._at[label],
            self.active,
            self._alike[: len(self.active)] if factor is None else factor,
            self._points,
            self._radius,
            self._centroids,
            self._first,
            self._following,
            self._sizes,
            self._row_of,
            self._rows,
        )
        return distances

    def join(self, kept: int, gone: int, current: Ints) -> None:
        """Make two labels one, also in `current`, the label of each location."""
        relabel(self._first[gone], self._following, kept, current)
        if self._sizes[kept] + self._sizes[gone] >= self._many:
            self._join_rows(kept, gone)
        self._sizes[kept] += self._sizes[gone]
        self._following[self._end[kept]] = self._first[gone]
        self._end[kept] = self._end[gone]
        here, there = self._at[kept], self._at[gone]
        self._centroids[here] += (self._centroids[there] - self._centroids[here]) * (
            self._sizes[gone] / self._sizes[kept]
        )
        self.leave(gone)

    def leave(self, gone: int) -> None:
        """No longer look at a label: the last active one takes its place."""
        there, last = self._at[gone], len(self.active) - 1
        self._centroids[there] = self._centroids[last]
        self.active[there] = self.active[last]
        self._at[self.active[last]] = there
        self.active = self.active[:last]
        self._free_row(gone)

    def _join_rows(self, kept: int, gone: int) -> None:
        if self._row_of[kept] < 0:
            self._row_of[kept] = self._free.pop()
            self._rows[self._row_of[kept]] = 0.0
            add_distances(
                self._points, self._radius, self._first[kept], self._following, self._rows[self._row_of[kept]]
            )
        row = self._rows[self._row_of[kept]]
        if self._row_of[gone] < 0:
            add_distances(self._points, self._radius, self._first[gone], self._following, row)
        else:
            row += self._rows[self._row_of[gone]]
            self._free_row(gone)

    def _free_row(self, label: int) -> None:
        if self._row_of[label] >= 0:
            self._free.append(int(self._row_of[label]))
            self._row_of[label] = -1
