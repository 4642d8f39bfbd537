"""Exchange of members between groups of sequences as long as their generalization becomes cheaper."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.taxonomy_groups import add_cost, labels_without

__all__ = ["exchange_members"]


@njit(cache=True)
def may_join(record, group, out, units):
    """Whether no member of the group but the one who leaves has the record's unit."""
    free = True
    for member in range(len(group)):
        if member != out and units[group[member]] == units[record]:
            free = False
    return free


@njit(cache=True)
def exchange_members(groups, rows, row_of, units, tree, budget):
    """Exchange members of two groups as long as both together become cheaper, or until so many positions were read.

    groups : int64[g, m], the records of each group; changed in place.
    """
    n, size = groups.shape
    length = rows.shape[1]
    without = np.empty((n, size, length), dtype=np.int32)
    base = np.empty((n, size))
    cost = np.empty(n)
    whole = np.empty(length, dtype=np.int32)
    for left in range(n):
        cost[left] = labels_without(groups[left], -1, rows, row_of, tree, whole)
        for out in range(size):
            base[left, out] = labels_without(groups[left], out, rows, row_of, tree, without[left, out])
    improved = True
    while improved and budget > 0:
        improved = False
        for left in range(n):
            for right in range(left + 1, n):
                if cost[left] + cost[right] == 0:
                    continue
                budget -= 2 * size * size * length
                if budget <= 0:
                    return
                best, a, b = cost[left] + cost[right] - 1e-9, -1, -1
                for i in range(size):
                    for j in range(size):
                        x, y = groups[left, i], groups[right, j]
                        if row_of[x] == row_of[y]:
                            continue
                        now = base[left, i] + base[right, j]
                        if now >= best:
                            continue
                        now += add_cost(without[left, i], size - 1, row_of[y], rows, tree, best - now)
                        if now < best:
                            now += add_cost(without[right, j], size - 1, row_of[x], rows, tree, best - now)
                        if now < best and may_join(y, groups[left], i, units) and may_join(x, groups[right], j, units):
                            best, a, b = now, i, j
                if a >= 0:
                    groups[left, a], groups[right, b] = groups[right, b], groups[left, a]
                    for group in (left, right):
                        cost[group] = labels_without(groups[group], -1, rows, row_of, tree, whole)
                        for out in range(size):
                            base[group, out] = labels_without(
                                groups[group], out, rows, row_of, tree, without[group, out]
                            )
                    improved = True
