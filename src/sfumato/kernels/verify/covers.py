"""Items of a chunk that are never published without another one (covers); used by attacks only."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["covered_items"]


@njit(cache=True)
def covered_items(codes, offsets, chunk_offsets, n_names):
    """For each item of each chunk, count the other items that all of its subrecords hold, with one of these.

    Returns int64[pairs] chunks, items, supports, numbers of covering items, and one of these (-1 for none).
    O(sum of squares of subrecord lengths) time, O(square of the items of a chunk) memory.
    """
    covered = np.empty((len(codes), 5), dtype=np.int64)
    local, items = np.full(n_names, -1, dtype=np.int64), np.empty(n_names, dtype=np.int64)
    n_found = 0
    for chunk in range(len(chunk_offsets) - 1):
        first, end, n = offsets[chunk_offsets[chunk]], offsets[chunk_offsets[chunk + 1]], 0
        for i in range(first, end):
            if local[codes[i]] < 0:
                local[codes[i]] = n
                items[n] = codes[i]
                n += 1
        together = np.zeros((n, n), dtype=np.int64)
        for row in range(chunk_offsets[chunk], chunk_offsets[chunk + 1]):
            for i in range(offsets[row], offsets[row + 1]):
                for j in range(offsets[row], offsets[row + 1]):
                    together[local[codes[i]], local[codes[j]]] += 1
        for item in range(n):
            covers, example = 0, -1
            for other in range(n):
                if other != item and together[item, other] == together[item, item]:
                    covers += 1
                    if example < 0 or items[other] < example:
                        example = items[other]
            covered[n_found, 0], covered[n_found, 1] = chunk, items[item]
            covered[n_found, 2], covered[n_found, 3], covered[n_found, 4] = together[item, item], covers, example
            n_found += 1
        for item in range(n):
            local[items[item]] = -1
    return covered[:n_found]
