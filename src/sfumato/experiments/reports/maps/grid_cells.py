"""The rectangles of places that are cells of a uniform grid, as `sfumato.prepare.Grid` names them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["cell_size", "corners"]

Floats = npt.NDArray[np.float64]
_CELL = re.compile(r"x(\d{1,9})y(\d{1,9})")
_CLOSE = 1e-6


def cell_size(names: Sequence[str], points: Floats) -> tuple[float, float] | None:
    """The width and height of a cell, where all names are those of cells and their points lie on such a grid.

    >>> cell_size(["x01y01", "x03y02"], np.array([[5.0, 5.0], [25.0, 10.0]]))
    (10.0, 5.0)
    >>> cell_size(["x01y01", "home"], np.array([[5.0, 5.0], [25.0, 10.0]])) is None
    True
    """
    matches = [_CELL.fullmatch(name.partition("@")[0]) for name in names]
    if not names or not all(matches):
        return None
    index = np.array([(int(match[1]), int(match[2])) for match in matches if match], dtype=np.float64)
    sizes = []
    for axis in (0, 1):
        low, high = index[:, axis].argmin(), index[:, axis].argmax()
        span = index[high, axis] - index[low, axis]
        if span == 0:
            return None
        size = (points[high, axis] - points[low, axis]) / span
        expected = points[low, axis] + (index[:, axis] - index[low, axis]) * size
        if size <= 0 or np.abs(expected - points[:, axis]).max() > _CLOSE * size:
            return None
        sizes.append(float(size))
    return sizes[0], sizes[1]


def corners(points: Floats, size: tuple[float, float]) -> Floats:
    """The four corners of the cells around these points.

    >>> corners(np.array([[5.0, 5.0]]), (10.0, 10.0)).tolist()
    [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]
    """
    half = np.array(size) / 2
    steps = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return np.asarray((points[:, None, :] + steps[None]).reshape(-1, 2))
