"""Cutting time into intervals: of one length, or between given borders."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.frames import Source
from sfumato.data.rows.times import seconds
from sfumato.errors import DataError
from sfumato.params import Value

__all__ = ["Intervals"]


@dataclass(frozen=True)
class Intervals(Value):
    """Intervals of one `length`, or between `borders`; times are in seconds.

    Intervals of one length begin at multiples of it, not at the first time in the data, which would give that away.
    What lies outside the borders is in no interval.  An interval holds its beginning, not its end.  Borders may be
    dates or ISO texts, which are seconds since 1970 as in files.

    >>> Intervals.read(3600).label(2), Intervals.read("0,21600,36000").label(1)
    ('7200-10800', '21600-36000')
    >>> Intervals.read("6,9,16,19").numbers(np.array([5.0, 6.0, 8.9, 9.0, 19.0])).tolist()
    [-1, 0, 0, 1, -1]
    """

    length: float | None = None
    borders: tuple[float, ...] = ()

    @classmethod
    def wanted(cls) -> str:
        return (
            "a number of seconds above 0, or two or more rising borders such as 0,21600,43200 or "
            "2024-01-01T08:00,2024-01-01T10:00"
        )

    @classmethod
    def read(cls, value: Any) -> Self | None:
        if isinstance(value, cls):
            return value
        parts = value.split(",") if isinstance(value, str) else value
        several = isinstance(parts, Sequence)
        numbers = _numbers(parts if several else [parts])
        if numbers is None and several and len(parts) > 1:
            numbers = _moments(parts)
        if numbers is None:
            return None
        if len(numbers) == 1 and (isinstance(value, str) or not several):
            return cls(length=numbers[0]) if numbers[0] > 0 else None
        rising = len(numbers) > 1 and all(border < following for border, following in pairwise(numbers))
        return cls(borders=tuple(numbers)) if rising else None

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return (900, [0, 600, 1300])

    def to_json(self) -> Any:
        return [_short(border) for border in self.borders] if self.length is None else _short(self.length)

    def numbers(self, times: npt.NDArray[np.float64]) -> Ints:
        """The interval of each time; -1 for none where there are borders."""
        if self.length is not None:
            return np.floor(times / self.length).astype(np.int64)
        number = np.searchsorted(np.array(self.borders), times, side="right") - 1
        return np.where(number < len(self.borders) - 1, number, -1)

    def label(self, number: int) -> str:
        """The name of an interval."""
        if self.length is not None:
            return f"{_short(number * self.length)}-{_short((number + 1) * self.length)}"
        return f"{_short(self.borders[number])}-{_short(self.borders[number + 1])}"


def _numbers(values: Sequence[Any]) -> list[float] | None:
    floats = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, str | numbers.Real):
            return None
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return None
        if not math.isfinite(number):
            return None
        floats.append(number)
    return floats


def _moments(values: Sequence[Any]) -> list[float] | None:
    """ISO texts as seconds since 1970, as times in files are read."""
    if not all(isinstance(value, str) for value in values):
        return None
    try:
        return seconds(pl.Series([_in_utc(value.strip()) for value in values]), Source("borders")).to_list()
    except DataError:
        return None


def _in_utc(text: str) -> str:
    """A moment that states its time zone, in UTC, so that borders may state different ones; another text as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return text if moment.tzinfo is None else moment.astimezone(UTC).isoformat()


def _short(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)
