"""Partitions of records by which nodes of a tree they have items below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.data import Taxonomy, Transactions
from sfumato.data.base import Ints
from sfumato.methods.transactions.hierarchy import Hierarchy

__all__ = ["Baskets", "Partition"]


@dataclass(frozen=True)
class Partition:
    """Records that have items below each of these nodes, and nowhere else.

    inner : the nodes that can be expanded.  leaves : items, by their place among the leaves of the tree.
    """

    inner: tuple[int, ...]
    leaves: tuple[int, ...]


class Baskets:
    """Records over a tree of all items."""

    def __init__(self, data: Transactions, tree: Taxonomy) -> None:
        self._tree = Hierarchy.of(tree)
        self._is_leaf = np.array([tree.is_leaf(name) for name in self._tree.names])
        self._place = np.cumsum(self._is_leaf) - 1
        self._children: list[list[int]] = [[] for _ in self._tree.names]
        self._number = np.zeros(len(self._tree), dtype=np.int64)
        for node in range(1, len(self._tree)):
            siblings = self._children[self._tree.parent[node]]
            self._number[node] = len(siblings)
            siblings.append(node)
        self._record = data.record_of_element()
        self._node = self._tree.nodes_of(data.names)[data.codes] if len(data.names) else np.empty(0, dtype=np.int64)
        self._n_records = len(data)
        inner = (~self._is_leaf).astype(np.int64)
        self._inner_below = inner.copy()
        for node in range(len(self._tree) - 1, 0, -1):
            self._inner_below[self._tree.parent[node]] += self._inner_below[node]

    @property
    def start(self) -> Partition:
        """All records that have an item."""
        return self._of([0])

    def children(self, node: int) -> list[int]:
        return self._children[node]

    def splits_below(self, partition: Partition) -> int:
        """How many splits may still follow."""
        return int(sum(self._inner_below[node] for node in partition.inner))

    def below(self, partition: Partition, mask: int) -> Partition:
        """The records of a partition with items below exactly those children of its first node that the mask names."""
        first, *others = partition.inner
        chosen = [child for number, child in enumerate(self._children[first]) if mask >> number & 1]
        cells = self._of([*others, *chosen])
        return Partition(cells.inner, tuple(sorted((*partition.leaves, *cells.leaves))))

    def _of(self, nodes: list[int]) -> Partition:
        inner = tuple(node for node in nodes if not self._is_leaf[node])
        return Partition(inner, tuple(int(self._place[node]) for node in nodes if self._is_leaf[node]))

    def cells(self, nodes: Ints, branches: Ints, expanded: list[int]) -> Ints:
        """For each record which children of the node that its branch expands it has items below, as a mask less 1.

        nodes : the branch of each record, -1 for none.  A branch that expands nothing has one cell.
        """
        row = np.searchsorted(branches, nodes)
        known = (nodes >= 0) & (row < len(branches))
        known[known] = branches[row[known]] == nodes[known]
        node_of_row = np.array(expanded, dtype=np.int64)
        wanted = np.where(known, node_of_row[np.minimum(row, len(branches) - 1)], -2)
        masks = np.zeros(self._n_records, dtype=np.int64)
        node = wanted[self._record]
        child = self._node.copy()
        searching = np.flatnonzero((node >= 0) & (child > node) & (child < self._tree.end[np.maximum(node, 0)]))
        while len(searching):  # climb until the parent is the expanded node
            there = self._tree.parent[child[searching]] == node[searching]
            done = searching[there]
            np.bitwise_or.at(masks, self._record[done], np.int64(1) << self._number[child[done]])
            searching = searching[~there]
            child[searching] = self._tree.parent[child[searching]]
        return np.where(wanted >= 0, masks - 1, np.where(wanted == -1, 0, -1))
