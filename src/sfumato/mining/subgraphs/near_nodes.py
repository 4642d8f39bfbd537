"""The graph whose edges join nodes within a distance, for GraMi(delta)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.graphs.arcs import NodeLabels
from sfumato.data.graphs.graph import Floats, Graph
from sfumato.errors import DataError, ParameterError
from sfumato.kernels.subgraphs.shortest_paths import within_distance
from sfumato.mining.subgraphs.graph_index import Bools
from sfumato.mining.subgraphs.search_limits import Clock, Stopped

__all__ = ["Metric", "near_graph"]

Metric = Callable[[Graph, int], Floats]
"""The distances from a node to every node, infinite where there is no path."""

_MOST_PAIRS = 1 << 24  # one or two gigabytes during sorting and indexing
_NODES = 1 << 9  # nodes between two checks of the clock


def near_graph(graph: Graph, distance: float, metric: str | Metric, ends: Bools, clock: Clock) -> Graph:
    """Edges without labels from every node to those within the distance, in directed graphs along the arcs.

    metric : ``hops``, ``weights`` (the sum along a path) or a function.  ends : bool[nodes], the nodes to join;
    paths may lead through the others.  The comparison tolerates rounding errors.

    >>> path = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> near_graph(path, 2, "hops", np.ones(4, dtype=bool), Clock(None)).n_edges
    5
    """
    if callable(metric):
        start, end = _by_function(graph, distance, metric, np.flatnonzero(ends), clock)
    else:
        start, end = _by_paths(graph, distance, metric, ends, clock)
    if not graph.directed:
        forward = start < end
        start, end = start[forward], end[forward]
    return Graph.of_arrays(
        graph.nodes,
        NodeLabels(graph.label_offsets, graph.labels, graph.label_names),
        (start, end),
        (np.zeros(len(start), dtype=np.int32), ("",)),
        None,
        directed=graph.directed,
    )


def _by_paths(graph: Graph, distance: float, metric: str, ends: Bools, clock: Clock) -> tuple[Ints, Ints]:
    arcs = graph.out
    if metric == "hops":
        weights = np.ones(len(arcs.neighbours))
    elif arcs.weights is None:
        raise DataError("FrequentSubgraphs: wanted a graph with weights for metric='weights', found none; use 'hops'")
    else:
        weights = np.array(arcs.weights)
    offsets, neighbours = np.array(arcs.offsets), np.array(arcs.neighbours)
    sources = np.flatnonzero(ends)
    reach, parts, total = distance * (1 + 1e-12), [], 0
    for first in range(0, len(sources), _NODES):
        batch = sources[first : first + _NODES]
        pairs_of_batch = within_distance(offsets, neighbours, weights, batch, ends, reach, _MOST_PAIRS - total)
        parts.append(pairs_of_batch)
        total += len(pairs_of_batch)
        clock.check()
        if total >= _MOST_PAIRS:
            raise Stopped("memory")
    pairs = np.concatenate(parts) if parts else np.empty((0, 2), dtype=np.int32)
    return pairs[:, 0], pairs[:, 1]


def _by_function(graph: Graph, distance: float, metric: Metric, nodes: Ints, clock: Clock) -> tuple[Ints, Ints]:
    starts, ends, total = [], [], 0
    for node in nodes:
        distances = np.asarray(metric(graph, int(node)), dtype=np.float64)
        if distances.shape != (len(graph),):
            raise ParameterError(
                f"FrequentSubgraphs: wanted {len(graph)} distances from the metric, one for each node, found shape "
                f"{distances.shape}"
            )
        near = nodes[distances[nodes] <= distance * (1 + 1e-12)]
        near = near[near != node]
        starts.append(np.full(len(near), node))
        ends.append(near)
        total += len(near)
        clock.check()
        if total >= _MOST_PAIRS:
            raise Stopped("memory")
    no_nodes = np.empty(0, dtype=np.int64)
    start, end = np.concatenate([no_nodes, *starts]), np.concatenate([no_nodes, *ends])
    if not graph.directed:
        forward, backward = np.unique(start * len(graph) + end), np.unique(end * len(graph) + start)
        if not np.array_equal(forward, backward):
            raise ParameterError(
                "FrequentSubgraphs: wanted a symmetric metric for an undirected graph, found different distances "
                "in the two directions"
            )
    return start, end
