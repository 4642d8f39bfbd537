"""Graphs: labels and arcs in rows, what is kept out, frames, networkx."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Graph
from sfumato.data.graphs.arcs import Arcs, NodeLabels, sorted_arcs
from sfumato.errors import CallerError, DataError
from twins.subgraphs import Plain, random_graphs

TOWN = {"a": "bar", "b": ["shop", "bar"], "c": [], "d": "bar"}
WAYS = [("b", "a", "x"), ("a", "b", "y"), ("c", "a", "x"), ("a", "b", "y"), ("d", "d", "x"), ("b", "a", "y")]


def rows(arcs: Arcs) -> list[list[tuple[int, int]]]:
    pairs = list(zip(arcs.neighbours.tolist(), arcs.labels.tolist(), strict=True))
    return [pairs[a:b] for a, b in pairwise(arcs.offsets.tolist())]


def test_an_undirected_graph_by_hand() -> None:
    graph = Graph.from_edges(WAYS, TOWN)
    assert graph.nodes.to_list() == ["a", "b", "c", "d"]
    assert (graph.label_names, graph.edge_label_names) == (("bar", "shop"), ("x", "y"))
    assert (graph.label_offsets.tolist(), graph.labels.tolist()) == ([0, 1, 3, 3, 4], [0, 0, 1, 0])
    assert rows(graph.out) == [[(1, 0), (1, 1), (2, 0)], [(0, 0), (0, 1)], [(0, 0)], []]
    assert graph.into is graph.out
    assert (len(graph), graph.n_edges, graph.n_labels, graph.n_edge_labels) == (4, 3, 2, 2)
    assert (graph.self_loops, graph.duplicates) == (1, 2)
    assert graph.degrees.tolist() == [3, 2, 1, 0]
    assert repr(graph) == (
        "<Graph: 4 nodes, 3 edges, undirected, 2 node labels, 2 edge labels; excluded: 1 self-loop, 2 repeated edges>"
    )


def test_a_directed_graph_by_hand() -> None:
    graph = Graph.from_edges(WAYS, TOWN, directed=True)
    assert rows(graph.out) == [[(1, 1)], [(0, 0), (0, 1)], [(0, 0)], []]
    assert rows(graph.into) == [[(1, 0), (1, 1), (2, 0)], [(0, 1)], [], []]
    assert (graph.n_edges, graph.self_loops, graph.duplicates) == (4, 1, 1)


def test_directions_and_labels_can_be_left_out() -> None:
    graph = Graph.from_edges(WAYS, TOWN, directed=True)
    assert rows(graph.as_undirected().out) == rows(Graph.from_edges(WAYS, TOWN).out)
    plain = graph.without_edge_labels()
    assert (plain.edge_label_names, rows(plain.out)) == (("",), [[(1, 0)], [(0, 0)], [(0, 0)], []])
    # what was kept out is what was in the file, not what merged afterwards
    assert (plain.duplicates, plain.as_undirected().duplicates, plain.as_undirected().n_edges) == (1, 1, 2)


def test_one_label_a_node_or_several() -> None:
    assert Graph.from_edges([(0, 1)], ["x", "y", []]).node_labels.tolist() == [0, 1, -1]
    several = Graph.from_edges(WAYS, TOWN)
    assert not several.single_labels
    with pytest.raises(DataError, match="Graph: wanted at most one label on each node"):
        _ = several.node_labels


def test_without_labels_every_node_and_edge_carries_the_empty_one() -> None:
    for labels in (None, {0: None, 1: ""}):
        graph = Graph.from_edges([(0, 1)], labels)
        assert (graph.label_names, graph.labels.tolist(), graph.edge_label_names) == (("",), [0, 0], ("",))


def test_of_repeated_edges_the_smallest_weight_stays() -> None:
    edges = {
        "from": ["a", "b", "a", "a"],
        "to": ["b", "a", "b", "c"],
        "label": ["x", "x", "y", "x"],
        "weight": [3, 2, 1, 5],
    }
    graph = Graph.from_frames(None, edges)
    assert graph.out.weights.tolist() == [2, 1, 5, 2, 1, 5]
    assert graph.without_edge_labels().out.weights.tolist() == [1, 5, 1, 5]
    way = Graph.from_frames(None, edges, directed=True)
    assert (way.out.weights.tolist(), way.into.weights.tolist()) == ([3, 1, 5, 2], [2, 3, 1, 5])
    assert way.as_undirected().out.weights.tolist() == graph.out.weights.tolist()


def test_weights_from_labels() -> None:
    graph = Graph.from_edges([("a", "b", 4), ("b", "c", 20)])
    assert graph.weighted_by_labels().out.weights.tolist() == [4, 4, 20, 20]
    for labels, inverse in ((["x"], False), (["0"], True), (["-1"], False), ([""], False)):
        wrong = Graph.from_edges([("a", "b", label) for label in labels])
        with pytest.raises(DataError, match=r"as labels of the edges, found 1 of 1 that are not$"):
            wrong.weighted_by_labels(inverse=inverse)


@pytest.mark.parametrize("graph", random_graphs(6, seed=7), ids=repr)
def test_frames_come_and_go(graph: Graph) -> None:
    again = Graph.from_frames(*graph.to_frames(), directed=graph.directed)
    assert Plain.of(again) == Plain.of(graph)
    assert again.nodes.to_list() == graph.nodes.to_list()
    assert (again.label_names, again.edge_label_names) == (graph.label_names, graph.edge_label_names)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from("xy")), min_size=1, max_size=14),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_edges_does_not_matter(
    edges: list[tuple[int, int, str]], directed: bool, shuffle: Any
) -> None:
    labels = [f"l{node % 2}" for node in range(6)]
    graph = Graph.from_edges(edges, labels, directed=directed)
    distinct = {edge if directed else (*sorted(edge[:2]), edge[2]) for edge in edges if edge[0] != edge[1]}
    assert graph.n_edges == len(distinct)
    assert graph.n_edges + graph.self_loops + graph.duplicates == len(edges)
    both = distinct if directed else distinct | {(b, a, name) for a, b, name in distinct}
    assert Plain.of(graph).edges == both
    shuffled = list(edges)
    shuffle.shuffle(shuffled)
    other = Graph.from_edges(shuffled, labels, directed=directed)
    for one, two in zip((*graph.out[:3], *graph.into[:3]), (*other.out[:3], *other.into[:3]), strict=True):
        assert one.tolist() == two.tolist()


def test_very_many_labels_do_not_overflow() -> None:
    start, end = np.array([5, 1, 5, 0]), np.array([1, 5, 1, 2])
    label, weight = np.array([3, 0, 3, 1]), np.array([2.0, 1.0, 1.0, 0.0])
    for weights in (None, weight):
        small = sorted_arcs(6, start, end, label, weights, 4)
        large = sorted_arcs(6, start, end, label, weights, 2**60)  # too many for one key
        assert [None if part is None else part.tolist() for part in small] == [
            None if part is None else part.tolist() for part in large
        ]


def test_arrays_are_locked_and_frames_untouched() -> None:
    edges = pl.DataFrame({"from": ["a"], "to": ["b"]})
    graph = Graph.from_frames(None, edges)
    assert edges.columns == ["from", "to"]
    for array in (graph.labels, graph.label_offsets, *graph.out[:3]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


CUT = "found nothing (is the file cut off?)"
PAIR = {"from": ["a"], "to": ["b"]}


@pytest.mark.parametrize(
    ("nodes", "edges", "problem"),
    [
        (None, {"from": ["a"]}, "the edges: wanted the columns from, to, found from"),
        ({"name": ["a"]}, PAIR, "the nodes: wanted the columns node, found name"),
        (
            {"node": ["a", "b"]},
            {"from": ["a", "a"], "to": ["b", "c"]},
            "the edges, row 2: wanted an edge between nodes of the graph, found an unknown node",
        ),
        (None, {"from": ["a", None], "to": ["b", "c"]}, f"the edges, row 2: wanted a from, {CUT}"),
        ({"node": ["a", ""]}, PAIR, f"the nodes, row 2: wanted a node, {CUT}"),
        (None, {"from": [], "to": []}, "the nodes: wanted at least one node, found none"),
        (
            None,
            {**PAIR, "weight": [-1]},
            "the edges, row 1: wanted weight as a number of at least 0, found something else",
        ),
    ],
)
def test_what_is_no_graph_is_refused(nodes: Any, edges: Any, problem: str) -> None:
    with pytest.raises(DataError) as refused:
        Graph.from_frames(nodes, edges)
    assert str(refused.value) == problem


def test_edges_are_pairs_or_triples() -> None:
    with pytest.raises(DataError, match=r"Graph: wanted edges as \(from, to\) or \(from, to, label\)"):
        Graph.from_edges([("a", "b", "c", "d")])
    with pytest.raises(DataError, match="Graph: wanted weights of at least 0"):
        Graph.of_arrays(
            pl.Series(["a", "b"]),
            NodeLabels(np.arange(3), np.zeros(2), ("",)),
            (np.array([0]), np.array([1])),
            (np.array([0]), ("",)),
            np.array([np.nan]),
            directed=False,
        )
    with pytest.raises(DataError, match="Graph: 1 nodes, 0 of them with labels, 0 with arcs"):
        Graph(False, pl.Series(["a"]), [0], [], (), Arcs([0], [], []))


def test_graphs_of_networkx() -> None:
    asked = networkx.DiGraph()
    asked.add_nodes_from([("a", {"label": "bar"}), ("b", {"label": ["bar", "shop"]}), ("c", {})])
    asked.add_edges_from([("a", "b", {"label": ["x", "y"], "weight": 2}), ("b", "c", {"weight": 1})])
    graph = Graph.from_networkx(asked)
    assert graph.directed
    assert Plain.of(graph).labels == (frozenset({"bar"}), frozenset({"bar", "shop"}), frozenset())
    assert Plain.of(graph).edges == {(0, 1, "x"), (0, 1, "y"), (1, 2, "")}
    assert graph.out.weights.tolist() == [2, 2, 1]
    bare = Graph.from_networkx(networkx.path_graph(2))
    assert not bare.directed
    assert (bare.label_names, bare.edge_label_names, bare.out.weights) == (("",), ("",), None)


def test_to_networkx() -> None:
    graph = Graph.from_edges([("a", "b", "x"), ("a", "b", "y")], {"a": "bar", "b": ["bar", "shop"], "c": []})
    made = graph.to_networkx()
    assert type(made) is networkx.MultiGraph
    assert dict(made.nodes(data=True)) == {"a": {"label": "bar"}, "b": {"label": ["bar", "shop"]}, "c": {}}
    assert list(made.edges(data=True)) == [("a", "b", {"label": "x"}), ("a", "b", {"label": "y"})]
    back = Graph.from_networkx(made)
    assert (Plain.of(back).labels, Plain.of(back).edges) == (Plain.of(graph).labels, Plain.of(graph).edges)
    weighted = Graph.from_frames(None, {"from": ["a"], "to": ["b"], "weight": [2.0]}, directed=True).to_networkx()
    assert type(weighted) is networkx.DiGraph
    assert (list(weighted.nodes), list(weighted.edges(data=True))) == (["a", "b"], [("a", "b", {"weight": 2.0})])


def test_a_missing_networkx_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("sfumato.data.graphs.frames.import_module", absent)
    with pytest.raises(CallerError, match="Graph: networkx is not installed: pip install networkx"):
        Graph.from_edges([(0, 1)]).to_networkx()
