"""Changes of a hierarchy: rename, move, merge, remove, flatten and add, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sfumato.data import Taxonomy
from sfumato.data.tree_rules import edited_rule
from sfumato.errors import DataError, did_you_mean, shortened

__all__ = ["EDITS", "edited"]

EDITS = {
    "rename": "rename,NODE,NEW",
    "move": "move,NODE,PARENT",
    "merge": "merge,NEW,NODE,NODE,...",
    "remove": "remove,NODE",
    "flatten": "flatten,LEVEL",
    "add": "add,LEAF,PARENT",
}
"""The operations and their arguments.  A level counts the steps from the root: 1 for its children."""


def edited(tree: Taxonomy, edits: Iterable[Sequence[str]]) -> Taxonomy:
    """The tree after these operations.  A tree that was computed from private data stays private.

    `merge` puts the children of inner nodes under one new node; leaves it puts under a new node.  `remove` and
    `flatten` put the children of a node under its parent.

    >>> food = Taxonomy.from_paths([("apple", "fruit", "food"), ("fig", "fruit", "food"), ("rye", "bread", "food")])
    >>> edited(food, [("rename", "rye", "rye bread"), ("merge", "plants", "fruit", "bread")]).to_paths()[2]
    ('rye bread', 'plants', 'food')
    >>> edited(food, [("remove", "bread"), ("add", "wheat", "food")]).leaves
    ('apple', 'fig', 'rye', 'wheat')
    """
    editor = _Editor(tree)
    number = 0
    for number, edit in enumerate(edits, start=1):
        try:
            editor.apply(*edit)
        except DataError as error:
            raise DataError(f"edit {number}: {error}") from None
    return editor.tree(changed=number > 0)


class _Editor:
    """The parents of all nodes, in the order of the tree."""

    def __init__(self, tree: Taxonomy) -> None:
        self._source, self._rule = tree, tree.rule
        self._parent = {node: parent for node, parent, _ in tree.to_parents()}
        self._sensitive = {node for node, _, flagged in tree.to_parents() if flagged}
        self._leaves = set(tree.leaves)

    def apply(self, operation: str = "", *arguments: str) -> None:
        changes: dict[str, Callable[..., None]] = {name: getattr(self, f"_{name}") for name in EDITS}
        if operation not in changes:
            raise DataError(f"wanted an operation, found {shortened(operation)!r}; {did_you_mean(operation, EDITS)}")
        wanted = EDITS[operation].replace(",...", "").count(",")
        if "" in arguments or (len(arguments) < wanted if operation == "merge" else len(arguments) != wanted):
            raise DataError(f"wanted {EDITS[operation]}, found {len(arguments)} names")
        changes[operation](*arguments)

    def tree(self, *, changed: bool) -> Taxonomy:
        """The tree; refuses a node that lost all of its leaves."""
        parents_left = set(self._parent.values())
        empty = sum(node not in parents_left and node not in self._leaves for node in self._parent)
        if empty:
            raise DataError(
                f"wanted a leaf below every node after the edits, found none below {empty}; remove the node"
            )
        rule = edited_rule(self._rule) if changed else self._rule
        return Taxonomy(self._parent, sensitive=self._sensitive, rule=rule)

    def _rename(self, node: str, new: str) -> None:
        self._known(node)
        self._unused(new)
        swap = {node: new}
        self._parent = {
            swap.get(name, name): parent and swap.get(parent, parent) for name, parent in self._parent.items()
        }
        self._sensitive = {swap.get(name, name) for name in self._sensitive}
        self._leaves = {swap.get(name, name) for name in self._leaves}

    def _move(self, node: str, parent: str) -> None:
        self._known(node)
        self._known(parent)
        if parent in self._leaves:
            raise DataError("wanted a node above leaves as the new parent, found a leaf")
        above: str | None = parent
        while above is not None:
            if above == node:
                raise DataError("wanted a parent that is not below the node, found the node itself or one below it")
            above = self._parent[above]
        self._parent[node] = parent

    def _merge(self, new: str, *nodes: str) -> None:
        for node in nodes:
            self._known(node)
        parents = {self._parent[node] for node in nodes}
        kinds = {node in self._leaves for node in nodes}
        if len(set(nodes)) < len(nodes) or len(parents) != 1 or None in parents or len(kinds) != 1:
            raise DataError("wanted distinct nodes with one parent, all leaves or all above leaves, found others")
        if new not in nodes or kinds == {True}:
            self._unused(new)
        self._place_before(nodes[0], new, parents.pop())
        if kinds == {True}:
            self._parent |= dict.fromkeys(nodes, new)
            return
        self._parent = {
            name: new if above in nodes else above
            for name, above in self._parent.items()
            if name not in nodes or name == new
        }
        self._sensitive = {new if name in nodes else name for name in self._sensitive}

    def _remove(self, node: str) -> None:
        self._known(node)
        parent = self._parent[node]
        if parent is None:
            raise DataError("wanted a node below the root, found the root")
        self._parent = {
            name: parent if above == node else above for name, above in self._parent.items() if name != node
        }
        self._sensitive.discard(node)
        self._leaves.discard(node)

    def _flatten(self, level: str) -> None:
        depth = self._depths()
        height = max(depth.values())
        if not level.isdecimal() or not 1 <= int(level) < height:
            raise DataError(f"wanted a level from 1 (below the root) to {height - 1}, found {shortened(level)!r}")
        for node in [node for node, steps in depth.items() if steps == int(level) and node not in self._leaves]:
            self._remove(node)

    def _add(self, leaf: str, parent: str) -> None:
        self._unused(leaf)
        self._known(parent)
        if parent in self._leaves:
            raise DataError("wanted a node above leaves as the parent, found a leaf")
        self._parent[leaf] = parent
        self._leaves.add(leaf)

    def _depths(self) -> dict[str, int]:
        depth: dict[str, int] = {}
        for node in self._parent:
            path = [node]
            while path[-1] not in depth and (above := self._parent[path[-1]]) is not None:
                path.append(above)
            for name in reversed(path):
                above = self._parent[name]
                depth.setdefault(name, 0 if above is None else depth[above] + 1)
        return depth

    def _place_before(self, node: str, new: str, parent: str | None) -> None:
        """Enter a new node where another one stands, so that children keep their order."""
        entries: dict[str, str | None] = {}
        for name, above in self._parent.items():
            if name == node:
                entries[new] = parent
            if name != new:
                entries[name] = above
        self._parent = entries

    def _known(self, node: str) -> None:
        if node not in self._parent:
            raise DataError(f"wanted a node of the hierarchy, found {shortened(node)!r}, an unknown name")

    def _unused(self, name: str) -> None:
        if name in self._parent:
            raise DataError(f"wanted a new name, found {shortened(name)!r}, which is a node already")
