"""Blocks of a graph: beside networkx, and what fits into them."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.subgraphs.blocks import blocks, keep_in_blocks
from sfumato.kernels.subgraphs.domains import Domains, Removed

EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 1)), max_size=25)


def arrays(edges, n):
    """Offsets and keys of an undirected graph with two kinds of edges."""
    arcs = sorted({(a, k * n + b) for i, j, k in edges if i != j for a, b in ((i, j), (j, i))})
    starts = np.bincount([a for a, _ in arcs], minlength=n) if arcs else np.zeros(n, dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(starts))).astype(np.int64)
    return offsets, np.array([key for _, key in arcs], dtype=np.int64)


@given(EDGES, st.lists(st.booleans(), min_size=10, max_size=10), st.sampled_from([(True, True), (True, False)]))
def test_networkx_finds_the_same(edges, allowed, wanted) -> None:
    nodes, ends = blocks(*arrays(edges, 10), 10, np.array(allowed), np.array(wanted))
    graph = nx.Graph((i, j) for i, j, k in edges if i != j and wanted[k] and allowed[i] and allowed[j])
    found = sorted(sorted(part.tolist()) for part in np.split(nodes, ends[:-1]) if len(part))
    assert found == sorted(sorted(part) for part in nx.biconnected_components(graph))


def test_a_cycle_needs_a_block_with_room() -> None:
    # a triangle 0 1 2 and a square 3 4 5 6, joined by 2-3: four nodes of one domain fit into the square alone
    edges = [(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, 0), (3, 4, 0), (4, 5, 0), (5, 6, 0), (6, 3, 0)]
    offsets, keys = arrays(edges, 7)
    inside = np.ones((1, 7), dtype=np.uint8)
    domains = Domains(inside, np.arange(7, dtype=np.int32), np.array([0, 7]), np.array([7]), np.array([0]))
    removed = Removed(np.empty(8, dtype=np.int64), np.empty(8, dtype=np.int64), np.zeros(2, dtype=np.int64))
    found = blocks(offsets, keys, 7, np.ones(7, dtype=bool), np.ones(1, dtype=bool))
    keep_in_blocks(domains, removed, np.array([0]), np.array([4]), *found)
    assert inside[0].tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert domains.sizes.tolist() == [4]
    assert sorted(removed.nodes[:3].tolist()) == [0, 1, 2]
