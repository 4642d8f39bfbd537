"""Trips: starts of objects, and destinations at about a preferred distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.roads.network import Network
from sfumato.kernels.space.nearest_node import nearest_nodes

__all__ = ["Trips"]

Ints = npt.NDArray[np.int64]

CANDIDATES = 51  # destinations that are tried before the best of them is used
GOOD_ENOUGH = 0.1  # relative error of the preferred length


@dataclass(frozen=True)
class Trips:
    """Starts and destinations on a network of at least two nodes.

    starts : "network" draws nodes uniformly, so that many objects start where there are many nodes; "space" draws a
    point of the map and uses the nearest node.
    length : the preferred straight distance is this share of the map's diagonal times the absolute value of a standard
    normal number.
    """

    network: Network
    starts: str
    length: float

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The start and the destination of each of `count` objects: never the same node."""
        points = self.network.points
        start = self._nodes(count, rng)
        diagonal = float(np.hypot(*np.ptp(points, axis=0)))
        preferred = np.abs(rng.standard_normal(count)) * self.length * diagonal
        target = np.full(count, -1, dtype=np.int64)
        smallest_error = np.full(count, np.inf)
        open_rows = np.arange(count)
        for _ in range(CANDIDATES):
            candidates = self._nodes(len(open_rows), rng)
            distance = np.hypot(*(points[candidates] - points[start[open_rows]]).T)
            error = np.where(candidates == start[open_rows], np.inf, np.abs(distance - preferred[open_rows]))
            better = error < smallest_error[open_rows]
            target[open_rows[better]], smallest_error[open_rows[better]] = candidates[better], error[better]
            open_rows = open_rows[smallest_error[open_rows] > GOOD_ENOUGH * preferred[open_rows]]
            if len(open_rows) == 0:
                break
        without = target < 0  # on a small map, each candidate may be the start itself
        target[without] = (start[without] + 1) % len(self.network)
        return start, target

    def _nodes(self, count: int, rng: np.random.Generator) -> Ints:
        if self.starts == "network":
            return rng.integers(len(self.network), size=count)
        low, wide = self.network.points.min(axis=0), np.ptp(self.network.points, axis=0)
        nearest: Ints = nearest_nodes(self.network.points, low + rng.random((count, 2)) * wide)
        return nearest
