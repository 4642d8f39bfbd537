"""Clusters of road trajectories, candidates found in inverted lists: for each road the clusters in which it occurs.

A cluster that holds more than a share of a trajectory's roads holds one of the rarest ones, so that new candidates are
looked for in the shortest lists only; the longer ones are read to finish counting.
"""

from typing import Any

import numpy as np
from numba import njit

from sfumato.kernels.roads.clusters import mark, settle

__all__ = ["gather_by_lists", "new_lists"]


def new_lists(n_paths: int, n_steps: int, n_roads: int) -> tuple[Any, ...]:
    """Empty lists: (starts, sizes, rooms), the pool they lie in, and counts and candidates for every cluster."""
    rows = np.zeros((3, n_roads), dtype=np.int64)
    # a list moves when it is full, to twice the room: what it has left behind and its room are at most four times it
    pool = np.empty(4 * (n_steps + n_roads) + 4, dtype=np.int32)
    return rows, pool, np.zeros(1, dtype=np.int64), np.zeros((2, n_paths), dtype=np.int64)


@njit(cache=True)
def _append(road, one, rows, pool, used):
    if rows[1, road] == rows[2, road]:
        room = max(2, 2 * rows[2, road])
        for at in range(rows[1, road]):
            pool[used[0] + at] = pool[rows[0, road] + at]
        rows[0, road], rows[2, road] = used[0], room
        used[0] += room
    pool[rows[0, road] + rows[1, road]] = one
    rows[1, road] += 1


@njit(cache=True)
def _rarest_first(roads, n, sizes):
    """Sort the first n roads by the length of their lists."""
    for at in range(1, n):
        road = roads[at]
        before = at - 1
        while before >= 0 and sizes[roads[before]] > sizes[road]:
            roads[before + 1] = roads[before]
            before -= 1
        roads[before + 1] = road


@njit(cache=True)
def _candidates(roads, n_roads, least, rows, pool, shared, touched):
    """Count the shared roads of every cluster that can have enough of them; returns how many were counted."""
    n = 0
    for at in range(n_roads):
        road = roads[at]
        opening = at <= n_roads - least
        for place in range(rows[0, road], rows[0, road] + rows[1, road]):
            one = pool[place]
            if shared[one] > 0:
                shared[one] += 1
            elif opening:
                shared[one] = 1
                touched[n] = one
                n += 1
    return n


@njit(cache=True)
def gather_by_lists(first, end, needed, rules, paths, originals, state, lists, cluster_of):
    """Settle the paths from first to end, in order; writes the cluster of each."""
    rows, pool, used, of_cluster = lists
    shared, touched = of_cluster[0], of_cluster[1]
    by_road, by_step = state[4], state[5]
    order = np.empty(by_step.shape[1], dtype=np.int64)
    candidates = np.empty(len(touched), dtype=np.int64)
    for path in range(first, end):
        n_roads = mark(path, paths, by_road, by_step)
        n, n_candidates = 0, 0
        if paths[2][path] < rules[1]:
            least = needed[n_roads]
            for at in range(n_roads):
                order[at] = by_step[0, at]
            _rarest_first(order, n_roads, rows[1])
            n = _candidates(order, n_roads, least, rows, pool, shared, touched)
            for at in range(n):
                if shared[touched[at]] >= least:
                    candidates[n_candidates] = touched[at]
                    n_candidates += 1
        one, fresh = settle(path, n_roads, candidates, shared, n_candidates, rules, paths, originals, state)
        cluster_of[path] = one
        for at in range(n):
            shared[touched[at]] = 0
        for at in range(fresh):
            _append(by_step[3, at], one, rows, pool, used)
