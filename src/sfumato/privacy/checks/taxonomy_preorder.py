"""The nodes of a taxonomy in the order of a walk from its root, and which of them are sensitive."""

from __future__ import annotations

import numpy as np

from sfumato.data import Taxonomy
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
        self.names: list[str] = []
        waiting = [tree.root]
        while waiting:
            node = waiting.pop()
            self.names.append(node)
            waiting.extend(reversed(tree.children(node)))
        self.number = {node: at for at, node in enumerate(self.names)}
        sensitive = tree.sensitive
        self.ends = np.arange(1, len(self.names) + 1, dtype=np.int32)
        self.all_sensitive = np.array([tree.is_leaf(node) and node in sensitive for node in self.names])
        inner = [at for at, node in enumerate(self.names) if not tree.is_leaf(node)]
        for at in reversed(inner):
            children = [self.number[child] for child in tree.children(self.names[at])]
            self.ends[at] = self.ends[children[-1]]
            self.all_sensitive[at] = self.all_sensitive[children].all()
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
        raise MissingKnowledge(f"{who}: needs a taxonomy, these data carry none; give a taxonomy (--taxonomy FILE)")
    if not taxonomy.sensitive:
        raise DataError(
            f"{who}: wanted a taxonomy with sensitive nodes, found none; mark them in its column 'sensitive'"
        )
    return taxonomy
