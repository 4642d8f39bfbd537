"""Minimal sample uniques: which sets of up to three columns single out which records.

A. M. Manning, D. J. Haglin, J. A. Keane, "A recursive search algorithm for statistical disclosure assessment", Data
Mining and Knowledge Discovery 16, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.audit.coded_columns import CodedColumns, combined
from sfumato.data.base import Ints, Progress
from sfumato.errors import DataError
from sfumato.kernels.verify.column_sets import unique_rows
from sfumato.threads import side_by_side, threads

__all__ = ["MOST_COLUMNS", "MinimalUniques", "find_minimal_uniques"]

MOST_COLUMNS = 60  # each is a bit of a number
_LARGEST_KEY = 2**62
_MOST_MASKS = 8  # of 16 bytes a row; a thread without one waits


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """The sets of columns that single out units (persons, or records where persons are unknown).

    sets : columns, as tuples of column numbers.  unique, minimal : int64[sets], how many units are unique on the set,
    and how many of them on no smaller set.  fewest : int8[rows], the size of the smallest set on which the row is
    unique; 0 for none.  in_any, in_all : uint64[rows], the columns in any and in all minimal sets of the row, as bits.
    """

    coded: CodedColumns
    sets: tuple[tuple[int, ...], ...]
    unique: Ints
    minimal: Ints
    fewest: npt.NDArray[np.int8]
    in_any: npt.NDArray[np.uint64]
    in_all: npt.NDArray[np.uint64]

    @property
    def frame(self) -> pl.DataFrame:
        """One row for each set: columns, size, unique, minimal; smaller sets first, of one size the riskiest first."""
        names = [[self.coded.columns[column] for column in columns] for columns in self.sets]
        rows = {
            "columns": pl.Series(names, dtype=pl.List(pl.String)),
            "size": pl.Series([len(columns) for columns in self.sets], dtype=pl.Int64),
            "unique": pl.Series(self.unique, dtype=pl.Int64),
            "minimal": pl.Series(self.minimal, dtype=pl.Int64),
        }
        frame = pl.DataFrame(rows).with_columns(pl.col("columns").list.join(", ").alias("\0name"))
        order = ["size", "unique", "minimal", "\0name"]
        return frame.sort(order, descending=[False, True, True, False]).drop("\0name")

    @property
    def singled_out(self) -> int:
        """How many units some set singles out."""
        return self._units(self.fewest > 0)

    def with_column(self, column: int) -> int:
        """How many units have a minimal set that contains the column."""
        return self._units(self.in_any >> np.uint64(column) & np.uint64(1) == 1)

    def only_with_column(self, column: int) -> int:
        """How many units are singled out, but would not be without the column."""
        in_all = self.in_all >> np.uint64(column) & np.uint64(1) == 1
        return self.singled_out - self._units((self.fewest > 0) & ~in_all)

    def _units(self, rows: npt.NDArray[np.bool_]) -> int:
        return self.coded.units_with(rows)


def find_minimal_uniques(coded: CodedColumns, largest: int, *, progress: Progress | None = None) -> MinimalUniques:
    """Examine every set of up to `largest` (1 to 3) columns.

    A row is unique on a set of columns if no other unit has its values there; the set is minimal if the row is unique
    on no smaller part of it.  Exact: a row that is unique on a part of a set shares its values there with no other
    unit, so the others can be counted without it.

    >>> from sfumato import Table
    >>> people = Table({"age": [30, 30, 41, 41], "sex": ["f", "m", "f", "f"], "town": ["A", "A", "A", "B"]})
    >>> uniques = find_minimal_uniques(CodedColumns.of(people, ("age", "sex", "town")), 2)
    >>> uniques.frame.filter(pl.col("minimal") > 0).rows()
    [(['sex'], 1, 1, 1), (['town'], 1, 1, 1), (['age', 'sex'], 2, 2, 1), (['age', 'town'], 2, 2, 1)]
    """
    n_columns = len(coded.columns)
    if n_columns > MOST_COLUMNS:
        raise DataError(
            f"audit: column sets are searched among up to {MOST_COLUMNS} quasi-identifiers, got {n_columns}",
            remedy="name-quasi-identifiers",
        )
    search = _Search(coded, min(largest, 2))
    sets = [columns for size in range(1, largest + 1) for columns in combinations(range(n_columns), size)]
    counts: list[tuple[int, int]] = []
    fewest = np.zeros(len(coded), dtype=np.int8)
    for size in range(1, largest + 1):
        level = [columns for columns in sets if len(columns) == size]
        for count in side_by_side(search.count, level):
            counts.append(count)
            if progress is not None:
                progress("column sets", len(counts), len(sets))
        in_any, in_all = search.masks
        fewest[(fewest == 0) & (in_any > 0)] = size
    unique, minimal = np.array(counts, dtype=np.int64).reshape(-1, 2).T
    return MinimalUniques(coded, tuple(sets), unique, minimal, fewest, in_any, in_all)


class _Search:
    """The buffers of the search; threads at work have masks of their own."""

    def __init__(self, coded: CodedColumns, kept_sizes: int) -> None:
        self._coded = coded
        n, columns = len(coded), range(len(coded.columns))
        kept = [part for size in range(1, kept_sizes + 1) for part in combinations(columns, size)]
        self._line_of = {part: line for line, part in enumerate(kept)}
        self._bits = np.zeros((len(kept), (n + 7) // 8), dtype=np.uint8)
        self._no_column = np.zeros(n, dtype=np.int32)
        self._all_masks = [_new_masks(n) for _ in range(min(threads(), _MOST_MASKS))]
        self._free: SimpleQueue[npt.NDArray[np.uint64]] = SimpleQueue()
        for masks in self._all_masks:
            self._free.put(masks)

    def count(self, columns: tuple[int, ...]) -> tuple[int, int]:
        """How many units are unique on the columns, and how many of them on no smaller set."""
        parts = [self._line_of[part] for part in combinations(columns, len(columns) - 1) if part]
        left_out = np.bitwise_or.reduce(self._bits[parts], axis=0)
        line = self._line_of.get(columns)
        own = self._bits[0, :0] if line is None else self._bits[line]
        codes, radix = self._columns(columns)
        masks = self._free.get()
        try:
            mask = np.uint64(sum(1 << column for column in columns))
            unique, minimal = unique_rows(*codes, radix, self._coded.units, left_out, own, masks, mask)
        finally:
            self._free.put(masks)
        return int(unique), int(minimal)

    def _columns(self, columns: tuple[int, ...]) -> tuple[list[Ints], Ints]:
        """Three columns and how many values they have; two are numbered together where keys would exceed 64 bits."""
        codes = [self._coded.codes[column] for column in columns]
        radix = [int(self._coded.radix[column]) for column in columns]
        if len(columns) == 3 and prod(radix) >= _LARGEST_KEY:
            pair, count = combined(codes[0].astype(np.int64) * radix[1] + codes[1])
            codes, radix = [pair.astype(np.int32), codes[2]], [count, radix[2]]
        filled = 3 - len(codes)
        return [*[self._no_column] * filled, *codes], np.array([1] * filled + radix, dtype=np.int64)

    @property
    def masks(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Of each row, the columns in any and in all of its minimal sets."""
        in_any = np.bitwise_or.reduce([masks[0] for masks in self._all_masks])
        in_all = np.bitwise_and.reduce([masks[1] for masks in self._all_masks])
        return in_any, in_all


def _new_masks(n: int) -> npt.NDArray[np.uint64]:
    masks = np.zeros((2, n), dtype=np.uint64)
    masks[1] = ~np.uint64(0)
    return masks
