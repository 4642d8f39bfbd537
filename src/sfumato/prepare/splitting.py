"""Splitting the movements of a person into trajectories: by day, week, gap in time, jump in space, or length."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints, Persons
from sfumato.data.ragged import Ragged
from sfumato.kernels.space.tracks import steps
from sfumato.kernels.space.trails import travel_starts
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, ends_of, located, persons_of, rearranged, times_of
from sfumato.prepare.repeats import starts_of_runs

__all__ = [
    "Split",
    "SplitByDay",
    "SplitByDistance",
    "SplitByGap",
    "SplitByTravelledDistance",
    "SplitByWeek",
    "by_person",
]

Mask = npt.NDArray[np.bool_]
_DAY_S = 86_400


@dataclass(frozen=True, kw_only=True)
class Split(Preparation):
    """Where persons are known, the records of one person are first merged in the order of time."""

    def change(self, data: Any) -> Prepared:
        pooled, origin = _pooled(data, type(self).__name__)
        is_start = self.trajectory_starts(pooled)
        is_start[pooled.offsets[:-1][pooled.lengths > 0]] = True
        start = np.flatnonzero(is_start)
        record = pooled.record_of_element()[start]
        ids = self._ids(pooled, record, start)
        split = rearranged(
            pooled,
            np.arange(len(is_start)),
            np.append(start, len(is_start)),
            ids=ids,
            persons=persons_of(pooled, record),
        )
        return Prepared(split, {"parts": len(split), "empty": int(np.sum(data.lengths == 0))}, origin)

    @abstractmethod
    def trajectory_starts(self, data: Any) -> Mask:
        """Whether each position or visit starts a new trajectory; the first of a record always does."""

    def labels(self, data: Any, start: Ints, record: Ints) -> pl.Series:  # noqa: ARG002
        """The name, within its record, of the trajectory that starts at each of these positions: 1, 2, ..."""
        return numbers_in_records(record)

    def _ids(self, data: Ragged, record: Ints, start: Ints) -> pl.Series:
        names = pl.Series(np.arange(1, len(data) + 1)) if data.ids is None else data.ids
        return (names.gather(record).cast(pl.String) + "/" + self.labels(data, start, record)).rename("trajectory")


@dataclass(frozen=True, kw_only=True)
class _Calendar(Split):
    days: ClassVar[int]  # in a period
    before: ClassVar[int]  # days of the first period before 1970
    written: ClassVar[str]  # format of the period's name

    offset_h: float = param(
        0.0, at_least=-14, at_most=14, help="hours that local time is ahead of the times in the data"
    )

    def trajectory_starts(self, data: Any) -> Mask:
        day = self._day(times_of(data, type(self).__name__))
        return starts_of_runs((day + self.before) // self.days, data.offsets)

    def labels(self, data: Any, start: Ints, record: Ints) -> pl.Series:  # noqa: ARG002
        dates = pl.Series(self._day(data.times[start])).cast(pl.Int32).cast(pl.Date)
        return dates.dt.strftime(self.written)

    def _day(self, times: npt.NDArray[np.float64]) -> Ints:
        return np.floor((times + 3600 * self.offset_h) / _DAY_S).astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class SplitByDay(_Calendar):
    """One trajectory a person (or record) and calendar day.

    Where persons are known, the records of one person are first merged in the order of time.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> log = Trajectories.from_frame({
    ...     "trajectory": ["ann"] * 3, "location": ["home", "bar", "home"],
    ...     "time": ["2026-05-01T08:00", "2026-05-01T23:30", "2026-05-02T00:30"],
    ... })
    >>> SplitByDay().apply(log).data.to_lists()
    [['home', 'bar'], ['home']]
    >>> SplitByDay(offset_h=2).apply(log).data.ids.to_list()
    ['ann/2026-05-01', 'ann/2026-05-02']
    >>> SplitByDay(offset_h=2).apply(log).data.to_lists()
    [['home'], ['bar', 'home']]
    """

    name: ClassVar[str] = "split-by-day"
    days: ClassVar[int] = 1
    before: ClassVar[int] = 0
    written: ClassVar[str] = "%Y-%m-%d"


@dataclass(frozen=True, kw_only=True)
class SplitByWeek(_Calendar):
    """One trajectory a person (or record) and ISO week, which begins on Monday.

    Where persons are known, the records of one person are first merged in the order of time.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> log = Trajectories.from_frame({
    ...     "trajectory": ["ann"] * 2, "location": ["a", "b"], "time": ["2027-01-03T23:00", "2027-01-04T01:00"]
    ... })
    >>> SplitByWeek().apply(log).data.ids.to_list()
    ['ann/2026-W53', 'ann/2027-W01']
    """

    name: ClassVar[str] = "split-by-week"
    days: ClassVar[int] = 7
    before: ClassVar[int] = 3  # 1970 began on a Thursday
    written: ClassVar[str] = "%G-W%V"


@dataclass(frozen=True, kw_only=True)
class SplitByGap(Split):
    """A new trajectory begins after a time without a position or visit.

    Where persons are known, the records of one person are first merged in the order of time.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> log = Trajectories.from_frame({"trajectory": [7] * 3, "location": ["a", "b", "c"], "time": [0, 900, 9000]})
    >>> parts = SplitByGap(gap_s=3600).apply(log).data
    >>> parts.to_lists(), parts.ids.to_list()
    ([['a', 'b'], ['c']], ['7/1', '7/2'])
    """

    name: ClassVar[str] = "split-by-gap"

    gap_s: float = param(above=0, help="longest time between two positions of a trajectory, in seconds")

    def trajectory_starts(self, data: Any) -> Mask:
        times = times_of(data, "SplitByGap")
        before = ends_of(data)
        return np.concatenate((np.zeros(min(1, len(times)), dtype=bool), times[1:] - before[:-1] > self.gap_s))


@dataclass(frozen=True, kw_only=True)
class SplitByDistance(Split):
    """A new trajectory begins after a jump in space.

    Where persons are known, the records of one person are first merged in the order of time.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> log = Trajectories.from_lists([["a", "b", "c"]], places={"a": (0, 0), "b": (3, 4), "c": (900, 0)})
    >>> SplitByDistance(distance_m=100).apply(log).data.to_lists()
    [['a', 'b'], ['c']]
    """

    name: ClassVar[str] = "split-by-distance"

    distance_m: float = param(
        above=0, help="longest distance between two positions of a trajectory, in metres (or in the unit of x and y)"
    )

    def trajectory_starts(self, data: Any) -> Mask:
        positions = located(data, "SplitByDistance")
        return np.asarray(steps(positions.points(), positions.radius, data.offsets) > self.distance_m)


@dataclass(frozen=True, kw_only=True)
class SplitByTravelledDistance(Split):
    """A new trajectory begins where the way since the beginning of the last one becomes too long.

    Where persons are known, the records of one person are first merged in the order of time.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> log = Trajectories.from_lists([["a", "b", "a", "b"]], places={"a": (0, 0), "b": (3, 4)})
    >>> SplitByTravelledDistance(distance_m=12).apply(log).data.to_lists()
    [['a', 'b', 'a'], ['b']]
    """

    name: ClassVar[str] = "split-by-travelled-distance"

    distance_m: float = param(
        above=0, help="longest distance travelled in a trajectory, in metres (or in the unit of x and y)"
    )

    def trajectory_starts(self, data: Any) -> Mask:
        positions = located(data, "SplitByTravelledDistance")
        lengths = steps(positions.points(), positions.radius, data.offsets)
        return np.asarray(travel_starts(lengths, data.offsets, self.distance_m))


def numbers_in_records(record: Ints) -> pl.Series:
    """1, 2, ... within each record, as texts, for parts in the order of their records.

    >>> numbers_in_records(np.array([0, 0, 3])).to_list()
    ['1', '2', '1']
    """
    heads = np.flatnonzero(starts_of_runs(record, np.array([0, len(record)])))
    number = np.arange(len(record)) - np.repeat(heads, np.diff(np.append(heads, len(record)))) + 1
    return pl.Series(number).cast(pl.String)


def by_person(data: Any, owner: str) -> Any:
    """The records merged by person, in the order of time; unchanged if persons are unknown or have one record each."""
    return _pooled(data, owner)[0]


def _pooled(data: Any, owner: str) -> tuple[Any, Ints]:
    """The records merged by person, and where each of their positions or visits was."""
    persons: Persons | None = data.persons
    if persons is None or len(np.unique(persons.codes)) == len(data):
        return data, np.arange(int(data.offsets[-1]))
    person = persons.codes[data.record_of_element()]
    order = np.lexsort((times_of(data, owner), person))
    present, number = np.unique(person[order], return_counts=True)
    pooled = Persons.of(persons.names.gather(present))
    offsets = np.concatenate(([0], np.cumsum(number)))
    return rearranged(data, order, offsets, ids=pooled.names.cast(pl.String), persons=pooled), order
