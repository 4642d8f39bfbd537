"""The exploration tree of NGRAMS: which n-grams are frequent, as far as noisy counts show (Chen et al., CCS 2012).

Symbols are numbers: the places from 0 upwards, and one more, `places`, for the begin of a trajectory where it is the
first of a gram and for its end elsewhere.  A node is a branch of the privacy budget; 0 is the empty gram.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from sfumato.privacy.noise.budget import WHOLE, Counts, PrivacyBudget

__all__ = ["Grams", "Tree", "explore"]

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_LEAST = WHOLE >> 20  # with less than a millionth of epsilon left, counts are only noise


@dataclass(frozen=True)
class Grams:
    """The kept trajectories, each as begin, visits, end: one gram starts at each symbol but the end.

    symbols : all of them, trajectory after trajectory.  starts : where each gram starts among them.
    ends : where the trajectory of each gram ends.  places : how many places there are.
    """

    symbols: Whole
    starts: Whole
    ends: Whole
    places: int

    def symbol(self, depth: int) -> Whole:
        """The symbol of each gram at a depth, -1 beyond its trajectory's end."""
        position = self.starts + depth
        return np.where(position <= self.ends, self.symbols[np.minimum(position, len(self.symbols) - 1)], -1)


class Tree:
    """The released grams with noisy counts: from here on, post-processing of the privacy budget.

    Node i > 0 is the gram of node `parent[i]` and `symbol[i]` after it; nodes are in the order of (parent, symbol).
    suffix : the longest gram of the tree that is this one without its first symbols.  depth : the length of the gram.
    believed : whether the count can be true; see `_consistent`.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self.parent = np.array([-1], dtype=np.int64)
        self.symbol = np.array([-1], dtype=np.int64)
        self.count = np.zeros(1, dtype=np.int64)
        self.suffix = np.array([-1], dtype=np.int64)
        self.depth = np.zeros(1, dtype=np.int64)
        self.believed = np.ones(1, dtype=bool)
        self._keys = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.parent)

    def add(self, released: Counts) -> Whole:
        """Add the cells that a split released, with counts that are possible.  Returns the new nodes."""
        nodes = len(self) + np.arange(len(released.cell), dtype=np.int64)
        self._keys = np.concatenate((self._keys, released.parent * (self.places + 1) + released.cell))
        suffix = self._suffixes(released)
        self.parent = np.concatenate((self.parent, released.parent))
        self.symbol = np.concatenate((self.symbol, released.cell))
        self.depth = np.concatenate((self.depth, self.depth[released.parent] + 1))
        self.count = np.concatenate((self.count, _possible(released, self.places)))
        self.suffix = np.concatenate((self.suffix, suffix))
        self.believed = np.concatenate((self.believed, np.ones(len(nodes), dtype=bool)))
        self._consistent(nodes)
        return nodes

    def child(self, node: Whole, symbol: Whole) -> Whole:
        """The node of a gram and a symbol after it, -1 where none exists."""
        key = node * (self.places + 1) + symbol
        place = np.minimum(np.searchsorted(self._keys, key), max(len(self._keys) - 1, 0))
        exists = (node >= 0) & (symbol >= 0)
        if len(self._keys):
            exists &= self._keys[place] == key
        return np.where(exists, place + 1, -1) if len(self._keys) else np.full(len(node), -1, dtype=np.int64)

    def children(self) -> tuple[Whole, Whole]:
        """The first child of each node, and the one after its last."""
        nodes = np.arange(len(self) + 1, dtype=np.int64) * (self.places + 1)
        place = np.searchsorted(self._keys, nodes) + 1
        return place[:-1], place[1:]

    def shares(self) -> Floats:
        """The largest share that a child has of each node, by noisy counts; 0 where there is no child."""
        first, end = self.children()
        largest, total = np.zeros(len(self), dtype=np.int64), np.zeros(len(self), dtype=np.int64)
        inner = np.flatnonzero(end > first)
        if len(inner):
            # children of one node lie together, and every node but the root is one
            largest[inner] = np.maximum.reduceat(self.count, first[inner])
            total[inner] = np.add.reduceat(self.count, first[inner])
        if len(self) > 1:
            total[0] -= self.count[self.places + 1]  # begins stand for ends among what may follow the empty gram
        whole = np.maximum(np.maximum(total, self.count), 1)
        return np.minimum(largest / whole, 1.0).astype(np.float64)

    def sizes(self) -> list[int]:
        """The number of grams of 1, 2, ... visits that have a count, without those with a begin or an end."""
        visits_only = self.symbol < self.places
        for depth in range(2, int(self.depth.max()) + 1):
            nodes = np.flatnonzero(self.depth == depth)
            visits_only[nodes] &= visits_only[self.parent[nodes]]
        kept = visits_only & (self.count > 0)
        return [int(number) for number in np.bincount(self.depth[kept])[1:]]

    def _consistent(self, nodes: Whole) -> None:
        """No gram is more frequent than it is without its first symbol: lower its count, or do not believe in it.

        This recognizes most of the candidates that noise alone lifted above the threshold.
        """
        before = self.suffix[self.parent[nodes]]
        first, end = self.children()
        known = (before >= 0) & (self.depth[before] == self.depth[nodes] - 2) & (end[before] > first[before])
        nodes, before = nodes[known], before[known]
        shorter = self.child(before, self.symbol[nodes])  # of the end of a trajectory alone: its begin
        self.believed[nodes] = shorter >= 0
        self.count[nodes] = np.where(shorter >= 0, np.minimum(self.count[nodes], self.count[shorter]), 0)

    def _suffixes(self, released: Counts) -> Whole:
        """Follow the suffixes of the parent until one has a child of the same symbol."""
        nodes = np.zeros(len(released.cell), dtype=np.int64)
        suffix = self.suffix[released.parent]
        looking = np.flatnonzero((suffix >= 0) & (released.cell < self.places))  # an end has no gram of its own
        while len(looking):
            child = self.child(suffix[looking], released.cell[looking])
            nodes[looking] = np.maximum(child, 0)
            looking = looking[child < 0]
            suffix[looking] = self.suffix[suffix[looking]]
            looking = looking[suffix[looking] >= 0]
        return nodes


def _possible(released: Counts, places: int) -> Whole:
    """Noisy counts without negative ones.

    Cutting these off would make the places more popular than they are together, as half of the rare ones have noise
    above 0; so the places of the first level give way evenly until their sum is what it was.
    """
    counts = np.maximum(released.noisy, 0).astype(np.int64)
    if len(released.parent) and released.parent[0] == 0:
        noisy = released.noisy[:places]
        falling = np.sort(noisy)[::-1]
        excess = (np.cumsum(falling) - max(int(noisy.sum()), 0)) / np.arange(1, places + 1)
        last = int(np.flatnonzero(falling > excess)[-1]) if np.any(falling > excess) else 0
        counts[:places] = np.maximum(np.floor(noisy - max(excess[last], 0.0)), 0)
    return counts


def explore(grams: Grams, budget: PrivacyBudget, *, epsilon: float, at_most: int, longest: int) -> Tree:
    """Grow the tree level by level; everything but the counting itself looks at noisy counts only.

    The budget is open, with one contribution for each gram.
    """
    tree = Tree(grams.places)

    def thresholds(shares: Whole) -> Floats:
        # the count above which, with this noise, one zero child of a gram is expected: l_max ln(|I| / 2) / epsilon_v
        scale: Floats = at_most * WHOLE / (epsilon * shares)
        return scale * log((grams.places + 1) / 2)

    root = np.zeros(1, dtype=np.int64)
    shares = np.array([WHOLE // longest])
    released = budget.split(root, grams.symbol(0), sizes=np.array([grams.places + 1]), shares=shares)
    threshold = np.full(len(released.cell), thresholds(shares)[0])
    for depth in range(1, longest):
        nodes = tree.add(released)
        grows = tree.count[nodes] > threshold
        if depth > 1:
            grows &= tree.symbol[nodes] < grams.places  # nothing follows an end
        nodes, threshold = nodes[grows], threshold[grows]
        levels = _levels(tree, nodes, threshold, longest - depth)
        shares = budget.remaining(nodes) // levels
        nodes, shares = nodes[shares >= _LEAST], shares[shares >= _LEAST]
        if len(nodes) == 0:
            return tree
        begins = (depth == 1) & (tree.symbol[nodes] == grams.places)  # and no trajectory ends where it begins
        floors = np.maximum(np.floor(thresholds(shares)) + 1, 1).astype(np.int64)
        released = budget.split(
            nodes, grams.symbol(depth), sizes=grams.places + ~begins, shares=shares, floors=floors, always=grams.places
        )
        threshold = thresholds(shares)[np.searchsorted(nodes, released.parent)]
    tree.add(released)
    return tree


def _levels(tree: Tree, nodes: Whole, threshold: Floats, most: int) -> Whole:
    """How many more levels each gram has, if its count shrinks by the largest share of a shorter gram."""
    shares = tree.shares()
    shorter = tree.suffix[nodes]
    while np.any(barren := (shorter > 0) & (shares[shorter] == 0)):
        shorter[barren] = tree.suffix[shorter[barren]]
    share = np.clip(shares[np.maximum(shorter, 0)], 1e-9, 1 - 1e-9)
    levels = np.ceil(np.log(np.maximum(threshold, 1) / np.maximum(tree.count[nodes], 1)) / np.log(share))
    return np.clip(levels, 1, most).astype(np.int64)
