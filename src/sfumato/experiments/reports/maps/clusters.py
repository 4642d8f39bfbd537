"""Circles that would lie on each other as one circle: marks by the square of a grid that they lie in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = ["Flows", "Marks", "clustered", "hull_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Marks:
    """What the circles of a map stand for, one row each.

    points : float64[n, 2] on the map.  visits : their number.  members : the number of places that a label stands for.
    names : a label's own name, or an empty text where several labels are drawn as one.  labels : how many these are.
    """

    points: Floats
    visits: Ints
    members: Ints
    names: npt.NDArray[Any]
    labels: Ints

    def __len__(self) -> int:
        return len(self.visits)

    @property
    def general(self) -> npt.NDArray[np.bool_]:
        """Whether a mark is of labels that stand for several places."""
        return np.asarray(self.members > self.labels)

    @classmethod
    def empty(cls) -> Self:
        none = np.zeros(0, dtype=np.int64)
        return cls(np.zeros((0, 2)), none, none, np.zeros(0, dtype=object), none)


@dataclass(frozen=True, eq=False)
class Flows:
    """Moves from one mark to another: ``moves[i]`` from mark ``start[i]`` to mark ``end[i]``."""

    start: Ints
    end: Ints
    moves: Ints

    def __len__(self) -> int:
        return len(self.moves)

    @classmethod
    def none(cls) -> Self:
        return cls(*[np.zeros(0, dtype=np.int64)] * 3)

    @classmethod
    def between(cls, start: Ints, end: Ints, moves: Ints, marks: int) -> Self:
        """The moves added up by their ends, without those that stay where they are; the strongest first."""
        away = start != end
        keys, slot = np.unique(start[away].astype(np.int64) * marks + end[away], return_inverse=True)
        totals = np.bincount(slot, moves[away], minlength=len(keys)).astype(np.int64)
        order = np.lexsort((keys, -totals))
        return cls(keys[order] // max(1, marks), keys[order] % max(1, marks), totals[order])

    def strongest(self, number: int) -> Flows:
        return Flows(self.start[:number], self.end[:number], self.moves[:number])


def clustered(marks: Marks, flows: Flows, side: float) -> tuple[Marks, Flows]:
    """The marks of each square of a grid as one, at the mean of their visits; places and wider labels apart.

    side : of a square, on the map.

    >>> marks = Marks(np.array([[0.1, 0], [0.3, 0], [5, 0]]), np.array([1, 3, 2]), np.array([1, 1, 1]),
    ...               np.array(["a", "b", "c"], dtype=object), np.array([1, 1, 1]))
    >>> joined, moves = clustered(marks, Flows.between(np.array([0, 1]), np.array([1, 2]), np.array([7, 2]), 3), 1.0)
    >>> joined.points.round(2).tolist(), joined.visits.tolist(), joined.names.tolist(), joined.labels.tolist()
    ([[0.25, 0.0], [5.0, 0.0]], [4, 2], ['', 'c'], [2, 1])
    >>> moves.start.tolist(), moves.end.tolist(), moves.moves.tolist()
    ([0], [1], [2])
    """
    if len(marks) == 0:
        return marks, flows
    square = np.floor(marks.points / side).astype(np.int64)
    square -= square.min(axis=0)
    keys = (square[:, 0] * (square[:, 1].max() + 1) + square[:, 1]) * 2 + marks.general
    _, first, slot, size = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    weight = np.maximum(marks.visits, 1e-9)
    sums = [np.bincount(slot, weight * marks.points[:, axis]) for axis in (0, 1)]
    points = np.column_stack(sums) / np.bincount(slot, weight)[:, None]
    points[size == 1] = marks.points[first[size == 1]]
    totals = [np.bincount(slot, column).astype(np.int64) for column in (marks.visits, marks.members, marks.labels)]
    names = np.where(size == 1, marks.names[first], "")
    joined = Marks(points, totals[0], totals[1], names, totals[2])
    return joined, Flows.between(slot[flows.start], slot[flows.end], flows.moves, len(joined))


def hull_of(points: Floats) -> Floats:
    """The corners of the convex hull, counter-clockwise; of points on a line, its two ends.

    >>> hull_of(np.array([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    """
    rows = np.unique(np.asarray(points, dtype=np.float64), axis=0).tolist()
    if len(rows) <= 2:
        return np.array(rows)
    lower, upper = _half(rows), _half(rows[::-1])
    return np.array([*lower[:-1], *upper[:-1]])


def _half(rows: list[list[float]]) -> list[list[float]]:
    """One side of the hull of points in rising (or falling) order: each step turns to the left (Andrew, 1979)."""
    side: list[list[float]] = []
    for x, y in rows:
        while len(side) > 1:
            (ax, ay), (bx, by) = side[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            side.pop()
        side.append([x, y])
    return side
