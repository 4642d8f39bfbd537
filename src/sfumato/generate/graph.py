"""Synthetic labelled graphs with degrees that follow a power law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.graphs.arcs import NodeLabels
from sfumato.data.graphs.graph import Graph as DataGraph
from sfumato.errors import Infeasible, ParameterError
from sfumato.generate.base import Generator
from sfumato.params import param

__all__ = ["PUBLISHED", "Graph"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Shape(NamedTuple):
    """The sizes and label statistics of a published graph."""

    nodes: int
    edges: int
    labels: int
    directed: bool
    spread: str
    same: float
    closing: float


PUBLISHED = {
    "twitter": Shape(11_316_811, 85_331_846, 100, True, "normal", 0.0, 0.0),
    "patents": Shape(3_942_797, 16_522_438, 453, True, "zipf", 0.5, 0.1),
    "aviation": Shape(101_185, 133_087, 6_173, True, "zipf", 0.0, 0.0),
    "mico": Shape(100_000, 1_080_298, 29, False, "zipf", 0.5, 0.4),
    "citeseer": Shape(3_312, 4_732, 6, True, "even", 0.7, 0.15),
}
"""The graphs of the GraMi paper: sizes and label counts as printed there; the other fields are guesses."""

PATIENCE = 60  # rounds of drawing
LIKE = "that of the graph named by like"


@dataclass(frozen=True, kw_only=True)
class Graph(Generator):
    """A large graph with labelled nodes.

    Notes
    -----
    Edges are drawn between nodes whose expected degrees follow a power law [1]_, as far as no pair is expected to have
    more than one edge.  A share `same` of the edges joins nodes of one label, and a share `closing` joins two
    neighbours of a node, as in groups of co-authors, as far as there are enough such pairs.  Labels are distributed
    uniformly, by a normal distribution over their numbers (as those that [2]_ gave the nodes of Twitter), or by Zipf's
    law.  `like` names a graph of [2]_: its numbers of nodes and edges, times `scale`, and its number of labels are used
    for parameters that are not given; `spread`, `same` and `closing` are guesses.  Labels of edges are distributed
    uniformly or by a power law: with an `edge_exponent` of 2, as numbers of papers are (Lotka's law).

    References
    ----------
    .. [1] F. Chung and L. Lu, "Connected components in random graphs with given expected degree sequences",
       Annals of Combinatorics 6, 2002.
    .. [2] M. Elseidy, E. Abdelhamid, S. Skiadopoulos, P. Kalnis, "GraMi: frequent subgraph and pattern mining in a
       single large graph", PVLDB 7(7), 2014.

    Examples
    --------
    >>> Graph(like="citeseer").make(seed=1)
    <Graph: 3,312 nodes, 4,732 edges, directed, 6 node labels>
    >>> Graph(nodes=50, edges=120, labels=4, edge_labels=2).make(seed=1)
    <Graph: 50 nodes, 120 edges, undirected, 4 node labels, 2 edge labels>
    >>> Graph(like="mico", scale=0.01, edge_labels=106, edge_exponent=2).make(seed=1)
    <Graph: 1,000 nodes, 10,803 edges, undirected, 29 node labels, 106 edge labels>
    """

    name: ClassVar[str] = "graph"
    makes_graph: ClassVar[bool] = True

    like: str = param("mico", choices=tuple(sorted(PUBLISHED)), help="published graph whose sizes are used")
    scale: float = param(1.0, above=0, help="factor of its numbers of nodes and edges")
    nodes: int | None = param(None, at_least=2, help=f"number of nodes; if not given, {LIKE}")
    edges: int | None = param(None, at_least=0, help=f"number of edges; if not given, {LIKE}")
    labels: int | None = param(None, at_least=0, help=f"number of node labels, 0 for none; if not given, {LIKE}")
    edge_labels: int = param(0, at_least=0, help="number of edge labels, 0 for none")
    edge_exponent: float = param(
        0.0, at_least=0, help="skew of the edge labels: label number i has a chance proportional to 1 / i^exponent"
    )
    directed: bool | None = param(None, help=f"whether edges have a direction; if not given, {LIKE}")
    spread: str | None = param(
        None,
        choices=("even", "normal", "zipf"),
        help=f"distribution of the labels over the nodes; if not given, {LIKE}",
    )
    exponent: float = param(2.5, above=2, help="exponent of the power law of the degrees; the larger, the more even")
    same: float | None = param(
        None, at_least=0, at_most=1, help=f"share of edges between nodes of one label; if not given, {LIKE}"
    )
    closing: float | None = param(
        None, at_least=0, below=1, help=f"share of edges that close a triangle; if not given, {LIKE}"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale != 1 and (self.nodes is not None or self.edges is not None):
            raise ParameterError(
                f"Graph: wanted scale with the sizes of like={self.like!r}, found nodes or edges too; leave one out"
            )

    @property
    def labelled(self) -> bool:
        return bool(self.shape.labels)

    def make(self, *, seed: int | None = None) -> DataGraph:
        """Generate a graph; a seed repeats it."""
        shape = self.shape
        pairs = shape.nodes * (shape.nodes - 1) // (1 if shape.directed else 2)
        if shape.edges > pairs:
            raise Infeasible(
                f"Graph: wanted at most {pairs:,} edges between {shape.nodes:,} nodes, found {shape.edges:,}"
            )
        rng = np.random.default_rng(seed)
        labels = _labels(shape, rng)
        open_edges = shape.edges - round(shape.closing * shape.edges)
        draw = _Draw(shape, labels, _weights(shape, self.exponent, rng), rng)
        random_keys = _distinct(np.empty(0, dtype=np.int64), draw.by_degree, open_edges, shape)
        keys = _distinct(random_keys, lambda count: draw.closing(count, random_keys), shape.edges, shape)
        keys = _distinct(keys, draw.by_degree, shape.edges, shape)  # in place of triangles that could not be closed
        if len(keys) < shape.edges:
            raise Infeasible(
                f"Graph: wanted {shape.edges:,} distinct edges, found fewer between {shape.nodes:,} nodes of such "
                "degrees "
                "and labels; ask for fewer edges, a larger exponent, or a smaller share same"
            )
        kinds = _edge_labels(max(1, self.edge_labels), self.edge_exponent, len(keys), rng).astype(np.int32)
        return DataGraph.of_arrays(
            pl.Series("node", np.arange(shape.nodes)).cast(pl.String),
            NodeLabels(np.arange(shape.nodes + 1), labels.astype(np.int32), _names("l", shape.labels)),
            (keys // shape.nodes, keys % shape.nodes),
            (kinds, _names("e", self.edge_labels)),
            None,
            directed=shape.directed,
        )

    @property
    def shape(self) -> Shape:
        """The given sizes, completed by those of `like`."""
        base = PUBLISHED[self.like]
        given = {name: getattr(self, name) for name in Shape._fields if getattr(self, name) is not None}
        if "nodes" not in given and "edges" not in given:  # sizes that are not given follow from those that are
            given |= {"nodes": max(2, round(base.nodes * self.scale)), "edges": round(base.edges * self.scale)}
        elif "nodes" not in given:
            given["nodes"] = max(2, round(base.nodes * given["edges"] / base.edges))
        elif "edges" not in given:
            given["edges"] = round(base.edges * given["nodes"] / base.nodes)
        return base._replace(**given)


def _names(letter: str, count: int) -> tuple[str, ...]:
    width = len(str(max(1, count)))
    return tuple(f"{letter}{number:0{width}}" for number in range(1, count + 1)) or ("",)


def _labels(shape: Shape, rng: np.random.Generator) -> Ints:
    """The label of each node; every label occurs if there are enough nodes."""
    count = max(1, shape.labels)
    if shape.spread == "normal":
        drawn = np.clip(np.rint(rng.normal((count - 1) / 2, count / 6, shape.nodes)), 0, count - 1).astype(np.int64)
    else:
        chances = 1.0 / np.arange(1, count + 1) if shape.spread == "zipf" else np.ones(count)
        drawn = np.searchsorted(np.cumsum(chances / chances.sum())[:-1], rng.random(shape.nodes), side="right")
    first = min(count, shape.nodes)
    drawn[:first] = np.arange(first)
    return rng.permutation(drawn)


def _edge_labels(count: int, exponent: float, size: int, rng: np.random.Generator) -> Ints:
    """The label of each edge."""
    if exponent == 0:
        return rng.integers(count, size=size)
    chances = np.arange(1, count + 1) ** -exponent
    return np.searchsorted(np.cumsum(chances / chances.sum())[:-1], rng.random(size), side="right")


def _weights(shape: Shape, exponent: float, rng: np.random.Generator) -> Floats:
    """The expected degrees, in random order."""
    weights = np.arange(1, shape.nodes + 1, dtype=np.float64) ** (-1.0 / (exponent - 1.0))
    mean = 2 * shape.edges / shape.nodes
    weights *= mean / weights.mean()
    # a pair is expected to have w_i w_j / sum(w) edges, so no degree may exceed the root of the sum
    return rng.permutation(np.minimum(weights, np.sqrt(2 * max(1, shape.edges))))


class _Draw:
    """Draws pairs of nodes, with repetitions."""

    def __init__(self, shape: Shape, labels: Ints, weights: Floats, rng: np.random.Generator) -> None:
        self._shape, self._labels, self._rng = shape, labels, rng
        self._by_label = np.argsort(labels, kind="stable")
        self._sums = np.concatenate(([0.0], np.cumsum(weights[self._by_label])))
        bounds = np.concatenate(([0], np.cumsum(np.bincount(labels))))
        self._lowest, self._highest = self._sums[bounds[:-1]], self._sums[bounds[1:]]

    def by_degree(self, count: int) -> tuple[Ints, Ints]:
        """Pairs by degree, a share of them within one label."""
        total = self._sums[-1]
        start = self._nodes(self._rng.random(count) * total)
        uniform = self._rng.random(count)
        label = self._labels[start]
        within = self._lowest[label] + uniform * (self._highest[label] - self._lowest[label])
        same_label = self._rng.random(count) < self._shape.same
        return start, self._nodes(np.where(same_label, within, uniform * total))

    def closing(self, count: int, keys: Ints) -> tuple[Ints, Ints]:
        """Pairs of neighbours of a node in the given edges."""
        if len(keys) == 0:
            return self.by_degree(count)
        ends = np.stack(np.divmod(keys, self._shape.nodes))
        near = np.concatenate((ends[0], ends[1]))
        order = np.argsort(near, kind="stable")
        far = np.concatenate((ends[1], ends[0]))[order]
        starts = np.concatenate(([0], np.cumsum(np.bincount(near, minlength=self._shape.nodes))))
        arc = self._rng.integers(len(far), size=count)
        middle = near[order][arc]
        other = starts[middle] + (self._rng.random(count) * (starts[middle + 1] - starts[middle])).astype(np.int64)
        return far[arc], far[other]

    def _nodes(self, places: Floats) -> Ints:
        index = np.searchsorted(self._sums, places, side="right") - 1
        return self._by_label[np.minimum(index, self._shape.nodes - 1)]


def _distinct(keys: Ints, draw: Callable[[int], tuple[Ints, Ints]], target: int, shape: Shape) -> Ints:
    """Draw pairs until there are `target` distinct ones, for at most PATIENCE rounds; a pair is one number."""
    for _ in range(PATIENCE):
        missing = target - len(keys)
        if missing <= 0:
            return keys
        start, end = draw(missing + missing // 8 + 16)
        if not shape.directed:
            start, end = np.minimum(start, end), np.maximum(start, end)
        new_keys = (start * shape.nodes + end)[start != end]
        new_keys = new_keys[
            np.sort(np.unique(new_keys, return_index=True)[1])
        ]  # in the order drawn, so that the cut is random
        keys = np.concatenate((keys, new_keys[~np.isin(new_keys, keys)][:missing]))
    return keys
