"""Compression: fewer positions, such that every other one lies near the line between kept ones at its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.places import EARTH_RADIUS_M
from sfumato.data.positions import Positions
from sfumato.kernels.space.trails import within_tolerance
from sfumato.params import param
from sfumato.prepare.base import Floats, Located, Preparation, Prepared, located, times_of, with_elements
from sfumato.prepare.stops import StayPoints

__all__ = ["Compress", "needed_positions"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Compress(Preparation):
    """Leave out positions that the kept ones tell within a tolerance, and count them.

    Between two kept positions, movement at constant speed in x and y (or longitude and latitude) passes every left-out
    position within the tolerance, at its time.  The first and last position of every track and of every stop are kept,
    and so are positions that last or carry tags, a text, a place name or a geometry.

    Notes
    -----
    One pass: the velocities from the last kept position that pass all later ones near enough form an interval on each
    axis.  As each axis gets its share of the tolerance, somewhat more positions are kept than needed.  Linear time.

    Examples
    --------
    >>> from sfumato import Positions
    >>> walk = Positions.from_frame({
    ...     "person": ["ann"] * 5, "time": [0, 10, 20, 30, 40], "x": [0, 11, 19, 30, 30], "y": [0, 0, 0, 0, 10],
    ... })
    >>> done = Compress(within_m=3).apply(walk)
    >>> done.data.times.tolist(), done.counts
    ([0.0, 30.0, 40.0], {'compressed': 2})
    """

    name: ClassVar[str] = "compress"

    within_m: float = param(above=0, help="largest distance of a left-out position from the line, in metres")
    stop_radius_m: float = param(500.0, above=0, help="largest distance of a stop's positions from its first one")
    stop_minutes: float = param(30.0, at_least=0, help="shortest duration of a stop")

    def change(self, data: Any) -> Prepared:
        where, times = located(data, "Compress"), times_of(data, "Compress")
        finder = StayPoints(within_m=self.stop_radius_m, shortest_s=60 * self.stop_minutes, ends_at="last")
        first, end, _ = finder.find(data, where, times)
        fixed = _with_details(data)
        fixed[first] = fixed[end - 1] = True
        keep = needed_positions(where, times, data.offsets, self.within_m, fixed)
        return Prepared(with_elements(data, keep), {"compressed": int(np.sum(~keep))})


def needed_positions(where: Located, times: Floats, offsets: Ints, within: float, fixed: Mask) -> Mask:
    """Which positions are kept: the fixed ones, the ends of tracks, and those that the tolerance needs."""
    x, y = where.where.T
    axis = np.full(len(times), within / np.sqrt(2) * (1 - 1e-9))  # tolerates rounding
    if not where.geographic:
        return np.asarray(within_tolerance(x.copy(), y.copy(), axis, axis, times, offsets, fixed))
    # chord^2 <= north^2 + cos(lat) cos(other lat) east^2 in radians of the globe, a circle around the position
    chord = 2 * np.sin(min(within / (2 * EARTH_RADIUS_M), np.pi / 2)) / np.sqrt(2) * (1 - 1e-9)
    north = np.full(len(times), np.degrees(chord))
    nearest_equator = np.maximum(0.0, np.abs(y) - north)
    east = north / np.maximum(np.cos(np.radians(nearest_equator)), 1e-12)
    lon = np.unwrap(x, period=360.0)
    return np.asarray(within_tolerance(lon, y.copy(), east, north, times, offsets, fixed))


def _with_details(data: Any) -> Mask:
    """Which positions carry more than a time and a place."""
    fixed = np.zeros(len(data.times), dtype=bool)
    if not isinstance(data, Positions) or data.details is None:
        return fixed
    fixed |= data.ends > data.times
    for name in ("text", "place", "wkt"):
        if name in data.details.columns:
            fixed |= data.details[name].is_not_null().to_numpy()
    if "tags" in data.details.columns:
        fixed |= (data.details["tags"].list.len() > 0).to_numpy()
    return fixed
