"""The operations that edit the nodes of a hierarchy, and their refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sfumato.errors import DataError, did_you_mean, shortened

__all__ = ["EDITS", "HierarchyNodes"]

EDITS = {
    "rename": "rename,NODE,NEW",
    "move": "move,NODE,PARENT",
    "merge": "merge,NEW,NODE,NODE,...",
    "insert": "insert,NEW,NODE,...",
    "remove": "remove,NODE",
    "prune": "prune,NODE",
    "flatten": "flatten,LEVEL",
    "add": "add,LEAF,PARENT",
    "mark": "mark,NODE",
    "unmark": "unmark,NODE",
}
"""The operations and their arguments.  A level counts the steps from the root: 1 for its children."""


@dataclass
class HierarchyNodes:
    """The parents of each node, in the order of the tree; the values of the data; the nodes marked as sensitive."""

    parents: dict[str, tuple[str, ...]]
    leaves: set[str]
    marked: set[str]

    def apply(self, operation: str = "", *arguments: str) -> None:
        """Carry out an operation, or refuse it with a sentence."""
        changes: dict[str, Callable[..., None]] = {name: getattr(self, f"_{name}") for name in EDITS}
        if operation not in changes:
            raise DataError(f"wanted an operation, found {shortened(operation)!r}; {did_you_mean(operation, EDITS)}")
        form = EDITS[operation]
        wanted = form.replace(",...", "").count(",")
        is_open = form.endswith("...")
        if "" in arguments or (len(arguments) < wanted if is_open else len(arguments) != wanted):
            raise DataError(f"wanted {form}, found {len(arguments)} names")
        changes[operation](*arguments)

    def _rename(self, node: str, new: str) -> None:
        self._known(node)
        self._unused(new)
        swap = {node: new}
        children = self._children(node)
        self.parents = {
            swap.get(name, name): tuple(swap.get(parent, parent) for parent in above) if name in children else above
            for name, above in self.parents.items()
        }
        self.marked = {swap.get(name, name) for name in self.marked}
        self.leaves = {swap.get(name, name) for name in self.leaves}

    def _move(self, node: str, parent: str) -> None:
        self._known(node)
        self._inner(parent, "the new parent")
        if node == parent or node in self._above(parent):
            raise DataError("wanted a parent that is not below the node, found the node itself or one below it")
        self.parents[node] = (parent,)

    def _merge(self, new: str, *nodes: str) -> None:
        kinds = {node in self.leaves for node in self._siblings(nodes)}
        parents = self.parents[nodes[0]]
        if not parents or len(kinds) != 1:
            raise DataError("wanted distinct nodes with one parent, all leaves or all above leaves, found others")
        if new not in nodes or kinds == {True}:
            self._unused(new)
        if kinds == {True}:
            self._insert(new, *nodes)
            return
        self._place_before(nodes[0], new, parents)
        self.parents = {
            name: tuple(dict.fromkeys(new if parent in nodes else parent for parent in above))
            for name, above in self.parents.items()
            if name not in nodes or name == new
        }
        self.marked = {new if name in nodes else name for name in self.marked}

    def _insert(self, new: str, *nodes: str) -> None:
        self._siblings(nodes)
        self._unused(new)
        self._place_before(nodes[0], new, self.parents[nodes[0]])
        self.parents |= dict.fromkeys(nodes, (new,))

    def _remove(self, node: str) -> None:
        self._known(node)
        parents = self.parents[node]
        if not parents:
            raise DataError("wanted a node below the root, found the root")
        children = self._children(node)
        self.parents = {
            name: (
                tuple(dict.fromkeys(up for parent in above for up in (parents if parent == node else (parent,))))
                if name in children
                else above
            )
            for name, above in self.parents.items()
            if name != node
        }
        self.marked.discard(node)
        self.leaves.discard(node)

    def _prune(self, node: str) -> None:
        self._known(node)
        below = self._below(node)
        if not self.parents[node] or len(below) == len(self.parents):
            raise DataError("wanted a node below the root, found the root")
        self.parents = {
            name: tuple(parent for parent in above if parent not in below)
            for name, above in self.parents.items()
            if name not in below
        }
        self.marked -= below
        self.leaves -= below

    def _flatten(self, level: str) -> None:
        depth = self._depths()
        height = max(depth.values())
        if not level.isdecimal() or not 1 <= int(level) < height:
            raise DataError(f"wanted a level from 1 (below the root) to {height - 1}, found {shortened(level)!r}")
        gone = {node for node, steps in depth.items() if steps == int(level) and node not in self.leaves}
        self.parents = {
            name: tuple(dict.fromkeys(up for parent in above for up in (self._up(parent, gone)))) if above else above
            for name, above in self.parents.items()
            if name not in gone
        }
        self.marked -= gone

    def _up(self, node: str, gone: set[str]) -> tuple[str, ...]:
        return self.parents[node] if node in gone else (node,)

    def _add(self, leaf: str, parent: str) -> None:
        self._unused(leaf)
        self._inner(parent, "the parent")
        self.parents[leaf] = (parent,)
        self.leaves.add(leaf)

    def _mark(self, node: str) -> None:
        self._known(node)
        self.marked.add(node)

    def _unmark(self, node: str) -> None:
        self._known(node)
        if node not in self.marked:
            raise DataError("wanted a node that is marked as sensitive itself, found another; unmark the one above it")
        self.marked.discard(node)

    def _siblings(self, nodes: Sequence[str]) -> Sequence[str]:
        for node in nodes:
            self._known(node)
        if len(set(nodes)) < len(nodes) or len({self.parents[node] for node in nodes}) != 1:
            raise DataError("wanted distinct nodes with one parent, all leaves or all above leaves, found others")
        return nodes

    def _place_before(self, node: str, new: str, parents: tuple[str, ...]) -> None:
        """Enter a new node where another one stands, so that children keep their order."""
        entries: dict[str, tuple[str, ...]] = {}
        for name, above in self.parents.items():
            if name == node:
                entries[new] = parents
            if name != new:
                entries[name] = above
        self.parents = entries

    def _children(self, node: str) -> set[str]:
        return {name for name, above in self.parents.items() if node in above}

    def _below(self, node: str) -> set[str]:
        """The node and everything below it."""
        children: dict[str, list[str]] = {}
        for name, above in self.parents.items():
            for parent in above:
                children.setdefault(parent, []).append(name)
        below: set[str] = set()
        stack = [node]
        while stack:
            name = stack.pop()
            if name not in below:
                below.add(name)
                stack.extend(children.get(name, ()))
        return below

    def _depths(self) -> dict[str, int]:
        """The steps from each node to the root, by first parents; a node on a cycle has those of one round."""
        depth: dict[str, int] = {}
        for node in self.parents:
            path = [node]
            while path[-1] not in depth and self.parents[path[-1]]:
                above = self.parents[path[-1]][0]
                if above in path:
                    break
                path.append(above)
            steps = depth.get(path[-1], 0)
            for number, name in enumerate(reversed(path)):
                depth.setdefault(name, steps + number)
        return depth

    def _above(self, node: str) -> set[str]:
        above: set[str] = set()
        stack = [*self.parents[node]]
        while stack:
            parent = stack.pop()
            if parent not in above:
                above.add(parent)
                stack.extend(self.parents[parent])
        return above

    def _inner(self, node: str, role: str) -> None:
        self._known(node)
        if node in self.leaves and not self._children(node):
            raise DataError(f"wanted a node above leaves as {role}, found a leaf")

    def _known(self, node: str) -> None:
        if node not in self.parents:
            raise DataError(f"wanted a node of the hierarchy, found {shortened(node)!r}, an unknown name")

    def _unused(self, name: str) -> None:
        if name in self.parents:
            raise DataError(f"wanted a new name, found {shortened(name)!r}, which is a node already")
