"""The distinct terms of each cluster, and the items of each term."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = ["entries_of_clusters"]


@njit(cache=True)
def entries_of_clusters(chosen, codes, offsets, leaf_starts, number_of):
    """The distinct terms of each cluster among the chosen items, rising.

    chosen : bool by item.  codes, offsets : records in the order of their clusters; leaf_starts : int64[clusters + 1],
    over records.  number_of : int64 by code, the term that it stands for.  Returns
    entries, each a cluster and one of its terms: clusters and terms, int64[entries]; where the items of each entry
    begin, int64[entries + 1]; and the items, int64.
    """
    total = np.int64(0)
    for i in range(len(chosen)):
        total += chosen[i]
    clusters, terms = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    starts, items = np.empty(total + 1, dtype=np.int64), np.empty(total, dtype=np.int64)
    counts, seen = np.zeros(len(number_of), dtype=np.int64), np.empty(len(number_of), dtype=np.int64)
    n, end = 0, 0
    for cluster in range(len(leaf_starts) - 1):
        first, last, n_seen = offsets[leaf_starts[cluster]], offsets[leaf_starts[cluster + 1]], np.int64(0)
        for i in range(first, last):
            if chosen[i]:
                term = number_of[codes[i]]
                if counts[term] == 0:
                    seen[n_seen] = term
                    n_seen += 1
                counts[term] += 1
        sort(seen, n_seen)
        for position in range(n_seen):
            clusters[n], terms[n], starts[n] = cluster, seen[position], end
            end += counts[seen[position]]
            counts[seen[position]] = starts[n]
            n += 1
        for i in range(first, last):
            if chosen[i]:
                term = number_of[codes[i]]
                items[counts[term]] = i
                counts[term] += 1
        for position in range(n_seen):
            counts[seen[position]] = 0
    starts[n] = end
    return clusters[:n].copy(), terms[:n].copy(), starts[: n + 1].copy(), items
