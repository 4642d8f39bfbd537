"""Visits added batch by batch, of which codes and the names of records are kept: for files larger than memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sfumato.data.base import Ints, Persons, read_only
from sfumato.data.frames import Source
from sfumato.data.rows.times import seconds

__all__ = ["CodedVisits", "RegularVisits", "VisitBatch"]

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


class VisitBatch(NamedTuple):
    """What is kept of some rows; the first row may go on with the record of the batch before.

    starts : where records begin, the first row among them.  ids, persons : of each record.
    codes : of each visit, in `names`.  times : None where only their order counts.
    first, last : the values of the first and the last row, by column.
    """

    starts: Ints
    ids: pl.Series
    persons: pl.Series | None
    times: pl.Series | None
    codes: Ints
    names: pl.Series
    positions: pl.DataFrame | None
    first: dict[str, Any]
    last: dict[str, Any]

    @classmethod
    def of(cls, rows: pl.DataFrame, *, timed: bool = True) -> VisitBatch | None:
        """The batch of rows with the columns `trajectory`, `location` and any of `person`, `time` and coordinates.

        None where they are not regular; threads may make several batches at a time.
        timed : whether times are kept; otherwise only their order is checked.
        """
        key = rows["trajectory"]
        if any(_lacks_values(column) for column in rows.iter_columns()) or not _is_key(key):
            return None
        person = rows["person"] if "person" in rows.columns else None
        time = rows["time"] if "time" in rows.columns else None
        is_first = _changes(key)
        if person is not None and (not _is_key(person) or np.any(_changes(person) & ~is_first)):
            return None
        if time is not None and not _rises(time, is_first, timed):
            return None
        locations = rows["location"].cast(pl.String)
        names = locations.unique()
        if (names == "").any():
            return None
        codes = locations.cast(pl.Enum(names)).to_physical().to_numpy()
        columns = [name for name in _COORDINATES if name in rows.columns]
        starts = np.flatnonzero(is_first)
        ends = {"trajectory", "person", "time"} & set(rows.columns) if len(rows) else set()
        return cls(
            starts,
            key.gather(starts),
            None if person is None else person.gather(starts),
            time if timed else None,
            codes.astype(np.uint16) if len(names) <= 1 << 16 else codes,
            names,
            rows.select(pl.col("location").cast(pl.String), *columns).unique() if columns else None,
            {name: rows[name][0] for name in ends},
            {name: rows[name][-1] for name in ends},
        )


@dataclass
class RegularVisits:
    """Collects batches of visits as long as they are regular.

    Regular are visits without missing values and in columns of the usual types, whose records are not interrupted by
    other records, are in the order of their times, and belong to one person each.  Others have to be read as a whole.
    """

    _rows: int = 0
    _starts: list[Ints] = field(default_factory=list)
    _ids: list[pl.Series] = field(default_factory=list)
    _persons: list[pl.Series] = field(default_factory=list)
    _codes: list[Ints] = field(default_factory=list)
    _names: list[pl.Series] = field(default_factory=list)
    _times: list[pl.Series] = field(default_factory=list)
    _positions: list[pl.DataFrame] = field(default_factory=list)
    _last: dict[str, Any] = field(default_factory=dict)

    def add(self, batch: VisitBatch | None) -> bool:
        """Add a batch behind the others; returns whether all are regular."""
        if batch is None:
            return False
        if len(batch.codes) == 0:
            return True
        goes_on = bool(self._last) and self._last["trajectory"] == batch.first["trajectory"]
        if goes_on and not self._fits(batch.first):
            return False
        new = slice(int(goes_on), None)
        self._starts.append(batch.starts[new] + self._rows)
        self._ids.append(batch.ids[new])
        self._codes.append(batch.codes)
        self._names.append(batch.names)
        if batch.persons is not None:
            self._persons.append(batch.persons[new])
        if batch.times is not None:
            self._times.append(batch.times)
        if batch.positions is not None:
            self._positions.append(batch.positions)
        self._last = batch.last
        self._rows += len(batch.codes)
        return sum(map(len, self._positions)) <= _MOST_POSITIONS

    @property
    def positions(self) -> pl.DataFrame | None:
        """The different pairs of location and coordinates, in the order of their names; None without coordinates."""
        return pl.concat(self._positions).unique().sort("location") if self._positions else None

    def _fits(self, row: dict[str, Any]) -> bool:
        """Whether a row may follow the last one in the same record."""
        same_person = "person" not in row or row["person"] == self._last["person"]
        return same_person and ("time" not in row or bool(row["time"] >= self._last["time"]))

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


def _changes(column: pl.Series) -> Any:
    """Whether each value differs from the value before it; the first one does."""
    changes = np.ones(len(column), dtype=bool)
    changes[1:] = (column[1:] != column[:-1]).to_numpy()
    return changes


def _rises(times: pl.Series, is_first: Any, timed: bool) -> bool:
    """Whether times fall nowhere inside a record."""
    if times.dtype == pl.String or (not timed and bool((times < 0).any())):
        return False  # times in texts take a look at all of them
    falls = np.zeros(len(times), dtype=bool)
    falls[1:] = (times[1:] < times[:-1]).to_numpy()
    return not np.any(falls & ~is_first)


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
