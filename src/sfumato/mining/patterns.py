"""Mined patterns: flat arrays for computing, and a frame for display."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.kernels.mining.pattern_rows import append_labels, copy_rows

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
        offsets = np.concatenate(([0], np.cumsum(self.lengths[rows])))
        codes = np.empty(int(offsets[-1]), dtype=self.codes.dtype)
        copy_rows(self.codes, self.offsets, rows, codes)
        return Patterns(offsets, codes, self.supports[rows])

    def in_order(self) -> Patterns:
        """The patterns sorted by support, highest first, and then by name, label by label."""
        longest, bits = int(self.lengths.max(initial=0)), (int(self.codes.max(initial=0)) + 1).bit_length()
        order, places = np.arange(len(self)), np.arange(len(self))  # the places that are not decided yet
        key, begin = int(self.supports.max(initial=0)) - self.supports, 0
        while len(places) > 0:
            rows = order[places]
            # as many labels as fit beside what is known already
            end = min(longest, begin + (63 - int(key.max()).bit_length()) // bits)
            append_labels(self.codes, self.offsets, rows, begin, end, bits, key)
            by_key = np.argsort(key)
            key, order[places] = key[by_key], rows[by_key]
            differs = np.concatenate(([True], key[1:] != key[:-1], [True]))
            ties = np.flatnonzero(~(differs[:-1] & differs[1:])) if end < longest else places[:0]
            places, key, begin = places[ties], np.cumsum(differs[:-1])[ties], end
        return self.take(order)

    def to_frame(self, names: tuple[str, ...]) -> pl.DataFrame:
        """One row a pattern: `pattern` (a list of names), `length` and `support`."""
        labels = pl.Series(names, dtype=pl.String)
        pattern = np.repeat(np.arange(len(self), dtype=np.uint32), self.lengths)
        by_label = pl.DataFrame({"row": pl.Series(pattern).set_sorted(), "pattern": labels.gather(self.codes)})
        lists = by_label.group_by("row", maintain_order=True).agg("pattern")  # rows that are sorted are only cut
        return pl.DataFrame({"pattern": lists["pattern"], "length": self.lengths, "support": self.supports})
