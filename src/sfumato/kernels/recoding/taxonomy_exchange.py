"""Exchanging members between groups of sequences while that makes the groups cheaper; see `taxonomy_groups`."""

import numpy as np
from numba import njit

from sfumato.kernels.recoding.taxonomy_groups import add_cost, reach

__all__ = ["exchange_members"]


@njit(cache=True)
def labels_without(group, out, rows, row_of, tree, labels):
    """The common ancestors of a group without one member into `labels`; returns what that group costs."""
    path, parent, depth, weight = tree
    length = rows.shape[1]
    start = 1 if out == 0 else 0
    for at in range(length):
        labels[at] = rows[row_of[group[start]], at]
        for member in range(len(group)):
            if member != out:
                labels[at] = reach(labels[at], rows[row_of[group[member]], at], path, parent, depth)
    cost = 0.0
    for member in range(len(group)):
        if member != out:
            for at in range(length):
                cost += weight[labels[at]] - weight[rows[row_of[group[member]], at]]
    return cost


@njit(cache=True)
def welcome(record, group, out, units):
    """Whether nobody in the group but the one who leaves is the record's unit."""
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
    path, parent, depth, weight = tree
    n, size = groups.shape
    length = rows.shape[1]
    without = np.empty((n, size, length), dtype=np.int32)
    base = np.empty((n, size))
    cost = np.empty(n)
    whole = np.empty(length, dtype=np.int32)
    for one in range(n):
        cost[one] = labels_without(groups[one], -1, rows, row_of, tree, whole)
        for out in range(size):
            base[one, out] = labels_without(groups[one], out, rows, row_of, tree, without[one, out])
    improved = True
    while improved and budget > 0:
        improved = False
        for one in range(n):
            for other in range(one + 1, n):
                if cost[one] + cost[other] == 0:
                    continue
                budget -= 2 * size * size * length
                if budget <= 0:
                    return
                best, a, b = cost[one] + cost[other] - 1e-9, -1, -1
                for i in range(size):
                    for j in range(size):
                        x, y = groups[one, i], groups[other, j]
                        if row_of[x] == row_of[y]:
                            continue
                        now = base[one, i] + base[other, j]
                        if now >= best:
                            continue
                        now += add_cost(
                            without[one, i], size - 1, row_of[y], rows, path, parent, depth, weight, best - now
                        )
                        if now < best:
                            now += add_cost(
                                without[other, j], size - 1, row_of[x], rows, path, parent, depth, weight, best - now
                            )
                        if now < best and welcome(y, groups[one], i, units) and welcome(x, groups[other], j, units):
                            best, a, b = now, i, j
                if a >= 0:
                    groups[one, a], groups[other, b] = groups[other, b], groups[one, a]
                    for group in (one, other):
                        cost[group] = labels_without(groups[group], -1, rows, row_of, tree, whole)
                        for out in range(size):
                            base[group, out] = labels_without(
                                groups[group], out, rows, row_of, tree, without[group, out]
                            )
                    improved = True
