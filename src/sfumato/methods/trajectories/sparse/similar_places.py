"""Groups of rare places that are close to each other in a taxonomy."""

from __future__ import annotations

import numpy as np

from sfumato.data import Taxonomy, Trajectories
from sfumato.data.base import Ints
from sfumato.methods.trajectories.sparse.popular_places import Visitors
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["SimilarPlaces"]


class SimilarPlaces:
    """Partitions places: popular ones stay alone, and the others are grouped under the lowest node that is popular.

    From the leaves upwards, what lies below a node and is in no group yet becomes a group as soon as it has enough
    units.  What is left at the root joins the last group.
    """

    def __init__(self, data: Trajectories, visits: UnitVisits) -> None:
        assert data.taxonomy is not None
        self._visitors = Visitors(visits)
        self._taxonomy: Taxonomy = data.taxonomy
        self._leaf = {int(place): self._taxonomy.leaf_of(data.names[place]) for place in visits.visited()}
        self._taxonomy.require(self._leaf.values(), "location")

    def __call__(self, places: Ints, size: int) -> list[Ints]:
        alone, rest = self._visitors.popular(places, size)
        waiting: dict[str, list[int]] = {}
        for place in rest.tolist():
            waiting.setdefault(self._leaf[place], []).append(place)
        groups: list[Ints] = []
        for depth in range(max(map(self._taxonomy.depth, waiting), default=-1), -1, -1):
            for node in sorted(node for node in waiting if self._taxonomy.depth(node) == depth):
                group = np.array(sorted(waiting.pop(node)))
                parent = self._taxonomy.parent(node)
                if self._visitors.number(group) >= size or (parent is None and not groups):
                    groups.append(group)
                elif parent is not None:
                    waiting.setdefault(parent, []).extend(group.tolist())
                else:
                    groups[-1] = np.sort(np.concatenate((groups[-1], group)))
        return [*alone, *groups]
