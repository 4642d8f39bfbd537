"""Pieces and spanning trees, against walking the graph."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.roads.components import components, spanning_edges

graphs = st.integers(1, 12).flatmap(
    lambda nodes: st.tuples(
        st.just(nodes), st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=20)
    )
)


def walked(nodes: int, edges: list[tuple[int, int]]) -> list[frozenset[int]]:
    """The piece of every node, by walking."""
    found = []
    for node in range(nodes):
        piece, waiting = {node}, [node]
        while waiting:
            here = waiting.pop()
            for pair in edges:
                fresh = set(pair) - piece if here in pair else set()
                piece |= fresh
                waiting += fresh
        found.append(frozenset(piece))
    return found


def ends(edges: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()


@given(graphs)
def test_pieces_are_what_can_be_walked(graph: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = graph
    piece = components(nodes, *ends(edges))
    pieces = walked(nodes, edges)
    assert [piece[node] for node in range(nodes)] == [
        sorted({min(other) for other in pieces}).index(min(pieces[node])) for node in range(nodes)
    ]


@given(graphs)
def test_a_tree_joins_what_hangs_together_and_nothing_twice(graph: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = graph
    joins = spanning_edges(nodes, *ends(edges))
    tree = [edge for edge, joined in zip(edges, joins, strict=True) if joined]
    assert walked(nodes, tree) == walked(nodes, edges)
    assert len(tree) == nodes - len(set(walked(nodes, edges)))
