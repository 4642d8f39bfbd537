"""The distinct terms of each cluster, and the items of each term."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.pattern_buffers import sort

__all__ = ["terms_of_clusters"]


@njit(cache=True)
def terms_of_clusters(parts, lowest, highest, codes, offsets, leaf_starts, number_of, with_items):
    """The distinct terms of each cluster among the items whose part is from `lowest` to `highest`, rising.

    parts : int32 by item.  codes, offsets : records in the order of their clusters; leaf_starts : int64[clusters + 1],
    over records.  number_of : int64 by code, the term that it stands for.
    An entry is a cluster and one of its terms.  Returns where the entries of each cluster begin, int64[clusters + 1];
    the term of each entry, int32; what there is to know about each entry, int32[entries, 4]: -1 for the entry that
    follows it, where its items begin and end, and its cluster; and the items and their records, int32.
    Without `with_items` the last three are empty: they take most of the memory.
    """
    total = np.int64(0)
    for part in parts:
        total += lowest <= part <= highest
    listed = total if with_items else 0
    bounds, terms = np.zeros(len(leaf_starts), dtype=np.int64), np.empty(total, dtype=np.int32)
    entries = np.empty((listed, 4), dtype=np.int32)
    items, records = np.empty(listed, dtype=np.int32), np.empty(listed, dtype=np.int32)
    counts, seen = np.zeros(len(number_of), dtype=np.int64), np.empty(len(number_of), dtype=np.int64)
    n, end = 0, 0
    for cluster in range(len(leaf_starts) - 1):
        n_seen = np.int64(0)
        for i in range(offsets[leaf_starts[cluster]], offsets[leaf_starts[cluster + 1]]):
            if lowest <= parts[i] <= highest:
                term = number_of[codes[i]]
                if counts[term] == 0:
                    seen[n_seen] = term
                    n_seen += 1
                counts[term] += 1
        sort(seen, n_seen)
        bounds[cluster + 1] = n + n_seen
        for position in range(n_seen):
            terms[n] = seen[position]
            if with_items:
                begin, end = end, end + counts[seen[position]]
                entries[n, 0], entries[n, 1], entries[n, 2], entries[n, 3] = -1, begin, end, cluster
                counts[seen[position]] = begin
            n += 1
        if with_items:
            for record in range(leaf_starts[cluster], leaf_starts[cluster + 1]):
                for i in range(offsets[record], offsets[record + 1]):
                    if lowest <= parts[i] <= highest:
                        term = number_of[codes[i]]
                        items[counts[term]], records[counts[term]] = i, record
                        counts[term] += 1
        for position in range(n_seen):
            counts[seen[position]] = 0
    return bounds, terms[:n], entries[:n], items, records
