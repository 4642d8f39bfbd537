"""Anti-monotone constraints on patterns: sizes, labels and forbidden subgraphs (CGraMi)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sfumato.data.graphs.graph import Graph
from sfumato.errors import DataError, ParameterError
from sfumato.mining.subgraphs.graph_index import Bools
from sfumato.mining.subgraphs.pattern_extension import Shape
from sfumato.mining.subgraphs.results import Pattern, require_label

__all__ = ["Limits", "PatternConstraints", "contains_pattern"]


@dataclass(frozen=True)
class Limits:
    """Upper bounds on a pattern and forbidden subgraphs: those constraints of CGraMi that need no graph."""

    max_nodes: int | None
    max_edges: int | None
    max_degree: int | None
    max_same_label: int | None
    without: tuple[Shape, ...]

    def allow(self, shape: Shape) -> bool:
        return (
            (self.max_nodes is None or shape.n_nodes <= self.max_nodes)
            and (self.max_edges is None or shape.n_edges <= self.max_edges)
            and (self.max_degree is None or int(shape.degrees.max()) <= self.max_degree)
            and (self.max_same_label is None or int(np.bincount(shape.labels).max()) <= self.max_same_label)
            and not any(contains_pattern(shape, part) for part in self.without)
        )


@dataclass(frozen=True, kw_only=True)
class PatternConstraints:
    """Labels and subgraphs, by name, that a pattern may contain or must not contain.

    >>> PatternConstraints.of(only_labels=["bar"]).labels(Graph.from_edges([(0, 1)], ["bar", "shop"])).tolist()
    [True, False]
    """

    only_labels: frozenset[str] | None = None
    without_labels: frozenset[str] = frozenset()
    only_edges: frozenset[str] | None = None
    without_edges: frozenset[str] = frozenset()
    without_subgraphs: tuple[Pattern, ...] = ()

    @classmethod
    def of(
        cls,
        only_labels: Iterable[str] | None = None,
        without_labels: Iterable[str] = (),
        only_edges: Iterable[str] | None = None,
        without_edges: Iterable[str] = (),
        without_subgraphs: Iterable[Pattern] = (),
    ) -> PatternConstraints:
        lists = {"only_labels": only_labels, "without_labels": without_labels}
        for name, labels in {**lists, "only_edges": only_edges, "without_edges": without_edges}.items():
            if isinstance(labels, str):
                raise ParameterError(
                    f"FrequentSubgraphs: wanted {name} as a list of labels such as [{labels!r}], found a text"
                )
        return cls(
            only_labels=None if only_labels is None else frozenset(only_labels),
            without_labels=frozenset(without_labels),
            only_edges=None if only_edges is None else frozenset(only_edges),
            without_edges=frozenset(without_edges),
            without_subgraphs=tuple(without_subgraphs),
        )

    @property
    def about_edges(self) -> bool:
        """Whether there are constraints on labels of edges."""
        return self.only_edges is not None or bool(self.without_edges)

    def labels(self, graph: Graph) -> Bools:
        """Which labels of nodes may be used."""
        return _allowed(graph.label_names, self.only_labels, self.without_labels, "node")

    def edge_labels(self, graph: Graph) -> Bools:
        """Which labels of edges may be used."""
        return _allowed(graph.edge_label_names, self.only_edges, self.without_edges, "edge")

    def shapes(self, graph: Graph, *, edge_labels: bool = True) -> tuple[Shape, ...]:
        """The forbidden subgraphs; without `edge_labels`, all edges have the same label."""
        for pattern in self.without_subgraphs:
            if pattern.directed != graph.directed:
                expected, actual = ("directed", "undirected") if graph.directed else ("undirected", "directed")
                raise DataError(
                    f"FrequentSubgraphs: wanted without_subgraphs {expected} like the graph, found {actual}"
                )
        return tuple(pattern.shape(graph, edge_labels=edge_labels) for pattern in self.without_subgraphs)


def _allowed(names: tuple[str, ...], only: frozenset[str] | None, without: frozenset[str], noun: str) -> Bools:
    for name in sorted((only or frozenset()) | without):
        require_label(name, names, noun)
    return np.array([(only is None or name in only) and name not in without for name in names], dtype=bool)


def contains_pattern(shape: Shape, part: Shape) -> bool:
    """Whether a pattern contains another one: all its labels and edges.

    >>> path, _ = Shape.of(*(np.array(x, np.int32) for x in ([0, 0, 0], [0, 1], [1, 2], [0, 0])), False)
    >>> edge, _ = Shape.of(*(np.array(x, np.int32) for x in ([0, 0], [0], [1], [0])), False)
    >>> contains_pattern(path, edge), contains_pattern(edge, path)
    (True, False)
    """
    if part.n_nodes > shape.n_nodes or part.n_edges > shape.n_edges:
        return False
    arcs = set(shape.edges) | (set() if shape.directed else {(b, a, label) for a, b, label in shape.edges})
    # the edges of the part whose last node in order is v
    closes = [[edge for edge in part.edges if max(edge[:2]) == v] for v in range(part.n_nodes)]
    images: list[int] = []

    def place(v: int) -> bool:
        if v == part.n_nodes:
            return True
        for image in range(shape.n_nodes):
            if image in images or shape.labels[image] != part.labels[v]:
                continue
            images.append(image)
            if all((images[a], images[b], label) in arcs for a, b, label in closes[v]) and place(v + 1):
                return True
            images.pop()
        return False

    return place(0)
