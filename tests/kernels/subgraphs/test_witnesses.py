"""Occurrences extended by an edge, beside all occurrences by the definition."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.kernels.subgraphs.domains import OUT, VALID
from sfumato.kernels.subgraphs.witnesses import Witnesses, extend_witnesses
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.pattern_extension import Shape, columns
from twins.subgraphs import Plain, maps, random_graph

TRIANGLE = [(0, 1, 0), (1, 2, 0), (2, 0, 0)]
STAR = [(0, 1, 0), (0, 2, 0), (0, 3, 0)]


@pytest.mark.parametrize("edges", [TRIANGLE, STAR])
@pytest.mark.parametrize("seed", range(12))
def test_all_occurrences_of_the_parent_give_all_of_the_pattern(edges: list, seed: int) -> None:
    graph = random_graph(np.random.default_rng(seed), n_labels=0, n_edge_labels=0, max_nodes=7, max_edges=14)
    index = Index.of(graph, 1, np.ones(1, dtype=bool), np.ones(1, dtype=bool))
    n = max(max(edge[:2]) for edge in edges) + 1
    shape, _ = Shape.of(np.zeros(n, dtype=np.int32), *columns(edges), False)
    csp = Csp(index, shape, [[] for _ in range(n)], symmetric=False)
    smaller = 3 if n == 4 else n
    parent = [(i, j, "") for i, j, _ in shape.edges[:-1]]
    plain = Plain.of(graph)
    parents = np.array(list(maps(plain, [""] * smaller, parent)), dtype=np.int32).reshape(-1, smaller)
    kept = Witnesses(np.empty((200, n), dtype=np.int32), np.zeros(1, dtype=np.int64))
    source, target, look, label = (int(number) for number in shape.code[-1])
    taken, image = np.zeros(len(graph), dtype=np.int32), np.empty(n, dtype=np.int32)
    edge = (source, target, index.kind(look, label))
    extend_witnesses(index.graph, csp.row, csp.domains, parents, edge, taken, image, kept, 1 << 62)
    wanted = set(maps(plain, [""] * n, [(i, j, "") for i, j, _ in shape.edges]))
    assert {tuple(row) for row in kept.images[: kept.used[0]].tolist()} <= wanted
    for node in range(n):
        assert set(np.flatnonzero(csp.inside[node] == VALID).tolist()) == {one[node] for one in wanted}
        assert csp.valid[node] == (csp.inside[node] == VALID).sum()
    assert (csp.inside[:, :] != OUT).sum() == csp.sizes.sum()
    assert not taken.any()
