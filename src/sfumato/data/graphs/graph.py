"""One large graph: nodes and edges with labels, in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from sfumato.data.base import Ints, frozen_array
from sfumato.data.frames import Source
from sfumato.data.graphs.arcs import Arcs, Edges, Floats, NodeLabels, frozen_arcs, sorted_arcs
from sfumato.errors import DataError

__all__ = ["Arcs", "Floats", "Graph"]

_NODES, _EDGES = Source("the nodes"), Source("the edges")


@dataclass(frozen=True, eq=False)
class Graph:
    """Node n carries ``labels[label_offsets[n]:label_offsets[n + 1]]``; `out` holds an undirected edge both ways.

    Names of labels are sorted, so the order of their codes is the order of their names.  Without labels, every node
    or edge carries the label ``""``.  Several labels of an edge are parallel arcs.  Self-loops and repeated edges are
    left out and counted; a repeated edge has its smallest weight.

    nodes : names.  label_offsets : int64[nodes + 1].  labels : int32.  out : the arcs.

    >>> town = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "b"), ("c", "c")], {"a": "bar", "b": "shop", "c": "bar"})
    >>> town
    <Graph: 3 nodes, 2 edges, undirected, 2 node labels; excluded: 1 self-loop, 1 repeated edge>
    >>> town.label_names, town.labels.tolist(), town.out.offsets.tolist(), town.out.neighbours.tolist()
    (('bar', 'shop'), [0, 1, 0], [0, 1, 3, 4], [1, 0, 2, 1])
    """

    kind: ClassVar[str] = "graph"

    directed: bool
    nodes: pl.Series
    label_offsets: Ints
    labels: Ints
    label_names: tuple[str, ...]
    out: Arcs
    edge_label_names: tuple[str, ...] = ("",)
    self_loops: int = 0
    duplicates: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "label_offsets", frozen_array(self.label_offsets, np.int64))
        object.__setattr__(self, "labels", frozen_array(self.labels, np.int32))
        object.__setattr__(self, "out", frozen_arcs(self.out))
        if not len(self.nodes) + 1 == len(self.label_offsets) == len(self.out.offsets):
            raise DataError(
                f"Graph: {len(self.nodes)} nodes, {len(self.label_offsets) - 1} of them with labels, "
                f"{len(self.out.offsets) - 1} with arcs"
            )

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Sequence[Any]],
        labels: Mapping[Any, Any] | Sequence[Any] | None = None,
        *,
        directed: bool = False,
    ) -> Self:
        """Edges as ``(from, to)`` or ``(from, to, label)``.

        labels : the label, or a list of labels, of each node: by its name, or in a list for the nodes 0, 1, ...
            Without them the nodes are those of the edges and carry no label.

        >>> Graph.from_edges([(0, 1, "road")], ["x", ["x", "y"]], directed=True)
        <Graph: 2 nodes, 1 edge, directed, 2 node labels, 1 edge label>
        """
        from sfumato.data.graphs.frames import edge_frame, label_frame

        nodes = None if labels is None else label_frame(labels)
        return cls.from_frames(nodes, edge_frame(edges), directed=directed)

    @classmethod
    def from_frames(
        cls,
        nodes: Any,
        edges: Any,
        *,
        directed: bool = False,
        node_source: Source = _NODES,
        edge_source: Source = _EDGES,
    ) -> Self:
        """Columns `node`, optionally `label` (a row for each label of a node), and `from, to`, optionally `label`,
        `weight`.  Without a frame of nodes they are those of the edges; with one, an edge must not leave it.
        """
        from sfumato.data.graphs.frames import graph_of_frames

        return graph_of_frames(cls, nodes, edges, directed, node_source, edge_source)

    @classmethod
    def from_networkx(cls, graph: Any, *, label: str = "label", weight: str = "weight") -> Self:
        """A graph of networkx, or of anything that has its `nodes`, `edges` and `is_directed`.

        label, weight : the names of the attributes of nodes and edges; a list, tuple or set holds several labels.
        """
        from sfumato.data.graphs.frames import frames_of_networkx

        nodes, edges = frames_of_networkx(graph, label, weight)
        return cls.from_frames(nodes, edges, directed=bool(graph.is_directed()))

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        parts = [
            _counted(len(self), "node"),
            _counted(self.n_edges, "edge"),
            "directed" if self.directed else "undirected",
            *([_counted(self.n_labels, "node label")] if self.label_names != ("",) else []),
            *([_counted(self.n_edge_labels, "edge label")] if self.edge_label_names != ("",) else []),
        ]
        kept_out = self.kept_out
        return f"<Graph: {', '.join(parts)}{'; excluded: ' if kept_out else ''}{kept_out}>"

    @property
    def kept_out(self) -> str:
        """The numbers of self-loops and repeated edges that were left out, as a text; empty if there are none."""
        counts = ((self.self_loops, "self-loop"), (self.duplicates, "repeated edge"))
        return ", ".join(_counted(number, noun) for number, noun in counts if number)

    @property
    def n_edges(self) -> int:
        """The number of edges; an undirected edge counts once, an edge with several labels once for each label."""
        arcs = len(self.out.neighbours)
        return arcs if self.directed else arcs // 2

    @property
    def n_labels(self) -> int:
        return len(self.label_names)

    @property
    def n_edge_labels(self) -> int:
        return len(self.edge_label_names)

    @property
    def degrees(self) -> Ints:
        """The number of arcs that leave each node."""
        return np.diff(self.out.offsets)

    @property
    def single_labels(self) -> bool:
        """Whether no node carries two labels."""
        return bool(np.diff(self.label_offsets).max(initial=0) <= 1)

    @property
    def node_labels(self) -> Ints:
        """The label of each node, -1 for none; where every node has at most one."""
        if not self.single_labels:
            raise DataError("Graph: wanted at most one label on each node, found a node with several")
        labels = np.full(len(self), -1, dtype=np.int32)
        labels[np.diff(self.label_offsets) > 0] = self.labels
        return labels

    @cached_property
    def into(self) -> Arcs:
        """The arcs that reach each node, as `out` holds those that leave it; undirected, they are the same."""
        return sorted_arcs(len(self), *self._reversed_arcs(), self.n_edge_labels) if self.directed else self.out

    def edges(self) -> Edges:
        """Start, end, label and weight of every edge; an undirected one once, from its first node to its second.

        >>> start, end, label, weight = Graph.from_edges([(0, 1), (1, 2)]).edges()
        >>> start.tolist(), end.tolist(), label.tolist(), weight
        ([0, 1], [1, 2], [0, 0], None)
        """
        start = self._starts()
        _, end, label, weight = self.out
        selected: Any = slice(None) if self.directed else start < end
        return Edges(start[selected], end[selected], label[selected], None if weight is None else weight[selected])

    def without_edge_labels(self) -> Self:
        """The same graph with one edge where there were several labels; of their weights the smallest."""
        start, end, label, weight = self.edges()
        return self._with_edges(start, end, np.zeros_like(label), weight, ("",), self.directed)

    def as_undirected(self) -> Self:
        """The same graph without directions: one edge where there were both."""
        return self._with_edges(*self.edges(), self.edge_label_names, directed=False) if self.directed else self

    def with_weights(self, weights: Floats | None) -> Self:
        """The same graph with a weight for each arc of `out`; distances add them up, so none is negative."""
        return replace(self, out=self.out._replace(weights=weights))

    def weighted_by_labels(self, *, inverse: bool = False) -> Self:
        """The labels of the edges, which must be numbers, become their weights.

        inverse : 1 / label, for labels that count what two nodes have in common, so that more means nearer.

        >>> papers = Graph.from_edges([("ann", "bob", 4), ("bob", "eve", 20)])
        >>> papers.weighted_by_labels(inverse=True).out.weights.tolist()
        [0.25, 0.25, 0.05, 0.05]
        """
        numbers = pl.Series(self.edge_label_names, dtype=pl.String).cast(pl.Float64, strict=False).fill_null(np.nan)
        values = numbers.to_numpy()
        invalid = ~np.isfinite(values) | (values <= 0 if inverse else values < 0)
        if invalid.any():
            sign = "above 0" if inverse else "of at least 0"
            count = f"{int(invalid.sum())} of {len(invalid)} that are not"
            raise DataError(f"Graph: wanted numbers {sign} as labels of the edges, found {count}")
        return self.with_weights((1 / values if inverse else values)[self.out.labels])

    def to_frames(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """`node, label`, a row for each label, and `from, to`, with `label` and `weight` where there are any."""
        from sfumato.data.graphs.frames import frames_of_graph

        return frames_of_graph(self)

    def to_networkx(self) -> Any:
        """A graph of networkx, with `label` (a list where there are several) and `weight` on nodes and edges."""
        from sfumato.data.graphs.frames import networkx_of_graph

        return networkx_of_graph(self)

    @classmethod
    def of_arrays(
        cls,
        names: pl.Series,
        node_labels: NodeLabels,
        ends: tuple[Ints, Ints],
        edge_labels: tuple[Ints, tuple[str, ...]],
        weights: Floats | None,
        *,
        directed: bool,
    ) -> Self:
        """A graph from codes: labels of nodes; starts and ends of edges; labels of edges and their names."""
        no_arcs = np.empty(0, dtype=np.int32)
        bare = cls(directed, names, *node_labels, Arcs(np.zeros(len(names) + 1, np.int64), no_arcs, no_arcs))
        codes, edge_label_names = edge_labels
        return bare._with_edges(ends[0], ends[1], codes, weights, edge_label_names, directed, count=True)

    def _with_edges(
        self,
        start: Ints,
        end: Ints,
        label: Ints,
        weight: Floats | None,
        names: tuple[str, ...],
        directed: bool,
        count: bool = False,
    ) -> Self:
        """The nodes with other edges, without self-loops and repeated edges, which `count` adds to the counts."""
        if weight is not None and not (np.isfinite(weight).all() and weight.min(initial=0) >= 0):
            raise DataError("Graph: wanted weights of at least 0, found a negative or missing one")
        not_loop = start != end
        loops = len(not_loop) - int(not_loop.sum())
        if loops:
            start, end, label = start[not_loop], end[not_loop], label[not_loop]
            weight = None if weight is None else weight[not_loop]
        if not directed:
            start, end = np.concatenate((start, end)), np.concatenate((end, start))
            label, weight = np.tile(label, 2), None if weight is None else np.tile(weight, 2)
        arcs = sorted_arcs(len(self), start, end, label, weight, len(names))
        repeated = (len(start) - len(arcs.neighbours)) // (1 if directed else 2)
        return replace(
            self,
            directed=directed,
            out=arcs,
            edge_label_names=names,
            self_loops=self.self_loops + (loops if count else 0),
            duplicates=self.duplicates + (repeated if count else 0),
        )

    def _starts(self) -> Ints:
        return np.repeat(np.arange(len(self), dtype=np.int32), self.degrees)

    def _reversed_arcs(self) -> tuple[Ints, Ints, Ints, Floats | None]:
        return self.out.neighbours, self._starts(), self.out.labels, self.out.weights


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
