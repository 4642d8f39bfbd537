"""Patterns by their minimum DFS codes: extensions by an edge, and parts without an edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.dfs_codes import canonical
from sfumato.mining.subgraphs.graph_index import Kind, reversed_look
from sfumato.mining.subgraphs.search_limits import Stopped

__all__ = ["Edge", "Shape", "columns"]

Edge = tuple[int, int, int]
"""One node, the other, and the label of the edge."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A pattern with nodes numbered in the order of its minimum DFS code; isomorphic patterns have the same code."""

    directed: bool
    code: Ints  # rows (from, to, look, label of `to`), and (nodes, edges, label of node 0, 0) before them
    orbit: Ints  # the first node that a symmetry maps to each node

    @classmethod
    def of(cls, labels: Ints, left: Ints, right: Ints, edge_labels: Ints, directed: bool) -> tuple[Self, Ints]:
        """The shape of a pattern with any numbering, and the given node of each node of the shape.

        >>> star, nodes = Shape.of(*(np.array(x, np.int32) for x in ([1, 0, 1], [0, 1], [1, 2], [0, 0])), False)
        >>> star.labels.tolist(), star.edges, nodes.tolist(), star.orbit.tolist()
        ([0, 1, 1], ((0, 1, 0), (0, 2, 0)), [1, 0, 2], [0, 1, 1])
        """
        shape, order = cls._of(labels, left, right, edge_labels, directed, np.empty((0, 4), dtype=np.int32))
        assert shape is not None
        return shape, order

    @classmethod
    def _of(
        cls, labels: Ints, left: Ints, right: Ints, edge_labels: Ints, directed: bool, against: Ints
    ) -> tuple[Self | None, Ints]:
        """As `of`; None if the code in `against` is not the smallest."""
        code, order, orbit = canonical(labels, left, right, edge_labels, directed, against)
        if code[0, 0] < 0:
            raise Stopped("memory")
        if code[0, 0] == 0:
            return None, order
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        first = np.full(len(order), len(order), dtype=np.int64)
        np.minimum.at(first, orbit, position)
        return cls(directed, code, first[orbit[order]]), order

    @cached_property
    def name(self) -> bytes:
        return self.code.tobytes()

    @cached_property
    def labels(self) -> Ints:
        labels = np.empty(self.code[0, 0], dtype=np.int32)
        labels[0] = self.code[0, 2]
        labels[self.code[1:, 1]] = self.code[1:, 3]
        return labels

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """(one, other, label), from one to the other if directed."""
        if not self.directed:
            return tuple((int(i), int(j), int(look)) for i, j, look, _ in self.code[1:])
        return tuple(
            (int(j), int(i), int(look) >> 1) if look & 1 else (int(i), int(j), int(look) >> 1)
            for i, j, look, _ in self.code[1:]
        )

    @property
    def first(self) -> Kind:
        """The kind of its first edge."""
        return int(self.code[0, 2]), int(self.code[1, 2]), int(self.code[1, 3])

    @property
    def parent(self) -> bytes | None:
        """The name of the pattern whose extension by the newest edge this is; None for a single edge."""
        if self.n_edges == 1:
            return None
        code = self.code[:-1].copy()
        code[0, 0], code[0, 1] = code[1:, :2].max() + 1, self.n_edges - 1
        return code.tobytes()

    @property
    def n_nodes(self) -> int:
        return int(self.code[0, 0])

    @property
    def n_edges(self) -> int:
        return int(self.code[0, 1])

    @property
    def is_tree(self) -> bool:
        """Whether it has no cycle; two edges between the same nodes are one."""
        return self.n_edges == self.n_nodes - 1

    @property
    def path(self) -> list[int]:
        """The nodes from the first to the last in the code (the rightmost path)."""
        parent = {int(j): int(i) for i, j, _, _ in self.code[1:] if i < j}
        path = [self.n_nodes - 1]
        while path[-1] in parent:
            path.append(parent[path[-1]])
        return path[::-1]

    @property
    def degrees(self) -> Ints:
        return np.bincount(self.code[1:, :2].ravel(), minlength=self.n_nodes)

    def arcs(self, n_labels: int) -> tuple[Ints, Ints, Ints]:
        """The offsets, ends and kinds of the arcs at each node, sorted by neighbour, as kernels take them."""
        near, far, look = self.code[1:, 0], self.code[1:, 1], self.code[1:, 2].astype(np.int64)
        start, end = np.concatenate((near, far)), np.concatenate((far, near))
        arc_look = np.concatenate((look, look ^ 1 if self.directed else look))
        order = np.lexsort((arc_look, end, start))
        begin = np.concatenate(([0], np.cumsum(np.bincount(start, minlength=self.n_nodes))))
        return begin, end[order].astype(np.int64), (arc_look * n_labels + self.labels[end])[order].astype(np.int64)

    def extensions(self, kinds: dict[int, list[tuple[int, int]]], allowed: Callable[[Shape], bool]) -> Iterator[Self]:
        """The patterns with one more edge whose minimum DFS code begins with this one (gSpan's rightmost extension).

        kinds : for each label of a node, the look and the other label of every frequent kind of edge.
        allowed : whether a pattern satisfies the constraints, checked before more expensive steps.
        """
        labels, path = self.labels, self.path
        tip, arcs = path[-1], {(int(i), int(j), int(look)) for i, j, look, _ in self.code[1:]}
        arcs |= {(j, i, reversed_look(look, self.directed)) for i, j, look in arcs}
        for look, far in kinds[int(labels[tip])]:
            for target in path[:-1]:
                if labels[target] == far and (tip, target, look) not in arcs:
                    yield from self._extension(tip, target, look, far, allowed)
        for source in reversed(path):
            for look, far in kinds[int(labels[source])]:
                yield from self._extension(source, self.n_nodes, look, far, allowed)

    def _extension(
        self, source: int, target: int, look: int, label: int, allowed: Callable[[Shape], bool]
    ) -> Iterator[Self]:
        """The extension by one row of code, unless the pattern has a smaller code."""
        near = int(self.labels[source])
        if min((near, look, label), (label, reversed_look(look, self.directed), near)) < self.first:
            return
        code = np.vstack((self.code, np.array([[source, target, look, label]], dtype=np.int32)))
        code[0, 0], code[0, 1] = max(self.n_nodes, target + 1), self.n_edges + 1
        extended = type(self)(self.directed, code, self.orbit)
        if not allowed(extended):
            return
        shape, _ = self._of(extended.labels, *columns(extended.edges), self.directed, code)
        if shape is not None and np.array_equal(shape.code, code):
            yield shape

    def smaller(self) -> Iterator[tuple[Self, Ints]]:
        """All connected patterns with one edge less, and the node of this pattern for each of their nodes."""
        for removed in range(self.n_edges):
            rest = [edge for e, edge in enumerate(self.edges) if e != removed]
            if rest and len(_connected_edges(rest[0], rest)) == len(rest):
                yield self._of_edges(rest)

    def parts_with_newest(self) -> Iterator[tuple[Self, Ints]]:
        """The parts of several edges that stay connected to the newest edge when another edge is removed."""
        newest, yielded = self.edges[-1], set()
        for removed in range(self.n_edges - 1):
            part = _connected_edges(newest, [edge for e, edge in enumerate(self.edges) if e != removed])
            if len(part) > 1 and frozenset(part) not in yielded:
                yielded.add(frozenset(part))
                yield self._of_edges(part)

    def _of_edges(self, edges: list[Edge]) -> tuple[Self, Ints]:
        nodes = sorted({node for edge in edges for node in edge[:2]})
        place = {node: index for index, node in enumerate(nodes)}
        renamed = [(place[a], place[b], label) for a, b, label in edges]
        shape, order = type(self).of(self.labels[nodes], *columns(renamed), self.directed)
        return shape, np.array(nodes)[order]


def _connected_edges(edge: Edge, edges: list[Edge]) -> list[Edge]:
    """The edges that are connected to one of them."""
    neighbours: dict[int, list[int]] = {}
    for a, b, _ in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    reached, stack = {edge[0]}, [edge[0]]
    while stack:
        for node in neighbours[stack.pop()]:
            if node not in reached:
                reached.add(node)
                stack.append(node)
    return [edge for edge in edges if edge[0] in reached]


def columns(edges: Sequence[Edge]) -> tuple[Ints, Ints, Ints]:
    """The edges as three arrays: one node, the other, the label."""
    table = np.array(edges, dtype=np.int32).reshape(-1, 3)
    return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy()
