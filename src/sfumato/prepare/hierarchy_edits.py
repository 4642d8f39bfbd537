"""Changes of a hierarchy: rename, move, merge, insert, remove, prune, flatten, add, mark and unmark, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.data import Taxonomy
from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft
from sfumato.prepare.editing.hierarchy_operations import EDITS

__all__ = ["EDITS", "edited"]


def edited(tree: Taxonomy, edits: Iterable[Sequence[str]]) -> Taxonomy:
    """The tree after these operations.  A tree that was computed from private data stays private.

    `merge` puts the children of inner nodes under one new node; leaves it puts under a new node.  `insert` puts a new
    node above nodes with one parent.  `remove` and `flatten` put the children of a node under its parent; `prune`
    removes a node with everything below it.  `mark` and `unmark` say that a node is sensitive, or not.

    >>> food = Taxonomy.from_paths([("apple", "fruit", "food"), ("fig", "fruit", "food"), ("rye", "bread", "food")])
    >>> edited(food, [("rename", "rye", "rye bread"), ("merge", "plants", "fruit", "bread")]).to_paths()[2]
    ('rye bread', 'plants', 'food')
    >>> edited(food, [("remove", "bread"), ("add", "wheat", "food")]).leaves
    ('apple', 'fig', 'rye', 'wheat')
    >>> sorted(edited(food, [("insert", "sweet", "fig"), ("mark", "sweet"), ("prune", "bread")]).sensitive)
    ['fig', 'sweet']
    """
    return HierarchyDraft.of(tree).edited(edits).taxonomy()
