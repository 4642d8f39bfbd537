"""Supports of sets of items under a cut through their hierarchy, and the cheapest generalization that is safe.

Nodes of the hierarchy are numbered from the root down, so that the nodes below one lie behind it and the leaves
below it are a range.  A set is safe when no unit (a person, or a record where persons are unknown) holds it, or at
least k units do and no sensitive item belongs to more than one in `diverse` of them, nor of their records that hold the
set.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound

__all__ = [
    "RECORDS",
    "RECORDS_WITH",
    "UNITS",
    "UNITS_WITH",
    "NodeHolders",
    "cheapest_safe",
    "count_holders",
    "is_safe",
    "next_unsafe",
]

UNITS, UNITS_WITH, RECORDS, RECORDS_WITH = range(4)


class NodeHolders(NamedTuple):
    """The records that hold a leaf below each node, what is asked of sets, and the sensitive items of each record."""

    starts: Any  # int64[nodes + 1]
    records: Any  # int64[...], rising under each node; records of one unit lie together
    units: Any  # int32[records]
    k: Any  # int
    diverse: Any  # int: at most one in so many may share a sensitive item; 1 asks for nothing
    sensitive_starts: Any  # int64[records + 1]
    sensitive: Any  # int64[...]
    tally: Any  # int64[2, sensitive items], scratch, all 0
    last: Any  # int64[sensitive items], scratch, all -1


@njit(cache=True)
def count_holders(nodes, size, holders):
    """Count the units and the records that hold nodes[:size], and those of both with the commonest sensitive item.

    Returns int64[4].  Where nothing is asked of sensitive items, counting stops at k units.
    """
    starts, records, units, k, diverse, sensitive_starts, sensitive, tally, last = holders
    shortest = 0
    for position in range(1, size):
        if (
            starts[nodes[position] + 1] - starts[nodes[position]]
            < starts[nodes[shortest] + 1] - starts[nodes[shortest]]
        ):
            shortest = position
    low = np.empty(size, dtype=np.int64)
    for position in range(size):
        low[position] = starts[nodes[position]]
    counts = np.zeros(4, dtype=np.int64)
    unit = -1
    for entry in range(starts[nodes[shortest]], starts[nodes[shortest] + 1]):
        record = records[entry]
        inside = True
        for position in range(size):
            if position == shortest:
                continue
            end = starts[nodes[position] + 1]
            low[position] = lower_bound(records, low[position], end, record)
            if low[position] == end or records[low[position]] != record:
                inside = False
                break
        if not inside:
            continue
        counts[RECORDS] += 1
        if units[record] != unit:
            unit = units[record]
            counts[UNITS] += 1
            if diverse <= 1 and counts[UNITS] >= k:
                return counts
        if diverse > 1:
            for position in range(sensitive_starts[record], sensitive_starts[record + 1]):
                item = sensitive[position]
                tally[1, item] += 1
                counts[RECORDS_WITH] = max(counts[RECORDS_WITH], tally[1, item])
                if last[item] != unit:
                    last[item] = unit
                    tally[0, item] += 1
                    counts[UNITS_WITH] = max(counts[UNITS_WITH], tally[0, item])
    if diverse > 1:
        for entry in range(starts[nodes[shortest]], starts[nodes[shortest] + 1]):
            record = records[entry]
            for position in range(sensitive_starts[record], sensitive_starts[record + 1]):
                tally[0, sensitive[position]] = 0
                tally[1, sensitive[position]] = 0
                last[sensitive[position]] = -1
    return counts


@njit(cache=True)
def is_safe(nodes, size, holders):
    """Whether nodes[:size] is a safe set; holders : NodeHolders."""
    counts = count_holders(nodes, size, holders)
    k, diverse = holders.k, holders.diverse
    if counts[UNITS] == 0 or diverse <= 1:
        return counts[UNITS] == 0 or counts[UNITS] >= k
    by_unit = diverse * counts[UNITS_WITH] <= counts[UNITS]
    return counts[UNITS] >= k and by_unit and diverse * counts[RECORDS_WITH] <= counts[RECORDS]


@njit(cache=True)
def _topmost(nodes, size, end):
    """Sort nodes[:size], drop those that lie below another of them; returns how many are left.

    end : int64[nodes], one behind the last node below each.
    """
    for position in range(1, size):
        node = nodes[position]
        to = position
        while to > 0 and nodes[to - 1] > node:
            nodes[to] = nodes[to - 1]
            to -= 1
        nodes[to] = node
    kept = 0
    for position in range(size):
        if kept == 0 or nodes[position] >= end[nodes[kept - 1]]:
            nodes[kept] = nodes[position]
            kept += 1
    return kept


@njit(cache=True)
def next_unsafe(sets, first, current, end, holders, violation):
    """The row of the first of sets[first:], read through `current`, that is not safe; or their number.

    sets : int32[n, width] of nodes, padded with -1.  current : int32[nodes], the node that each is published as.
    violation : int64[width + 1], receives the size of that set and its nodes.
    """
    nodes = np.empty(sets.shape[1], dtype=np.int64)
    for row in range(first, len(sets)):
        size = 0
        while size < len(nodes) and sets[row, size] >= 0:
            nodes[size] = current[sets[row, size]]
            size += 1
        size = _topmost(nodes, size, end)
        if not is_safe(nodes, size, holders):
            violation[0] = size
            for position in range(size):
                violation[position + 1] = nodes[position]
            return row
    return len(sets)


@njit(cache=True)
def cheapest_safe(given, size, parent, end, ceiling, cost, holders, best):
    """Write the ancestors of given[:size] that make a safe set at the least cost; returns their number, 0 if none do.

    cost : float64[nodes], what it would add to publish everything below a node as that node.
    ceiling : bool[nodes], nodes that may not be climbed above.
    best : int64[size], receives the nodes.  Of equal costs the first when the last node climbs fastest.
    """
    chosen = np.empty(size, dtype=np.int64)
    nodes = np.empty(size, dtype=np.int64)
    for position in range(size):
        chosen[position] = given[position]
    n_best = 0
    least = np.inf
    while True:
        for position in range(size):
            nodes[position] = chosen[position]
        n = _topmost(nodes, size, end)
        price = 0.0
        for position in range(n):
            price += cost[nodes[position]]
        if price < least and is_safe(nodes, n, holders):
            least = price
            n_best = n
            for position in range(n):
                best[position] = nodes[position]
        position = size - 1
        while position >= 0 and (ceiling[chosen[position]] or parent[chosen[position]] < 0):
            chosen[position] = given[position]
            position -= 1
        if position < 0:
            return n_best
        chosen[position] = parent[chosen[position]]
