"""Finding stops: stay points, stays at known places (SMoT), and clusters of slow movement (CB-SMoT)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Dataset
from sfumato.data.base import Ints
from sfumato.data.globe import means_of_runs
from sfumato.data.stops import Stops
from sfumato.kernels.space.tracks import speed_clusters, stays, steps
from sfumato.params import param
from sfumato.prepare.base import Floats, Located, Preparation, Prepared, ends_of, located, times_of
from sfumato.prepare.nearest_place import names_of, nearest_places
from sfumato.prepare.repeats import starts_of_runs

__all__ = ["SpeedClusters", "StayPoints", "StaysAtPlaces", "StopFinder"]


@dataclass(frozen=True, kw_only=True)
class StopFinder(Preparation):
    """The base of methods that find stops: runs of positions become `Stops`."""

    shortest_s: float = param(1800.0, at_least=0, help="shortest duration of a stop, in seconds")

    def change(self, data: Any) -> Prepared:
        owner = type(self).__name__
        where, times = located(data, owner), times_of(data, owner)
        first, end, departures = self.find(data, where, times)
        stops = Stops(
            offsets=np.searchsorted(first, data.offsets),
            times=times[first],
            departures=departures,
            where=means_of_runs(where.where, first, end, geographic=where.geographic),
            fixes=end - first,
            geographic=where.geographic,
            ids=data.ids,
            persons=data.persons,
            places=data.places,
        )
        rows = self.rows(stops, where, first)
        counts = {"stops": len(first), "moving": len(times) - int(np.sum(stops.fixes))}
        if rows is None or data.places is None:
            return Prepared(stops, counts, first)
        named = replace(stops, locations=names_of(data.places, rows))
        return Prepared(named, {**counts, "elsewhere": int(np.sum(rows < 0))}, first)

    def runs(self, data: Any) -> tuple[Ints, Ints]:
        """The first position of each stop, and the position after its last."""
        owner = type(self).__name__
        first, end, _ = self.find(data, located(data, owner), times_of(data, owner))
        return first, end

    @abstractmethod
    def find(self, data: Dataset, where: Located, times: Floats) -> tuple[Ints, Ints, Floats]:
        """The first position of each stop, the position after its last, and its departure."""

    @abstractmethod
    def rows(self, stops: Stops, where: Located, first: Ints) -> Ints | None:
        """The row of the place of each stop, -1 for none; None if stops are not named."""


@dataclass(frozen=True, kw_only=True)
class _Naming(StopFinder):
    place_within_m: float | None = param(
        None,
        above=0,
        help="name each stop after the nearest place within this distance, in metres; if not given, no names",
    )

    def rows(self, stops: Stops, where: Located, first: Ints) -> Ints | None:  # noqa: ARG002
        if self.place_within_m is None:
            return None
        centres = Located(stops.where, stops.geographic)
        return nearest_places(centres, stops.places, self.place_within_m, type(self).__name__)


@dataclass(frozen=True, kw_only=True)
class StayPoints(_Naming):
    """Runs of positions that stay near their first one for a while; all other positions are moving, and are counted.

    Notes
    -----
    The definition of [1]_: consecutive positions, all within the distance of the first, over at least the time.  As in
    the algorithm there, a stay ends when the first position outside is recorded, and the next one may begin there.
    A stay that is cut off by the end of the record, or by a gap, ends at its last position; it fits the definition,
    although the algorithm of [1]_ does not report it (`unfinished`).  With ``ends_at="last"`` every stay ends at its
    last position, so that it spans its positions and shares no time with what follows.  Linear time.

    References
    ----------
    .. [1] Q. Li, Y. Zheng, X. Xie, Y. Chen, W. Liu, W.-Y. Ma, "Mining user similarity based on location history",
       ACM SIGSPATIAL GIS 2008.

    Examples
    --------
    >>> from sfumato import Positions
    >>> day = Positions.from_frame(
    ...     {"person": ["ann"] * 4, "time": [0, 1000, 2000, 3000], "x": [0, 40, 80, 9000], "y": [0, 0, 0, 0]}
    ... )
    >>> StayPoints().apply(day).data.to_polars().select("arrival", "departure", "x", "fixes").rows()
    [(0.0, 3000.0, 40.0, 3)]
    >>> StayPoints(ends_at="last").apply(day).data.departures.tolist()
    [2000.0]
    """

    name: ClassVar[str] = "stay-points"

    within_m: float = param(500.0, above=0, help="largest distance of a stop's positions from its first one, in metres")
    gap_s: float | None = param(
        None, above=0, help="longest time without a position within a stop, in seconds; if not given, no limit"
    )
    unfinished: bool = param(True, help="include stops that the end of the record or a gap cuts off")
    ends_at: str = param(
        "outside", choices=("outside", "last"), help="whether a stop ends at the first position outside or at its last"
    )

    def find(self, data: Any, where: Located, times: Floats) -> tuple[Ints, Ints, Floats]:
        gap = np.inf if self.gap_s is None else self.gap_s
        first, end, departures = stays(
            where.points(),
            where.radius,
            times,
            ends_of(data),
            data.offsets,
            self.within_m,
            self.shortest_s,
            gap,
            self.unfinished,
            self.ends_at == "last",
        )
        return first, end, departures


@dataclass(frozen=True, kw_only=True)
class StaysAtPlaces(StopFinder):
    """Stays inside the circle around a known place (SMoT).

    Notes
    -----
    The stops of [1]_ for candidate places that are circles of one radius: a maximal stretch of positions inside one
    candidate, from its first position to its last, over at least the time.  Where circles overlap, a position is at
    the nearest place, so that stops never overlap.

    References
    ----------
    .. [1] L. O. Alvares, V. Bogorny, B. Kuijpers, J. de Macedo, B. Moelans, A. Vaisman, "A model for enriching
       trajectories with semantic geographical information", ACM GIS 2007.

    Examples
    --------
    >>> from sfumato import Places, Positions
    >>> day = Positions.from_frame(
    ...     {"person": ["ann"] * 4, "time": [0, 1000, 2000, 3000], "x": [0, 5, 5, 90], "y": [0, 0, 0, 0]},
    ...     places=Places.planar({"home": (0, 0), "bar": (91, 0)}),
    ... )
    >>> StaysAtPlaces(radius_m=10).apply(day).data.to_trajectories().to_lists()
    [['home']]
    """

    name: ClassVar[str] = "stays-at-places"

    radius_m: float = param(100.0, above=0, help="radius of a place, in metres (or in the unit of x and y)")

    def find(self, data: Any, where: Located, times: Floats) -> tuple[Ints, Ints, Floats]:
        place = nearest_places(where, data.places, self.radius_m, "StaysAtPlaces")
        first = np.flatnonzero(starts_of_runs(place, data.offsets))
        end = np.append(first[1:], len(times)) if len(first) else first
        departures = ends_of(data)[end - 1]
        is_stop = (place[first] >= 0) & (departures - times[first] >= self.shortest_s)
        return first[is_stop], end[is_stop], departures[is_stop]

    def rows(self, stops: Stops, where: Located, first: Ints) -> Ints | None:
        first_positions = Located(where.where[first], where.geographic)
        return nearest_places(first_positions, stops.places, self.radius_m, "StaysAtPlaces")


@dataclass(frozen=True, kw_only=True)
class SpeedClusters(_Naming):
    """Runs of slow movement anywhere (CB-SMoT).

    A position is the core of a cluster if the path close to it, `reach` before and after it along the way, took at
    least the time.  Cores that lie in each other's stretch belong to one stop.

    Notes
    -----
    Density-based clustering along a single trajectory, as in [1]_.  How close is close is chosen for each
    trajectory, from the distances between its consecutive positions: the quantile `area` of a normal distribution with
    their mean and their deviation.  At 0.5 that is the mean.  Receivers record skewed distances, for which a small
    area gives a quantile below 0; then only positions that do not move at all are close.  `reach_m` sets the distance
    directly. Departures: a position between two clusters belongs to the earlier one, and a cluster that is too short
    after that is not a stop.  Linear time.

    References
    ----------
    .. [1] A. T. Palma, V. Bogorny, B. Kuijpers, L. O. Alvares, "A clustering-based approach for discovering
       interesting places in trajectories", ACM SAC 2008.

    Examples
    --------
    >>> from sfumato import Positions
    >>> jam = Positions.from_frame({
    ...     "person": ["ann"] * 6, "time": [0, 10, 20, 920, 1820, 1830],
    ...     "x": [0, 100, 200, 203, 206, 306], "y": [0] * 6,
    ... })
    >>> SpeedClusters(reach_m=5).apply(jam).data.to_polars().select("arrival", "departure", "x").rows()
    [(20.0, 1820.0, 203.0)]
    """

    name: ClassVar[str] = "speed-clusters"

    area: float = param(
        0.5, above=0, below=1, help="approximate share of the steps between positions that are short enough for a stop"
    )
    reach_m: float | None = param(
        None, above=0, help="length of the path before and after a position that counts as close, instead of area"
    )

    def find(self, data: Any, where: Located, times: Floats) -> tuple[Ints, Ints, Floats]:
        lengths = steps(where.points(), where.radius, data.offsets)
        reach = np.full(len(data), 0.0 if self.reach_m is None else self.reach_m)
        if self.reach_m is None:
            reach = _quantiles(lengths, data.offsets, self.area)
        path = np.cumsum(lengths)
        # tolerates the rounding of the sum
        first, end = speed_clusters(path, times, data.offsets, reach * (1 + 1e-9), self.shortest_s)
        departures = ends_of(data)[end - 1]
        long_enough = departures - times[first] >= self.shortest_s
        return first[long_enough], end[long_enough], departures[long_enough]


def _quantiles(lengths: Floats, offsets: Ints, area: float) -> Floats:
    """For each record the quantile of a normal distribution fitted to its steps; at least 0."""
    record = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    is_step = np.ones(len(lengths), dtype=bool)
    is_step[offsets[:-1][np.diff(offsets) > 0]] = False
    lengths, record = lengths[is_step], record[is_step]
    number = np.maximum(np.bincount(record, minlength=len(offsets) - 1), 1)
    mean = np.bincount(record, lengths, minlength=len(offsets) - 1) / number
    variance = np.bincount(record, (lengths - mean[record]) ** 2, minlength=len(offsets) - 1) / number
    return np.asarray(np.maximum(0.0, mean + NormalDist().inv_cdf(area) * np.sqrt(variance)))
