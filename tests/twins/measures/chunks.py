"""What chunks say about a set of items: every subrecord is in one of the records that may have it."""

from __future__ import annotations

from itertools import product
from typing import Any


class Plain:
    """Chunks as nested lists."""

    def __init__(self, data: Any) -> None:
        self.names = data.names
        self.parents = [int(parent) for parent in data.parents]
        self.sizes = [int(size) for size in data.sizes]
        clusters = range(len(self.sizes))
        self.leaves = [cluster for cluster in clusters if cluster not in self.parents]
        self.terms = [
            {data.names[code] for code in data.term_codes[data.term_offsets[at] : data.term_offsets[at + 1]]}
            for at in clusters
        ]
        self.chunks = []
        for number, cluster in enumerate(data.chunk_clusters):
            subrecords = range(data.chunk_offsets[number], data.chunk_offsets[number + 1])
            rows = [
                {data.names[code] for code in data.codes[data.offsets[s] : data.offsets[s + 1]]} for s in subrecords
            ]
            self.chunks.append((int(cluster), rows))

    def around(self, leaf: int) -> list[int]:
        """A cluster and the joint clusters that contain it."""
        found = [leaf]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found

    def homes(self, cluster: int, row: set[str]) -> list[int]:
        """The simple clusters whose records may have a subrecord.

        No record has an item twice: not in a record chunk, or in a shared chunk further down, and here again.
        """
        found = []
        for leaf in self.leaves:
            around = self.around(leaf)
            if cluster in around:
                below = around[: around.index(cluster)]
                taken = set().union(*(part for other, rows in self.chunks if other in below for part in rows))
                if not row & taken:
                    found.append(leaf)
        return found

    def certain(self) -> list[set[str]]:
        """What every possible original holds: the subrecords, and every term of a term chunk once."""
        return [row for _, rows in self.chunks for row in rows] + [{term} for terms in self.terms for term in terms]

    def expected(self, wanted: set[str]) -> float:
        return sum(self.sizes[leaf] * self._chance(leaf, wanted) for leaf in self.leaves)

    def _chance(self, leaf: int, wanted: set[str]) -> float:
        """The probability that one record of a simple cluster has all wanted items; chunks are independent."""
        around = self.around(leaf)
        sources = []
        for cluster, rows in self.chunks:
            if cluster not in around:
                continue
            chances: dict[frozenset[str], float] = {}
            for row in rows:
                homes = self.homes(cluster, row)
                if leaf in homes:
                    held = frozenset(row & wanted)
                    chances[held] = chances.get(held, 0.0) + 1 / sum(self.sizes[home] for home in homes)
            chances[frozenset()] = 1 - sum(share for held, share in chances.items() if held)
            sources.append(list(chances.items()))
        for cluster in around:
            for term in self.terms[cluster] & wanted:
                share = 1 / self.sizes[cluster]
                sources.append([(frozenset([term]), share), (frozenset(), 1 - share)])
        total = 0.0
        for world in product(*sources):
            if frozenset().union(*(held for held, _ in world)) >= wanted:
                chance = 1.0
                for _, share in world:
                    chance *= share
                total += chance
        return total
