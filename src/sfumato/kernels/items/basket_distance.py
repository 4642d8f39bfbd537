"""Distances between sets of items: the bit-vector transaction distance, over clusters of distinct sets.

Sets are numbered by size, the largest first, so that a rising list of numbers is a falling list of sizes.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["farthest_apart", "widths"]


@njit(cache=True)
def _distance(codes, offsets, left, right):
    """The distance of two sets: (ones(XOR) + 1) / (ones(AND) + 1) * ones(OR)."""
    position, to = offsets[left], offsets[right]
    common = 0
    while position < offsets[left + 1] and to < offsets[right + 1]:
        if codes[position] == codes[to]:
            common += 1
            position += 1
            to += 1
        elif codes[position] < codes[to]:
            position += 1
        else:
            to += 1
    both = offsets[left + 1] - offsets[left] + offsets[right + 1] - offsets[right]
    return (both - 2 * common + 1) / (common + 1) * (both - common)


@njit(cache=True)
def _farthest(rows, others, codes, offsets):
    """The largest distance between a set of one list and a set of the other."""
    most = 0.0
    for i in range(len(rows)):
        row = rows[i]
        size = offsets[row + 1] - offsets[row]
        for j in range(len(others)):
            both = size + offsets[others[j] + 1] - offsets[others[j]]
            if (both + 1.0) * both <= most:  # what sets without a common item would be apart
                if j == 0:
                    return most
                break
            most = max(most, _distance(codes, offsets, row, others[j]))
    return most


@njit(cache=True)
def farthest_apart(seed, sets, starts, codes, offsets):
    """The largest distance between a set of the seed and one of each cluster.

    seed : int32[...], rising.  sets : int32[...] and starts : int64[clusters + 1], the sets of each cluster, rising.
    codes, offsets : the items of all sets, rising within a set.
    Returns float64[clusters].
    """
    distances = np.zeros(len(starts) - 1)
    for cluster in range(len(distances)):
        distances[cluster] = _farthest(seed, sets[starts[cluster] : starts[cluster + 1]], codes, offsets)
    return distances


@njit(cache=True)
def widths(sets, starts, codes, offsets):
    """The largest distance within each cluster."""
    distances = np.zeros(len(starts) - 1)
    for cluster in range(len(distances)):
        inside = sets[starts[cluster] : starts[cluster + 1]]
        distances[cluster] = _farthest(inside, inside, codes, offsets)
    return distances
