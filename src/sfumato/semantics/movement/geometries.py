"""Geometries of segments: as given, or from their positions (a stop: the centroid; a move or trail: a line)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sfumato.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["centres", "geometries", "position_rows"]

_POINT = r"^\s*POINT\s*\(\s*([-+0-9.eE]+)\s+([-+0-9.eE]+)\s*\)\s*$"


def geometries(movement: Movement) -> pl.Series:
    """Well-known text of each segment; null for a history and for a segment without positions and geometry."""
    segments = movement.segments.with_row_index("segment")
    derived = segments.filter(pl.col("wkt").is_null() & (pl.col("type") != "HISTORY"))
    stops = derived.filter(pl.col("type") == "STOP")["segment"].to_numpy()
    others = derived.filter(pl.col("type") != "STOP")["segment"].to_numpy()
    texts = pl.concat([_points(movement, stops), _lines(movement, others)])
    joined = segments.select("segment", "wkt").join(texts, on="segment", how="left", maintain_order="left")
    return joined.select(pl.coalesce("wkt", "text").alias("wkt")).to_series()


def centres(movement: Movement) -> pl.DataFrame:
    """x and y of each segment: the centroid of its geometry or of its positions; null without both."""
    segments = movement.segments.with_row_index("segment")
    given = segments.filter(pl.col("wkt").is_not_null()).select("segment", "wkt")
    derived = segments.filter(pl.col("wkt").is_null())["segment"].to_numpy()
    centre = pl.concat([_means(movement, derived), _centroids(given)])
    return segments.select("segment").join(centre, on="segment", how="left", maintain_order="left").select("x", "y")


def position_rows(movement: Movement, segments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of segment and position, for segments whose positions are given."""
    first = movement.segments["first"].fill_null(-1).to_numpy()[segments]
    last = movement.segments["last"].fill_null(-2).to_numpy()[segments]
    lengths = np.maximum(last - first + 1, 0)
    ends = np.cumsum(lengths)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return np.repeat(segments, lengths), np.repeat(first, lengths) + within


def _means(movement: Movement, segments: np.ndarray) -> pl.DataFrame:
    """The mean of the positions; longitudes are taken around the first one, so that the date line does no harm."""
    owner, row = position_rows(movement, segments)
    x, y = (movement.positions[axis].to_numpy()[row] for axis in "xy")
    frame = pl.DataFrame({"segment": owner, "x": x, "y": y}, schema_overrides={"segment": pl.UInt32})
    means = frame.group_by("segment", maintain_order=True).agg(
        pl.col("x").first().alias("start"), pl.col("x"), pl.col("y").mean()
    )
    offset = pl.col("x") - pl.col("start")
    if movement.geographic:
        offset = (offset + 180) - 360 * ((offset + 180) / 360).floor() - 180
    wide = means.explode("x").with_columns(offset.alias("offset"))
    mean = wide.group_by("segment", maintain_order=True).agg(
        (pl.col("start").first() + pl.col("offset").mean()).alias("x"), pl.col("y").first()
    )
    if movement.geographic:
        mean = mean.with_columns(
            pl.when(pl.col("x").abs() > 180).then(pl.col("x") - 360 * pl.col("x").sign()).otherwise("x").alias("x")
        )
    return mean


def _points(movement: Movement, segments: np.ndarray) -> pl.DataFrame:
    mean = _means(movement, segments)
    point = pl.concat_str(
        pl.lit("POINT("), pl.col("x").cast(pl.String), pl.lit(" "), pl.col("y").cast(pl.String), pl.lit(")")
    )
    return mean.select("segment", point.alias("text"))


def _lines(movement: Movement, segments: np.ndarray) -> pl.DataFrame:
    owner, row = position_rows(movement, segments)
    place = movement.positions.select(
        pl.concat_str(pl.col("x").cast(pl.String), pl.lit(" "), pl.col("y").cast(pl.String))
    )
    frame = pl.DataFrame({"segment": pl.Series(owner, dtype=pl.UInt32), "place": place.to_series().gather(row)})
    lines = frame.group_by("segment", maintain_order=True).agg(pl.col("place").str.join(","), pl.len())
    kind = pl.when(pl.col("len") == 1).then(pl.lit("POINT(")).otherwise(pl.lit("LINESTRING("))
    return lines.select("segment", (kind + pl.col("place") + ")").alias("text"))


def _centroids(given: pl.DataFrame) -> pl.DataFrame:
    """The centroid of well-known texts; only those that are not points need a library."""
    parts = given["wkt"].str.extract_groups(_POINT).struct.unnest().get_columns()
    x, y = (part.cast(pl.Float64, strict=False) for part in parts)
    other = (x.is_null() | y.is_null()).arg_true()
    if len(other):
        centroids = _shape_centroids(given["wkt"].gather(other).to_list())
        x, y = x.scatter(other, centroids[:, 0]), y.scatter(other, centroids[:, 1])
    return pl.DataFrame({"segment": given["segment"], "x": x, "y": y})


def _shape_centroids(texts: list[str]) -> np.ndarray:
    try:
        import shapely
    except ImportError as absent:
        raise MissingExtra("shapely", "semantics") from absent
    plain = [text.partition("> ")[2] if text.startswith("<") else text for text in texts]
    shapes = shapely.from_wkt(plain, on_invalid="ignore")
    if any(shape is None or shape.is_empty for shape in shapes):
        raise DataError("Movement: wanted well-known text of a geometry, found another text in 'wkt' of segments")
    return np.asarray(shapely.get_coordinates(shapely.centroid(shapes)))
