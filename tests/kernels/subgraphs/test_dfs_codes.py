"""Minimum DFS codes: the same for isomorphic patterns, different for others; symmetries; beside all numberings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from sfumato.kernels.subgraphs.dfs_codes import canonical
from twins.subgraphs import form


def of(labels, edges, directed: bool):
    one, other, name = np.array(edges, dtype=np.int32).reshape(-1, 3).T.copy()
    return canonical(np.array(labels, dtype=np.int32), one, other, name, directed, np.empty((0, 4), dtype=np.int32))


def code(labels, edges, directed: bool) -> list:
    return of(labels, edges, directed)[0].tolist()


def drawn(rng: np.random.Generator, directed: bool):
    """A connected pattern of at most five nodes, perhaps with several edges between two of them."""
    n = int(rng.integers(2, 6))
    pairs = [(int(rng.integers(v)), v) for v in range(1, n)]
    pairs += [tuple(int(v) for v in rng.permutation(n)[:2]) for _ in range(int(rng.integers(0, 4)))]
    edges = set()
    for a, b in pairs:
        if rng.random() < 0.5:
            a, b = b, a
        label = int(rng.integers(2)) if rng.random() < 0.5 else 0
        edges.add((a, b, label) if directed or a < b else (b, a, label))
    return rng.integers(2, size=n).tolist(), sorted(edges)


def renumbered(labels, edges, new):
    return [labels[new.index(v)] for v in range(len(labels))], [(new[a], new[b], label) for a, b, label in edges]


def test_by_hand() -> None:
    rows, order, orbit = of([1, 0, 1], [(0, 1, 7), (1, 2, 7)], directed=False)
    assert rows.tolist() == [[3, 2, 0, 0], [0, 1, 7, 1], [0, 2, 7, 1]]
    assert (order[0], orbit[0] == orbit[2], orbit[0] == orbit[1]) == (1, True, False)
    # a triangle 0 -> 1 -> 2 -> 0 closes with an edge seen from its end
    assert code([0, 0, 0], [(0, 1, 0), (1, 2, 0), (2, 0, 0)], directed=True)[1:] == [
        [0, 1, 0, 0],
        [1, 2, 0, 0],
        [2, 0, 0, 0],
    ]


@pytest.mark.parametrize("directed", [False, True])
def test_equal_for_isomorphic_patterns_alone(directed: bool) -> None:
    rng = np.random.default_rng(5)
    by_form: dict = {}
    for _ in range(300):
        labels, edges = drawn(rng, directed)
        codes = code(labels, edges, directed)
        for _ in range(3):
            turned = renumbered(labels, edges, rng.permutation(len(labels)).tolist())
            if not directed:
                turned = (
                    turned[0],
                    [(b, a, label) if rng.random() < 0.5 else (a, b, label) for a, b, label in turned[1]],
                )
            rng.shuffle(turned[1])
            assert code(*turned, directed) == codes
        named = form([str(label) for label in labels], [(a, b, str(label)) for a, b, label in edges], directed)
        assert by_form.setdefault(named, codes) == codes
    assert len({str(codes) for codes in by_form.values()}) == len(by_form) > 100


@pytest.mark.parametrize("directed", [False, True])
def test_orbits(directed: bool) -> None:
    rng = np.random.default_rng(6)
    for _ in range(300):
        labels, edges = drawn(rng, directed)
        there = set(edges) | (set() if directed else {(b, a, label) for a, b, label in edges})
        exchanged = {
            (v, new[v])
            for new in permutations(range(len(labels)))
            if all(labels[v] == labels[new[v]] for v in range(len(labels)))
            and all((new[a], new[b], label) in there for a, b, label in edges)
            for v in range(len(labels))
        }
        orbit = of(labels, edges, directed)[2]
        same = {(v, w) for v in range(len(labels)) for w in range(len(labels)) if orbit[v] == orbit[w]}
        assert same == exchanged


def test_a_prefix_of_a_minimum_code_is_one() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        labels, edges = drawn(rng, directed=True)
        rows = of(labels, edges, directed=True)[0]
        for size in range(2, len(rows)):
            part = rows[:size].copy()
            n = int(part[1:, :2].max()) + 1
            part[0, 0], part[0, 1] = n, size - 1
            names = np.zeros(n, dtype=np.int32)
            names[0] = part[0, 2]
            names[part[1:, 1]] = part[1:, 3]
            ways = [(j, i, look >> 1) if look & 1 else (i, j, look >> 1) for i, j, look, _ in part[1:].tolist()]
            assert code(names, ways, directed=True) == part.tolist()


def test_too_many_symmetries_are_given_up() -> None:
    """Nine triangles at one node: their orders alone are 362,880, and none is an exchange of nodes or branches."""
    edges = [edge for t in range(9) for edge in ((0, 2 * t + 1, 0), (0, 2 * t + 2, 0), (2 * t + 1, 2 * t + 2, 0))]
    assert of([0] * 19, edges, directed=False)[0][0, 0] == -1
