"""The nodes of a tree in preorder: each node directly before everything below it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.taxonomy import Taxonomy

__all__ = ["Preorder", "preorder", "preorder_of_parents"]


class Preorder(NamedTuple):
    """Nodes by number.

    names : of the nodes.  parent : int64[nodes], -1 for the root.
    end : int64[nodes]; the nodes below a node are node + 1 to end - 1.
    """

    names: tuple[str, ...]
    parent: Ints
    end: Ints


def preorder(tree: Taxonomy, *, by_name: bool = False) -> Preorder:
    """Number the nodes of a taxonomy; children keep the order of the taxonomy, or are sorted by name.

    >>> preorder(Taxonomy({"all": None, "bar": "all", "clinic": "all", "c1": "clinic"}))
    Preorder(names=('all', 'bar', 'clinic', 'c1'), parent=array([-1,  0,  0,  2]), end=array([4, 2, 4, 4]))
    """
    names: list[str] = []
    parent: list[int] = []
    stack = [(tree.root, -1)]
    while stack:
        node, above = stack.pop()
        children = tree.children(node)
        stack.extend((child, len(names)) for child in reversed(sorted(children) if by_name else children))
        names.append(node)
        parent.append(above)
    end = np.arange(1, len(names) + 1)
    for number in range(len(names) - 1, 0, -1):
        end[parent[number]] = max(end[parent[number]], end[number])
    return Preorder(tuple(names), np.array(parent), end)


def preorder_of_parents(parents: Ints, order: Ints) -> Ints:
    """The nodes of a forest in preorder; siblings stand as in `order`, which lists all nodes.

    >>> preorder_of_parents(np.array([2, 2, -1, -1]), np.array([3, 2, 1, 0])).tolist()
    [3, 2, 1, 0]
    """
    children: dict[int, list[int]] = {}
    for node in order.tolist():
        children.setdefault(int(parents[node]), []).append(node)
    visited: list[int] = []
    stack = children.get(-1, [])[::-1]
    while stack:
        visited.append(stack.pop())
        stack += children.get(visited[-1], [])[::-1]
    return np.array(visited, dtype=np.int64)
