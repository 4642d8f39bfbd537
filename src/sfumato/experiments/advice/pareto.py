"""What is best where several measures matter: the Pareto front, and the point on it that gives up least."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["compromise", "front", "regrets"]

Points = Sequence[Sequence[float]]
Better = Sequence[str]


def front(points: Points, better: Better) -> list[bool]:
    """Whether no other point is at least as good in everything and better in something.

    >>> front([(1, 9), (2, 5), (3, 6), (2, 5)], ["lower", "lower"])
    [True, True, False, True]
    """
    lower = _turned(points, better)
    return [not any(_dominates(other, one) for other in lower) for one in lower]


def regrets(points: Points, better: Better) -> list[list[float]]:
    """How much of the way from the best to the worst value each point gives up, in each measure, from 0 to 1.

    >>> regrets([(1, 9), (2, 5), (3, 5)], ["lower", "higher"])
    [[0.0, 0.0], [0.5, 1.0], [1.0, 1.0]]
    """
    lower = _turned(points, better)
    found = []
    for one in lower:
        row = []
        for at, value in enumerate(one):
            best, worst = min(other[at] for other in lower), max(other[at] for other in lower)
            row.append((value - best) / (worst - best) if worst > best else 0.0)
        found.append(row)
    return found


def compromise(points: Points, better: Better) -> int | None:
    """The point of the front whose largest regret is least; of several, the one with the least in all, then the first.

    >>> compromise([(0, 10), (4, 4), (10, 0)], ["lower", "lower"])
    1
    """
    on_front = front(points, better)
    given_up = regrets(points, better)
    places = [at for at, best in enumerate(on_front) if best]
    if not places:
        return None
    return min(places, key=lambda at: (round(max(given_up[at], default=0.0), 9), round(sum(given_up[at]), 9), at))


def _turned(points: Points, better: Better) -> list[tuple[float, ...]]:
    """Smaller is better in all of it."""
    signs = [1 if direction == "lower" else -1 for direction in better]
    return [tuple(sign * value for sign, value in zip(signs, point, strict=True)) for point in points]


def _dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True)) and any(a < b for a, b in zip(one, other, strict=True))
