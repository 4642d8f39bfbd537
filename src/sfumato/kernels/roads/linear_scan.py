"""Clustering of road trajectories without an index: every trajectory is compared with every cluster."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.roads.clusters import FIRST, NEXT, ROAD, STAMP, mark_roads, settle

__all__ = ["gather_by_scan"]


@njit(cache=True)
def gather_by_scan(first, end, needed, rules, paths, originals, state, shared, cluster_of):
    """Settle the paths from first to end, in order, and write the cluster of each.  shared : int64[n_paths]."""
    links = state.links
    candidates = np.empty(len(shared), dtype=np.int64)
    for path in range(first, end):
        n_roads = mark_roads(path, paths, state)
        n = 0
        if paths.supports[path] < rules.k:
            least = needed[n_roads]
            for cluster in range(state.counts[0]):
                shared[cluster] = 0
                link = state.clusters[FIRST, cluster]
                while link >= 0:
                    if state.by_road[STAMP, links[ROAD, link]] == path:
                        shared[cluster] += 1
                    link = links[NEXT, link]
                if shared[cluster] >= least:
                    candidates[n] = cluster
                    n += 1
        cluster_of[path], _ = settle(path, n_roads, candidates, shared, n, rules, paths, originals, state)
