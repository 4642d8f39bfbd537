"""The record chunks of clusters: numbered through, and their subrecords one after the other."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["numbered_chunks", "subrecords_of_chunks"]


@njit(cache=True)
def numbered_chunks(parts, offsets, starts):
    """Number the record chunks of all clusters through, and count their subrecords.

    parts : int32[total], the record chunk of each item within its cluster, below 0 for none.
    offsets : int64[records + 1]; starts : int64[clusters + 1], over records.
    Returns the chunk of each item, int32[total], -1 for none; of each chunk its cluster and its number of subrecords.
    """
    total, widest = 0, 1
    for cluster in range(len(starts) - 1):
        width = 0
        for i in range(offsets[starts[cluster]], offsets[starts[cluster + 1]]):
            width = max(width, parts[i] + 1)
        total, widest = total + width, max(widest, width)
    chunk_of, n = np.full(len(parts), -1, dtype=np.int32), 0
    clusters, subrecords = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    counts, last = np.zeros(widest, dtype=np.int64), np.full(widest, -1, dtype=np.int64)
    for cluster in range(len(starts) - 1):
        width = 0
        for record in range(starts[cluster], starts[cluster + 1]):
            for i in range(offsets[record], offsets[record + 1]):
                part = parts[i]
                width = max(width, part + 1)
                if part >= 0 and last[part] != record:
                    counts[part] += 1
                    last[part] = record
        for part in range(width):
            if counts[part] > 0:
                clusters[n], subrecords[n], counts[part] = cluster, counts[part], n
                n += 1
        for i in range(offsets[starts[cluster]], offsets[starts[cluster + 1]]):
            if parts[i] >= 0:
                chunk_of[i] = counts[parts[i]]
        for part in range(width):
            counts[part] = 0
    return chunk_of, clusters[:n].copy(), subrecords[:n].copy()


@njit(cache=True)
def subrecords_of_chunks(codes, offsets, chunk_of, shared, n_own, n_chunks):
    """The subrecords of each chunk, in the order of their records.

    chunk_of : int32[total], the record chunk of each item, one of n_own, or -1; shared : int32[total], its shared
    chunk, counted from 0 again, or -1.
    Returns codes, int32[...]; where each subrecord begins among them, int64[subrecords + 1]; and where each chunk
    begins among the subrecords, int64[n_chunks + 1].
    """
    item_starts, row_starts = np.zeros(n_chunks + 1, dtype=np.int64), np.zeros(n_chunks + 1, dtype=np.int64)
    last = np.full(n_chunks, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for i in range(offsets[record], offsets[record + 1]):
            chunk = chunk_of[i] if shared[i] < 0 else n_own + shared[i]
            if chunk >= 0:
                item_starts[chunk + 1] += 1
                row_starts[chunk + 1] += last[chunk] != record
                last[chunk] = record
    for chunk in range(n_chunks):
        item_starts[chunk + 1] += item_starts[chunk]
        row_starts[chunk + 1] += row_starts[chunk]
        last[chunk] = -1
    listed, begins = np.empty(item_starts[n_chunks], dtype=np.int32), np.empty(row_starts[n_chunks] + 1, dtype=np.int64)
    next_row = row_starts.copy()
    for record in range(len(offsets) - 1):
        for i in range(offsets[record], offsets[record + 1]):
            chunk = chunk_of[i] if shared[i] < 0 else n_own + shared[i]
            if chunk >= 0:
                if last[chunk] != record:
                    begins[next_row[chunk]] = item_starts[chunk]
                    next_row[chunk] += 1
                    last[chunk] = record
                listed[item_starts[chunk]] = codes[i]
                item_starts[chunk] += 1
    begins[row_starts[n_chunks]] = len(listed)
    return listed, begins, row_starts
