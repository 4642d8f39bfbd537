"""Trips: where an object starts, how far it wants to go, and which destination comes nearest to that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.roads.network import Network
from sfumato.kernels.space.nearest_node import nearest_nodes

__all__ = ["Trips"]

Ints = npt.NDArray[np.int64]

CANDIDATES = 51  # destinations that are looked at before the best of them has to do
GOOD_ENOUGH = 0.1  # of the preferred length


@dataclass(frozen=True)
class Trips:
    """Starts and destinations on a network of at least two nodes.

    starts : "network" draws nodes alike, so that many objects start where there are many nodes; "space" draws a point
    of the map and takes the nearest node.
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
        best = np.full(count, -1, dtype=np.int64)
        miss = np.full(count, np.inf)
        looking = np.arange(count)
        for _ in range(CANDIDATES):
            found = self._nodes(len(looking), rng)
            away = np.hypot(*(points[found] - points[start[looking]]).T)
            error = np.where(found == start[looking], np.inf, np.abs(away - preferred[looking]))
            better = error < miss[looking]
            best[looking[better]], miss[looking[better]] = found[better], error[better]
            looking = looking[miss[looking] > GOOD_ENOUGH * preferred[looking]]
            if len(looking) == 0:
                break
        nowhere = best < 0  # a village, and always its own node drawn
        best[nowhere] = (start[nowhere] + 1) % len(self.network)
        return start, best

    def _nodes(self, count: int, rng: np.random.Generator) -> Ints:
        if self.starts == "network":
            return rng.integers(len(self.network), size=count)
        low, wide = self.network.points.min(axis=0), np.ptp(self.network.points, axis=0)
        nearest: Ints = nearest_nodes(self.network.points, low + rng.random((count, 2)) * wide)
        return nearest
