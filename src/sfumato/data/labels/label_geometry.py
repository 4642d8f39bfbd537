"""The geometry of published labels: a place is a point, a label the points of its members, a road a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Dataset, Ints
from sfumato.data.places import Places
from sfumato.data.roads.road_trajectories import RoadTrajectories
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError, MissingExtra, MissingKnowledge

__all__ = ["MemberPoints", "label_geometry", "member_points", "require_public_geometry", "road_volumes"]

_REMEDY = "give-places"


@dataclass(frozen=True)
class MemberPoints:
    """The coordinates of the members of each label of trajectories, in flat arrays.

    offsets : int64[labels + 1]; the points of label i are ``points[offsets[i]:offsets[i + 1]]``.
    points : float64[members with coordinates, 2], x and y, or longitude and latitude.
    members : int64[labels], how many members a label has, with coordinates or without.
    """

    offsets: Ints
    points: npt.NDArray[np.float64]
    members: Ints

    @property
    def located(self) -> Ints:
        """How many members of each label have coordinates."""
        return np.diff(self.offsets)


def member_points(data: Trajectories, sources: Iterable[Places]) -> MemberPoints:
    """The points of every label's members; the first source that knows a place gives its coordinates.

    >>> walks = Trajectories.from_lists([["a", "b"]], places={"a": (0, 1)})
    >>> found = member_points(walks, [walks.places])
    >>> found.points.tolist(), found.located.tolist(), found.members.tolist()
    ([[0.0, 1.0]], [1, 0], [1, 1])
    """
    groups = [data.members.get(name, (name,)) for name in data.names]
    names = [member for group in groups for member in group]
    label = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    points = np.full((len(names), 2), np.nan)
    for places in sources:
        if places.located:
            missing = np.flatnonzero(np.isnan(points[:, 0]))
            rows = places.rows([names[index] for index in missing])
            axes = ("lon", "lat") if places.geographic else ("x", "y")
            points[missing[rows >= 0]] = places.frame.select(axes).to_numpy()[rows[rows >= 0]]
    known = ~np.isnan(points[:, 0])
    located = np.bincount(label[known], minlength=len(groups))
    members = np.array([len(group) for group in groups], dtype=np.int64)
    return MemberPoints(np.concatenate(([0], np.cumsum(located))), points[known], members)


def label_geometry(data: Dataset) -> Any:
    """A GeoDataFrame with a row for each label: `label`, `members`, `visits` and its geometry.

    A place is a point, and a label that stands for several places is the multipoint of its members; members without
    coordinates are left out, and a label without any has no geometry.  Of road trajectories, each road is a line, with
    the number of `vehicles`.
    """
    if isinstance(data, RoadTrajectories):
        return _road_lines(data)
    if not isinstance(data, Trajectories):
        raise DataError(f"to_geopandas: wanted trajectories or road trajectories, found {data.kind}")
    if data.places is None or not data.places.located:
        raise MissingKnowledge("to_geopandas: wanted places with coordinates, found none", remedy=_REMEDY)
    points = member_points(data, [data.places])
    visits = np.bincount(data.codes, minlength=len(data.names))
    rows = pl.DataFrame({"label": pl.Series(data.names, dtype=pl.String), "members": points.members, "visits": visits})
    runs = [points.points[start:end] for start, end in zip(points.offsets[:-1], points.offsets[1:], strict=True)]
    return _geo_frame(rows, runs, lines=False, geographic=data.places.geographic)


def road_volumes(data: RoadTrajectories) -> Ints:
    """The number of vehicles on each road of the network, in both directions together.

    >>> from sfumato.data import Network
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b"], "x": [0, 1], "y": [0, 0]}, {"road": ["r"], "from": ["a"], "to": ["b"]}
    ... )
    >>> road_volumes(RoadTrajectories.from_lists([["r+", "r-"], ["r-"]], network=town)).tolist()
    [3]
    """
    return np.bincount(data.road[data.codes], minlength=len(data.network.roads))


def require_public_geometry(data: Dataset) -> None:
    """Refuse data whose coordinates cannot be published: there are none, or they were computed from the visits."""
    if not isinstance(data, Trajectories):
        raise DataError(f"geometry: wanted trajectories, found {data.kind}")
    if data.places is None or not data.places.located:
        raise MissingKnowledge("geometry: wanted places with coordinates, found none", remedy="give-places-file")
    if data.places.derived:
        raise MissingKnowledge(
            "geometry: wanted coordinates from a public list of places, found coordinates that were computed from the "
            "private visits",
            remedy="give-places-file",
        )


def _road_lines(data: RoadTrajectories) -> Any:
    network = data.network
    rows = pl.DataFrame({"road": network.roads, "vehicles": road_volumes(data)})
    return _geo_frame(rows, list(network.points[network.ends]), lines=True, geographic=network.geographic)


def _geo_frame(rows: pl.DataFrame, runs: list[Any], *, lines: bool, geographic: bool) -> Any:
    """The rows as a GeoDataFrame; runs : the points of each row's geometry."""
    try:
        import geopandas
        from shapely import LineString, MultiPoint, Point
    except ImportError as absent:
        raise MissingExtra("geopandas", "frames") from absent
    shapes: list[Any] = []
    for run in runs:
        if lines:
            shapes.append(LineString(run))
        else:
            shapes.append(None if len(run) == 0 else Point(run[0]) if len(run) == 1 else MultiPoint(run))
    crs = "EPSG:4326" if geographic else None
    return geopandas.GeoDataFrame(frames.to_pandas(rows), geometry=geopandas.GeoSeries(shapes, crs=crs))
