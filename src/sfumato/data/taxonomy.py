"""A taxonomy: one tree for attribute hierarchies, item hierarchies and place taxonomies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import numpy as np

from sfumato.data.frames import Source
from sfumato.errors import DataError

__all__ = ["Taxonomy"]

ROOT = "*"


class Taxonomy:
    """A tree of named nodes.  Children and leaves keep the order in which they were given.

    rule : how the tree was computed from private data, if it was; such a tree is never published.

    >>> food = Taxonomy({"food": None, "fruit": "food", "bread": "food", "apple": "fruit", "fig": "fruit"})
    >>> food.leaves, food.leaf_count("fruit"), food.depth("fig")
    (('apple', 'fig', 'bread'), 2, 2)
    >>> food.common_ancestor(["apple", "fig"]), food.common_ancestor(["fig", "bread"])
    ('fruit', 'food')
    """

    def __init__(
        self,
        parents: Mapping[str, str | None],
        *,
        sensitive: Iterable[str] = (),
        rule: str = "",
        source: Source | None = None,
    ) -> None:
        source = self._source = source or Source("the taxonomy")
        self.rule = rule
        self._parent = dict(parents)
        self._sensitive = frozenset(sensitive)
        for row, parent in enumerate(self._parent.values()):
            if parent is not None and parent not in self._parent:
                raise source.error("wanted a parent that is a node itself, found another name", self._row(row))
        roots = [(node, row) for row, (node, parent) in enumerate(self._parent.items()) if parent is None]
        if len(roots) > 1:
            second = self._row(roots[1][1])
            here = "" if second is None else ", the second one here"
            raise source.error(f"wanted one root, found {len(roots)}{here}", second)
        if not parents:
            raise source.error("wanted at least one node, found none")
        if not roots:
            raise source.error("wanted a root, found none: the nodes form a cycle")
        self.root = roots[0][0]
        self._walk(source)
        for node in self._sensitive:
            self._known(node)

    def _walk(self, source: Source) -> None:
        """Depths, children and the range of leaves under every node, in one walk from the root."""
        self._children: dict[str, list[str]] = {node: [] for node in self._parent}
        for node, parent in self._parent.items():
            if parent is not None:
                self._children[parent].append(node)
        self._depth = {self.root: 0}
        self._first: dict[str, int] = {}
        self._end: dict[str, int] = {}
        leaves: list[str] = []
        stack: list[tuple[str, bool]] = [(self.root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                self._end[node] = len(leaves)
                continue
            self._first[node] = len(leaves)
            if not self._children[node]:
                leaves.append(node)
            stack.append((node, True))
            for child in reversed(self._children[node]):
                self._depth[child] = self._depth[node] + 1
                stack.append((child, False))
        if len(self._depth) < len(self._parent):
            lost = next(row for row, node in enumerate(self._parent) if node not in self._depth)
            raise source.error("wanted a tree, found a cycle", self._row(lost))
        self.leaves = tuple(leaves)

    @classmethod
    def from_paths(cls, rows: Iterable[Sequence[str]], *, source: Source | None = None) -> Self:
        """One row a leaf, leaf first and root last; rows may differ in length.

        A node repeated on consecutive levels is one node; a node with two parents is an error.
        """
        source = source or Source("the hierarchy")
        parents: dict[str, str | None] = {}
        seen: dict[str, int] = {}
        for number, row in enumerate(rows):
            if not row:
                continue
            path = [node for level, node in enumerate(row) if level == 0 or node != row[level - 1]]
            if "" in path:
                raise source.error("wanted a leaf, its ancestors and the root, found an empty name", row=number)
            if path[0] in seen:
                raise source.error("wanted each leaf once, found one again", row=number)
            seen[path[0]] = number
            for node, parent in zip(path, [*path[1:], None], strict=True):
                if parents.setdefault(node, parent) != parent:
                    raise source.error("wanted one parent for each node, found a second one", row=number)
        tree = cls(parents, source=source)
        inner = next((row for leaf, row in seen.items() if tree.children(leaf)), None)
        if inner is not None:
            raise source.error("wanted a leaf that is above no other node, found one that is", row=inner)
        return tree

    @classmethod
    def balanced(cls, leaves: Sequence[str], fanout: int) -> Self:
        """A tree over the leaves in their order, each node over at most `fanout` others.

        >>> Taxonomy.balanced(["a", "b", "c", "d", "e"], 2).to_paths()[4]
        ('e', '*')
        """
        if len(set(leaves)) < len(leaves):
            raise DataError("Taxonomy.balanced: wanted every leaf once, found one of them twice")
        return cls._grown([[(leaf, leaf, leaf)] for leaf in leaves], fanout)

    @classmethod
    def intervals(cls, values: Iterable[float], width: float, fanout: int = 2) -> Self:
        """Numbers under intervals that start at multiples of `width`, then `fanout` intervals under one.

        ``[20:25]`` holds 20 and everything below 25; over whole numbers it reads ``[20:24]``.

        >>> Taxonomy.intervals([19, 20, 24, 31], width=5).to_paths()[1]
        ('20', '[20:24]', '[15:24]', '*')
        """
        numbers = sorted({float(value) for value in values})
        if not np.isfinite([*numbers, width]).all() or width <= 0:
            raise DataError("Taxonomy.intervals: wanted finite numbers and a width above 0, found otherwise")
        whole = all(number.is_integer() for number in numbers) and float(width).is_integer()
        step = 1 if whole else 0
        groups: dict[int, list[tuple[str, str, str]]] = {}
        for number in numbers:
            bucket = int(np.floor(number / width))
            low, high = bucket * width, (bucket + 1) * width - step
            groups.setdefault(bucket, []).append((_number(number), _number(low), _number(high)))
        return cls._grown(list(groups.values()), fanout, smallest=1)

    @classmethod
    def quantiles(cls, values: Mapping[float, int], intervals: int, fanout: int = 2) -> Self:
        """Numbers under intervals with about as many rows each, then `fanout` intervals under one.

        values : how many rows have each number.  ``[20:25]`` holds 20, 25 and everything between; both are numbers that
        occur.

        >>> Taxonomy.quantiles({19: 1, 20: 1, 24: 1, 31: 3}, intervals=2).to_paths()
        [('19', '[19:24]', '*'), ('20', '[19:24]', '*'), ('24', '[19:24]', '*'), ('31', '*')]
        """
        numbers = sorted(values)
        if not np.isfinite(numbers).all() or intervals < 1:
            raise DataError("Taxonomy.quantiles: wanted finite numbers and at least one interval, found otherwise")
        rows, before = max(1, sum(values.values())), 0
        groups: dict[int, list[tuple[str, str, str]]] = {}
        for number in numbers:
            name = _number(float(number))
            groups.setdefault(before * intervals // rows, []).append((name, name, name))
            before += values[number]
        return cls._grown(list(groups.values()), fanout, smallest=2)

    @classmethod
    def _grown(cls, groups: list[list[tuple[str, str, str]]], fanout: int, *, smallest: int = 2) -> Self:
        """Join neighbouring groups until one is left; a group of one node adds no level.

        smallest : how many leaves a group of leaves must have to get a node of its own.
        """
        if not groups:
            raise DataError("Taxonomy: wanted at least one leaf, got none")
        if fanout < 2:
            raise DataError(f"Taxonomy: wanted a fan-out of at least 2, got {fanout}")
        below: dict[str, list[str]] = {name: [] for group in groups for name, _, _ in group}
        level = [_join(group, below) if len(group) >= smallest else group[0] for group in groups]
        while len(level) > fanout:
            chunks = [level[at : at + fanout] for at in range(0, len(level), fanout)]
            level = [chunk[0] if len(chunk) == 1 else _join(chunk, below) for chunk in chunks]
        root = ROOT
        while root in below:
            root += ROOT
        below[root] = [name for name, _, _ in level]
        parents: dict[str, str | None] = {root: None}
        waiting = [root]
        while waiting:  # parents before children, children in the order of the leaves
            node = waiting.pop()
            parents.update(dict.fromkeys(below[node], node))
            waiting.extend(reversed(below[node]))
        return cls(parents)

    def __len__(self) -> int:
        return len(self._parent)

    def __contains__(self, node: object) -> bool:
        return node in self._parent

    def __repr__(self) -> str:
        return f"<Taxonomy: {len(self)} nodes, {len(self.leaves)} leaves, height {self.height}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Taxonomy) and self._parent == other._parent and self._sensitive == other._sensitive

    __hash__ = None  # type: ignore[assignment]

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(self._parent)

    @property
    def height(self) -> int:
        """The number of steps from the root to its farthest leaf."""
        return max(self._depth.values())

    def parent(self, node: str) -> str | None:
        return self._parent[self._known(node)]

    def children(self, node: str) -> tuple[str, ...]:
        return tuple(self._children[self._known(node)])

    def is_leaf(self, node: str) -> bool:
        return not self._children[self._known(node)]

    def depth(self, node: str) -> int:
        """Steps from the root."""
        return self._depth[self._known(node)]

    def leaves_below(self, node: str) -> tuple[str, ...]:
        """The leaves under a node; a leaf is its own."""
        return self.leaves[self._first[self._known(node)] : self._end[node]]

    def leaf_count(self, node: str) -> int:
        return self._end[self._known(node)] - self._first[node]

    def span(self, node: str) -> tuple[int, int]:
        """Where the leaves under a node begin and end among all leaves."""
        return self._first[self._known(node)], self._end[node]

    def ancestors(self, node: str) -> tuple[str, ...]:
        """The node's parent, and so on up to the root."""
        path = []
        above = self.parent(node)
        while above is not None:
            path.append(above)
            above = self._parent[above]
        return tuple(path)

    def common_ancestor(self, nodes: Iterable[str]) -> str:
        """The closest node that is each of the nodes or above it."""
        met: str | None = None
        for node in nodes:
            if met is None:
                met = self._known(node)
                continue
            a, b = met, self._known(node)
            while a != b:
                if self._depth[a] < self._depth[b]:
                    a, b = b, a
                a = str(self._parent[a])
            met = a
        if met is None:
            raise DataError("Taxonomy.common_ancestor: wanted at least one node, got none")
        return met

    def dissimilarity(self, leaves: Iterable[str]) -> float:
        """The share of all leaves that lie under the closest common ancestor of these: SD of Poulis et al. (2014).

        >>> food = Taxonomy.from_paths([("apple", "fruit", "food"), ("fig", "fruit", "food"), ("rye", "bread", "food")])
        >>> round(food.dissimilarity(["apple", "fig"]), 2), food.dissimilarity(["fig", "rye"])
        (0.67, 1.0)
        """
        return self.leaf_count(self.common_ancestor(leaves)) / len(self.leaves)

    def leaf_of(self, location: str) -> str:
        """The node of a location; a time slot ``a@14`` is found under its place ``a``."""
        place = location.rpartition("@")[0]
        return place if location not in self._parent and place in self._parent else location

    @property
    def sensitive(self) -> frozenset[str]:
        """The nodes marked as sensitive, and everything under them."""
        marked = {leaf for node in self._sensitive for leaf in self.leaves_below(node)}
        return frozenset(
            node for node in self._parent if node in marked or self._sensitive & {node, *self.ancestors(node)}
        )

    def require(self, leaves: Iterable[str], what: str = "value") -> None:
        """Refuse values that are not leaves."""
        missing = [name for name in leaves if name not in self._parent or self._children[name]]
        if missing:
            raise self._source.error(
                f"wanted every {what} of the data as a leaf, found {len(missing)} that "
                f"{'is none' if len(missing) == 1 else 'are none'}"
            )

    def to_paths(self) -> list[tuple[str, ...]]:
        """One row a leaf, leaf first and root last."""
        return [(leaf, *self.ancestors(leaf)) for leaf in self.leaves]

    def to_parents(self) -> list[tuple[str, str | None, bool]]:
        """One row a node: its name, its parent, and whether it is marked as sensitive."""
        return [(node, parent, node in self._sensitive) for node, parent in self._parent.items()]

    def _known(self, node: str) -> str:
        if node not in self._parent:
            raise DataError(f"the taxonomy has no such node among its {len(self._parent):,}")
        return node

    def _row(self, node: int) -> int | None:
        """The row of a node in the file, where each has one."""
        return None if self._source.lines is None else node


def _join(group: list[tuple[str, str, str]], below: dict[str, list[str]]) -> tuple[str, str, str]:
    """A node over the group, named after its first and last leaf."""
    low, high = group[0][1], group[-1][2]
    name = f"[{low}:{high}]"
    while name in below:
        name = f"[{name}]"
    below[name] = [child for child, _, _ in group]
    return name, low, high


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
