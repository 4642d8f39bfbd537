"""The Pareto front of several measures, and the point on it with the smallest largest regret."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.utility.base import shortfall

__all__ = ["compromise", "front", "regrets"]

Points = Sequence[Sequence[float]]
Better = Sequence[str]


def front(points: Points, better: Better) -> list[bool]:
    """Whether each point is on the Pareto front: no other point is at least as good on all measures and better on one.

    >>> front([(1, 9), (2, 5), (3, 6), (2, 5)], ["lower", "lower"])
    [True, True, False, True]
    """
    lower = _turned(points, better)
    return [not any(_dominates(other, row) for other in lower) for row in lower]


def regrets(points: Points, better: Better) -> list[list[float]]:
    """The regret of each point on each measure: 0 for the best value of all points, 1 for the worst.

    >>> regrets([(1, 9), (2, 5), (3, 5)], ["lower", "higher"])
    [[0.0, 0.0], [0.5, 1.0], [1.0, 1.0]]
    """
    lower = _turned(points, better)
    rows = []
    for point in lower:
        row = []
        for measure, value in enumerate(point):
            best, worst = min(other[measure] for other in lower), max(other[measure] for other in lower)
            row.append((value - best) / (worst - best) if worst > best else 0.0)
        rows.append(row)
    return rows


def compromise(points: Points, better: Better) -> int | None:
    """The index of the point on the front with the smallest largest regret; ties: the smallest sum, then the first.

    >>> compromise([(0, 10), (4, 4), (10, 0)], ["lower", "lower"])
    1
    """
    on_front = front(points, better)
    regret = regrets(points, better)
    indices = [index for index, best in enumerate(on_front) if best]
    if not indices:
        return None
    return min(indices, key=lambda i: (round(max(regret[i], default=0.0), 9), round(sum(regret[i]), 9), i))


def _turned(points: Points, better: Better) -> list[tuple[float, ...]]:
    """The points in figures of which smaller ones are better on every measure."""
    return [tuple(map(shortfall, better, point)) for point in points]


def _dominates(row: Sequence[float], other: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(row, other, strict=True)) and any(a < b for a, b in zip(row, other, strict=True))
