"""Sets of items under a cut through their hierarchy: who holds them, and the cheapest way to make them safe.

Nodes of the hierarchy are numbered from the root down, so that the nodes below one lie behind it and the leaves
below it are a range.  Under each node lie the records that hold one of its leaves: ``records[starts[node]:starts[node +
1]]``, rising.  Records of one unit (a person, or the record itself) lie together.

A set is safe when nobody holds it, or at least k units do and no sensitive item belongs to more than one in `diverse`
of them, nor of their records that hold the set.
"""

import numpy as np
from numba import njit

from sfumato.kernels.items.bisection import lower_bound

__all__ = ["RECORDS", "RECORDS_WITH", "UNITS", "UNITS_WITH", "cheapest_safe", "counted", "is_safe", "next_unsafe"]

UNITS, UNITS_WITH, RECORDS, RECORDS_WITH = range(4)


@njit(cache=True, nogil=True)
def counted(nodes, size, starts, records, units, k, diverse, secret_starts, secrets, tally, last):
    """Who holds nodes[:size]: int64[4], units, those with the commonest secret, records, those with the commonest one.

    units : int32[records].  secret_starts, secrets : the sensitive items of each record.
    tally, last : int64[2, sensitive items] and int64[sensitive items], scratch, 0 and -1, left so.
    Where nothing is asked of secrets, counting stops at k units.
    """
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
            for at in range(secret_starts[record], secret_starts[record + 1]):
                secret = secrets[at]
                tally[1, secret] += 1
                found[RECORDS_WITH] = max(found[RECORDS_WITH], tally[1, secret])
                if last[secret] != unit:
                    last[secret] = unit
                    tally[0, secret] += 1
                    found[UNITS_WITH] = max(found[UNITS_WITH], tally[0, secret])
    if diverse > 1:
        for entry in range(starts[nodes[shortest]], starts[nodes[shortest] + 1]):
            record = records[entry]
            for at in range(secret_starts[record], secret_starts[record + 1]):
                tally[0, secrets[at]] = 0
                tally[1, secrets[at]] = 0
                last[secrets[at]] = -1
    return found


@njit(cache=True, nogil=True)
def is_safe(nodes, size, starts, records, units, k, diverse, secret_starts, secrets, tally, last):
    """Whether nodes[:size] is a safe set; what is given is read as by `counted`."""
    found = counted(nodes, size, starts, records, units, k, diverse, secret_starts, secrets, tally, last)
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
def next_unsafe(
    sets, first, current, end, starts, records, units, k, diverse, secret_starts, secrets, tally, last, found
):
    """The first of sets[first:], read through `current`, that is not safe; or their number.

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
        if not is_safe(nodes, size, starts, records, units, k, diverse, secret_starts, secrets, tally, last):
            found[0] = size
            for at in range(size):
                found[at + 1] = nodes[at]
            return row
    return len(sets)


@njit(cache=True, nogil=True)
def cheapest_safe(
    given,
    size,
    parent,
    end,
    ceiling,
    cost,
    starts,
    records,
    units,
    k,
    diverse,
    secret_starts,
    secrets,
    tally,
    last,
    best,
):
    """Which ancestors of given[:size] make a safe set at the least cost; returns their number, or 0 if none do.

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
        if price < least and is_safe(nodes, n, starts, records, units, k, diverse, secret_starts, secrets, tally, last):
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
