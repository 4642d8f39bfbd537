"""A graph as the miner of subgraphs reads it: frequent kinds of edges alone, arcs of one kind together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.graphs.graph import Graph
from sfumato.kernels.subgraphs.domains import Arcs

__all__ = ["Bools", "Index", "Kind", "turned"]

Bools = npt.NDArray[np.bool_]
Kind = tuple[int, int, int]
"""A kind of edge: the label of a node, how the edge looks from there, the label of the other node."""


def turned(look: int, directed: bool) -> int:
    """How an edge looks from its other end.

    >>> turned(4, True), turned(5, True), turned(4, False)
    (5, 4, 4)
    """
    return look ^ 1 if directed else look


@dataclass(frozen=True, eq=False)
class Index:
    """Arcs at a node sorted by key = kind * nodes + neighbour, with kind = look * labels + label of the neighbour.

    A look is the label of an edge; in directed graphs twice that, and one more seen against its direction.  Only
    kinds of edges with enough images at both ends are kept: a frequent pattern has no others.
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
        """labels, edge_labels : which may be used at all."""
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
        """The graph as kernels read it."""
        return Arcs(self.offsets, self.keys, self.n_nodes)

    def nodes_of(self, label: int) -> Ints:
        """The nodes that carry a label, sorted."""
        return self.holders[self.holder_starts[label] : self.holder_starts[label + 1]]

    def kind(self, look: int, label: int) -> int:
        return look * self.n_labels + label


def _arcs(
    graph: Graph, threshold: int, edge_labels: Bools, holder: Ints, label: Ints
) -> tuple[Ints, Ints, dict[Kind, int]]:
    """Start and key of every arc of a frequent kind, sorted; and these kinds."""
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
    other = np.searchsorted(kinds, (far_of * looks + back) * n_labels + near_of)
    support = np.minimum(images, images[other])
    frequent = support >= threshold
    stays = frequent[kind_of_arc]
    start, key = start[stays], (look[stays] * n_labels + far[stays]) * n + end[stays]
    order = np.lexsort((key, start))
    start, key = start[order], key[order]
    once = np.ones(len(key), dtype=bool)
    once[1:] = (start[1:] != start[:-1]) | (key[1:] != key[:-1])
    rows = zip(near_of[frequent], look_of[frequent], far_of[frequent], support[frequent], strict=True)
    return start[once], key[once], {(int(a), int(b), int(c)): int(d) for a, b, c, d in rows}


def _looks(graph: Graph, edge_labels: Bools) -> tuple[Ints, Ints, Ints]:
    """Start, end and look of every arc, in directed graphs also seen from its end."""
    start = np.repeat(np.arange(len(graph), dtype=np.int64), graph.degrees)
    end, label = graph.out.neighbours.astype(np.int64), graph.out.labels.astype(np.int64)
    if not edge_labels.all():
        used = edge_labels[label]
        start, end, label = start[used], end[used], label[used]
    if not graph.directed:
        return start, end, label
    return np.concatenate((start, end)), np.concatenate((end, start)), np.concatenate((2 * label, 2 * label + 1))


def _for_each_label(node: Ints, starts: Ints, label: Ints, *columns: Ints) -> tuple[Any, ...]:
    """Each row once for each label of its node: the node, that label, and the other columns but the first."""
    counts = np.diff(starts)[node]
    if (counts == 1).all():
        return node, label[starts[node]], *columns[1:]
    rows = np.repeat(np.arange(len(node)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return node[rows], label[starts[node][rows] + within], *(column[rows] for column in columns[1:])


def _distinct(values: Ints) -> Ints:
    """The values sorted, each once; sorting beats hashing where most occur once."""
    ordered = np.sort(values)
    once = np.ones(len(ordered), dtype=bool)
    once[1:] = ordered[1:] != ordered[:-1]
    return ordered[once]


def _starts(values: Ints, n: int) -> Ints:
    return np.concatenate(([0], np.cumsum(np.bincount(values, minlength=n)))).astype(np.int64)
