"""The spatial join: all pairs of a position and a resource within a distance, along the globe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.globe import in_space
from sfumato.data.places import EARTH_RADIUS_M
from sfumato.semantics.linking.geometries import Geometries, shapely_module

__all__ = ["great_circle_m", "near_resources", "rounded_m"]

Floats = npt.NDArray[np.float64]
ROOM = 4_000_000  # pairs at a time
BLOCK = 4_096  # positions at a time, for lines and areas
FLAT_M, FLAT_LATITUDE, SLACK = 100_000.0, 80.0, 1.25  # where a plane errs by less than the slack
HALF_MM = 0.0005
SMALLEST_CUBE_M = 10.0  # so that the number of a cube fits into 64 bits
Similarity = Callable[[Ints, Ints], Floats]
_Pairs = tuple[Ints, Ints, Floats, Floats | None]
_SCHEMA = {"position": pl.Int64, "resource": pl.Int64, "metres": pl.Float64, "similarity": pl.Float64}


def near_resources(
    where: Floats, places: Geometries, tau_s: float, room: int = ROOM, similarity: Similarity | None = None
) -> Iterator[pl.DataFrame]:
    """Frames with the columns position, resource, metres and similarity: every pair at most `tau_s` metres apart.

    where : longitude and latitude of each position.  Each pair occurs once, with the nearest geometry of the resource,
    in metres rounded to a millimetre.  All pairs of a position are in one frame; positions rise from frame to frame.
    similarity : gives each pair of a position and a resource a value; pairs below 0 are left out.  Null without it.
    """
    shapes = len(places.edges) + len(places.areas) > 0
    for first, last, pairs in _near_points(where, places, tau_s, room, BLOCK if shapes else len(where), similarity):
        if shapes:
            pairs = pl.concat([pairs, _near_shapes(where[first:last], places, tau_s, first, similarity)])
        nearest = pairs.group_by("position", "resource").agg(pl.col("metres").min(), pl.col("similarity").first())
        yield nearest.sort("position", "resource")


def great_circle_m(a: Floats, b: Floats) -> Floats:
    """The length of the great circle between longitudes and latitudes in degrees, in metres.

    >>> float(great_circle_m(np.array([[0.0, 0.0]]), np.array([[180.0, 0.0]]))[0].round())
    20015114.0
    """
    (x, y), (u, v) = np.radians(a).T, np.radians(b).T
    half = np.sin((y - v) / 2) ** 2 + np.cos(y) * np.cos(v) * np.sin((x - u) / 2) ** 2
    lengths: Floats = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(half, 1.0)))
    return lengths


def rounded_m(metres: Floats) -> Floats:
    """Metres rounded to a millimetre."""
    rounded: Floats = np.floor(metres * 1000 + 0.5) / 1000
    return rounded


def _frame(pairs: _Pairs, tau_s: float) -> pl.DataFrame:
    """The pairs whose rounded distance is within the bound."""
    position, resource, metres, similar = pairs
    metres = rounded_m(metres)
    near = metres <= tau_s
    values = None if similar is None else similar[near]
    columns = {"position": position[near], "resource": resource[near], "metres": metres[near], "similarity": values}
    return pl.DataFrame(columns, schema=_SCHEMA)


def _similar(position: Ints, resource: Ints, similarity: Similarity | None) -> tuple[Any, Floats | None]:
    """Which pairs are similar, as an index, and their values: most pairs need no distance."""
    if similarity is None:
        return slice(None), None
    values = similarity(position, resource)
    kept = np.flatnonzero(values >= 0)
    return kept, values[kept]


def _near_points(
    where: Floats, places: Geometries, tau_s: float, room: int, block: int, similarity: Similarity | None
) -> Iterator[tuple[int, int, pl.DataFrame]]:
    """The first and the end of each run of positions, and their pairs with resources that are points."""
    from sfumato.kernels.space.near_sites import near_sites

    angle = min((tau_s + HALF_MM) / (2 * EARTH_RADIUS_M), np.pi / 2)
    within = 2 * EARTH_RADIUS_M * float(np.sin(angle)) + 0.001
    points, sites = (in_space(xy, geographic=True) for xy in (where, places.points))
    side = max(within, SMALLEST_CUBE_M)
    corner = sites.min(axis=0) if len(sites) else np.zeros(3)
    cubes = np.floor((sites - corner) / side).astype(np.int64)
    shape = cubes.max(axis=0, initial=0) + 1
    key = (cubes[:, 0] * shape[1] + cubes[:, 1]) * shape[2] + cubes[:, 2]
    order = np.argsort(key, kind="stable")
    first = 0
    while first < len(points):
        last = min(first + block, len(points))
        end, row, site = near_sites(
            points[:last], sites, order, key[order], corner, side, shape, within, first, room
        )  # fmt: skip
        if end == first:  # a single position has more pairs than that
            room *= 2
            continue
        kept, values = _similar(row, places.point_of[site], similarity)
        row, site = row[kept], site[kept]
        metres = great_circle_m(where[row], places.points[site])
        yield first, end, _frame((row, places.point_of[site], metres, values), tau_s)
        first = end


def _near_shapes(
    where: Floats, places: Geometries, tau_s: float, first: int, similarity: Similarity | None
) -> pl.DataFrame:
    """The pairs with resources that are lines or areas."""
    parts = [pl.DataFrame(schema=_SCHEMA)]
    for turn in (-360.0, 0.0, 360.0):  # geometries may continue beyond the date line
        turned = where + np.array([turn, 0.0])
        inside, area = _inside(turned, places)
        kept, values = _similar(inside + first, places.area_of[area], similarity)
        inside, area = inside[kept], area[kept]
        parts.append(_frame((inside + first, places.area_of[area], np.zeros(len(area)), values), tau_s))
        row, edge = _nearest_edges(*_near_edges(turned, places, tau_s), turned, places, tau_s)
        kept, values = _similar(row + first, places.edge_of[edge], similarity)
        row, edge = row[kept], edge[kept]
        metres = _metres_to_edges(turned[row], places.edges[edge])
        parts.append(_frame((row + first, places.edge_of[edge], metres, values), tau_s))
    return pl.concat(parts)


def _none() -> Ints:
    return np.empty(0, dtype=np.int64)


def _inside(where: Floats, places: Geometries) -> tuple[Ints, Ints]:
    """Positions inside of areas or on their borders, and these areas."""
    if len(places.areas) == 0:
        return _none(), _none()
    rows, areas = places.area_tree.query(shapely_module().points(where), predicate="intersects")
    return rows.astype(np.int64), areas.astype(np.int64)


def _near_edges(where: Floats, places: Geometries, tau_s: float) -> tuple[Ints, Ints]:
    """Positions, and the edges whose bounding box in degrees is within the bound."""
    angle = min((tau_s + 2 * HALF_MM) / EARTH_RADIUS_M, np.pi / 2)
    tall = np.degrees(angle) * (1 + 1e-9)
    x, y = where.T
    ratio = np.sin(angle) / np.maximum(np.cos(np.radians(y)), 1e-300)
    polar = (np.abs(y) + tall >= 90) | (ratio >= 1)  # every longitude is near
    wide = np.where(polar, 360.0, np.degrees(np.arcsin(np.minimum(ratio, 1.0))) * (1 + 1e-9) + 1e-12)
    rows, edges = places.edge_tree.query(shapely_module().box(x - wide, y - tall, x + wide, y + tall))
    return rows.astype(np.int64), edges.astype(np.int64)


def _nearest_edges(rows: Ints, edges: Ints, where: Floats, places: Geometries, tau_s: float) -> tuple[Ints, Ints]:
    """Without the edges that are surely not the nearest of their resource, measured on a plane around the position."""
    if tau_s > FLAT_M:
        return rows, edges
    x, y = where[rows].T
    narrow = np.cos(np.radians(y))
    a, b = places.edges[edges, :2], places.edges[edges, 2:]
    (from_x, from_y), (to_x, to_y) = (((p[:, 0] - x) * narrow, p[:, 1] - y) for p in (a, b))
    along_x, along_y = to_x - from_x, to_y - from_y
    square = along_x**2 + along_y**2
    share = -(from_x * along_x + from_y * along_y) / np.where(square > 0, square, 1.0)
    share = np.clip(share, 0.0, 1.0)
    flat = np.radians(np.hypot(from_x + share * along_x, from_y + share * along_y)) * EARTH_RADIUS_M
    pair = rows * (places.edge_of.max(initial=0) + 1) + places.edge_of[edges]
    _, group = np.unique(pair, return_inverse=True)
    least = np.full(group.max(initial=0) + 1, np.inf)
    np.minimum.at(least, group, flat)
    keep = (np.abs(y) > FLAT_LATITUDE) | (flat <= np.minimum(least[group], tau_s) * SLACK + 1)
    return rows[keep], edges[keep]


def _metres_to_edges(where: Floats, edges: Floats) -> Floats:
    from sfumato.kernels.space.nearest_on_edges import nearest_on_edges

    x, y = np.radians(where).T
    angles = nearest_on_edges(np.ascontiguousarray(x), np.ascontiguousarray(y), np.radians(edges))
    metres: Floats = EARTH_RADIUS_M * angles
    return metres
