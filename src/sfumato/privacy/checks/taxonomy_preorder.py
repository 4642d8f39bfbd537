"""The nodes of a taxonomy in the order of a walk from its root, and which of them are sensitive."""

from __future__ import annotations

import numpy as np

from sfumato.data import Taxonomy
from sfumato.data.preorder import preorder
from sfumato.errors import DataError, MissingKnowledge

__all__ = ["Walk", "require_taxonomy"]


class Walk:
    """Nodes by number: what is under a node comes right after it, up to its `ends`.

    >>> walk = Walk(Taxonomy({"all": None, "bar": "all", "clinic": "all", "c1": "clinic"}, sensitive=["clinic"]))
    >>> walk.names, walk.ends.tolist(), walk.all_sensitive.tolist()
    (['all', 'bar', 'clinic', 'c1'], [4, 2, 4, 4], [False, False, True, True])
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.taxonomy = tree = taxonomy
        nodes = preorder(tree)
        self.names = list(nodes.names)
        self.number = {name: node for node, name in enumerate(self.names)}
        self.ends = nodes.end.astype(np.int32)
        sensitive = tree.sensitive
        self.all_sensitive = np.array([not tree.is_leaf(name) or name in sensitive for name in self.names])
        for node in range(len(self.names) - 1, 0, -1):
            self.all_sensitive[nodes.parent[node]] &= self.all_sensitive[node]
        self.leaf_counts = [tree.leaf_count(node) for node in self.names]

    def leaves(self, label: str) -> tuple[str, ...]:
        """What a label stands for: all leaves under a sensitive node, otherwise those that are not sensitive."""
        below = self.taxonomy.leaves_below(label)
        if self.all_sensitive[self.number[label]]:
            return below
        return tuple(leaf for leaf in below if not self.all_sensitive[self.number[leaf]])


def require_taxonomy(who: str, taxonomy: Taxonomy | None) -> Taxonomy:
    """The taxonomy, which must say what is sensitive."""
    if not taxonomy:
        raise MissingKnowledge(f"{who}: needs a taxonomy, these data carry none", remedy="give-taxonomy")
    if not taxonomy.sensitive:
        raise DataError(
            f"{who}: wanted a taxonomy with sensitive nodes, found none; mark them in its column 'sensitive'"
        )
    return taxonomy
