"""An index of a graph for mining subgraphs: arcs of frequent kinds alone, sorted by kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.graphs.graph import Graph
from sfumato.kernels.subgraphs.domains import Arcs

__all__ = ["Bools", "Index", "Kind", "KindsByLabel", "reversed_look"]

Bools = npt.NDArray[np.bool_]
Kind = tuple[int, int, int]
"""A kind of edge: the label of a node, the look of the edge from there, the label of the other node."""


class KindsByLabel(NamedTuple):
    """The look and the other label of every frequent kind of edge, sorted by label; as kernels take them."""

    begin: Ints  # int64[labels + 1]
    look: Ints  # int32[...]
    far: Ints  # int32[...]


def reversed_look(look: int, directed: bool) -> int:
    """The look of an edge from its other end.

    >>> reversed_look(4, True), reversed_look(5, True), reversed_look(4, False)
    (5, 4, 4)
    """
    return look ^ 1 if directed else look


@dataclass(frozen=True, eq=False)
class Index:
    """Arcs at a node sorted by key = kind * nodes + neighbour, with kind = look * labels + label of the neighbour.

    A look is the label of an edge; in directed graphs it is twice the label, plus 1 against the direction.  Only kinds
    of edges with enough images at both ends are stored: a frequent pattern has no others.
    """

    directed: bool
    n_nodes: int
    n_labels: int
    offsets: Ints
    keys: Ints
    holder_starts: Ints
    holders: Ints
    supports: dict[Kind, int]  # minimum-image support of each frequent kind of edge, from both of its ends
    single: bool  # no node carries two labels

    @classmethod
    def of(cls, graph: Graph, threshold: int, labels: Bools, edge_labels: Bools) -> Self:
        """The index of a graph; labels, edge_labels : whether a pattern may use each label."""
        n, n_labels = len(graph), max(1, graph.n_labels)
        holder = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.label_offsets))
        used = labels[graph.labels]
        holder, label = holder[used], graph.labels[used].astype(np.int64)
        by_label = np.lexsort((holder, label))
        begin, key, supports = _arcs(graph, threshold, edge_labels, holder, label)
        return cls(
            graph.directed,
            n,
            n_labels,
            _starts(begin, n),
            key,
            _starts(label, n_labels),
            holder[by_label].astype(np.int32),
            supports,
            graph.single_labels,
        )

    @property
    def graph(self) -> Arcs:
        """The arrays of the graph, as kernels take them."""
        return Arcs(self.offsets, self.keys, self.n_nodes)

    @cached_property
    def degrees(self) -> Ints:
        """The number of different neighbours of each node."""
        node = np.repeat(np.arange(self.n_nodes), np.diff(self.offsets))
        pairs = _distinct(node * self.n_nodes + self.keys % max(1, self.n_nodes))
        return np.bincount(pairs // max(1, self.n_nodes), minlength=self.n_nodes)

    @cached_property
    def n_kinds(self) -> int:
        """One more than the largest kind of an arc."""
        return int(self.keys.max(initial=-1)) // max(1, self.n_nodes) + 1

    @cached_property
    def kinds(self) -> KindsByLabel:
        rows = np.array(sorted(self.supports), dtype=np.int32).reshape(-1, 3)
        return KindsByLabel(_starts(rows[:, 0], self.n_labels), rows[:, 1].copy(), rows[:, 2].copy())

    def nodes_of(self, label: int) -> Ints:
        """The nodes that carry a label, sorted."""
        return self.holders[self.holder_starts[label] : self.holder_starts[label + 1]]

    def kind(self, look: int, label: int) -> int:
        return look * self.n_labels + label


def _arcs(
    graph: Graph, threshold: int, edge_labels: Bools, holder: Ints, label: Ints
) -> tuple[Ints, Ints, dict[Kind, int]]:
    """The start and key of every arc of a frequent kind, sorted, and the supports of these kinds."""
    n, n_labels = len(graph), max(1, graph.n_labels)
    start, end, look = _looks(graph, edge_labels)
    label_starts = _starts(holder, n)
    # one arc for each label of its start, and then for each label of its end
    start, near, end, look = _for_each_label(start, label_starts, label, start, end, look)
    end, far, start, near, look = _for_each_label(end, label_starts, label, end, start, near, look)
    looks = int(look.max(initial=0)) + 1
    codes = (near * looks + look) * n_labels + far
    kinds = _distinct(codes)
    kind_of_arc = np.searchsorted(kinds, codes)
    images = np.bincount(_distinct(kind_of_arc * n + start) // max(1, n), minlength=len(kinds))
    near_of, look_of, far_of = kinds // (looks * n_labels), kinds // n_labels % looks, kinds % n_labels
    back = look_of ^ 1 if graph.directed else look_of
    reverse_kind = np.searchsorted(kinds, (far_of * looks + back) * n_labels + near_of)
    support = np.minimum(images, images[reverse_kind])
    frequent = support >= threshold
    is_frequent = frequent[kind_of_arc]
    start, key = start[is_frequent], (look[is_frequent] * n_labels + far[is_frequent]) * n + end[is_frequent]
    order = np.lexsort((key, start))
    start, key = start[order], key[order]
    is_first = np.ones(len(key), dtype=bool)
    is_first[1:] = (start[1:] != start[:-1]) | (key[1:] != key[:-1])
    rows = zip(near_of[frequent], look_of[frequent], far_of[frequent], support[frequent], strict=True)
    return start[is_first], key[is_first], {(int(a), int(b), int(c)): int(d) for a, b, c, d in rows}


def _looks(graph: Graph, edge_labels: Bools) -> tuple[Ints, Ints, Ints]:
    """The start, end and look of every arc, in directed graphs also from its end."""
    start = np.repeat(np.arange(len(graph), dtype=np.int64), graph.degrees)
    end, label = graph.out.neighbours.astype(np.int64), graph.out.labels.astype(np.int64)
    if not edge_labels.all():
        used = edge_labels[label]
        start, end, label = start[used], end[used], label[used]
    if not graph.directed:
        return start, end, label
    return np.concatenate((start, end)), np.concatenate((end, start)), np.concatenate((2 * label, 2 * label + 1))


def _for_each_label(node: Ints, starts: Ints, label: Ints, *columns: Ints) -> tuple[Any, ...]:
    """Repeat each row for each label of its node: the node, that label, and the columns but the first."""
    counts = np.diff(starts)[node]
    if (counts == 1).all():
        return node, label[starts[node]], *columns[1:]
    rows = np.repeat(np.arange(len(node)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return node[rows], label[starts[node][rows] + within], *(column[rows] for column in columns[1:])


def _distinct(values: Ints) -> Ints:
    """The distinct values, sorted; sorting is faster than hashing where most values occur once."""
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def _starts(values: Ints, n: int) -> Ints:
    return np.concatenate(([0], np.cumsum(np.bincount(values, minlength=n)))).astype(np.int64)
