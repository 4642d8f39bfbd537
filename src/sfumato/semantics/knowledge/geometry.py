"""Shapes of WKT literals in longitude and latitude, and distances between them on the globe."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from sfumato.data.places import EARTH_RADIUS_M
from sfumato.errors import DataError, MissingExtra

__all__ = ["length_m", "metres_between", "shape_distance_m", "shape_of", "shapely", "without_crs"]


def shapely() -> Any:
    """The package for geometries; a sentence on how to install it where it is missing."""
    try:
        import shapely
    except ImportError as absent:
        raise MissingExtra("shapely", "semantics") from absent
    return shapely


def without_crs(text: str) -> str:
    """WKT without the coordinate reference system in front of it, which has to be CRS84.

    >>> without_crs("<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT(12.5 41.9)")
    'POINT(12.5 41.9)'
    """
    if not text.startswith("<"):
        return text
    crs, closed, shape = text.partition(">")
    if not closed:  # not quoted: it may hold the coordinates
        raise DataError("wanted WKT in CRS84 (longitude latitude), found another text")
    if not crs.endswith("/CRS84"):
        raise DataError(f"wanted WKT in CRS84 (longitude latitude), found {crs[1:]}")
    return shape.strip()


@lru_cache(maxsize=65_536)
def shape_of(text: str) -> Any:
    """The shape of a WKT literal."""
    library = shapely()
    try:
        shape = library.from_wkt(without_crs(text))
    except library.errors.ShapelyError:
        raise DataError("wanted WKT such as POINT(12.5 41.9), found a text that is not WKT") from None
    if shape.is_empty:
        raise DataError("wanted a geometry with coordinates, found an empty one")
    return shape


def metres_between(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The great-circle distance between two pairs of longitude and latitude.

    >>> round(metres_between((12.0, 41.0), (12.0, 42.0)))
    111195
    """
    x1, y1, x2, y2 = map(math.radians, (*first, *second))
    chord = math.sin((y1 - y2) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x1 - x2) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(min(1.0, math.sqrt(chord)))


def shape_distance_m(first: Any, second: Any) -> float:
    """The distance between two shapes, 0 where they meet.

    Exact between points.  Otherwise the nearest points are those of a map that shows east and north at one scale
    halfway between the shapes; their great-circle distance is returned, never less than the true one.
    """
    if first.geom_type == second.geom_type == "Point":
        return metres_between((first.x, first.y), (second.x, second.y))
    library = shapely()
    middle = first.centroid, second.centroid
    narrow = math.cos(math.radians((middle[0].y + middle[1].y) / 2))
    turn = 360.0 * round((middle[0].x - middle[1].x) / 360)  # the way across the date line may be the shorter one
    lines = (library.shortest_line(_flat(first, 0.0, narrow), _flat(second, east, narrow)) for east in {0.0, turn})
    ends = (line.coords for line in lines)
    return min(metres_between((x1 / narrow, y1), (x2 / narrow, y2)) for (x1, y1), (x2, y2) in ends)


def _flat(shape: Any, east: float, narrow: float) -> Any:
    """A shape moved to the east, with its longitudes narrowed."""
    return shapely().transform(shape, lambda places: places * [narrow, 1.0] + [east * narrow, 0.0])


def length_m(shape: Any) -> float:
    """The length of a line along the globe; the boundary of an area; 0 for points."""
    parts = getattr(shape, "geoms", None)
    if parts is not None:
        return math.fsum(map(length_m, parts))
    if shape.geom_type == "Polygon":
        return math.fsum(map(length_m, (shape.exterior, *shape.interiors)))
    places = [place[:2] for place in shape.coords]
    return math.fsum(map(metres_between, places, places[1:]))
