"""How many solutions of a pattern have no node in common (the MIS measure)."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.roads.components import components
from sfumato.kernels.subgraphs.independent_sets import cover_bound, greedy_packing, largest_packing, simplify
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.enumeration import Enumeration
from sfumato.mining.subgraphs.search_limits import Clock, Stopped

__all__ = ["most_apart"]

_MOST = 1 << 24  # numbers in all solutions together: 64 MB, several times that while they are sorted
_STEPS = 1 << 20  # between two looks at the clock


def most_apart(csp: Csp, enough: int, clock: Clock, taken: Ints) -> int:
    """The size of the largest set of solutions no two of which share a node; once `enough` are found, that number.

    Solutions on the same nodes are one.  A quick choice may already be enough; otherwise branch and bound in every
    connected part, which can take very long: the clock ends it.
    """
    if Enumeration(csp, clock, taken).some_apart(enough) >= enough:
        return enough
    sets = _node_sets(csp, clock, taken)
    settled, sets, bound = _settled(sets, clock)
    parts = _connected_parts(sets)
    bound = min(bound, sum(len(np.unique(part)) // part.shape[1] for part in parts))
    if settled + bound < enough < ENOUGH:
        return settled  # too few, however many there are
    quick = [int(greedy_packing(part, np.zeros(int(part.max()) + 1, dtype=bool))) for part in parts]
    total = settled + sum(quick)
    for part, least in zip(parts, quick, strict=True):
        if total >= min(enough, settled + bound):
            break
        total += _largest(part, least, clock) - least
    return min(total, enough)


def _settled(sets: Ints, clock: Clock) -> tuple[int, Ints, int]:
    """How many sets are taken for certain, those that remain open, and a bound for how many of these can be apart."""
    begin, holding = _holders(sets)
    alive, count = np.ones(len(sets), dtype=bool), np.diff(begin)
    settled, changed = 0, True
    while changed:
        taken, changed = simplify(sets, begin, holding, alive, count)
        settled += int(taken)
        clock.check()
    order = np.argsort(-count, kind="stable")
    return settled, sets[alive], int(cover_bound(begin, holding, alive, order))


def _holders(sets: Ints) -> tuple[Ints, Ints]:
    """The sets that hold each element: begin, and their numbers."""
    order = np.argsort(sets.ravel(), kind="stable")
    begin = np.concatenate(([0], np.cumsum(np.bincount(sets.ravel()))))
    return begin, order // sets.shape[1]


def _connected_parts(sets: Ints) -> list[Ints]:
    """The sets in connected parts, in each part those that exclude few others first."""
    if len(sets) == 0:
        return []
    touched = np.bincount(sets.ravel())
    sets = sets[np.argsort(touched[sets].sum(axis=1), kind="stable")]
    part = components(len(touched), np.repeat(sets[:, 0], sets.shape[1]), sets.ravel())[sets[:, 0]]
    order = np.argsort(part, kind="stable")
    return np.split(sets[order], np.flatnonzero(np.diff(part[order])) + 1)


def _node_sets(csp: Csp, clock: Clock, taken: Ints) -> Ints:
    """The nodes of each solution, sorted, each set once."""
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
    """The most of these sets that have nothing in common; at least so many do."""
    width = sets.shape[1]
    used, flat = np.unique(sets, return_inverse=True)
    rank = np.empty(len(used), dtype=np.int64)
    rank[np.argsort(np.bincount(flat.ravel()), kind="stable")] = np.arange(len(used))  # what few hold comes first
    sets = rank[flat].reshape(-1, width)
    begin, holding = _holders(sets)
    state = np.array([0, 0, len(used), least, 1], dtype=np.int64)
    cover, option, picked = [np.zeros(len(used), dtype=np.int64) for _ in range(3)]
    while not largest_packing(sets, begin, holding, state, cover, option, picked, _STEPS):
        clock.check()
    return int(state[3])
