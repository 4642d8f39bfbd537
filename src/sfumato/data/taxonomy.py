"""Taxonomies: trees for the hierarchies of attributes, of items and of places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np

from sfumato.data.frames import Source
from sfumato.errors import DataError
from sfumato.params import exact

__all__ = ["Taxonomy"]

ROOT = "*"


class _Branch(NamedTuple):
    """The top of a growing subtree: its name, and the texts of its lowest and highest leaf."""

    name: str
    low: str
    high: str


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
                raise source.error("wanted a parent that is a node itself, found an unknown name", self._row(row))
        roots = [(node, row) for row, (node, parent) in enumerate(self._parent.items()) if parent is None]
        if len(roots) > 1:
            second = self._row(roots[1][1])
            place = "" if second is None else ", the second one here"
            raise source.error(f"wanted one root, found {len(roots)}{place}", second)
        if not parents:
            raise source.error("wanted at least one node, found none")
        if not roots:
            raise source.error("wanted a root, found none: the nodes form a cycle")
        self.root = roots[0][0]
        self._walk(source)
        for node in self._sensitive:
            self._known(node)

    def _walk(self, source: Source) -> None:
        """Compute depths, children and the range of leaves under every node, in one walk from the root."""
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
            node, is_finished = stack.pop()
            if is_finished:
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
            unreached = next(row for row, node in enumerate(self._parent) if node not in self._depth)
            raise source.error("wanted a tree, found a cycle", self._row(unreached))
        self.leaves = tuple(leaves)

    @classmethod
    def from_paths(cls, rows: Iterable[Sequence[str]], *, source: Source | None = None) -> Self:
        """One row a leaf, leaf first and root last; rows may differ in length.

        A node repeated on consecutive levels is one node; a node with two parents is an error.
        """
        source = source or Source("the hierarchy")
        parents: dict[str, str | None] = {}
        row_of_leaf: dict[str, int] = {}
        for number, row in enumerate(rows):
            if not row:
                continue
            path = [node for level, node in enumerate(row) if level == 0 or node != row[level - 1]]
            if "" in path:
                raise source.error("wanted a leaf, its ancestors and the root, found an empty name", row=number)
            if path[0] in row_of_leaf:
                raise source.error("wanted each leaf once, found this leaf for the second time", row=number)
            row_of_leaf[path[0]] = number
            for node, parent in zip(path, [*path[1:], None], strict=True):
                if parents.setdefault(node, parent) != parent:
                    raise source.error("wanted one parent for each node, found a second one", row=number)
        tree = cls(parents, source=source)
        inner_row = next((row for leaf, row in row_of_leaf.items() if tree.children(leaf)), None)
        if inner_row is not None:
            raise source.error(
                "wanted a leaf without nodes below it, found a leaf that is also an inner node", row=inner_row
            )
        return tree

    @classmethod
    def balanced(cls, leaves: Sequence[str], fanout: int) -> Self:
        """A tree over the leaves in their order, each node over at most `fanout` others.

        >>> Taxonomy.balanced(["a", "b", "c", "d", "e"], 2).to_paths()[4]
        ('e', '*')
        """
        if len(set(leaves)) < len(leaves):
            raise DataError("Taxonomy.balanced: wanted every leaf once, found a leaf twice")
        return cls._from_groups([[_Branch(leaf, leaf, leaf)] for leaf in leaves], fanout)

    @classmethod
    def intervals(cls, values: Iterable[float], width: float, fanout: int = 2) -> Self:
        """Numbers under intervals that start at multiples of `width`; each node above has `fanout` children.

        ``[20:25]`` holds 20 and all numbers up to but without 25; over whole numbers it is written ``[20:24]``.

        >>> Taxonomy.intervals([19, 20, 24, 31], width=5).to_paths()[1]
        ('20', '[20:24]', '[15:24]', '*')
        """
        numbers = sorted({float(value) for value in values})
        if not np.isfinite([*numbers, width]).all() or width <= 0:
            raise DataError(
                "Taxonomy.intervals: wanted finite numbers and a width above 0, found an infinite number or "
                "another width"
            )
        all_whole = all(number.is_integer() for number in numbers) and float(width).is_integer()
        step = 1 if all_whole else 0
        groups: dict[int, list[_Branch]] = {}
        exact_width = exact(width)  # by its digits: 17 times 0.2 is 3.4
        for number in numbers:
            bucket = int(exact(number) // exact_width)
            low, high = float(bucket * exact_width), float((bucket + 1) * exact_width) - step
            groups.setdefault(bucket, []).append(_Branch(_number(number), _number(low), _number(high)))
        return cls._from_groups(list(groups.values()), fanout, smallest=1)

    @classmethod
    def quantiles(cls, values: Mapping[float, int], intervals: int, fanout: int = 2) -> Self:
        """Numbers under intervals with about equally many rows; each node above has `fanout` children.

        values : the number of rows with each number.  ``[20:25]`` holds 20, 25 and all numbers between; both occur in
        the data.

        >>> Taxonomy.quantiles({19: 1, 20: 1, 24: 1, 31: 3}, intervals=2).to_paths()
        [('19', '[19:24]', '*'), ('20', '[19:24]', '*'), ('24', '[19:24]', '*'), ('31', '*')]
        """
        numbers = sorted(values)
        if not np.isfinite(numbers).all() or intervals < 1:
            raise DataError(
                "Taxonomy.quantiles: wanted finite numbers and at least one interval, found an infinite number or "
                "no interval"
            )
        rows, before = max(1, sum(values.values())), 0
        groups: dict[int, list[_Branch]] = {}
        for number in numbers:
            name = _number(float(number))
            groups.setdefault(before * intervals // rows, []).append(_Branch(name, name, name))
            before += values[number]
        return cls._from_groups(list(groups.values()), fanout, smallest=2)

    @classmethod
    def _from_groups(cls, groups: list[list[_Branch]], fanout: int, *, smallest: int = 2) -> Self:
        """A tree over groups of leaves: join neighbouring groups until one is left; a group of one node adds no level.

        smallest : the number of leaves from which a group of leaves gets a node of its own.
        """
        if not groups:
            raise DataError("Taxonomy: wanted at least one leaf, got none")
        if fanout < 2:
            raise DataError(f"Taxonomy: wanted a fan-out of at least 2, got {fanout}")
        children_of: dict[str, list[str]] = {branch.name: [] for group in groups for branch in group}
        level = [_join(group, children_of) if len(group) >= smallest else group[0] for group in groups]
        while len(level) > fanout:
            chunks = [level[start : start + fanout] for start in range(0, len(level), fanout)]
            level = [chunk[0] if len(chunk) == 1 else _join(chunk, children_of) for chunk in chunks]
        root = ROOT
        while root in children_of:
            root += ROOT
        children_of[root] = [branch.name for branch in level]
        parents: dict[str, str | None] = {root: None}
        stack = [root]
        while stack:  # parents before children, children in the order of the leaves
            node = stack.pop()
            parents.update(dict.fromkeys(children_of[node], node))
            stack.extend(reversed(children_of[node]))
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
        ancestor = self.parent(node)
        while ancestor is not None:
            path.append(ancestor)
            ancestor = self._parent[ancestor]
        return tuple(path)

    def common_ancestor(self, nodes: Iterable[str]) -> str:
        """The closest node that is each of the nodes or above it."""
        common: str | None = None
        for node in nodes:
            if common is None:
                common = self._known(node)
                continue
            first, second = common, self._known(node)
            while first != second:
                if self._depth[first] < self._depth[second]:
                    first, second = second, first
                first = str(self._parent[first])
            common = first
        if common is None:
            raise DataError("Taxonomy.common_ancestor: wanted at least one node, got none")
        return common

    def dissimilarity(self, leaves: Iterable[str]) -> float:
        """The share of all leaves that lie under the closest common ancestor of these: SD of Poulis et al. (2014).

        >>> food = Taxonomy.from_paths([("apple", "fruit", "food"), ("fig", "fruit", "food"), ("rye", "bread", "food")])
        >>> round(food.dissimilarity(["apple", "fig"]), 2), food.dissimilarity(["fig", "rye"])
        (0.67, 1.0)
        """
        return self.leaf_count(self.common_ancestor(leaves)) / len(self.leaves)

    def leaf_of(self, location: str) -> str:
        """The node of a location; for a time slot ``a@14``, that of its place ``a``."""
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
        """Refuse values that are not leaves; what : the word for a value in the message."""
        missing = [name for name in leaves if name not in self._parent or self._children[name]]
        if missing:
            raise self._source.error(f"wanted a leaf for every {what} of the data, found none for {len(missing)}")

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


def _join(group: list[_Branch], children_of: dict[str, list[str]]) -> _Branch:
    """A node over the group, named after its first and last leaf."""
    low, high = group[0].low, group[-1].high
    name = f"[{low}:{high}]"
    while name in children_of:
        name = f"[{name}]"
    children_of[name] = [branch.name for branch in group]
    return _Branch(name, low, high)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
