"""The map of an answer: the features of a GeoJSON collection as circles and lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sfumato.data import Places, Trajectories
from sfumato.errors import DataError
from sfumato.experiments.reports.maps.drawn_map import DrawnMap
from sfumato.experiments.reports.maps.scene import scene_of
from sfumato.params import JsonObject

__all__ = ["map_answer"]

_Point = tuple[float, float]


def map_answer(collection: JsonObject, *, title: str = "answer") -> DrawnMap:
    """A private map of the features, with a panel for each column of the answer.

    A point is a circle, a line a sequence of moves between its corners, and an area a circle at its middle.

    >>> point = {"type": "Point", "coordinates": [-38.6, -15.2]}
    >>> values = {"stop": "http://example.org/s1", "column": "stop"}
    >>> map_answer({"features": [{"type": "Feature", "geometry": point, "properties": values}]})
    <DrawnMap of answer, stop, private>
    """
    panels: dict[str, list[tuple[str, list[_Point]]]] = {}
    for feature in collection["features"]:
        column = str(feature["properties"].get("column", ""))
        name = str(feature["properties"].get(column) or column)
        panels.setdefault(column, []).append((name.rstrip("/#").rpartition("/")[2], _path(feature["geometry"])))
    if not panels:
        raise DataError("a map: wanted features with a geometry, found none")
    datasets = {f"{title}, {column}" if column else title: _walks(paths) for column, paths in panels.items()}
    return DrawnMap(scene_of(datasets), private=True)


def _path(geometry: JsonObject) -> list[_Point]:
    """The corners of a line; of anything else the middle of its box."""
    if geometry["type"] == "LineString":
        return [(float(x), float(y)) for x, y, *_ in geometry["coordinates"]]
    points = list(_corners(geometry.get("coordinates", []))) or [
        corner for part in geometry.get("geometries", []) for corner in _path(part)
    ]
    xs, ys = zip(*points, strict=True)
    return [((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)]


def _corners(coordinates: Any) -> Iterator[_Point]:
    """The points in coordinates of any depth."""
    if coordinates and isinstance(coordinates[0], int | float):
        yield float(coordinates[0]), float(coordinates[1])
        return
    for part in coordinates:
        yield from _corners(part)


def _walks(paths: list[tuple[str, list[_Point]]]) -> Trajectories:
    """Each feature as a trajectory between places of its own; equal names at one point are one place."""
    spots: dict[tuple[str, _Point], str] = {}
    taken: dict[str, int] = {}
    for name, path in paths:
        for point in path:
            if (name, point) not in spots:
                taken[name] = taken.get(name, 0) + 1
                spots[name, point] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    places = Places.from_frame(
        {
            "location": list(spots.values()),
            "lon": [point[0] for _, point in spots],
            "lat": [point[1] for _, point in spots],
        }
    )
    records = [[spots[name, point] for point in path] for name, path in paths]
    return Trajectories.from_lists(records, places=places)
