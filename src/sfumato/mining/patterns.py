"""Mined patterns: flat arrays for computing, and a frame for display."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from sfumato.data.base import Ints

__all__ = ["Patterns"]


@dataclass(frozen=True, eq=False)
class Patterns:
    """Pattern p holds the labels ``codes[offsets[p]:offsets[p + 1]]`` of the mined data.

    >>> patterns = Patterns(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 0]), np.array([5, 5, 9]))
    >>> patterns.in_order().to_frame(("a", "b", "c")).rows()
    [(['a'], 1, 9), (['a', 'c'], 2, 5), (['b'], 1, 5)]
    """

    offsets: Ints
    codes: Ints
    supports: Ints

    def __len__(self) -> int:
        return len(self.supports)

    @property
    def lengths(self) -> Ints:
        """The number of labels of each pattern."""
        return np.diff(self.offsets)

    def take(self, rows: Ints) -> Patterns:
        """Some of the patterns, in the given order."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        shift = np.repeat(self.offsets[:-1][rows] - (ends - lengths), lengths)
        codes = self.codes[np.arange(len(shift)) + shift]
        return Patterns(np.concatenate(([0], ends)).astype(np.int64), codes, self.supports[rows])

    def in_order(self) -> Patterns:
        """The patterns sorted by support, highest first, and then by name, label by label."""
        longest, n_labels = int(self.lengths.max(initial=0)), int(self.codes.max(initial=0)) + 2
        highest = int(self.supports.max(initial=0))
        label_bits = np.log2(n_labels)
        first = min(longest, int((62 - np.log2(highest + 1)) / label_bits))  # labels beside the support in one key
        key = self._labels_as_number(np.arange(len(self)), highest - self.supports, 0, first, n_labels)
        order = np.argsort(key)
        key = key[order]
        ties = np.concatenate(([False], key[1:] == key[:-1]))
        ties[:-1] |= ties[1:]
        places = np.flatnonzero(ties)  # only these need the other labels
        keys, rows, per_key = [key[places]], order[places], max(1, int(62 / label_bits))
        for begin in range(first, longest, per_key):
            empty = np.zeros(len(rows), dtype=np.int64)
            keys.append(self._labels_as_number(rows, empty, begin, min(longest, begin + per_key), n_labels))
        order[places] = rows[np.lexsort(keys[::-1])]
        return self.take(order)

    def _labels_as_number(self, rows: Ints, number: Ints, begin: int, end: int, n_labels: int) -> Ints:
        """Append some labels of each pattern, as digits, to a number; a pattern that has ended has zeros."""
        starts, lengths = self.offsets[rows], self.lengths[rows]
        for step in range(begin, end):
            number = number * n_labels
            longer = np.flatnonzero(lengths > step)
            number[longer] += self.codes[starts[longer] + step] + 1
        return number

    def to_frame(self, names: tuple[str, ...]) -> pl.DataFrame:
        """One row a pattern: `pattern` (a list of names), `length` and `support`."""
        labels = pl.Series(names, dtype=pl.String)
        pattern = np.repeat(np.arange(len(self), dtype=np.uint32), self.lengths)
        by_label = pl.DataFrame({"row": pl.Series(pattern).set_sorted(), "pattern": labels.gather(self.codes)})
        lists = by_label.group_by("row", maintain_order=True).agg("pattern")  # rows that are sorted are only cut
        return pl.DataFrame({"pattern": lists["pattern"], "length": self.lengths, "support": self.supports})
