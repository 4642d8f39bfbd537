"""The most sets apart: what is settled at once, the bound and branch and bound, beside all choices."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from sfumato.kernels.subgraphs.independent_sets import cover_bound, greedy_packing, largest_packing, simplify


def most(sets) -> int:
    """By definition: the largest choice in which no element occurs twice."""
    for size in range(len(sets), 0, -1):
        for chosen in combinations(sets, size):
            elements = [element for one in chosen for element in one]
            if len(elements) == len(set(elements)):
                return size
    return 0


def holders(sets: np.ndarray):
    begin = np.concatenate(([0], np.cumsum(np.bincount(sets.ravel(), minlength=10))))
    return begin, np.argsort(sets.ravel(), kind="stable") // sets.shape[1]


def searched(sets: np.ndarray, budget: int) -> int:
    begin, holding = holders(sets)
    state = np.array([0, 0, 10, 0, 1], dtype=np.int64)
    cover, option, picked = (np.zeros(10, dtype=np.int64) for _ in range(3))
    while not largest_packing(sets, begin, holding, state, cover, option, picked, budget):
        pass
    return int(state[3])


def test_beside_all_choices() -> None:
    rng = np.random.default_rng(2)
    gaps = 0
    for _ in range(150):
        width, number = int(rng.integers(2, 4)), int(rng.integers(1, 10))
        sets = np.unique([np.sort(rng.permutation(10)[:width]) for _ in range(number)], axis=0).astype(np.int64)
        wanted = most(sets.tolist())
        assert searched(sets, 1 << 20) == searched(sets, 3) == wanted
        greedy = greedy_packing(sets, np.zeros(10, dtype=bool))
        begin, holding = holders(sets)
        alive, count, settled, changed = np.ones(len(sets), dtype=bool), np.diff(begin), 0, True
        while changed:
            taken, changed = simplify(sets, begin, holding, alive, count)
            settled += taken
        assert np.array_equal(count, np.bincount(sets[alive].ravel(), minlength=10))
        assert settled + most(sets[alive].tolist()) == wanted
        bound = cover_bound(begin, holding, alive, np.argsort(-count))
        assert most(sets[alive].tolist()) <= bound
        assert greedy <= wanted
        gaps += bool(alive.any())
    assert gaps > 5
