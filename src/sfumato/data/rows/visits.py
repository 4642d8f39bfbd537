"""Visits added batch by batch, of which codes and the names of records are kept: for files larger than memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sfumato.data.base import Ints, Persons, read_only
from sfumato.data.frames import Source
from sfumato.data.rows.times import seconds

__all__ = ["CodedVisits", "RegularVisits"]

_COORDINATES = ("lat", "lon", "x", "y")
_USUAL = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Date, pl.Datetime)
_MOST_POSITIONS = 1_000_000  # more different positions are those of visits, not of places


class CodedVisits(NamedTuple):
    """The arrays of trajectories; see `Ragged`."""

    offsets: Ints
    codes: Ints
    names: tuple[str, ...]
    ids: pl.Series
    persons: Persons | None
    times: Any


@dataclass
class RegularVisits:
    """Collects batches of visits as long as they are regular.

    Regular are visits without missing values and in columns of the usual types, whose records are not interrupted by
    other records, are in the order of their times, and belong to one person each.  Others have to be read as a whole.
    timed : whether times are kept; otherwise only their order is checked.
    """

    timed: bool = True
    _rows: int = 0
    _starts: list[Ints] = field(default_factory=list)
    _ids: list[pl.Series] = field(default_factory=list)
    _persons: list[pl.Series] = field(default_factory=list)
    _codes: list[Ints] = field(default_factory=list)
    _names: list[pl.Series] = field(default_factory=list)
    _times: list[pl.Series] = field(default_factory=list)
    _positions: list[pl.DataFrame] = field(default_factory=list)
    _last: dict[str, Any] = field(default_factory=dict)

    def add(self, batch: pl.DataFrame) -> bool:
        """Add rows with the columns `trajectory`, `location` and any of `person`, `time` and coordinates.

        Returns whether they are regular.
        """
        key = batch["trajectory"]
        if len(batch) == 0:
            return True
        if any(_lacks_values(column) for column in batch.iter_columns()) or not _is_key(key):
            return False
        is_first = self._changes(key)
        for name in ("person", "time"):
            if name in batch.columns and not self._is_regular(batch[name], is_first):
                return False
        starts = np.flatnonzero(is_first)
        self._starts.append(starts + self._rows)
        self._ids.append(key.gather(starts))
        if "person" in batch.columns:
            self._persons.append(batch["person"].gather(starts))
        if "time" in batch.columns and self.timed:
            self._times.append(batch["time"])
        for name in {"trajectory", "person", "time"} & set(batch.columns):
            self._last[name] = batch[name][-1]
        self._rows += len(batch)
        return self._add_locations(batch["location"]) and self._add_positions(batch)

    @property
    def positions(self) -> pl.DataFrame | None:
        """The different pairs of location and coordinates, in the order of their names; None without coordinates."""
        return pl.concat(self._positions).unique().sort("location") if self._positions else None

    def _add_locations(self, column: pl.Series) -> bool:
        column = column.cast(pl.String)
        names = column.unique()
        self._names.append(names)
        codes = column.cast(pl.Enum(names)).to_physical().to_numpy()
        self._codes.append(codes.astype(np.uint16) if len(names) <= 1 << 16 else codes)
        return not (names == "").any()

    def _add_positions(self, batch: pl.DataFrame) -> bool:
        columns = [name for name in _COORDINATES if name in batch.columns]
        if columns:
            self._positions.append(batch.select(pl.col("location").cast(pl.String), *columns).unique())
        return sum(map(len, self._positions)) <= _MOST_POSITIONS

    def _changes(self, column: pl.Series) -> Any:
        """Whether each value differs from the value before it, in this batch or the last one."""
        changes = np.ones(len(column), dtype=bool)
        changes[1:] = (column[1:] != column[:-1]).to_numpy()
        changes[0] = not self._last or self._last[column.name] != column[0]
        return changes

    def _is_regular(self, column: pl.Series, is_first: Any) -> bool:
        if column.name == "person":
            return _is_key(column) and not np.any(self._changes(column) & ~is_first)
        if column.dtype == pl.String or (not self.timed and bool((column < 0).any())):
            return False  # times in texts take a look at all of them
        falls = np.zeros(len(column), dtype=bool)
        falls[1:] = (column[1:] < column[:-1]).to_numpy()
        falls[0] = bool(self._last) and column[0] < self._last["time"]
        return not np.any(falls & ~is_first)

    def finish(self, source: Source) -> CodedVisits | None:
        """The arrays of all batches; None where there are no visits, or where a record is interrupted."""
        if self._rows == 0:
            return None
        ids = pl.concat(self._ids)
        if not _are_distinct(ids) or (ids.dtype == pl.String and (ids == "").any()):
            return None
        people = pl.concat(self._persons) if self._persons else None
        if people is not None and people.dtype == pl.String and (people == "").any():
            return None
        codes, names = self._coded()
        times = seconds(pl.concat(self._times), source).to_numpy() if self._times else None
        return CodedVisits(
            offsets=read_only(np.concatenate([*self._starts, [self._rows]])),
            codes=codes,
            names=names,
            ids=ids,
            persons=None if people is None else Persons.of(people),
            times=times,
        )

    def _coded(self) -> tuple[Ints, tuple[str, ...]]:
        """The codes of all visits; those of a batch are dropped when they are taken over."""
        names = pl.concat(self._names).unique().sort()
        codes, end = np.empty(self._rows, dtype=np.int32), self._rows
        while self._codes:
            batch, own = self._codes.pop(), self._names.pop()
            codes[end - len(batch) : end] = own.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int32)[batch]
            end -= len(batch)
        return read_only(codes), tuple(names.to_list())


def _lacks_values(column: pl.Series) -> bool:
    """Whether a value is missing, or the type of the column is not text, a number or a date."""
    if column.dtype.is_float():
        return bool(column.is_nan().any()) or column.null_count() > 0
    usual = column.dtype.is_integer() or column.dtype in _USUAL
    return not usual or column.null_count() > 0


def _is_key(column: pl.Series) -> bool:
    return column.dtype == pl.String or column.dtype.is_integer()


def _are_distinct(ids: pl.Series) -> bool:
    """Whether no id occurs twice; rising numbers do not, and show it sooner."""
    numbers = ids.cast(pl.Int64, strict=False)
    if numbers.null_count() == 0 and bool((numbers[1:] > numbers[:-1]).all()):
        return True
    return ids.n_unique() == len(ids)
