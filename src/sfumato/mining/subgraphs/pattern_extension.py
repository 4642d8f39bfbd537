"""Patterns by their minimum DFS codes: extensions by an edge, and parts without an edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.blocks import blocks
from sfumato.kernels.subgraphs.dfs_codes import canonical
from sfumato.kernels.subgraphs.extension import part_without, pattern_of, rightmost_rows
from sfumato.mining.subgraphs.graph_index import Kind, KindsByLabel
from sfumato.mining.subgraphs.search_limits import Stopped

__all__ = ["Edge", "Shape", "columns"]

Edge = tuple[int, int, int]
"""One node, the other, and the label of the edge."""
_NOTHING = np.empty((0, 4), dtype=np.int32)


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
        code, order, orbit = _smallest_code(labels, left, right, edge_labels, directed, _NOTHING)
        return cls(directed, code, _orbits_by_place(order, orbit)), order

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

    @cached_property
    def cyclic_blocks(self) -> list[Ints]:
        """The nodes of its largest parts that stay connected without any one of their nodes, from three nodes on."""
        if self.is_tree:
            return []
        begin, to, _ = self.arcs(1)
        everything = np.ones(self.n_nodes, dtype=bool)
        nodes, ends = blocks(begin.astype(np.int64), to, self.n_nodes, everything, everything[:1])
        return [part for part in np.split(nodes, ends[:-1]) if len(part) > 2]

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

    def extensions(
        self, kinds: KindsByLabel, allowed: Callable[[Shape], bool], failed: Ints = _NOTHING
    ) -> Iterator[Self]:
        """The patterns with one more edge whose minimum DFS code begins with this one (gSpan's rightmost extension).

        kinds : the frequent kinds of edges.  allowed : whether a pattern satisfies the constraints.  failed : rows of
        infrequent patterns that extend a part of the code; they are not added.
        """
        for row in rightmost_rows(self.code, self.directed, *kinds, failed):
            code = np.concatenate((self.code, row[None]))
            code[0, 0], code[0, 1] = max(self.n_nodes, row[1] + 1), self.n_edges + 1
            if not allowed(type(self)(self.directed, code, self.orbit)):
                continue
            labels, left, right, edge_labels = pattern_of(code, self.directed)
            smallest, order, orbit = _smallest_code(labels, left, right, edge_labels, self.directed, code)
            if smallest[0, 0] != 0 and smallest[0, 2] == code[0, 2]:
                yield type(self)(self.directed, code, _orbits_by_place(order, orbit))

    def smaller(self) -> Iterator[tuple[bytes, Ints]]:
        """The names of all connected patterns with one edge less, and the node of this one for each of their nodes."""
        removed = -1
        while True:
            removed, labels, left, right, edge_labels, nodes = part_without(self.code, self.directed, removed + 1)
            if removed >= self.n_edges:
                return
            code, order, _ = _smallest_code(labels, left, right, edge_labels, self.directed, _NOTHING)
            yield code.tobytes(), nodes[order]

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


def _smallest_code(
    labels: Ints, left: Ints, right: Ints, edge_labels: Ints, directed: bool, against: Ints
) -> tuple[Ints, Ints, Ints]:
    """What `canonical` returns, unless the pattern is too symmetric for it."""
    code, order, orbit = canonical(labels, left, right, edge_labels, directed, against)
    if code[0, 0] < 0:
        raise Stopped("memory")
    return code, order, orbit


def _orbits_by_place(order: Ints, orbit: Ints) -> Ints:
    """For each place of a code the first place of its node's orbit."""
    first = np.empty(len(order), dtype=np.int64)
    first[orbit[order[::-1]]] = np.arange(len(order))[::-1]
    by_place: Ints = first[orbit[order]]
    return by_place


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
