"""A hierarchy while it is edited: it may have mistakes, which are named by node, and every edit is one operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Self

from sfumato.data import Taxonomy
from sfumato.data.tree_rules import edited_rule
from sfumato.errors import DataError
from sfumato.prepare.editing.hierarchy_operations import HierarchyNodes

__all__ = ["HierarchyDraft"]


class HierarchyDraft:
    """Nodes with their parents, in the order of the tree.

    A tree gives each node but one a parent.  A draft may have mistakes: a node with two parents, a cycle, a second
    root, a node without a leaf below it.  `problems` names them, and `taxonomy` refuses them.

    parents : the parents of each node; a root has none.  leaves : the values of the data, which need no node below.

    >>> draft = HierarchyDraft({"food": (), "fruit": ("food",), "fig": ("fruit", "food")}, leaves=["fig"])
    >>> draft.problems
    {'fig': ('has 2 parents: each node may have one',)}
    >>> draft.edited([("move", "fig", "fruit")]).taxonomy().to_paths()
    [('fig', 'fruit', 'food')]
    """

    def __init__(
        self,
        parents: Mapping[str, Sequence[str]],
        *,
        leaves: Iterable[str],
        sensitive: Iterable[str] = (),
        rule: str = "",
    ) -> None:
        self._parents = {node: tuple(above) for node, above in parents.items()}
        unlisted = {name for above in self._parents.values() for name in above} - self._parents.keys()
        self._parents |= dict.fromkeys(sorted(unlisted), ())
        self._leaves = frozenset(leaves)
        self.marked = frozenset(sensitive)
        self.rule = rule

    @classmethod
    def of(cls, tree: Taxonomy) -> Self:
        """The draft of a tree."""
        rows = tree.to_parents()
        return cls(
            {node: () if parent is None else (parent,) for node, parent, _ in rows},
            leaves=tree.leaves,
            sensitive=[node for node, _, flagged in rows if flagged],
            rule=tree.rule,
        )

    def edited(self, edits: Iterable[Sequence[str]]) -> Self:
        """The draft after these operations; the sentence of a refusal begins with the number of its edit."""
        nodes = HierarchyNodes(dict(self._parents), set(self._leaves), set(self.marked))
        number = 0
        for number, edit in enumerate(edits, start=1):
            try:
                nodes.apply(*edit)
            except DataError as error:
                raise DataError(f"edit {number}: {error}") from None
        rule = edited_rule(self.rule) if number else self.rule
        return type(self)(nodes.parents, leaves=nodes.leaves, sensitive=nodes.marked, rule=rule)

    def taxonomy(self) -> Taxonomy:
        """The tree; refuses a draft with mistakes."""
        empty = sum(node not in self._children and node not in self._leaves for node in self._parents)
        if empty:
            raise DataError(
                f"wanted a leaf below every node after the edits, found none below {empty}; remove the node"
            )
        if self.problems:
            first = next(iter(self.problems.values()))[0]
            raise DataError(f"wanted a tree, found {len(self.problems):,} nodes with mistakes; the first one {first}")
        parents = {node: above[0] if above else None for node, above in self._parents.items()}
        return Taxonomy(parents, sensitive=self.marked, rule=self.rule)

    def __len__(self) -> int:
        return len(self._parents)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parents)

    def __contains__(self, node: object) -> bool:
        return node in self._parents

    def parents(self, node: str) -> tuple[str, ...]:
        """The parents of a node; of a tree, one, and none of its root."""
        return self._parents[node]

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes directly below."""
        return tuple(self._children.get(node, ()))

    def is_leaf(self, node: str) -> bool:
        """Whether no node is below."""
        return node not in self._children

    @property
    def leaves(self) -> frozenset[str]:
        """The values that the hierarchy covers."""
        return self._leaves

    @cached_property
    def tops(self) -> tuple[str, ...]:
        """The nodes from which all others are reached: the root, further roots, and a node of every cycle."""
        roots = [node for node in self._walk[1] if not self._parents[node]]
        roots.sort(key=lambda node: -self._sizes[node])
        return (*roots, *(node for node in self._walk[1] if self._parents[node]))

    def leaf_count(self, node: str) -> int:
        """The number of leaves below a node; a leaf is its own."""
        return self._sizes[node]

    def path(self, node: str) -> tuple[str, ...]:
        """The first parent of a node, and so on up to a root, or once around a cycle."""
        above: dict[str, None] = {}
        while self._parents[node] and (node := self._parents[node][0]) not in above:
            above[node] = None
        return tuple(above)

    def is_sensitive(self, node: str) -> bool:
        """Whether a node, or one above it, is marked as sensitive."""
        return bool(self.marked) and not self.marked.isdisjoint((node, *self.path(node)))

    def find(self, text: str, most: int = 50) -> list[str]:
        """The nodes whose names contain a text, exact names and beginnings first."""
        wanted = text.casefold().strip()
        names = [node for node in self._parents if wanted in node.casefold()]
        names.sort(key=lambda name: (name.casefold() != wanted, not name.casefold().startswith(wanted)))
        return names[:most]

    @cached_property
    def problems(self) -> dict[str, tuple[str, ...]]:
        """The mistakes of the nodes that have any, each to be read after the name of its node."""
        sentences: dict[str, list[str]] = {}
        roots = [node for node in self.tops if not self._parents[node]]
        for node in roots[1:]:
            sentences.setdefault(node, []).append("is a second root: move it below the first one")
        for node, above in self._parents.items():
            if len(above) > 1:
                sentences.setdefault(node, []).append(f"has {len(above)} parents: each node may have one")
            if (node in self._children) == (node in self._leaves):
                is_value = node in self._leaves
                words = "is a value, and other nodes are below it" if is_value else "has no leaf below it"
                sentences.setdefault(node, []).append(words)
        is_forest = len(roots) == len(self.tops) and all(len(above) < 2 for above in self._parents.values())
        for node in () if is_forest else self._cyclic():
            sentences.setdefault(node, []).append("is on a cycle: the parents above it lead back to it")
        return {node: tuple(lines) for node, lines in sentences.items()}

    def missing(self, values: Iterable[str]) -> list[str]:
        """The values that are no leaf."""
        return [value for value in values if value not in self._leaves]

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        below: dict[str, list[str]] = {}
        for node, above in self._parents.items():
            for parent in above:
                below.setdefault(parent, []).append(node)
        return below

    @cached_property
    def _walk(self) -> tuple[list[str], list[str]]:
        """The nodes, each after its first parent; and where the walks start: at roots, then inside cycles."""
        below: dict[str, list[str]] = {}
        for node, above in self._parents.items():
            if above:
                below.setdefault(above[0], []).append(node)
        order: dict[str, None] = {}
        starts = [node for node, above in self._parents.items() if not above]
        stack = list(starts)
        others = iter(self._parents)
        while stack or len(order) < len(self._parents):
            if not stack:
                starts.append(self._on_cycle(next(node for node in others if node not in order)))
                stack.append(starts[-1])
            node = stack.pop()
            if node not in order:
                order[node] = None
                stack.extend(below.get(node, ()))
        return list(order), starts

    def _on_cycle(self, node: str) -> str:
        """The first node that the parents above a node lead to twice."""
        passed: set[str] = set()
        while node not in passed:
            passed.add(node)
            node = self._parents[node][0]
        return node

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """The number of leaves below each node, where a node with several parents is below the first."""
        order, starts = self._walk
        sizes = dict.fromkeys(order, 0)
        ends = set(starts)
        for node in reversed(order):
            if node not in self._children:
                sizes[node] += 1
            if node not in ends:
                sizes[self._parents[node][0]] += sizes[node]
        return sizes

    def _cyclic(self) -> list[str]:
        """The nodes on a cycle, and those between two cycles."""
        left = _peeled(set(self._parents), lambda node: self._parents[node], self.children)
        left = _peeled(left, self.children, lambda node: self._parents[node])
        return [node for node in self._parents if node in left]


def _peeled(
    nodes: set[str], before: Callable[[str], tuple[str, ...]], after: Callable[[str], tuple[str, ...]]
) -> set[str]:
    """The nodes that are left after taking away those without one before them, again and again."""
    counts = {node: sum(other in nodes for other in before(node)) for node in nodes}
    free = [node for node, count in counts.items() if not count]
    while free:
        node = free.pop()
        del counts[node]
        for other in after(node):
            if other in counts:
                counts[other] -= 1
                if not counts[other]:
                    free.append(other)
    return set(counts)
