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
        labels_per_key = max(1, int(62 / np.log2(n_labels)))  # labels that fit into one key
        keys = [-self.supports]
        for first in range(0, longest, labels_per_key):
            key = np.zeros(len(self), dtype=np.int64)
            for step in range(first, min(longest, first + labels_per_key)):
                key *= n_labels
                rows = np.flatnonzero(self.lengths > step)
                key[rows] += self.codes[self.offsets[rows] + step] + 1
            keys.append(key)
        return self.take(np.lexsort(keys[::-1]))

    def to_frame(self, names: tuple[str, ...]) -> pl.DataFrame:
        """One row a pattern: `pattern` (a list of names), `length` and `support`."""
        labels = pl.Series(names, dtype=pl.String)
        parts = [pl.Series("pattern", [], dtype=pl.List(pl.String))]
        rows = [np.empty(0, dtype=np.int64)]
        for length in np.unique(self.lengths):  # patterns of one length form a table, without a loop
            of_length = np.flatnonzero(self.lengths == length)
            table = self.codes[self.offsets[of_length][:, None] + np.arange(length)]
            parts.append(
                labels.gather(table.ravel()).reshape((len(of_length), int(length))).arr.to_list().alias("pattern")
            )
            rows.append(of_length)
        pattern = pl.concat(parts).gather(np.argsort(np.concatenate(rows)))
        return pl.DataFrame({"pattern": pattern, "length": self.lengths, "support": self.supports})
