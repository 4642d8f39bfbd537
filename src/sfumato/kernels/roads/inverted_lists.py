"""Clustering of road trajectories with inverted lists: for each road the clusters in which it occurs.

A cluster that holds more than a share of a trajectory's roads holds one of the rarest ones.  New candidates are
therefore searched in the shortest lists only; the longer ones are read to finish counting.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.roads.clusters import mark_roads, settle

__all__ = ["InvertedLists", "gather_by_lists", "new_lists"]


class InvertedLists(NamedTuple):
    """For each road the clusters in which it occurs, and scratch arrays for every cluster."""

    starts: Any  # int64[n_roads]: where the list of each road begins in the pool
    sizes: Any  # int64[n_roads]
    capacities: Any  # int64[n_roads]
    pool: Any  # int32[...]
    used: Any  # int64[1]: how much of the pool is used
    shared: Any  # int64[n_paths], all 0: roads that a cluster shares with the trajectory at hand
    touched: Any  # int64[n_paths]: the clusters that share some


def new_lists(n_paths: int, n_steps: int, n_roads: int) -> InvertedLists:
    """Empty lists."""
    # a full list moves to a place twice as large: what it leaves and its new place are at most four times the list
    pool = np.empty(4 * (n_steps + n_roads) + 4, dtype=np.int32)
    starts, sizes, capacities = np.zeros((3, n_roads), dtype=np.int64)
    shared, touched = np.zeros((2, n_paths), dtype=np.int64)
    return InvertedLists(starts, sizes, capacities, pool, np.zeros(1, dtype=np.int64), shared, touched)


@njit(cache=True)
def _append(road, cluster, lists):
    """Add a cluster to the list of a road."""
    starts, sizes, capacities, pool, used, _, _ = lists
    if sizes[road] == capacities[road]:
        capacity = max(2, 2 * capacities[road])
        for position in range(sizes[road]):
            pool[used[0] + position] = pool[starts[road] + position]
        starts[road], capacities[road] = used[0], capacity
        used[0] += capacity
    pool[starts[road] + sizes[road]] = cluster
    sizes[road] += 1


@njit(cache=True)
def _rarest_first(roads, n, sizes):
    """Sort the first n roads by the length of their lists."""
    for position in range(1, n):
        road = roads[position]
        before = position - 1
        while before >= 0 and sizes[roads[before]] > sizes[road]:
            roads[before + 1] = roads[before]
            before -= 1
        roads[before + 1] = road


@njit(cache=True)
def _count_shared(roads, n_roads, least, lists):
    """Count the shared roads of every cluster that can have enough of them; returns the number of these clusters."""
    shared, n = lists.shared, 0
    for position in range(n_roads):
        road = roads[position]
        opening = position <= n_roads - least
        for place in range(lists.starts[road], lists.starts[road] + lists.sizes[road]):
            cluster = lists.pool[place]
            if shared[cluster] > 0:
                shared[cluster] += 1
            elif opening:
                shared[cluster] = 1
                lists.touched[n] = cluster
                n += 1
    return n


@njit(cache=True)
def gather_by_lists(first, end, needed, rules, paths, originals, state, lists, cluster_of):
    """Settle the paths from first to end, in order, and write the cluster of each."""
    shared, touched = lists.shared, lists.touched
    order = np.empty(len(state.roads), dtype=np.int64)
    candidates = np.empty(len(touched), dtype=np.int64)
    for path in range(first, end):
        n_roads = mark_roads(path, paths, state)
        n, n_candidates = 0, 0
        if paths.supports[path] < rules.k:
            least = needed[n_roads]
            for position in range(n_roads):
                order[position] = state.roads[position]
            _rarest_first(order, n_roads, lists.sizes)
            n = _count_shared(order, n_roads, least, lists)
            for position in range(n):
                if shared[touched[position]] >= least:
                    candidates[n_candidates] = touched[position]
                    n_candidates += 1
        cluster, n_new = settle(path, n_roads, candidates, shared, n_candidates, rules, paths, originals, state)
        cluster_of[path] = cluster
        for position in range(n):
            shared[touched[position]] = 0
        for position in range(n_new):
            _append(state.new_roads[position], cluster, lists)
