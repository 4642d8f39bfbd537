"""Merging the labels of one cluster until given patterns are safe, in units and in records; clusters can run side by
side.

The state of a recoding in the making is a tuple of arrays, one entry a location of the cluster:

- labels : rank (smallest location of a label), current (the label that each location became);
- chains : first, following, end, the locations under each label, and sizes, their number;
- active : the labels in use, their position in that list, their centroids, and one count, of how many there are;
- far : points, row_of, rows, free and one count, sums of distances for labels of many locations (`average_linkage`).
"""

import numpy as np
from numba import njit

from sfumato.kernels.recoding.average_linkage import add_distances, linkage_distances, relabel
from sfumato.kernels.recoding.sensitive_supports import absorb_into, is_unsafe
from sfumato.kernels.recoding.subsequence_supports import _slot

__all__ = ["merge_unsafe"]

_TIE = 1 + 1e-9  # distances this close are equal: sums of the same numbers differ in their last digits


@njit(cache=True, nogil=True)
def _comes_first(one, other, supports, rank):
    """Smaller support first, then name order."""
    if supports[one] != supports[other]:
        return supports[one] < supports[other]
    return rank[one] < rank[other]


@njit(cache=True, nogil=True)
def _rarest(pattern, supports, rank):
    """The label of a pattern with the smallest support."""
    best = pattern[0]
    for level in range(1, len(pattern)):
        if _comes_first(pattern[level], best, supports, rank):
            best = pattern[level]
    return np.int64(best)


@njit(cache=True, nogil=True)
def _nearest(label, supports, rank, chains, active, far, radius, alike):
    """The other active label with the smallest mean distance: ties by support, then name."""
    labels, position, centroids, n_active = active
    first, following, _, sizes = chains
    points, row_of, rows, _, _ = far
    n = n_active[0]
    distances = linkage_distances(
        position[label], labels[:n], alike[:n], points, radius, centroids, first, following, sizes, row_of, rows
    )
    least = np.inf
    for at in range(n):
        least = min(least, distances[at])
    best = np.int64(-1)
    for at in range(n):
        if distances[at] <= least * _TIE and (best < 0 or _comes_first(labels[at], best, supports, rank)):
            best = labels[at]
    return best


@njit(cache=True, nogil=True)
def _join_rows(kept, gone, first, following, far, radius):
    points, row_of, rows, free, n_free = far
    if row_of[kept] < 0:
        n_free[0] -= 1
        row_of[kept] = free[n_free[0]]
        rows[row_of[kept], :] = 0.0
        add_distances(points, radius, first[kept], following, rows[row_of[kept]])
    row = rows[row_of[kept]]
    if row_of[gone] < 0:
        add_distances(points, radius, first[gone], following, row)
    else:
        for location in range(len(row)):
            row[location] += rows[row_of[gone], location]
        free[n_free[0]] = row_of[gone]
        n_free[0] += 1
        row_of[gone] = -1


@njit(cache=True, nogil=True)
def _join(kept, gone, labels, chains, active, far, radius, many):
    """Make two labels one in everything but the codes and the supports."""
    rank, current = labels
    first, following, end, sizes = chains
    in_use, position, centroids, n_active = active
    relabel(first[gone], following, kept, current)
    if sizes[kept] + sizes[gone] >= many:
        _join_rows(kept, gone, first, following, far, radius)
    sizes[kept] += sizes[gone]
    following[end[kept]] = first[gone]
    end[kept] = end[gone]
    rank[kept] = min(rank[kept], rank[gone])
    here, there, last = position[kept], position[gone], n_active[0] - 1
    share = sizes[gone] / sizes[kept]
    for axis in range(3):
        centroids[here, axis] += (centroids[there, axis] - centroids[here, axis]) * share
    for axis in range(3):  # the last active label takes the place of the one that is gone
        centroids[there, axis] = centroids[last, axis]
    in_use[there] = in_use[last]
    position[in_use[last]] = there
    n_active[0] = last


@njit(cache=True, nogil=True)
def merge_unsafe(patterns, data, holders, labels, chains, active, far, radius, many, table, used, tick, k, diversity):
    """Merge labels until every one of the patterns, read through the current labels, is safe.

    patterns : int32[n, size].  data, holders : as in `associations.absorb_into`.  labels, chains, active, far : above.
    many : labels of this many locations keep a row of distances.  table, used : as counted for this size.
    Returns whether that was possible (if not, one label is left), the table, used and the next free tick.
    """
    supports = holders[3]
    rank, current = labels
    size = patterns.shape[1]
    last = np.full(len(rank), -1, dtype=np.int64)
    alike = np.ones(len(rank))
    found = np.empty((64, size), dtype=np.int32)
    out = np.empty((64, size + 1), dtype=np.int32)
    pattern = np.empty(size + 1, dtype=np.int32)
    pattern[size] = -1
    for row in range(len(patterns)):
        while True:
            for level in range(size):
                pattern[level] = current[patterns[row, level]]
            if not is_unsafe(_slot(table, pattern), table, k, diversity):
                break
            if active[3][0] == 1:
                return False, table, used, tick
            one = _rarest(pattern[:size], supports, rank)
            other = _nearest(one, supports, rank, chains, active, far, radius, alike)
            kept, gone = (one, other) if supports[one] >= supports[other] else (other, one)
            table, used, tick, found, out = absorb_into(kept, gone, data, holders, table, used, tick, last, found, out)
            _join(kept, gone, labels, chains, active, far, radius, many)
    return True, table, used, tick
