"""A lattice of equal cells over a box: the cell of each point, and the corners and names of cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.places import EARTH_RADIUS_M, Places
from sfumato.errors import DataError, ParameterError
from sfumato.params import param
from sfumato.prepare.base import Floats, Located, Preparation

__all__ = ["Gridded", "Lattice"]

_SIDES = ("west", "south", "east", "north")
_METRES_PER_DEGREE = np.pi * EARTH_RADIUS_M / 180
_MOST_CELLS = 2**53


@dataclass(frozen=True)
class Lattice:
    """Cells are numbered column by column from the west, each column from the south, so that cell order is name order.

    Borders belong to the cell north and east of them, the outer ones of the box to the last cells.
    """

    west: float
    south: float
    width: float
    height: float
    columns: int
    rows: int
    geographic: bool

    def __len__(self) -> int:
        return self.columns * self.rows

    def cells_of(self, coordinates: Floats) -> Ints:
        """The cell of each point, -1 outside."""
        across, up = coordinates[:, 0] - self.west, coordinates[:, 1] - self.south
        if self.geographic:
            across = np.where(across < 0, across + 360, across)
        column = _slots(across, self.width, self.columns)
        row = _slots(up, self.height, self.rows)
        return np.where((column < 0) | (row < 0), -1, column * self.rows + row)

    def corners(self, cells: Ints) -> tuple[Floats, Floats]:
        """The south-west and the north-east corner of each cell; longitudes may exceed 180 here."""
        index = np.column_stack((cells // self.rows, cells % self.rows))
        size = np.array([self.width / self.columns, self.height / self.rows])
        corner = np.array([self.west, self.south])
        return corner + index * size, corner + (index + 1) * size

    def names_of(self, cells: Ints) -> tuple[str, ...]:
        """The names of cells: ``x03y07`` is the third from the west and the seventh from the south."""
        wide, high = len(str(self.columns)), len(str(self.rows))
        columns, rows = (cells // self.rows + 1).tolist(), (cells % self.rows + 1).tolist()
        return tuple(f"x{x:0{wide}}y{y:0{high}}" for x, y in zip(columns, rows, strict=True))

    def places(self, names: tuple[str, ...], low: Floats, high: Floats, *, derived: bool) -> Places:
        """Places at the centres of the rectangles from `low` to `high`; derived : whether they depend on visits."""
        middle = (low + high) / 2
        x, y = ("lon", "lat") if self.geographic else ("x", "y")
        if self.geographic:
            middle[:, 0] -= 360 * (middle[:, 0] > 180)
        columns: dict[str, Any] = {"location": names, x: middle[:, 0], y: middle[:, 1]}
        listed = Places.from_frame(pl.DataFrame(columns, schema_overrides={"location": pl.String}))
        return replace(listed, derived=derived)


def _slots(along: Floats, length: float, number: int) -> Ints:
    """The slot of each point among `number` equal slots of a length, -1 outside."""
    # multiplied first: 300 of 1000 in 10 slots is the start of slot 3, not a rounding error before it
    slot = np.floor(along * number / length) if length > 0 else np.zeros(len(along))
    inside = (along >= 0) & (along <= length * (1 + 1e-9))  # tolerates the rounding of differences at the border
    return np.where(inside, np.clip(slot, 0, number - 1), -1).astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class Gridded(Preparation):
    """The parameters of preparations over a lattice: its box, its cells, and repeated positions in one of them."""

    cells: int | None = param(
        None, at_least=1, help="number of cells along each side of the grid; 10 if neither this nor cell_m is given"
    )
    cell_m: float | None = param(None, above=0, help="side of a cell, in metres (or in the unit of x and y)")
    west: float | None = param(
        None, help="western border of the box (smallest x or longitude); if not given, from the data"
    )
    south: float | None = param(None, help="southern border of the box (smallest y or latitude)")
    east: float | None = param(None, help="eastern border of the box (largest x or longitude)")
    north: float | None = param(None, help="northern border of the box (largest y or latitude)")
    keep_repeats: bool = param(False, help="keep every position as a visit, also where the previous position was")

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = type(self).__name__
        if self.cells is not None and self.cell_m is not None:
            raise ParameterError(f"{owner}: wanted cells or cell_m, found both")
        given_sides = [side for side in _SIDES if getattr(self, side) is not None]
        if given_sides and len(given_sides) < len(_SIDES):
            raise ParameterError(
                f"{owner}: wanted all of {', '.join(_SIDES)}, or none, found {' and '.join(given_sides)}"
            )
        if self.south is not None and self.north is not None and self.south >= self.north:
            raise ParameterError(f"{owner}: south must be below north, got {self.south:g} and {self.north:g}")

    def lattice(self, located: Located) -> Lattice:
        """The lattice over the given box, or over the bounding box of these points."""
        west, south, width, height = self._box(located)
        columns = rows = self.cells or 10
        if self.cell_m is not None:
            high = wide = self.cell_m
            if located.geographic:  # cell_m is the width of a cell in the middle of the box
                high = self.cell_m / _METRES_PER_DEGREE
                wide = high / np.cos(np.radians(south + height / 2))
            columns, rows = _cell_count(width, wide), _cell_count(height, high)
            if located.geographic:  # at most once around the globe, and not beyond a pole
                columns, wide = _limited(columns, wide, 360)
                rows, high = _limited(rows, high, 180)
                south = min(south, 90 - rows * high)
            width, height = max(width, columns * wide), max(height, rows * high)
        if columns * rows > _MOST_CELLS:
            raise DataError(f"{type(self).__name__}: wanted at most 2^53 cells, found more; choose larger cells")
        return Lattice(west, south, width, height, columns, rows, located.geographic)

    def _box(self, located: Located) -> tuple[float, float, float, float]:
        """The west and south border, the width and the height of the box."""
        owner = type(self).__name__
        if self.west is None or self.south is None or self.east is None or self.north is None:
            if len(located.where) == 0:
                raise DataError(f"{owner}: wanted at least one position, found none")
            (west, south), (east, north) = located.where.min(axis=0), located.where.max(axis=0)
            if located.geographic and east - west > 180:
                west, east = _across_the_date_line(located.where[:, 0], float(west), float(east))
            return float(west), float(south), float(east - west), float(north - south)
        width = self.east - self.west
        if located.geographic:
            if max(abs(self.west), abs(self.east)) > 180 or max(abs(self.south), abs(self.north)) > 90:
                raise ParameterError(
                    f"{owner}: wanted a box in degrees for latitude and longitude, found a border outside"
                )
            width += 360 * (width <= 0)
        elif width <= 0:
            raise ParameterError(f"{owner}: west must be below east, got {self.west:g} and {self.east:g}")
        return self.west, self.south, width, self.north - self.south


def _cell_count(length: float, size: float) -> int:
    return max(1, int(np.ceil(length / size * (1 - 1e-12))))


def _limited(number: int, size: float, most: float) -> tuple[int, float]:
    """The number and size of cells of about this size that cover at most `most`."""
    if number * size <= most:
        return number, size
    number = max(1, int(most / size))
    return number, most / number


def _across_the_date_line(lon: Floats, west: float, east: float) -> tuple[float, float]:
    """The borders of a box across the date line, if that is narrower than half of the globe."""
    values = np.unique(lon)
    gap = int(np.argmax(np.diff(values)))
    narrow = values[gap] + 360 - values[gap + 1]
    return (float(values[gap + 1]), float(values[gap]) + 360) if narrow < 180 else (west, east)
