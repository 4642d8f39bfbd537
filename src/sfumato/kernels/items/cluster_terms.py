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
    entries, each a cluster and one of its terms: clusters and terms, int32[entries]; where the items of each entry
    begin, int64[entries + 1]; and the items and their records, int32.
    """
    total = np.int64(0)
    for i in range(len(chosen)):
        total += chosen[i]
    clusters, terms = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    starts = np.empty(total + 1, dtype=np.int64)
    items, records = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    counts, seen = np.zeros(len(number_of), dtype=np.int64), np.empty(len(number_of), dtype=np.int64)
    n, end = 0, 0
    for cluster in range(len(leaf_starts) - 1):
        n_seen = np.int64(0)
        for i in range(offsets[leaf_starts[cluster]], offsets[leaf_starts[cluster + 1]]):
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
        for record in range(leaf_starts[cluster], leaf_starts[cluster + 1]):
            for i in range(offsets[record], offsets[record + 1]):
                if chosen[i]:
                    term = number_of[codes[i]]
                    items[counts[term]], records[counts[term]] = i, record
                    counts[term] += 1
        for position in range(n_seen):
            counts[seen[position]] = 0
    starts[n] = end
    return clusters[:n], terms[:n], starts[: n + 1], items, records
