"""The outlines of the synthetic city: a coast line, districts in columns and rows above it, and round places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.places import EARTH_RADIUS_M

__all__ = ["COLUMNS", "ROWS", "Land", "degrees", "octagon", "wkt_polygon"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COLUMNS, ROWS = 6, 3
_LONGITUDE, _LATITUDE = -38.6, -15.2  # the centre of the city
_WIDTH_M, _NORTH_M, _PER_COLUMN = 24_000.0, 13_000.0, 4
_PER_DEGREE = np.radians(EARTH_RADIUS_M)


def degrees(points: Floats) -> Floats:
    """Longitude and latitude of points in metres east and north of the centre of the city."""
    narrow = np.cos(np.radians(_LATITUDE))
    return np.column_stack(
        [_LONGITUDE + points[:, 0] / (_PER_DEGREE * narrow), _LATITUDE + points[:, 1] / _PER_DEGREE]
    ).round(6)


@dataclass(frozen=True)
class Land:
    """The ground of the city: a broken line as coast, and districts between it and a straight northern border.

    x, coast : the corners of the coast line, from west to east, in metres.
    """

    x: Floats
    coast: Floats

    @classmethod
    def of(cls, rng: np.random.Generator) -> Land:
        x = np.linspace(-_WIDTH_M / 2, _WIDTH_M / 2, COLUMNS * _PER_COLUMN + 1)
        phases = rng.random(3) * 2 * np.pi
        heights, lengths = np.array([900.0, 400.0, 200.0]), np.array([3_900.0, 1_700.0, 900.0])
        bays = heights @ np.sin(x / lengths[:, None] + phases[:, None])
        return cls(x, bays - 3_000)

    def point(self, column_share: Floats, height_share: Floats) -> Floats:
        """Points by their share of the way from west to east and of the way from the coast to the northern border."""
        x = (column_share - 0.5) * _WIDTH_M
        coast = np.interp(x, self.x, self.coast)
        return np.column_stack([x, coast + height_share * (_NORTH_M - coast)])

    def district(self, points: Floats) -> Ints:
        """The district of each point, counted row by row from the south-west; -1 outside the city."""
        coast = np.interp(points[:, 0], self.x, self.coast)
        row = np.floor((points[:, 1] - coast) / (_NORTH_M - coast) * ROWS).astype(np.int64)
        column = np.floor((points[:, 0] / _WIDTH_M + 0.5) * COLUMNS).astype(np.int64)
        inside = (row >= 0) & (row < ROWS) & (column >= 0) & (column < COLUMNS)
        return np.where(inside, row * COLUMNS + column, -1)

    def outline(self) -> Floats:
        """The corners of the city."""
        north = np.full(len(self.x), _NORTH_M)
        return np.concatenate([np.column_stack([self.x, self.coast]), np.column_stack([self.x, north])[::-1]])

    def district_outline(self, number: int) -> Floats:
        """The corners of a district."""
        row, column = divmod(number, COLUMNS)
        part = slice(column * _PER_COLUMN, (column + 1) * _PER_COLUMN + 1)
        x, coast = self.x[part], self.coast[part]
        low, high = (coast + share * (_NORTH_M - coast) for share in (row / ROWS, (row + 1) / ROWS))
        return np.concatenate([np.column_stack([x, low]), np.column_stack([x, high])[::-1]])


def octagon(centre: Floats, radius_m: float) -> Floats:
    """The corners of a regular octagon."""
    angles = np.arange(8) * np.pi / 4
    return centre + radius_m * np.column_stack([np.cos(angles), np.sin(angles)])


def wkt_polygon(corners: Floats) -> str:
    """The outline as WKT, longitude first; the first corner is repeated at the end."""
    ring = np.concatenate([corners, corners[:1]])
    return "POLYGON((" + ", ".join(f"{x:.6f} {y:.6f}" for x, y in degrees(ring)) + "))"
