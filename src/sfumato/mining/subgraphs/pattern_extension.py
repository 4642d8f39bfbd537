"""Patterns by their minimum DFS codes: how one is extended by an edge, and what is left without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.dfs_codes import canonical
from sfumato.mining.subgraphs.graph_index import Kind, turned
from sfumato.mining.subgraphs.search_limits import Stopped

__all__ = ["Edge", "Shape", "columns"]

Edge = tuple[int, int, int]
"""One node, the other, and the label of the edge."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A pattern whose nodes are numbered as its minimum DFS code meets them; isomorphic ones have the same code."""

    directed: bool
    code: Ints  # rows (from, to, look, label of `to`), and (nodes, edges, label of node 0, 0) before them
    orbit: Ints  # the first node that a symmetry carries to each

    @classmethod
    def of(cls, labels: Ints, one: Ints, other: Ints, edge_labels: Ints, directed: bool) -> tuple[Self, Ints]:
        """The shape of any numbering, and which of those nodes each node of the shape is.

        >>> star, nodes = Shape.of(*(np.array(x, np.int32) for x in ([1, 0, 1], [0, 1], [1, 2], [0, 0])), False)
        >>> star.labels.tolist(), star.edges, nodes.tolist(), star.orbit.tolist()
        ([0, 1, 1], ((0, 1, 0), (0, 2, 0)), [1, 0, 2], [0, 1, 1])
        """
        shape, order = cls._of(labels, one, other, edge_labels, directed, np.empty((0, 4), dtype=np.int32))
        assert shape is not None
        return shape, order

    @classmethod
    def _of(
        cls, labels: Ints, one: Ints, other: Ints, edge_labels: Ints, directed: bool, against: Ints
    ) -> tuple[Self | None, Ints]:
        """As `of`; nothing if a code to hold it against is not the smallest."""
        code, order, orbit = canonical(labels, one, other, edge_labels, directed, against)
        if code[0, 0] < 0:
            raise Stopped("memory")
        if code[0, 0] == 0:
            return None, order
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        first = np.full(len(order), len(order), dtype=np.int64)
        np.minimum.at(first, orbit, place)
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
        """The name of the pattern whose extension by the newest edge this is; nothing for an edge."""
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
        """The nodes from the first to the one met last (the rightmost path)."""
        parent = {int(j): int(i) for i, j, _, _ in self.code[1:] if i < j}
        path = [self.n_nodes - 1]
        while path[-1] in parent:
            path.append(parent[path[-1]])
        return path[::-1]

    @property
    def degrees(self) -> Ints:
        return np.bincount(self.code[1:, :2].ravel(), minlength=self.n_nodes)

    def arcs(self, n_labels: int) -> tuple[Ints, Ints, Ints]:
        """Begin, end and kind of the arcs at each node, those to one neighbour together, as kernels read them."""
        near, far, look = self.code[1:, 0], self.code[1:, 1], self.code[1:, 2].astype(np.int64)
        start, end = np.concatenate((near, far)), np.concatenate((far, near))
        seen = np.concatenate((look, look ^ 1 if self.directed else look))
        order = np.lexsort((seen, end, start))
        begin = np.concatenate(([0], np.cumsum(np.bincount(start, minlength=self.n_nodes))))
        return begin, end[order].astype(np.int64), (seen * n_labels + self.labels[end])[order].astype(np.int64)

    def extensions(self, kinds: dict[int, list[tuple[int, int]]], allowed: Callable[[Shape], bool]) -> Iterator[Self]:
        """Those with one more edge whose minimum DFS code begins with this one (gSpan's rightmost extension).

        kinds : for each label of a node, the look and the other label of every frequent kind of edge.
        allowed : what may be at all, which is asked before anything that costs more.
        """
        labels, path = self.labels, self.path
        tip, there = path[-1], {(int(i), int(j), int(look)) for i, j, look, _ in self.code[1:]}
        there |= {(j, i, turned(look, self.directed)) for i, j, look in there}
        for look, far in kinds[int(labels[tip])]:
            for to in path[:-1]:
                if labels[to] == far and (tip, to, look) not in there:
                    yield from self._with(tip, to, look, far, allowed)
        for at in reversed(path):
            for look, far in kinds[int(labels[at])]:
                yield from self._with(at, self.n_nodes, look, far, allowed)

    def _with(self, at: int, to: int, look: int, label: int, allowed: Callable[[Shape], bool]) -> Iterator[Self]:
        """The extension by one row of code, unless another row order gives it a smaller code."""
        near = int(self.labels[at])
        if min((near, look, label), (label, turned(look, self.directed), near)) < self.first:
            return
        code = np.vstack((self.code, np.array([[at, to, look, label]], dtype=np.int32)))
        code[0, 0], code[0, 1] = max(self.n_nodes, to + 1), self.n_edges + 1
        grown = type(self)(self.directed, code, self.orbit)
        if not allowed(grown):
            return
        shape, _ = self._of(grown.labels, *columns(grown.edges), self.directed, code)
        if shape is not None and np.array_equal(shape.code, code):
            yield shape

    def smaller(self) -> Iterator[tuple[Self, Ints]]:
        """All connected patterns with one edge less, and which node of this one each of their nodes is."""
        for gone in range(self.n_edges):
            keep = [edge for e, edge in enumerate(self.edges) if e != gone]
            if keep and len(_hanging_on(keep[0], keep)) == len(keep):
                yield self._of_edges(keep)

    def parts_with_newest(self) -> Iterator[tuple[Self, Ints]]:
        """What hangs on the newest edge where another one is cut, if it is more than that edge."""
        newest, done = self.edges[-1], set()
        for gone in range(self.n_edges - 1):
            part = _hanging_on(newest, [edge for e, edge in enumerate(self.edges) if e != gone])
            if len(part) > 1 and frozenset(part) not in done:
                done.add(frozenset(part))
                yield self._of_edges(part)

    def _of_edges(self, edges: list[Edge]) -> tuple[Self, Ints]:
        nodes = sorted({node for edge in edges for node in edge[:2]})
        place = {node: at for at, node in enumerate(nodes)}
        renamed = [(place[a], place[b], label) for a, b, label in edges]
        shape, order = type(self).of(self.labels[nodes], *columns(renamed), self.directed)
        return shape, np.array(nodes)[order]


def _hanging_on(edge: Edge, edges: list[Edge]) -> list[Edge]:
    """The edges that hang together with one of them."""
    near: dict[int, list[int]] = {}
    for a, b, _ in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    reached, waiting = {edge[0]}, [edge[0]]
    while waiting:
        for node in near[waiting.pop()]:
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return [edge for edge in edges if edge[0] in reached]


def columns(edges: Sequence[Edge]) -> tuple[Ints, Ints, Ints]:
    """Edges as three arrays of their own."""
    table = np.array(edges, dtype=np.int32).reshape(-1, 3)
    return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy()
