"""A window of rows of a dataset with its unsaved edits, fast anywhere in a million rows.  Without Django.

The order of the rows (after a filter, or sorted) is computed once and kept in a file; a window reads 100 rows of it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.errors import DataError, ParameterError, shortened
from sfumato.web.workbench.datasets.cell_values import literal, parsed, typed_cell
from sfumato.web.workbench.datasets.operations import ROW, State, added_rows, applied, deleted_rows

__all__ = ["TESTS", "WINDOW", "Grid", "row_order"]

WINDOW = 100
TESTS = ("contains", "equals", "between", "is missing", "is not missing")
_OLD_S = 24 * 3600
_MANY = 50_000  # different texts
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """A Parquet file with operations on it.

    order : a file with the numbers of the rows in another order, or of some rows only; `seen` is the first row number
    that did not exist when the order was computed: later rows come after all others.
    """

    path: Path
    operations: Sequence[Mapping[str, Any]] = ()
    order: Path | None = None
    seen: int = 0

    @cached_property
    def stored(self) -> int:
        """The number of rows of the file."""
        return int(pl.scan_parquet(self.path).select(pl.len()).collect().item())

    @cached_property
    def _types(self) -> dict[str, Any]:
        return dict(pl.read_parquet_schema(self.path))

    @cached_property
    def types(self) -> dict[str, Any]:
        """The columns and their types, after the operations."""
        empty = pl.LazyFrame(schema={**self._types, ROW: pl.Int64})
        return applied(State(empty, self._types), self.operations, wanted=()).types

    def require_possible(self) -> None:
        """Refuse operations whose columns are not there, with a sentence."""
        if not self.types:
            raise DataError("wanted at least one column, found none")

    def lost_by_type(self, column: str, kind: Any) -> int:
        """How many values of a column another type cannot hold."""
        if column not in self.types:
            raise DataError(f"wanted a column of the data, found {shortened(column)!r}")
        old, cell = self.types[column], pl.col(column)
        new = typed_cell(cell, old, kind)
        lost = cell.is_not_null() & new.is_null()
        if old.is_float() and kind.is_integer():
            lost |= new.cast(old) != cell
        return int(self.all_rows().select(lost.fill_null(value=False).sum()).collect().item())

    @cached_property
    def rows(self) -> Ints:
        """The numbers of the rows that are shown, in their order."""
        deleted = np.array(deleted_rows(self.operations), dtype=np.int64)
        new = np.array(added_rows(self.operations), dtype=np.int64)
        if self.order is None:
            old = np.arange(self.stored, dtype=np.int64)
            if len(deleted):
                old = np.delete(old, deleted[deleted < self.stored])
        else:
            old = np.load(self.order, mmap_mode="r")
            new = new[new >= self.seen]
            if len(deleted):
                old = old[~np.isin(old, deleted)]
        return np.concatenate([old, np.setdiff1d(new, deleted)]) if len(new) else old

    def __len__(self) -> int:
        return len(self.rows)

    def window(self, start: int, count: int = WINDOW) -> pl.DataFrame:
        """Rows from a place on, with their numbers in the column `ROW`."""
        return self.take(self.rows[max(0, start) : max(0, start) + count])

    def take(self, numbers: Ints) -> pl.DataFrame:
        """Rows of these numbers, in this order."""
        numbers = np.asarray(numbers, dtype=np.int64)
        old = numbers[numbers < self.stored]
        base = self._base(old).select(*self._types, pl.col(ROW).cast(pl.Int64)).filter(pl.col(ROW).is_in(old))
        state = applied(State(base.lazy(), self._types), self.operations, wanted=set(numbers.tolist()))
        rows = state.rows.select(*state.types, ROW).collect()
        place = pl.Series(ROW, numbers)
        return rows.join(place.to_frame().with_row_index("\x00place"), on=ROW).sort("\x00place").drop("\x00place")

    def _base(self, numbers: Ints) -> pl.DataFrame:
        """Rows of the file, with at least these numbers: a slice where they are near each other."""
        near = len(numbers) and numbers[-1] - numbers[0] < 4 * WINDOW and (np.diff(numbers) > 0).all()
        if near or not len(numbers):
            first, last = (int(numbers[0]), int(numbers[-1])) if len(numbers) else (0, -1)
            return pl.scan_parquet(self.path, glob=False, row_index_name=ROW).slice(first, last - first + 1).collect()
        # reads the numbers first, and the other columns only where one is wanted
        scan = pl.scan_parquet(self.path, glob=False, row_index_name=ROW, parallel="prefiltered")
        return scan.filter(pl.col(ROW).is_in(pl.Series(np.sort(numbers), dtype=pl.UInt32).implode())).collect()

    def all_rows(self) -> pl.LazyFrame:
        """Every row after the operations, with its number; not computed yet."""
        lazy = pl.scan_parquet(self.path, glob=False).with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
        state = applied(State(lazy, self._types), self.operations)
        return state.rows.select(*state.types, ROW)


def row_order(grid: Grid, filters: Sequence[Mapping[str, Any]], sort: Mapping[str, Any] | None, folder: Path) -> Path:
    """The file with the numbers of the rows that pass all filters, sorted; computed once for the same question."""
    question = [grid.path.name, list(grid.operations), list(filters), dict(sort or {})]
    digest = sha256(json.dumps(question, sort_keys=True, default=str).encode()).hexdigest()
    path = folder / f"{digest}.npy"
    if path.exists():
        os.utime(path)
        return path
    for test in (*filters, *([] if sort is None else [sort])):
        if test["column"] not in grid.types:
            raise DataError(f"wanted a column of the data, found {test['column']!r}")
    rows = grid.all_rows()
    for test in filters:
        rows = rows.filter(_condition(test, grid.types[test["column"]]))
    if sort is not None:
        rows = rows.select(ROW, sort["column"])
    chosen = (rows if sort is not None else rows.select(ROW)).collect()
    if sort is not None:
        chosen = chosen.with_columns(_sortable(chosen[sort["column"]])).sort(
            sort["column"], descending=bool(sort.get("descending")), nulls_last=True, maintain_order=True
        )
    numbers = chosen[ROW].to_numpy()
    partial = path.with_suffix(".part")
    with open(partial, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        np.save(file, numbers)
    os.replace(partial, path)
    for other in folder.iterdir():
        if time.time() - other.stat().st_mtime > _OLD_S:
            other.unlink(missing_ok=True)
    return path


def _sortable(column: pl.Series) -> pl.Series:
    """The column or, of not too many texts, the rank of each, which sorts several times faster."""
    if isinstance(column.dtype, pl.List):
        column = column.list.join(" ")
    if column.dtype != pl.String:
        return column
    values = column.drop_nulls().unique()
    return column if len(values) > _MANY else column.cast(pl.Enum(values.sort())).to_physical()


def _condition(test: Mapping[str, Any], kind: Any) -> pl.Expr:
    """The rows that pass a test of one column."""
    column = test["column"]
    cell = pl.col(column).list.join(" ") if isinstance(kind, pl.List) else pl.col(column)
    name = test["test"]
    if name == "is missing":
        return cell.is_null() | (cell.cast(pl.String) == "")
    if name == "is not missing":
        return cell.is_not_null() & (cell.cast(pl.String) != "")
    if name == "contains":
        return cell.cast(pl.String).str.to_lowercase().str.contains(str(test["text"]).lower(), literal=True)
    if name == "equals":
        return cell == pl.lit(literal(parsed(test["text"], kind, column), kind))
    if name != "between":
        raise ParameterError(f"filter: wanted a known test, found {name!r}")
    conditions = []
    for text, compare in ((test.get("low", ""), cell.__ge__), (test.get("high", ""), cell.__le__)):
        if text != "":
            conditions.append(compare(pl.lit(literal(parsed(text, kind, column), kind))))
    return pl.all_horizontal(conditions) if conditions else cell.is_not_null()
