"""GraMi (PVLDB 2014): what its text says about Figures 1 and 2 and after Proposition 3, to the letter.

The figures are pictures; the graph below has the nodes, labels and edges that the text names.  The one label that it
does not name, of the edge between u1 and u2, is such that Example 3 comes out.
"""

from __future__ import annotations

import pytest

from sfumato.data import Graph
from sfumato.mining import Pattern, frequent_subgraphs
from twins.subgraphs import Plain, form, maps, mis, mni

LABELS = {"DB": ("u1", "u5", "u6"), "IR": ("u0", "u3", "u4", "u8", "u9"), "DM": ("u2", "u7")}
EDGES = [
    ("u0", "u1", 4), ("u1", "u3", 4), ("u1", "u2", 1), ("u2", "u3", 20), ("u3", "u4", 10), ("u4", "u5", 4),
    ("u6", "u8", 4), ("u7", "u8", 20), ("u8", "u9", 10),
]  # fmt: skip
GRAPH = Graph.from_edges(
    EDGES, {f"u{n}": next(label for label, nodes in LABELS.items() if f"u{n}" in nodes) for n in range(10)}
)
S1 = (("DB", "IR", "IR"), ((0, 1, "4"), (1, 2, "10")))
S2 = (("DB", "IR", "DM"), ((0, 1, "4"), (1, 2, "20"), (0, 2, "1")))
P1 = (("DM", "IR", "DB"), ((0, 1, ""), (1, 2, ""), (0, 2, "")))


def named(pattern: tuple) -> set[tuple[str, ...]]:
    return {tuple(GRAPH.nodes[node] for node in image) for image in maps(Plain.of(GRAPH), *pattern)}


def mined(pattern: tuple, support: int, **asked: object) -> Pattern | None:
    graph = asked.pop("graph", GRAPH)
    wanted = form(*pattern, False)
    found = frequent_subgraphs(graph, support, exact=True, **asked)
    return next((one for one in found if form(one.labels, one.edges, False) == wanted), None)


def test_the_isomorphisms_of_figure_1() -> None:
    assert named(S1) == {("u1", "u3", "u4"), ("u5", "u4", "u3"), ("u6", "u8", "u9")}
    assert named(S2) == {("u1", "u3", "u2")}


def test_counting_isomorphisms_would_not_be_anti_monotone() -> None:
    edge = (("DB", "IR"), ((0, 1, "4"),))
    assert len(named(edge)) == 4  # more than there are nodes in databases
    assert mined(edge, 3).support == 3
    assert mined(edge, 4) is None


def test_definition_2_and_the_independent_sets_of_section_2() -> None:
    assert mni(GRAPH, *S1) == mined(S1, 3).support == 3
    assert mis(GRAPH, *S1) == mined(S1, 2, measure="mis").support == 2
    assert mined(S1, 3, measure="mis") is None


def test_example_3() -> None:
    papers = GRAPH.weighted_by_labels(inverse=True)
    lengths = {}
    for start, end, label in EDGES:
        one, other = int(start[1]), int(end[1])
        lengths |= {(one, other): 1 / label, (other, one): 1 / label}
    near = Plain.of(GRAPH).within(0.3, lengths)
    domains = [{GRAPH.nodes[image[at]] for image in maps(near, *P1)} for at in range(3)]
    assert domains == [{"u2", "u7"}, {"u3", "u8"}, {"u1", "u6"}]
    found = mined(P1, 2, graph=papers, distance=0.3, metric="weights")
    assert found is not None
    assert found.support == 2


@pytest.mark.parametrize("unique_labels", [True, False])
def test_a_triangle_is_not_in_a_ring_of_six(unique_labels: bool) -> None:
    """After Proposition 3: node and arc consistency alone would say 2."""
    ring = Graph.from_edges([(n, (n + 1) % 6) for n in range(6)], ["A", "B", "C"] * 2)
    triangle = (("A", "B", "C"), ((0, 1, ""), (1, 2, ""), (0, 2, "")))
    assert mni(ring, *triangle) == 0
    assert mined(triangle, 1, graph=ring, unique_labels=unique_labels) is None
    path = (("A", "B", "C"), ((0, 1, ""), (1, 2, "")))
    assert mined(path, 2, graph=ring, unique_labels=unique_labels).support == 2
