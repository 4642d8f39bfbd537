"""Clusters of road trajectories, every trajectory compared with every cluster: what an index saves."""

import numpy as np
from numba import njit

from sfumato.kernels.roads.clusters import mark, settle

__all__ = ["gather_by_scan"]


@njit(cache=True)
def gather_by_scan(first, end, needed, rules, paths, originals, state, shared, cluster_of):
    """Settle the paths from first to end, in order; writes the cluster of each.  shared : int64[n_paths]."""
    clusters, links, _, made, by_road, by_step = state
    candidates = np.empty(len(shared), dtype=np.int64)
    for path in range(first, end):
        n_roads = mark(path, paths, by_road, by_step)
        n = 0
        if paths[2][path] < rules[1]:
            least = needed[n_roads]
            for one in range(made[0]):
                shared[one] = 0
                link = clusters[5, one]
                while link >= 0:
                    if by_road[0, links[0, link]] == path:
                        shared[one] += 1
                    link = links[2, link]
                if shared[one] >= least:
                    candidates[n] = one
                    n += 1
        one, _ = settle(path, n_roads, candidates, shared, n, rules, paths, originals, state)
        cluster_of[path] = one
