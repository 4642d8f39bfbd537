"""A taxonomy in arrays, for the grouping of CAST."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data import Taxonomy
from sfumato.data.base import Ints
from sfumato.data.preorder import preorder
from sfumato.kernels.recoding.taxonomy_groups import TaxonomyArrays

__all__ = ["Tree"]


@dataclass(frozen=True)
class Tree:
    """A taxonomy in arrays, for one distance; nodes are numbered in the order of a walk from the root.

    weight : what is lost by climbing to a node: steps, or leaves.  scale : what a single place costs at most.
    """

    names: tuple[str, ...]
    number: dict[str, int]
    path: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    leaf_count: npt.NDArray[np.int64]
    all_sensitive: npt.NDArray[np.bool_]
    scale: float

    @classmethod
    def of(cls, taxonomy: Taxonomy, distance: str) -> Tree:
        nodes = preorder(taxonomy, by_name=True)
        names, parent = nodes.names, nodes.parent.astype(np.int32)
        depth = np.array([taxonomy.depth(name) for name in names])
        path = np.full((len(names), taxonomy.height + 1), -1, dtype=np.int32)
        leaf_count = np.array([taxonomy.leaf_count(node) for node in names])
        sensitive = taxonomy.sensitive
        sensitive_leaf = np.array([taxonomy.is_leaf(node) and node in sensitive for node in names]).astype(np.int64)
        for index in range(len(names)):
            if index:
                path[index] = path[parent[index]]
            path[index, depth[index]] = index
        for index in range(len(names) - 1, 0, -1):
            sensitive_leaf[parent[index]] += sensitive_leaf[index]
        weight = -depth if distance == "hops" else leaf_count
        return cls(
            names=names,
            number={name: node for node, name in enumerate(names)},
            path=path,
            parent=parent,
            depth=depth,
            weight=weight.astype(np.float64),
            leaf_count=leaf_count,
            all_sensitive=sensitive_leaf == leaf_count,
            scale=float(max(1, taxonomy.height if distance == "hops" else len(taxonomy.leaves))),
        )

    @property
    def arrays(self) -> TaxonomyArrays:
        """The taxonomy as kernels read it."""
        return TaxonomyArrays(self.path, self.parent, self.depth, self.weight)

    def common(self, nodes: Ints) -> int:
        """The closest node above all of these, or the one they all are."""
        levels = self.path[nodes]
        same = (levels == levels[0]).all(axis=0) & (levels[0] >= 0)
        return int(levels[0][np.flatnonzero(same)[-1]])

    def labels(self, rows: Ints) -> list[int]:
        """The closest common ancestors of rows of nodes, position by position."""
        return [self.common(rows[:, index]) for index in range(rows.shape[1])]

    def cost(self, rows: Ints) -> float:
        """The generalization cost (Definition 13) of rows that become one."""
        labels = np.array(self.labels(rows))
        return float((self.weight[labels] - self.weight[rows]).sum() / (self.scale * rows.size))
