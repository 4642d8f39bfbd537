"""Patterns with one edge more or less: every pattern is the extension of one, and its parts are its parts."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.mining.subgraphs.graph_index import KindsByLabel
from sfumato.mining.subgraphs.pattern_extension import Shape, columns


def all_kinds(n_labels: int, n_looks: int):
    rows = np.array(
        [(a, k, b) for a in range(n_labels) for k in range(n_looks) for b in range(n_labels)], dtype=np.int32
    )
    begin = np.arange(n_labels + 1, dtype=np.int64) * n_looks * n_labels
    return KindsByLabel(begin, rows[:, 1].copy(), rows[:, 2].copy())


def edges_of(rng, directed: bool):
    """A random connected pattern: labels and edges."""
    n = int(rng.integers(2, 6))
    edges = {(int(rng.integers(v)), v) for v in range(1, n)}
    edges |= {tuple(sorted(map(int, rng.choice(n, 2, replace=False)))) for _ in range(int(rng.integers(3)))}
    turned = [(b, a, 0) if directed and rng.random() < 0.5 else (a, b, 0) for a, b in sorted(edges)]
    return rng.integers(2, size=n).astype(np.int32), turned


@pytest.mark.parametrize("directed", [False, True])
def test_every_pattern_extends_the_one_without_its_newest_edge(directed: bool) -> None:
    rng = np.random.default_rng(3)
    kinds = all_kinds(2, 2 if directed else 1)
    for _ in range(60):
        labels, edges = edges_of(rng, directed)
        shape, _ = Shape.of(labels, *columns(edges), directed)
        if shape.n_edges == 1:
            continue
        code = np.frombuffer(shape.parent, dtype=np.int32).reshape(-1, 4).copy()
        parent = Shape(directed, code, np.arange(code[0, 0]))
        grown = list(parent.extensions(kinds, lambda _shape: True))
        matching = [one for one in grown if one.name == shape.name]
        assert len(matching) == 1
        assert matching[0].orbit.tolist() == shape.orbit.tolist()
        assert len({one.name for one in grown}) == len(grown)
        for one in grown:  # each has the smallest code of its pattern
            assert Shape.of(one.labels, *columns(one.edges), directed)[0].name == one.name


@pytest.mark.parametrize("directed", [False, True])
def test_parts_have_one_edge_less_and_say_where_they_lie(directed: bool) -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        labels, edges = edges_of(rng, directed)
        shape, _ = Shape.of(labels, *columns(edges), directed)
        wanted = {}
        for removed in range(shape.n_edges):
            rest = [edge for e, edge in enumerate(shape.edges) if e != removed]
            nodes = sorted({node for edge in rest for node in edge[:2]})
            if not rest or not connected(rest, nodes):
                continue
            renamed = [(nodes.index(a), nodes.index(b), label) for a, b, label in rest]
            part, order = Shape.of(shape.labels[nodes], *columns(renamed), directed)
            wanted[removed] = (part.name, [nodes[place] for place in order])
        assert [(name, nodes.tolist()) for name, nodes in shape.smaller()] == list(wanted.values())


def connected(edges, nodes) -> bool:
    reached = {nodes[0]}
    for _ in nodes:
        reached |= {v for a, b, _ in edges for v in (a, b) if {a, b} & reached}
    return reached == set(nodes)
