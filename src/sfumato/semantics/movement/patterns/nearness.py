"""Pairs of points that are near each other, by a grid: in space, on a sphere without a date line or poles."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from sfumato.data.places import EARTH_RADIUS_M

__all__ = ["arc", "in_space", "near_pairs"]


def in_space(x: np.ndarray, y: np.ndarray, *, geographic: bool) -> np.ndarray:
    """Points as float64[n, 3] in metres: on the sphere for degrees, on a plane otherwise."""
    if not geographic:
        return np.column_stack([x, y, np.zeros(len(x))])
    lon, lat = np.radians(x), np.radians(y)
    return EARTH_RADIUS_M * np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def arc(chord: np.ndarray, *, geographic: bool) -> np.ndarray:
    """Metres along the sphere between points a straight distance apart; on a plane, the distance itself."""
    if not geographic:
        return chord
    return 2 * EARTH_RADIUS_M * np.arcsin(np.minimum(chord / (2 * EARTH_RADIUS_M), 1.0))


def near_pairs(
    left: np.ndarray,
    left_key: np.ndarray,
    right: np.ndarray,
    right_key: np.ndarray,
    within_m: float,
    *,
    geographic: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of `left` and `right` with equal keys that are at most within_m apart, and their distances.

    left, right : float64[n, 3] of `in_space`.  Cells have the side within_m, so only neighbours are compared.
    """
    side = within_m * (1 + 1e-9)
    cells, other = _cells(left, side, left_key), _cells(right, side, right_key)
    moves = pl.DataFrame(
        list(itertools.product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1) if geographic else (0,))),
        schema=["da", "db", "dc"],
        orient="row",
    )
    around = (
        other.select("a", "b", "c")
        .unique()
        .join(moves, how="cross")
        .with_columns(na=pl.col("a") + pl.col("da"), nb=pl.col("b") + pl.col("db"), nc=pl.col("c") + pl.col("dc"))
        .join(cells.select("a", "b", "c").unique(), left_on=["na", "nb", "nc"], right_on=["a", "b", "c"], how="semi")
    )
    wanted = other.join(around, on=["a", "b", "c"]).select("na", "nb", "nc", "key", pl.col("row").alias("other"))
    pairs = cells.join(wanted, left_on=["a", "b", "c", "key"], right_on=["na", "nb", "nc", "key"])
    first, second = pairs["row"].to_numpy(), pairs["other"].to_numpy()
    distance = arc(np.linalg.norm(left[first] - right[second], axis=1), geographic=geographic)
    near = distance <= within_m
    return first[near], second[near], distance[near]


def _cells(points: np.ndarray, side: float, key: np.ndarray) -> pl.DataFrame:
    """The cell of each point, its key and its row."""
    corner = np.floor(points / side).astype(np.int64)
    return pl.DataFrame({"a": corner[:, 0], "b": corner[:, 1], "c": corner[:, 2], "key": key}).with_row_index("row")
