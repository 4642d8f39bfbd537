"""The MIS measure: the largest number of solutions of a pattern that share no node."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.roads.components import components
from sfumato.kernels.subgraphs.independent_sets import cover_bound, greedy_packing, largest_packing, simplify
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.enumeration import Enumeration
from sfumato.mining.subgraphs.search_limits import Clock, Stopped

__all__ = ["MEASURES", "MEASURE_HELP", "largest_disjoint_rows", "largest_disjoint_set"]

MEASURES = ("mni", "mis")
MEASURE_HELP = "mni: smallest number of images of a node; mis: largest number of disjoint occurrences"

_MOST = 1 << 24  # numbers in all solutions together: 64 MB, several times that during sorting
_STEPS = 1 << 20  # between two checks of the clock


def largest_disjoint_set(csp: Csp, enough: int, clock: Clock, taken: Ints) -> int:
    """The size of the largest set of solutions of which no two share a node; at most `enough`.

    Solutions on the same nodes count once.  A greedy set may already be enough.
    """
    if Enumeration(csp, clock, taken).greedy_disjoint(enough) >= enough:
        return enough
    return largest_disjoint_rows(_node_sets(csp, clock, taken), enough, clock)


def largest_disjoint_rows(sets: Ints, enough: int, clock: Clock) -> int:
    """The largest number of rows (int64, sorted, distinct) of which no two share a number; at most `enough`.

    Branch and bound runs in every connected component, which can take very long: the clock stops it.
    """
    n_certain, sets, bound = _simplify_all(sets, clock)
    parts = _connected_parts(sets)
    bound = min(bound, sum(len(np.unique(part)) // part.shape[1] for part in parts))
    if n_certain + bound < enough < ENOUGH:
        return n_certain  # too few in any case
    greedy_sizes = [int(greedy_packing(part, np.zeros(int(part.max()) + 1, dtype=bool))) for part in parts]
    total = n_certain + sum(greedy_sizes)
    for part, least in zip(parts, greedy_sizes, strict=True):
        if total >= min(enough, n_certain + bound):
            break
        total += _largest(part, least, clock) - least
    return min(total, enough)


def _simplify_all(sets: Ints, clock: Clock) -> tuple[int, Ints, int]:
    """The number of sets certain to be in a largest packing, the open sets, and an upper bound for these."""
    begin, holding = _holders(sets)
    alive, count = np.ones(len(sets), dtype=bool), np.diff(begin)
    n_certain, changed = 0, True
    while changed:
        taken, changed = simplify(sets, begin, holding, alive, count)
        n_certain += int(taken)
        clock.check()
    order = np.argsort(-count, kind="stable")
    return n_certain, sets[alive], int(cover_bound(begin, holding, alive, order))


def _holders(sets: Ints) -> tuple[Ints, Ints]:
    """The sets that contain each element: offsets and numbers of sets."""
    order = np.argsort(sets.ravel(), kind="stable")
    begin = np.concatenate(([0], np.cumsum(np.bincount(sets.ravel()))))
    return begin, order // sets.shape[1]


def _connected_parts(sets: Ints) -> list[Ints]:
    """The sets by connected component, those that share elements with few others first."""
    if len(sets) == 0:
        return []
    n_holders = np.bincount(sets.ravel())
    sets = sets[np.argsort(n_holders[sets].sum(axis=1), kind="stable")]
    component = components(len(n_holders), np.repeat(sets[:, 0], sets.shape[1]), sets.ravel())[sets[:, 0]]
    order = np.argsort(component, kind="stable")
    return np.split(sets[order], np.flatnonzero(np.diff(component[order])) + 1)


def _node_sets(csp: Csp, clock: Clock, taken: Ints) -> Ints:
    """The distinct sets of nodes of the solutions, sorted."""
    parts, total = [np.empty((0, csp.shape.n_nodes), dtype=np.int32)], 0
    for rows in Enumeration(csp, clock, taken).batches():
        parts.append(np.unique(np.sort(rows, axis=1), axis=0))
        total += parts[-1].size
        if total > _MOST:
            parts = [np.unique(np.concatenate(parts), axis=0)]
            total = parts[0].size
            if total > _MOST // 2:
                raise Stopped("memory")
    return np.unique(np.concatenate(parts), axis=0).astype(np.int64)


def _largest(sets: Ints, least: int, clock: Clock) -> int:
    """The largest number of pairwise disjoint sets; least : a number that is possible."""
    width = sets.shape[1]
    used, flat = np.unique(sets, return_inverse=True)
    rank = np.empty(len(used), dtype=np.int64)
    rank[np.argsort(np.bincount(flat.ravel()), kind="stable")] = np.arange(len(used))  # elements of few sets first
    sets = rank[flat].reshape(-1, width)
    begin, holding = _holders(sets)
    state = np.array([0, 0, len(used), least, 1], dtype=np.int64)
    cover, option, picked = [np.zeros(len(used), dtype=np.int64) for _ in range(3)]
    while not largest_packing(sets, begin, holding, state, cover, option, picked, _STEPS):
        clock.check()
    return int(state[3])
