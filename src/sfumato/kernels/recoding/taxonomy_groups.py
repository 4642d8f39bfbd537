"""Groups of equally long sequences whose generalization in a taxonomy, position by position, costs least."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = [
    "PoolRows",
    "TaxonomyArrays",
    "add_cost",
    "closest_ancestor",
    "grow_best_group",
    "grow_group",
    "improve_group",
    "labels_without",
    "nearest_cost",
]


class TaxonomyArrays(NamedTuple):
    """A taxonomy of numbered nodes; to publish node g for leaf p costs weight[g] - weight[p]."""

    path: Any  # int32[nodes, levels]: the ancestor at each depth (the node itself at its own), -1 below it
    parent: Any
    depth: Any
    weight: Any  # float64, growing from a node to its parent


class PoolRows(NamedTuple):
    """Sequences of distinct content, and the records that have each of them."""

    rows: Any  # int32[rows, length]
    row_of: Any  # int64[records]
    first: Any  # int64[rows + 1]: row r is the content of the records first[r] to first[r + 1] - 1
    left: Any  # int64[rows]: how many records of each row are not taken
    taken: Any  # bool[records]: these can no longer be chosen
    units: Any  # int32[records]: the person (or record) of each record


@njit(cache=True)
def closest_ancestor(label, leaf, tree):
    """The closest node that is a label or above it, and that has the leaf below it."""
    while tree.path[leaf, tree.depth[label]] != label:
        label = tree.parent[label]
    return label


@njit(cache=True)
def add_cost(labels, size, row, rows, tree, most):
    """How much the cost of a group of `size` under these labels grows with one row more; `most` if it is no less."""
    cost, weight = 0.0, tree.weight
    for position in range(len(labels)):
        leaf = rows[row, position]
        above = closest_ancestor(labels[position], leaf, tree)
        cost += size * (weight[above] - weight[labels[position]]) + weight[above] - weight[leaf]
        if cost >= most:
            return most
    return cost


@njit(cache=True)
def free_record(row, pool, group, size, without):
    """The first record of a row that is not taken and whose unit is not in the group yet; -1 if none exists."""
    for record in range(pool.first[row], pool.first[row + 1]):
        if pool.taken[record]:
            continue
        free = True
        for position in range(size):
            if position != without and (group[position] == record or pool.units[group[position]] == pool.units[record]):
                free = False
        if free:
            return record
    return -1


@njit(cache=True)
def cheapest_record(labels, size, pool, group, members, without, tree):
    """The record whose row costs least to add, the earliest among equals, and its cost; -1 if none is free."""
    best, chosen = np.inf, -1
    for row in range(len(pool.rows)):
        if pool.left[row] == 0:
            continue
        cost = add_cost(labels, size, row, pool.rows, tree, best)
        if cost < best:
            record = free_record(row, pool, group, members, without)
            if record >= 0:
                best, chosen = cost, record
    return chosen, best


@njit(cache=True)
def grow_group(seed, second, pool, tree, group):
    """Fill a group around a record: a given second record (none if -1), then each time the record that costs least.

    group : int64[m], receives the records.  Returns the cost; infinite if there are not enough units.
    """
    rows, row_of = pool.rows, pool.row_of
    group[0] = seed
    labels = rows[row_of[seed]].copy()
    total = 0.0
    for size in range(1, len(group)):
        if size == 1 and second >= 0:
            record = second
            cost = add_cost(labels, size, row_of[second], rows, tree, np.inf)
        else:
            record, cost = cheapest_record(labels, size, pool, group, size, -1, tree)
        if record < 0:
            return np.inf
        group[size] = record
        total += cost
        for position in range(len(labels)):
            labels[position] = closest_ancestor(labels[position], rows[row_of[record], position], tree)
    return total


@njit(cache=True)
def grow_best_group(seed, pool, tree, group):
    """Fill a group around a record, with each row in turn as the second member, and keep the cheapest group."""
    tried = np.empty_like(group)
    best = np.inf
    group[0] = seed
    for row in range(len(pool.rows)):
        if pool.left[row] == 0:
            continue
        second = free_record(row, pool, group, 1, -1)
        if second >= 0:
            cost = grow_group(seed, second, pool, tree, tried)
            if cost < best:
                best = cost
                group[:] = tried
    return best


@njit(cache=True)
def labels_without(group, out, rows, row_of, tree, labels):
    """Write the common ancestors of a group without one member (-1: with all) into `labels`; returns their cost."""
    weight = tree.weight
    start = 1 if out == 0 else 0
    for position in range(len(labels)):
        labels[position] = rows[row_of[group[start]], position]
        for member in range(len(group)):
            if member != out:
                labels[position] = closest_ancestor(labels[position], rows[row_of[group[member]], position], tree)
    cost = 0.0
    for member in range(len(group)):
        if member != out:
            for position in range(len(labels)):
                cost += weight[labels[position]] - weight[rows[row_of[group[member]], position]]
    return cost


@njit(cache=True)
def improve_group(pool, tree, group, cost):
    """Exchange one record of a group for one outside, as long as that makes it cheaper.  Returns the cost."""
    labels = np.empty(pool.rows.shape[1], dtype=np.int32)
    improved = True
    while improved:
        improved = False
        for out in range(len(group)):
            base = labels_without(group, out, pool.rows, pool.row_of, tree, labels)
            record, more = cheapest_record(labels, len(group) - 1, pool, group, len(group), out, tree)
            if record >= 0 and base + more < cost - 1e-9:
                group[out] = record
                cost = base + more
                improved = True
    return cost


@njit(cache=True)
def nearest_cost(sequence, rows, tree):
    """The cost of a group of two with the nearest row; infinite if there is no row."""
    best = np.inf
    for row in range(len(rows)):
        best = min(best, add_cost(sequence, 1, row, rows, tree, best))
    return best
