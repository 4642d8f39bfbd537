"""Groups of equally long sequences whose common ancestors, position by position, cost least.

A node is a number; `path[node, level]` is its ancestor at that depth (itself at its own), -1 below it.  `weight`
grows from a node to its parent; to publish node g for leaf p costs weight[g] - weight[p].  Sequences are rows of
distinct content; row r stands for the records first[r] to first[r + 1] - 1, of which those that are not `taken` can
still be chosen.
"""

import numpy as np
from numba import njit

__all__ = ["add_cost", "grow_best_group", "grow_group", "improve_group", "nearest_cost", "reach"]


@njit(cache=True)
def reach(label, leaf, path, parent, depth):
    """The closest node that is a label or above it and has the leaf below."""
    while path[leaf, depth[label]] != label:
        label = parent[label]
    return label


@njit(cache=True)
def add_cost(labels, size, row, rows, path, parent, depth, weight, most):
    """How much the cost of a group of so many under these labels grows with one row more; `most` if it is no less."""
    cost = 0.0
    for at in range(len(labels)):
        leaf = rows[row, at]
        met = reach(labels[at], leaf, path, parent, depth)
        cost += size * (weight[met] - weight[labels[at]]) + weight[met] - weight[leaf]
        if cost >= most:
            return most
    return cost


@njit(cache=True)
def free_record(row, first, taken, units, group, size, without):
    """The first record of a row that is not taken and whose unit is not in the group yet; -1 if there is none."""
    for record in range(first[row], first[row + 1]):
        if taken[record]:
            continue
        free = True
        for at in range(size):
            if at != without and (group[at] == record or units[group[at]] == units[record]):
                free = False
        if free:
            return record
    return -1


@njit(cache=True)
def cheapest_record(labels, size, rows, first, left, taken, units, group, members, without, tree):
    """The record whose row costs least to add, the earliest among equals, and what it costs; -1 if none is free."""
    path, parent, depth, weight = tree
    best, chosen = np.inf, -1
    for row in range(len(rows)):
        if left[row] == 0:
            continue
        cost = add_cost(labels, size, row, rows, path, parent, depth, weight, best)
        if cost < best:
            record = free_record(row, first, taken, units, group, members, without)
            if record >= 0:
                best, chosen = cost, record
    return chosen, best


@njit(cache=True)
def grow_group(seed, second, rows, row_of, first, left, taken, units, tree, group):
    """Fill a group around a record: first with a given second one (none if -1), then with the record that costs least.

    left : int64[rows], how many records of each row are not taken.  units : int32[records], who is behind each.
    tree : (path, parent, depth, weight).  group : int64[m], receives the records.  Returns the cost; infinite if
    there are not enough units.
    """
    path, parent, depth, weight = tree
    group[0] = seed
    labels = rows[row_of[seed]].copy()
    total = 0.0
    for size in range(1, len(group)):
        if size == 1 and second >= 0:
            record = second
            cost = add_cost(labels, size, row_of[second], rows, path, parent, depth, weight, np.inf)
        else:
            record, cost = cheapest_record(labels, size, rows, first, left, taken, units, group, size, -1, tree)
        if record < 0:
            return np.inf
        group[size] = record
        total += cost
        for at in range(len(labels)):
            labels[at] = reach(labels[at], rows[row_of[record], at], path, parent, depth)
    return total


@njit(cache=True)
def grow_best_group(seed, rows, row_of, first, left, taken, units, tree, group):
    """The same with each row in turn as the second member; the cheapest of these groups."""
    tried = np.empty_like(group)
    best = np.inf
    group[0] = seed
    for row in range(len(rows)):
        if left[row] == 0:
            continue
        second = free_record(row, first, taken, units, group, 1, -1)
        if second >= 0:
            cost = grow_group(seed, second, rows, row_of, first, left, taken, units, tree, tried)
            if cost < best:
                best = cost
                group[:] = tried
    return best


@njit(cache=True)
def improve_group(rows, row_of, first, left, taken, units, tree, group, cost):
    """Exchange one record of a group for one outside, as long as that makes it cheaper.  Returns the cost."""
    path, parent, depth, weight = tree
    improved = True
    while improved:
        improved = False
        for out in range(len(group)):
            labels = rows[row_of[group[0 if out > 0 else 1]]].copy()
            base = 0.0
            for member in range(len(group)):
                if member != out:
                    for at in range(len(labels)):
                        labels[at] = reach(labels[at], rows[row_of[group[member]], at], path, parent, depth)
            for member in range(len(group)):
                if member != out:
                    for at in range(len(labels)):
                        base += weight[labels[at]] - weight[rows[row_of[group[member]], at]]
            record, more = cheapest_record(
                labels, len(group) - 1, rows, first, left, taken, units, group, len(group), out, tree
            )
            if record >= 0 and base + more < cost - 1e-9:
                group[out] = record
                cost = base + more
                improved = True
    return cost


@njit(cache=True)
def nearest_cost(sequence, rows, tree):
    """What a group of two with the nearest row would cost; infinite if there is no row."""
    path, parent, depth, weight = tree
    best = np.inf
    for row in range(len(rows)):
        best = min(best, add_cost(sequence, 1, row, rows, path, parent, depth, weight, best))
    return best
