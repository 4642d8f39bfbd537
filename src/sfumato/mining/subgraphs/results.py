"""The results of mining subgraphs: patterns with the names of their labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import polars as pl

from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, a_or_an
from sfumato.mining.subgraphs.pattern_extension import Shape, columns
from sfumato.params import JsonObject

__all__ = ["Pattern", "Subgraphs", "require_label"]


@dataclass(frozen=True)
class Pattern:
    """A connected graph of labels: node i carries ``labels[i]``, an edge (i, j, label) goes from i to j if directed.

    support : its minimum-image (or independent-set) support, or the threshold that it reaches.

    >>> Pattern(("bar", "shop"), ((0, 1, ""),), support=3)
    <Pattern: bar, shop; 0-1; support 3>
    """

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, str], ...]
    support: int = 0
    directed: bool = False

    def __repr__(self) -> str:
        arrow = ">" if self.directed else "-"
        edges = ", ".join(f"{i}{arrow}{j}{f' {label}' if label else ''}" for i, j, label in self.edges)
        return f"<Pattern: {', '.join(self.labels)}; {edges}; support {self.support}>"

    @property
    def n_nodes(self) -> int:
        return len(self.labels)

    @property
    def n_edges(self) -> int:
        return len(self.edges)

    @classmethod
    def of_shape(cls, shape: Shape, graph: Graph, support: int) -> Self:
        return cls(
            tuple(graph.label_names[label] for label in shape.labels),
            tuple((i, j, graph.edge_label_names[label]) for i, j, label in shape.edges),
            support,
            shape.directed,
        )

    def shape(self, graph: Graph, *, edge_labels: bool = True) -> Shape:
        """The pattern in codes of a graph's labels; without `edge_labels`, all edges have the same label."""
        if not self.edges or not _is_connected(self):
            raise DataError("Pattern: wanted a connected pattern with at least one edge, found another")
        labels = _codes(self.labels, graph.label_names, "node")
        if edge_labels:
            kinds = _codes((label for _, _, label in self.edges), graph.edge_label_names, "edge")
            rows = [(i, j, kind) for (i, j, _), kind in zip(self.edges, kinds, strict=True)]
        else:
            ends = [(i, j) if graph.directed else (min(i, j), max(i, j)) for i, j, _ in self.edges]
            rows = [(i, j, 0) for i, j in dict.fromkeys(ends)]
        return Shape.of(np.array(labels, dtype=np.int32), *columns(rows), graph.directed)[0]

    def to_json(self) -> JsonObject:
        """`nodes`: the labels; `edges`: [from, to, label]; `support`."""
        return {"nodes": list(self.labels), "edges": [list(edge) for edge in self.edges], "support": self.support}


def require_label(name: str, names: tuple[str, ...], noun: str) -> None:
    """Refuse a label that no node (or no edge) has; noun : node or edge."""
    if name in names:
        return
    if not any(names):
        raise DataError(f"FrequentSubgraphs: wanted the {noun} label {name!r}, found a graph without {noun} labels")
    if not name:
        raise DataError(
            f"FrequentSubgraphs: wanted a graph with {noun}s without a label, found labels on all",
            remedy="ignore-edge-labels" if noun == "edge" else "",
        )
    raise DataError(f"FrequentSubgraphs: wanted {a_or_an(noun)} label of the graph, found {name!r}")


def _codes(labels: Iterable[str], names: tuple[str, ...], noun: str) -> list[int]:
    codes = {name: code for code, name in enumerate(names)}
    label_codes = []
    for name in labels:
        require_label(name, names, noun)
        label_codes.append(codes[name])
    return label_codes


def _is_connected(pattern: Pattern) -> bool:
    reached, grows = {pattern.edges[0][0]}, True
    while grows:
        neighbours = {b for a, b, _ in pattern.edges if a in reached} | {a for a, b, _ in pattern.edges if b in reached}
        grows, reached = not neighbours <= reached, reached | neighbours
    return reached == set(range(pattern.n_nodes))


@dataclass(frozen=True, eq=False)
class Subgraphs:
    """The result of a search, the smallest patterns first.

    threshold : the smallest support.  exact : whether `support` of a pattern is its support, or only the threshold.
    complete : whether the search was not stopped; otherwise `stopped` names the limit that ended it, and no frequent
    pattern with at most `complete_edges` edges is missing (None if that is not known).
    counts : numbers of `candidates`, `depth` (edges of the largest candidate) and others, for benchmarks.
    """

    patterns: tuple[Pattern, ...]
    threshold: int
    exact: bool = False
    stopped: str | None = None
    complete_edges: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return self.stopped is None

    @property
    def warning(self) -> str:
        """What an incomplete result may lack, in a sentence; empty for a complete one.

        >>> Subgraphs((), 2, stopped="time", complete_edges=7).warning
        'the search reached its limit of time; there may be more patterns with more than 7 edges.'
        """
        if self.complete:
            return ""
        edges = self.complete_edges
        larger = f" with more than {edges:,} {'edge' if edges == 1 else 'edges'}" if edges else ""
        return f"the search reached its limit of {self.stopped}; there may be more patterns{larger}."

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __repr__(self) -> str:
        end = "" if self.complete else f", incomplete: stopped by {self.stopped}"
        return f"<Subgraphs: {len(self)} with a support of at least {self.threshold}{end}>"

    def to_frame(self) -> pl.DataFrame:
        """One row a pattern: `nodes` (labels), `edges` (texts such as ``0-1`` or ``0>1 road``), `support`."""
        edges = [
            [f"{i}{'>' if p.directed else '-'}{j}{f' {label}' if label else ''}" for i, j, label in p.edges]
            for p in self.patterns
        ]
        return pl.DataFrame(
            {
                "nodes": pl.Series([list(p.labels) for p in self.patterns], dtype=pl.List(pl.String)),
                "edges": pl.Series(edges, dtype=pl.List(pl.String)),
                "support": pl.Series([p.support for p in self.patterns], dtype=pl.Int64),
            }
        )
