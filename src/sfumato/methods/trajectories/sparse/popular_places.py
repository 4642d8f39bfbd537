"""Who visited which place: the places with enough visitors to keep their names, and the others."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["Visitors"]


class Visitors:
    """The units that visited each place."""

    def __init__(self, visits: UnitVisits) -> None:
        self._starts, self._units = visits.visitors()
        self._ticks = np.full(visits.n_units, -1, dtype=np.int64)
        self._tick = 0

    def arrays(self) -> tuple[Ints, Ints, Ints, int]:
        """Starts, units, and ticks with the next free one, as `best_cut` wants them."""
        self._tick += 2
        return self._starts, self._units, self._ticks, self._tick

    def number(self, places: Ints) -> int:
        """How many units visited at least one of the places."""
        parts = [self._units[self._starts[place] : self._starts[place + 1]] for place in places]
        return len(np.unique(np.concatenate(parts))) if parts else 0

    def popular(self, places: Ints, size: int) -> tuple[list[Ints], Ints]:
        """The places with at least `size` units, each as a group of its own, and the others.

        Where all others together have fewer units, the least popular places join them, ties in name order.
        """
        support = np.diff(self._starts)[places]
        alone: Ints = places[support >= size]
        rest: Ints = places[support < size]
        by_support = alone[np.lexsort((alone, np.diff(self._starts)[alone]))]
        joined = 0
        while len(rest) and joined < len(by_support) and self.number(rest) < size:
            rest = np.append(rest, by_support[joined])
            joined += 1
        return [np.array([place]) for place in np.sort(by_support[joined:])], np.sort(rest)
