"""Merging of nearby labels of one cluster until its patterns are (k,l)-anonymous, in units and in records.

Kernels let other threads run: clusters can be merged side by side.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.average_linkage import add_distances, linkage_distances, relabel
from sfumato.kernels.recoding.sensitive_supports import absorb_into, is_unsafe
from sfumato.kernels.recoding.subsequence_supports import slot_of

__all__ = ["Active", "Chains", "DistanceRows", "Labels", "merge_unsafe"]

_TIE = 1 + 1e-9  # distances this close are equal: sums of the same numbers differ in their last digits


class Labels(NamedTuple):
    """Labels and locations of the cluster, one entry a location."""

    rank: Any  # int64: the smallest location of each label
    current: Any  # int32: the label that each location became


class Chains(NamedTuple):
    """The locations under each label, as chains."""

    first: Any  # int64: of each label
    following: Any  # int64: of each location, or -1
    end: Any  # int64: the last location of each label
    sizes: Any  # float64: how many locations each label has


class Active(NamedTuple):
    """The labels in use."""

    labels: Any  # int64
    position: Any  # int64: where each label stands in that list
    centroids: Any  # float64[..., 3]: of each label in use
    count: Any  # int64[1]


class DistanceRows(NamedTuple):
    """Points, and for labels of many locations the sums of distances to every location; see `average_linkage`."""

    points: Any  # float64[n, 3]
    row_of: Any  # int64: the row of each label, or -1
    rows: Any  # float64[rows, n]
    free: Any  # int64: the rows not in use
    n_free: Any  # int64[1]


@njit(cache=True)
def _comes_first(left, right, supports, rank):
    """Smaller support first, then name order."""
    if supports[left] != supports[right]:
        return supports[left] < supports[right]
    return rank[left] < rank[right]


@njit(cache=True)
def _rarest(pattern, supports, rank):
    """The label of a pattern with the smallest support."""
    best = pattern[0]
    for level in range(1, len(pattern)):
        if _comes_first(pattern[level], best, supports, rank):
            best = pattern[level]
    return np.int64(best)


@njit(cache=True)
def _nearest(label, supports, rank, chains, active, far, radius, alike):
    """The other active label with the smallest mean distance: ties by support, then name."""
    labels, n = active.labels, active.count[0]
    distances = linkage_distances(
        active.position[label], labels[:n], alike[:n], far.points, radius, active.centroids,
        chains.first, chains.following, chains.sizes, far.row_of, far.rows,
    )  # fmt: skip
    least = np.inf
    for position in range(n):
        least = min(least, distances[position])
    best = np.int64(-1)
    for position in range(n):
        if distances[position] <= least * _TIE and (best < 0 or _comes_first(labels[position], best, supports, rank)):
            best = labels[position]
    return best


@njit(cache=True)
def _join_rows(kept, gone, first, following, far, radius):
    """Add the distances of label `gone` to the row of label `kept`, which it gets if it has none."""
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


@njit(cache=True)
def _join(kept, gone, labels, chains, active, far, radius, many):
    """Merge label `gone` into `kept` in everything but the codes and the supports."""
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


@njit(cache=True)
def merge_unsafe(patterns, data, holders, labels, chains, active, far, radius, many, table, used, tick, k, diversity):
    """Merge labels until every one of the patterns, read through the current labels, is safe.

    patterns : int32[n, size].  data : SensitiveRecords.  holders : Holders.  labels : Labels.  chains : Chains.
    active : Active.  far : DistanceRows.  many : labels of this many locations keep a row of distances.
    table, used : as `count_associations` returns them for this size.
    Returns whether that was possible (if not, one label is left), the table, used and the next free tick.
    """
    supports = holders.supports
    rank, current = labels
    size = patterns.shape[1]
    last = np.full(len(rank), -1, dtype=np.int64)
    alike = np.ones(len(rank))
    subsequences = np.empty((64, size), dtype=np.int32)
    out = np.empty((64, size + 1), dtype=np.int32)
    pattern = np.empty(size + 1, dtype=np.int32)
    pattern[size] = -1
    for row in range(len(patterns)):
        while True:
            for level in range(size):
                pattern[level] = current[patterns[row, level]]
            if not is_unsafe(slot_of(table, pattern), table, k, diversity):
                break
            if active.count[0] == 1:
                return False, table, used, tick
            rarest = _rarest(pattern[:size], supports, rank)
            other = _nearest(rarest, supports, rank, chains, active, far, radius, alike)
            kept, gone = (rarest, other) if supports[rarest] >= supports[other] else (other, rarest)
            table, used, tick, subsequences, out = absorb_into(
                kept, gone, data, holders, table, used, tick, last, subsequences, out
            )
            _join(kept, gone, labels, chains, active, far, radius, many)
    return True, table, used, tick
