"""Generated graphs: sizes, labels, skew, triangles."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.errors import Infeasible, ParameterError
from sfumato.generate import Graph
from sfumato.generate.graph import PUBLISHED


@pytest.mark.parametrize("like", PUBLISHED)
def test_sizes_and_label_counts_as_published(like: str) -> None:
    published = PUBLISHED[like]
    scale = min(1.0, 4000 / published.nodes)
    graph = Graph(like=like, scale=scale).make(seed=3)
    assert len(graph) == round(published.nodes * scale)
    assert graph.n_edges == round(published.edges * scale)
    assert len(np.unique(graph.labels)) == min(published.labels, len(graph))
    assert (graph.directed, graph.self_loops, graph.duplicates) == (published.directed, 0, 0)


def test_the_other_size_follows() -> None:
    assert Graph(like="mico", nodes=1000).shape.edges == 10_803
    assert Graph(like="mico", edges=10_803).shape.nodes == 1000


def test_a_scale_of_what() -> None:
    for size in ({"nodes": 100}, {"edges": 100}):
        with pytest.raises(ParameterError, match="Graph: wanted scale with the sizes of like='mico'"):
            Graph(scale=0.5, **size)


def test_a_seed_repeats() -> None:
    one, two, three = (Graph(nodes=40, edges=90, edge_labels=2).make(seed=seed) for seed in (1, 1, 2))
    assert [part.tolist() for part in one.out[:3]] == [part.tolist() for part in two.out[:3]]
    assert one.labels.tolist() == two.labels.tolist()
    assert one.out.neighbours.tolist() != three.out.neighbours.tolist()


def test_degrees_are_skewed_and_the_exponent_tames_them() -> None:
    steep, tame = (Graph(like="twitter", nodes=3000, edges=15_000, exponent=e).make(seed=1) for e in (2.1, 50))
    tops = [np.sort(graph.degrees)[-30:].sum() / graph.n_edges for graph in (steep, tame)]
    assert tops[0] > 0.15
    assert tops[1] < 0.05


def test_labels_attract_and_spread() -> None:
    def alike(share: float) -> float:
        graph = Graph(like="citeseer", labels=20, same=share, closing=0).make(seed=1)
        start, end, _, _ = graph.edges()
        return float(np.mean(graph.labels[start] == graph.labels[end]))

    assert alike(0.0) < 0.1
    assert 0.4 < alike(0.4) < 0.55
    for spread, most in (("even", (0.04, 0.06)), ("normal", (0.1, 0.15)), ("zipf", (0.25, 0.3))):
        graph = Graph(nodes=20_000, edges=100, labels=20, spread=spread).make(seed=1)
        share = np.bincount(graph.labels).max() / len(graph)
        assert most[0] < share < most[1]


def test_triangles_close() -> None:
    def triangles(closing: float) -> int:
        graph = Graph(nodes=300, edges=900, same=0, closing=closing, exponent=20).make(seed=1)
        near = np.zeros((300, 300), dtype=np.int64)
        start, end, _, _ = graph.edges()
        near[start, end] = near[end, start] = 1
        return int(np.trace(near @ near @ near)) // 6

    assert triangles(0.5) > 4 * triangles(0.0)
    assert Graph(nodes=10_000, edges=20, closing=0.9).make(seed=1).n_edges == 20  # two edges have no triangle to close


def test_small_and_full_graphs() -> None:
    full = Graph(nodes=6, edges=15, labels=0, exponent=9).make(seed=1)
    assert (full.n_edges, full.label_names, full.degrees.tolist()) == (15, ("",), [5] * 6)
    assert Graph(nodes=2, edges=0).make(seed=1).n_edges == 0
    with pytest.raises(Infeasible, match="Graph: wanted at most 15 edges between 6 nodes, found 16"):
        Graph(nodes=6, edges=16).make(seed=1)
    with pytest.raises(Infeasible, match="Graph: wanted 40 distinct edges, found fewer between 10 nodes"):
        Graph(nodes=10, edges=40, labels=5, spread="even", same=1.0, closing=0).make(seed=1)
