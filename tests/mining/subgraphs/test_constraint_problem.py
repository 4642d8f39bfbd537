"""Domains of a pattern's nodes after node and arc consistency, as GraMi has it and with different neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.data.graphs.graph import Graph
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.pattern_extension import Shape, columns

# x has two neighbours A, y one A and one B, z one A
GRAPH = Graph.from_edges(
    [("x", "a1"), ("x", "a2"), ("y", "a1"), ("y", "b"), ("z", "a2")],
    {"x": "C", "y": "C", "z": "C", "a1": "A", "a2": "A", "b": "B"},
)


@pytest.mark.parametrize(("distinct", "centres"), [(True, ["x"]), (False, ["x", "y"])])
def test_a_centre_with_two_neighbours_of_one_label(distinct: bool, centres: list[str]) -> None:
    index = Index.of(GRAPH, 1, np.ones(3, dtype=bool), np.ones(1, dtype=bool))
    label = {name: number for number, name in enumerate(GRAPH.label_names)}
    labels = np.array([label["C"], label["A"], label["A"]], dtype=np.int32)
    star, _ = Shape.of(labels, *columns([(0, 1, 0), (0, 2, 0)]), False)
    csp = Csp(index, star, [[]] * 3, symmetric=False, distinct=distinct)
    assert csp.consistent(1)
    centre = star.labels.tolist().index(label["C"])
    assert sorted(GRAPH.nodes[int(node)] for node in csp.remaining()[centre]) == centres
    if not distinct:
        assert index.degrees.tolist() == [len(index_neighbours(name)) for name in GRAPH.nodes]


def index_neighbours(name: str) -> set[str]:
    edges = [("x", "a1"), ("x", "a2"), ("y", "a1"), ("y", "b"), ("z", "a2")]
    return {other for edge in edges if name in edge for other in edge if other != name}
