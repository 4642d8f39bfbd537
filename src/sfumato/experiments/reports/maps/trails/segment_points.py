"""Positions and segments of a movement on the map: the line of a trail or a move, and the centre of a stop."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.trails.trails import Line
from sfumato.semantics.movement.movement import Movement

__all__ = ["LineLinks", "centres", "lines", "movement_points", "trail_rows", "wkt_points"]

Floats = npt.NDArray[np.float64]
LineLinks = Mapping[int | None, Sequence[tuple[int, int, float, float]]]
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PAIR = re.compile(rf"({_NUMBER})\s+({_NUMBER})")
_SIMPLE = re.compile(rf"^\s*(?:POINT|LINESTRING)\s*\(((?:\s*{_NUMBER}\s+{_NUMBER}\s*,?)+)\)\s*$", re.IGNORECASE)
_COLUMNS = ("row", "object", "first", "last", "begin", "end", "prev", "next", "wkt")
_TRAIL_TYPES = ("TRAIL", "TRAJ", "HISTORY")


def movement_points(movement: Movement) -> Floats:
    """The coordinates of all positions, and of segments whose positions are not given."""
    own = movement.positions.select("x", "y").to_numpy()
    bare = movement.segments.filter(pl.col("first").is_null())["wkt"].drop_nulls().to_list()
    return np.concatenate([own, *map(wkt_points, bare)]) if bare else own


def wkt_points(text: str) -> Floats:
    """The points of a POINT or a LINESTRING; no points for any other geometry.

    >>> wkt_points("LINESTRING (1 2, 3.5 -4)").tolist(), len(wkt_points("POINT EMPTY"))
    ([[1.0, 2.0], [3.5, -4.0]], 0)
    """
    simple = _SIMPLE.match(text)
    pairs = _PAIR.findall(simple[1]) if simple else []
    return np.array(pairs, dtype=np.float64).reshape(-1, 2)


def trail_rows(movement: Movement) -> pl.DataFrame:
    """What is drawn as trails: of each object its trails, else its trajectories, else all its positions."""
    order = {name: number for number, name in enumerate(_TRAIL_TYPES)}
    candidates = movement.of_type(*_TRAIL_TYPES).with_columns(
        rank=pl.col("type").replace_strict(order, return_dtype=pl.Int8)
    )
    best = candidates.filter(pl.col("rank") == pl.col("rank").min().over("object")).select(_COLUMNS)
    # two segmentations of the same positions may have the same trail
    trails = best.unique(["object", "begin", "end"], keep="first", maintain_order=True)
    rows = movement.positions.with_row_index("row").group_by("object", maintain_order=True)
    whole = rows.agg(
        pl.col("row").first().cast(pl.Int64).alias("first"),
        pl.col("row").last().cast(pl.Int64).alias("last"),
        pl.col("begin").first(),
        pl.col("end").last(),
        *(
            pl.lit(None, dtype=kind).alias(name)
            for name, kind in (("row", pl.UInt32), ("prev", pl.Int64), ("next", pl.Int64), ("wkt", pl.String))
        ),
    )
    return pl.concat([trails, whole.join(trails, on="object", how="anti", maintain_order="left").select(_COLUMNS)])


def lines(
    segments: pl.DataFrame, points: Floats, projection: Projection, links: LineLinks, *, joined: bool = False
) -> list[Line]:
    """The lines of segments, each cut where it would cross the edge of a map of the whole globe.

    points : of all positions, on the map.  links : by the row of their segment.
    joined : whether a line reaches the last position of the segment before and the first position of the segment after,
        as a move does.
    """
    result: list[Line] = []
    for row, number, first, last, begin, end, before, after, wkt in segments.select(_COLUMNS).iter_rows():
        if first is None:
            path = projection.flat(wkt_points(wkt or ""))
        else:
            start = first - (joined and before is not None)
            path = points[start : last + 1 + (joined and after is not None)]
        count = 0 if first is None else last - first + 1
        own = tuple(links.get(row, ()))
        result += [Line(number, part, begin, end, count, own) for part in _parts(path, projection.width)]
    return result


def _parts(path: Floats, width: float) -> list[Floats]:
    """The parts of a line between jumps of more than half of the globe; a single point is no line."""
    jumps = np.flatnonzero(np.abs(np.diff(path[:, 0])) > width / 2) + 1
    return [part for part in np.split(path, jumps) if len(part) > 1]


def centres(segments: pl.DataFrame, points: Floats, projection: Projection) -> Floats:
    """The mean of the positions of each segment, on the map; not a number where there is no position."""
    sums = np.concatenate((np.zeros((1, 2)), np.cumsum(points, axis=0)))
    first = segments["first"].fill_null(-1).to_numpy()
    last = segments["last"].fill_null(-2).to_numpy()
    known = first >= 0
    result = np.full((len(segments), 2), np.nan)
    result[known] = (sums[last[known] + 1] - sums[first[known]]) / (last - first + 1)[known, None]
    for row in np.flatnonzero(~known).tolist():
        own = projection.flat(wkt_points(segments["wkt"][row] or ""))
        if len(own):
            result[row] = own.mean(axis=0)
    return result
