"""Lines drawn beneath a map: outlines and lines of a GeoJSON file, or the roads of a network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.data import Network
from sfumato.errors import CallerError, DataError, FileError
from sfumato.io import read_network

__all__ = ["Basemap", "as_basemap", "lines_on_map", "read_basemap"]

Floats = npt.NDArray[np.float64]
Basemap = list[Floats]
"""Lines, each with at least two points: x and y, or longitude and latitude."""

_BYTES = 200 << 20
_ENDINGS = (".geojson", ".json")
_DEPTH = {"LineString": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3}  # lists around a position
_STEPS = 20_000  # the finest detail that is kept, as a share of the map
_POINTS = 200_000


def read_basemap(path: str | Path) -> Basemap:
    """The lines of a GeoJSON file (`.geojson`, `.json`), or of a road network in any of its forms.

    Points are left out.  Nothing but coordinates is read: names and properties stay where they are.
    """
    path = Path(path)
    if path.suffix.lower() not in _ENDINGS:
        try:
            return _roads(read_network(path))
        except DataError as error:
            raise DataError(f"{error}; a basemap is a GeoJSON file or a road network") from None
    try:
        if path.stat().st_size > _BYTES:
            raise FileError(path, f"wanted at most {_BYTES >> 20} MB of GeoJSON, found more")
        content = json.loads(path.read_bytes())
        lines = list(_lines(content))
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FileError(path, "wanted GeoJSON, found something else") from None
    if not lines:
        raise FileError(path, "wanted lines or polygons in the GeoJSON file, found none")
    return lines


def as_basemap(source: str | Path | Network | Basemap | None) -> Basemap:
    """The lines of a file, a network or lines that were read already."""
    if source is None:
        return []
    if isinstance(source, Network):
        return _roads(source)
    if isinstance(source, str | Path):
        return read_basemap(source)
    if isinstance(source, list):
        return source
    raise CallerError(f"a map: wanted the basemap as a file or a network, found {type(source).__name__}")


def lines_on_map(lines: Basemap, low: Floats, high: Floats, seam: float) -> list[Floats]:
    """The parts of projected lines near a box, with as much detail as a map shows.

    seam : the width of the globe on the map; a line that jumps more than half of it is cut there.
    """
    margin = (high - low) / 2
    low, high = low - margin, high + margin
    step = float((high - low).max()) / _STEPS
    near = [part for line in lines for part in _parts(line, low, high, seam)]
    while True:
        kept = [thin for part in near if len(thin := _thinned(part, step)) > 1]
        if sum(map(len, kept)) <= _POINTS:
            return kept
        step *= 2


def _roads(network: Network) -> Basemap:
    return list(network.points[network.ends])


def _lines(content: Any) -> Iterator[Floats]:
    kind = content["type"]
    if kind == "FeatureCollection":
        for feature in content["features"]:
            yield from _lines(feature)
    elif kind == "Feature":
        if content["geometry"] is not None:
            yield from _lines(content["geometry"])
    elif kind == "GeometryCollection":
        for geometry in content["geometries"]:
            yield from _lines(geometry)
    elif kind in _DEPTH:
        yield from _paths(content["coordinates"], _DEPTH[kind])
    elif kind not in ("Point", "MultiPoint"):
        raise ValueError


def _paths(coordinates: Any, depth: int) -> Iterator[Floats]:
    if depth > 1:
        for inner in coordinates:
            yield from _paths(inner, depth - 1)
        return
    positions = [(float(position[0]), float(position[1])) for position in coordinates]
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in positions):
        raise ValueError
    if len(positions) > 1:
        yield np.array(positions)


def _parts(line: Floats, low: Floats, high: Floats, seam: float) -> list[Floats]:
    """The runs of segments that touch the box and do not jump across the seam."""
    starts, ends = line[:-1], line[1:]
    touches = (np.maximum(starts, ends) >= low).all(axis=1) & (np.minimum(starts, ends) <= high).all(axis=1)
    touches &= np.abs(ends[:, 0] - starts[:, 0]) <= seam / 2
    borders = np.flatnonzero(np.diff(np.concatenate(([False], touches, [False])).astype(np.int8)))
    return [line[first : last + 1] for first, last in borders.reshape(-1, 2).tolist()]


def _thinned(line: Floats, step: float) -> Floats:
    """The line without points that fall on the one before, on a raster of this step."""
    raster = np.round(line / step)
    moved = np.ones(len(line), dtype=bool)
    moved[1:] = (np.diff(raster, axis=0) != 0).any(axis=1)
    return line[moved]
