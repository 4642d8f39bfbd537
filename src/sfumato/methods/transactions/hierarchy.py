"""The item hierarchy as arrays: nodes numbered from the root down, each before everything below it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data import Taxonomy
from sfumato.data.base import Ints
from sfumato.data.preorder import preorder

__all__ = ["Hierarchy"]


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree over the items that may be generalized.

    names : the node names.  parent, end : int64[nodes]; the nodes below a node are node + 1 to end - 1.
    leaves : int64[nodes], how many items that may be generalized lie below.  rank : the order of the names.
    """

    tree: Taxonomy
    apart: frozenset[str]
    names: tuple[str, ...]
    parent: Ints
    end: Ints
    leaves: Ints
    rank: Ints

    @classmethod
    def of(cls, tree: Taxonomy, apart: Collection[str] = ()) -> Hierarchy:
        """The whole tree; the items `apart` are never published as part of another node."""
        names, parent, end = preorder(tree)
        leaves = np.array([tree.is_leaf(name) and name not in apart for name in names], dtype=np.int64)
        for number in range(len(names) - 1, 0, -1):
            leaves[parent[number]] += leaves[number]
        rank = np.empty(len(names), dtype=np.int64)
        rank[np.argsort(np.array(names, dtype=object))] = np.arange(len(names))
        return cls(tree, frozenset(apart), names, parent, end, leaves, rank)

    def __len__(self) -> int:
        return len(self.names)

    def nodes_of(self, items: Collection[str]) -> npt.NDArray[np.int64]:
        """The node of each item."""
        number = {name: node for node, name in enumerate(self.names)}
        return np.array([number[item] for item in items], dtype=np.int64)

    def members(self, node: int) -> tuple[str, ...]:
        """The items that a node stands for."""
        return tuple(item for item in self.tree.leaves_below(self.names[node]) if item not in self.apart)

    @property
    def penalty(self) -> npt.NDArray[np.float64]:
        """How many items each node stands for, 0 for one: its certainty penalty before it is normalized.

        Whole numbers, so that equal losses are equal.
        """
        items: npt.NDArray[np.float64] = np.where(self.leaves > 1, self.leaves, 0).astype(np.float64)
        return items
