"""Sizes of closest common ancestors in a taxonomy, from the ranges of leaves below its nodes."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["leaves_in_common"]


@njit(cache=True)
def leaves_in_common(label, others, low, high, firsts, ends):
    """Count the leaves under the closest common ancestor of `label` and each of `others`.

    low, high : int64[...], the leaves of each label lie in low to high - 1.
    firsts, ends : int64[depth], the leaves under a leaf of `label`, under its parent and so on up to the root.
    Returns float64[len(others)].
    """
    own = 0
    while firsts[own] > low[label] or ends[own] < high[label]:
        own += 1
    counts = np.empty(len(others))
    for position in range(len(others)):
        level = own
        while firsts[level] > low[others[position]] or ends[level] < high[others[position]]:
            level += 1
        counts[position] = ends[level] - firsts[level]
    return counts
