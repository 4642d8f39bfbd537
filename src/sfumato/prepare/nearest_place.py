"""The nearest known place of each position."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.places import Places
from sfumato.errors import DataError, MissingKnowledge
from sfumato.kernels.space.nearest_site import nearest_site
from sfumato.prepare.base import Located

__all__ = ["names_of", "nearest_places"]

_MOST_BUCKETS = 2**20  # on each axis, so that three fit into 64 bits


def nearest_places(positions: Located, places: Places | None, within_m: float, owner: str) -> Ints:
    """The row of the nearest place within a distance, or -1; ties in name order.

    O((n + s) log s) for n positions and s places, as long as few places are within the distance.

    >>> towns = Places.planar({"a": (0, 0), "b": (10, 0)})
    >>> nearest_places(Located(np.array([[6.0, 0.0], [5.0, 0.0], [99.0, 0.0]]), False), towns, 50, "Trial").tolist()
    [1, 0, -1]
    """
    if places is None or not places.located:
        raise MissingKnowledge(f"{owner}: wanted places with coordinates, found none")
    if places.geographic != positions.geographic:
        raise DataError(
            f"{owner}: wanted positions and places both as lat and lon, or both as x and y, found one of each"
        )
    sites = places.points(places.frame["location"])
    within = within_m
    if positions.geographic:  # along the surface as a straight line
        within = 2 * positions.radius * float(np.sin(min(within_m / (2 * positions.radius), np.pi / 2)))
    corner = sites.min(axis=0)
    side = max(within, float(np.ptp(sites, axis=0).max()) / (_MOST_BUCKETS - 1), 1e-9)
    cubes = np.floor((sites - corner) / side).astype(np.int64)
    shape = cubes.max(axis=0) + 1
    keys = (cubes[:, 0] * shape[1] + cubes[:, 1]) * shape[2] + cubes[:, 2]
    order = np.argsort(keys, kind="stable")
    return np.asarray(nearest_site(positions.points(), sites, order, keys[order], corner, side, shape, within))


def names_of(places: Places, rows: Ints) -> pl.Series:
    """The names of the places in these rows, null for -1."""
    indices = pl.Series(rows).replace(-1, None)
    return places.frame["location"].gather(indices)
