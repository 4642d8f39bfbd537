"""Supports of sets of items under a cut through their hierarchy, and the cheapest generalization that is safe.

Nodes of the hierarchy are numbered from the root down, so that the nodes below one lie behind it and the leaves
below it are a range.  A set is safe when no unit (a person, or a record where persons are unknown) holds it, or at
least k units do and no sensitive item belongs to more than one in `diverse` of them, nor of their records that hold the
set.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

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


@njit(cache=True, nogil=True)
def count_holders(nodes, size, holders):
    """Count the units and the records that hold nodes[:size], and those of both with the commonest sensitive item.

    Returns int64[4].  Where nothing is asked of sensitive items, counting stops at k units.
    """
    starts, records, units, k, diverse, sensitive_starts, sensitive, tally, last = holders
    shortest = 0
    for at in range(1, size):
        if starts[nodes[at] + 1] - starts[nodes[at]] < starts[nodes[shortest] + 1] - starts[nodes[shortest]]:
            shortest = at
    low = np.empty(size, dtype=np.int64)
    for at in range(size):
        low[at] = starts[nodes[at]]
    found = np.zeros(4, dtype=np.int64)
    unit = -1
    for entry in range(starts[nodes[shortest]], starts[nodes[shortest] + 1]):
        record = records[entry]
        inside = True
        for at in range(size):
            if at == shortest:
                continue
            end = starts[nodes[at] + 1]
            low[at] = lower_bound(records, low[at], end, record)
            if low[at] == end or records[low[at]] != record:
                inside = False
                break
        if not inside:
            continue
        found[RECORDS] += 1
        if units[record] != unit:
            unit = units[record]
            found[UNITS] += 1
            if diverse <= 1 and found[UNITS] >= k:
                return found
        if diverse > 1:
            for at in range(sensitive_starts[record], sensitive_starts[record + 1]):
                item = sensitive[at]
                tally[1, item] += 1
                found[RECORDS_WITH] = max(found[RECORDS_WITH], tally[1, item])
                if last[item] != unit:
                    last[item] = unit
                    tally[0, item] += 1
                    found[UNITS_WITH] = max(found[UNITS_WITH], tally[0, item])
    if diverse > 1:
        for entry in range(starts[nodes[shortest]], starts[nodes[shortest] + 1]):
            record = records[entry]
            for at in range(sensitive_starts[record], sensitive_starts[record + 1]):
                tally[0, sensitive[at]] = 0
                tally[1, sensitive[at]] = 0
                last[sensitive[at]] = -1
    return found


@njit(cache=True, nogil=True)
def is_safe(nodes, size, holders):
    """Whether nodes[:size] is a safe set; holders : NodeHolders."""
    found = count_holders(nodes, size, holders)
    k, diverse = holders.k, holders.diverse
    if found[UNITS] == 0 or diverse <= 1:
        return found[UNITS] == 0 or found[UNITS] >= k
    by_unit = diverse * found[UNITS_WITH] <= found[UNITS]
    return found[UNITS] >= k and by_unit and diverse * found[RECORDS_WITH] <= found[RECORDS]


@njit(cache=True, nogil=True)
def _topmost(nodes, size, end):
    """Sort nodes[:size], drop those that lie below another of them; returns how many are left.

    end : int64[nodes], one behind the last node below each.
    """
    for at in range(1, size):
        node = nodes[at]
        to = at
        while to > 0 and nodes[to - 1] > node:
            nodes[to] = nodes[to - 1]
            to -= 1
        nodes[to] = node
    kept = 0
    for at in range(size):
        if kept == 0 or nodes[at] >= end[nodes[kept - 1]]:
            nodes[kept] = nodes[at]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def next_unsafe(sets, first, current, end, holders, found):
    """The row of the first of sets[first:], read through `current`, that is not safe; or their number.

    sets : int32[n, width] of nodes, padded with -1.  current : int32[nodes], the node that each is published as.
    found : int64[width + 1], receives the size of that set and its nodes.
    """
    nodes = np.empty(sets.shape[1], dtype=np.int64)
    for row in range(first, len(sets)):
        size = 0
        while size < len(nodes) and sets[row, size] >= 0:
            nodes[size] = current[sets[row, size]]
            size += 1
        size = _topmost(nodes, size, end)
        if not is_safe(nodes, size, holders):
            found[0] = size
            for at in range(size):
                found[at + 1] = nodes[at]
            return row
    return len(sets)


@njit(cache=True, nogil=True)
def cheapest_safe(given, size, parent, end, ceiling, cost, holders, best):
    """Write the ancestors of given[:size] that make a safe set at the least cost; returns their number, 0 if none do.

    cost : float64[nodes], what it would add to publish everything below a node as that node.
    ceiling : bool[nodes], nodes that may not be climbed above.
    best : int64[size], receives the nodes.  Of equal costs the first when the last node climbs fastest.
    """
    chosen = np.empty(size, dtype=np.int64)
    nodes = np.empty(size, dtype=np.int64)
    for at in range(size):
        chosen[at] = given[at]
    n_best = 0
    least = np.inf
    while True:
        for at in range(size):
            nodes[at] = chosen[at]
        n = _topmost(nodes, size, end)
        price = 0.0
        for at in range(n):
            price += cost[nodes[at]]
        if price < least and is_safe(nodes, n, holders):
            least = price
            n_best = n
            for at in range(n):
                best[at] = nodes[at]
        at = size - 1
        while at >= 0 and (ceiling[chosen[at]] or parent[chosen[at]] < 0):
            chosen[at] = given[at]
            at -= 1
        if at < 0:
            return n_best
        chosen[at] = parent[chosen[at]]
