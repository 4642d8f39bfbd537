"""What is left of a pattern and where it has room: beside all simple paths."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.subgraphs.between import left_beyond, new_buffers, nodes_between, path_beyond

N = 8
EDGES = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=16)
NODES = st.lists(st.booleans(), min_size=N, max_size=N)


def arrays(edges, n=N):
    arcs = sorted({(a, b) for i, j in edges if i != j for a, b in ((i, j), (j, i))})
    counts = np.bincount([a for a, _ in arcs], minlength=n) if arcs else np.zeros(n, dtype=np.int64)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), np.array([b for _, b in arcs], dtype=np.int64)


def remaining(edges, allowed, free, ends):
    graph = nx.Graph((a, b) for a, b in edges if a != b)
    graph.add_nodes_from(ends)
    return graph.subgraph([v for v in graph if v in ends or (allowed[v] and free[v])])


@given(EDGES, NODES, NODES)
def test_nodes_on_simple_paths_between_two(edges, allowed, free) -> None:
    inside = np.array([allowed], dtype=np.uint8)
    taken = np.array([0 if ok else v + 1 for v, ok in enumerate(free)], dtype=np.int32)
    buffers = new_buffers(N)
    found, blame = nodes_between((*arrays(edges), N), inside, taken, 0, 1, buffers)
    paths = nx.all_simple_paths(remaining(edges, allowed, free, (0, 1)), 0, 1)
    assert found == len({node for path in paths for node in path} - {0, 1})
    assert not buffers.order.any()
    assert all(taken[v] for v in range(N) if blame >> v & 1)


@given(EDGES, NODES, NODES)
def test_no_simple_path_is_longer_and_in_trees_one_is_as_long(edges, allowed, free) -> None:
    inside = np.array([allowed], dtype=np.uint8)
    taken = np.array([0 if ok else v + 1 for v, ok in enumerate(free)], dtype=np.int32)
    buffers = new_buffers(N)
    found, _ = path_beyond((*arrays(edges), N), inside, taken, 0, buffers)
    graph = remaining(edges, allowed, free, (0,))
    part = graph.subgraph(nx.node_connected_component(graph, 0))
    longest = max((len(path) - 1 for v in part if v != 0 for path in nx.all_simple_paths(part, 0, v)), default=0)
    assert longest <= found < len(part)
    assert found == longest or not nx.is_tree(part)
    assert not buffers.order.any()


@given(EDGES, NODES)
def test_who_is_to_blame_suffices(edges, free) -> None:
    """With the nodes that are not to blame free again, there is no more room."""
    graph, inside = (*arrays(edges), N), np.ones((1, N), dtype=np.uint8)
    taken = np.array([0 if ok else v + 1 for v, ok in enumerate(free)], dtype=np.int32)
    found, blame = nodes_between(graph, inside, taken, 0, 1, new_buffers(N))
    fewer = np.array([depth if depth and blame >> (depth - 1) & 1 else 0 for depth in taken], dtype=np.int32)
    assert nodes_between(graph, inside, fewer, 0, 1, new_buffers(N))[0] == found


def test_what_is_left_of_a_cycle_and_of_a_tree() -> None:
    ring = [(v, (v + 1) % 5) for v in range(5)]
    order = np.arange(5, dtype=np.int64)[None]
    other, needed = left_beyond(*arrays(ring, 5), order, False)
    assert (other.tolist(), needed.tolist()) == ([[-1, 0, 0, 0, -1]], [[0, 3, 2, 1, 0]])
    tree = [(0, 1), (1, 2), (1, 3), (3, 4)]
    other, needed = left_beyond(*arrays(tree, 5), order, True)
    assert (other.tolist(), needed.tolist()) == ([[-1] * 5], [[3, 2, 0, 1, 0]])
