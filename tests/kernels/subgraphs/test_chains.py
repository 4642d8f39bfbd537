"""Codes of paths and cycles: beside all traversals, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.kernels.subgraphs.chains import chain_code, chain_neighbours
from sfumato.kernels.subgraphs.dfs_codes import canonical


def drawn(rng, n: int, cycle: bool, directed: bool, labels: int):
    turn = rng.permutation(n)
    pairs = [(turn[v], turn[(v + 1) % n]) for v in range(n if cycle else n - 1)]
    pairs = [(a, b) if rng.random() < 0.5 else (b, a) for a, b in pairs]
    names = rng.integers(labels, size=len(pairs)) if not directed else np.zeros(len(pairs))
    left, right = np.array(pairs, dtype=np.int32).T.copy()
    return rng.integers(labels, size=n).astype(np.int32), left, right, names.astype(np.int32), directed


def codes(labels, left, right, names, directed):
    """The code of every depth-first traversal, with the nodes in its order."""
    n, edges = len(labels), list(zip(left.tolist(), right.tolist(), names.tolist(), strict=True))

    def look(here, e):
        return edges[e][2] if not directed else 2 * edges[e][2] + (edges[e][0] != here)

    def grow(order, path, used, rows):
        if len(used) == len(edges):
            yield rows, order
            return
        tip = path[-1]
        back = [(order.index(b), e) for e, (a, b, _) in enumerate(edges) if e not in used and a == tip and b in order]
        back += [(order.index(a), e) for e, (a, b, _) in enumerate(edges) if e not in used and b == tip and a in order]
        if back:
            place, e = min(back)
            row = (0, place, look(tip, e), labels[order[place]])
            yield from grow(order, path, used | {e}, [*rows, (row, order.index(tip), place)])
            return
        for up, here in enumerate(reversed(path)):
            for e, (a, b, _) in enumerate(edges):
                there = b if a == here else a
                if e in used or here not in (a, b) or there in order:
                    continue
                row = (1, up, look(here, e), labels[there])
                grown = [*rows, (row, order.index(here), len(order))]
                yield from grow([*order, there], [*path[: len(path) - up], there], used | {e}, grown)
            if any(here in edge[:2] and e not in used for e, edge in enumerate(edges)):
                return

    for start in range(n):
        if labels[start] == labels.min():
            yield from grow([start], [start], frozenset(), [])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("cycle", [False, True])
def test_the_smallest_of_all_traversals(cycle: bool, directed: bool) -> None:
    rng = np.random.default_rng(2)
    for number in range(80):
        chain = drawn(rng, 3 + number % 6, cycle, directed, 1 + number % 2)
        labels, m = chain[0], len(chain[1])
        found, order, orbit = chain_code(chain_neighbours(*chain), labels, m)
        everything = list(codes(*chain))
        smallest = min([row for row, _, _ in rows] for rows, _ in everything)
        orders = [order for rows, order in everything if [row for row, _, _ in rows] == smallest]
        assert order.tolist() in orders
        ways = next(rows for rows, order in everything if [row for row, _, _ in rows] == smallest)
        assert found[1:].tolist() == [[a, b, int(row[2]), int(row[3])] for row, a, b in ways]
        assert found[0].tolist() == [len(labels), m, labels.min(), 0]
        for place, node in enumerate(order):
            assert orbit[node] == min(other[place] for other in orders)


def test_what_is_no_chain() -> None:
    star = (np.zeros(4, np.int32), np.array([0, 0, 0], np.int32), np.array([1, 2, 3], np.int32), np.zeros(3, np.int32))
    assert len(chain_neighbours(*star, False)) == 0
    pair = (np.zeros(2, np.int32), np.array([0], np.int32), np.array([1], np.int32), np.zeros(1, np.int32))
    assert len(chain_neighbours(*pair, False)) == 0


def test_a_code_that_is_not_the_smallest() -> None:
    labels, ends = np.array([0, 1, 0], dtype=np.int32), (np.array([0, 1], np.int32), np.array([1, 2], np.int32))
    pattern = (labels, *ends, np.zeros(2, np.int32), False)
    code, _, _ = canonical(*pattern, np.empty((0, 4), np.int32))
    assert canonical(*pattern, code)[0].tolist() == code.tolist()
    other = code.copy()
    other[2, 0] = 0
    assert canonical(*pattern, other)[0][0, 0] == 0
