"""Groups of items published under one label: their records, their overlap, and the support of sets of groups.

The records of group g are ``arena[start[g]:stop[g]]``, rising; records of one unit lie together.  A merged group is
written behind all others; what it replaces is left behind.
"""

import numpy as np
from numba import njit

from sfumato.kernels.items.bisection import lower_bound

__all__ = ["best_partner", "join", "next_violation", "support_of", "violations"]


@njit(cache=True)
def _overlap(arena, one, one_end, other, other_end):
    """Count the records that two groups share."""
    if one_end - one > other_end - other:
        one, one_end, other, other_end = other, other_end, one, one_end
    shared = 0
    far = (other_end - other) > 16 * (one_end - one)
    while one < one_end and other < other_end:
        if far:
            other = lower_bound(arena, other, other_end, arena[one])
        else:
            while other < other_end and arena[other] < arena[one]:
                other += 1
        if other < other_end and arena[other] == arena[one]:
            shared += 1
        one += 1
    return shared


@njit(cache=True)
def best_partner(group, candidates, arena, start, stop, sizes, rank, nothing):
    """The candidate whose merge with the group has the least utility loss, and the logarithm of that loss.

    The loss of a group of n items in r records is (2^n - 1) r, up to a constant; ties by rank.  `nothing` is the
    logarithm that must be undercut; -1 where no candidate does.
    """
    best = -1
    least = nothing
    mine = stop[group] - start[group]
    for candidate in candidates:
        if candidate == group:
            continue
        theirs = stop[candidate] - start[candidate]
        n = sizes[group] + sizes[candidate]
        ways = n * np.log(2.0) + np.log1p(-(0.5**n))
        if ways + np.log(max(mine, theirs)) > least + 1e-12:
            continue
        shared = _overlap(arena, start[group], stop[group], start[candidate], stop[candidate])
        loss = ways + np.log(mine + theirs - shared)
        if loss < least - 1e-12 or (loss <= least + 1e-12 and best >= 0 and rank[candidate] < rank[best]):
            least = loss
            best = candidate
    return best, least


@njit(cache=True)
def join(arena, start, stop, kept, gone, at):
    """Write the records of both groups to arena[at:] and give them to `kept`; returns where they end."""
    one, other = start[kept], start[gone]
    begin = at
    while one < stop[kept] or other < stop[gone]:
        if other == stop[gone] or (one < stop[kept] and arena[one] < arena[other]):
            arena[at] = arena[one]
            one += 1
        else:
            if one < stop[kept] and arena[one] == arena[other]:
                one += 1
            arena[at] = arena[other]
            other += 1
        at += 1
    start[kept], stop[kept] = begin, at
    stop[gone] = start[gone]
    return at


@njit(cache=True)
def support_of(groups, size, arena, start, stop, units):
    """The support of groups[:size]: how many units have a record with all of them."""
    shortest = 0
    for at in range(1, size):
        if stop[groups[at]] - start[groups[at]] < stop[groups[shortest]] - start[groups[shortest]]:
            shortest = at
    low = np.empty(size, dtype=np.int64)
    for at in range(size):
        low[at] = start[groups[at]]
    support = 0
    unit = -1
    for entry in range(start[groups[shortest]], stop[groups[shortest]]):
        record = arena[entry]
        if units[record] == unit:
            continue
        inside = True
        for at in range(size):
            if at == shortest:
                continue
            end = stop[groups[at]]
            low[at] = lower_bound(arena, low[at], end, record)
            if low[at] == end or arena[low[at]] != record:
                inside = False
                break
        if inside:
            unit = units[record]
            support += 1
    return support


@njit(cache=True)
def _slot(known, groups, size):
    """The slot of a set of groups, or the unused slot where it belongs."""
    mixed = np.uint64(1469598103934665603)
    for at in range(size):
        mixed = (mixed ^ np.uint64(groups[at] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(len(known) - 1))
    while known[slot, 0] >= 0:
        same = True
        for level in range(known.shape[1]):
            if known[slot, level] != (groups[level] if level < size else -1):
                same = False
                break
        if same:
            break
        slot = (slot + 1) & (len(known) - 1)
    return slot


@njit(cache=True)
def next_violation(sets, first, group_of, arena, start, stop, units, k, known, found):
    """The row of the first of sets[first:] whose groups have a support of 1 to k - 1; or their number.

    sets : int32[n, width] of items, padded with -1.  group_of : int64[items], -1 where an item is suppressed.
    known : int32[more than n, a power of two, width], -1 where unused: the sets of groups with a support of at least
    k.  Merging only raises the support, so that they need not be counted again.
    found : int64[width + 2], receives the support, the number of groups and the groups, rising.
    """
    groups = np.empty(sets.shape[1], dtype=np.int64)
    for row in range(first, len(sets)):
        size = 0
        gone = False
        for level in range(sets.shape[1]):
            item = sets[row, level]
            if item < 0:
                break
            group = group_of[item]
            if group < 0:
                gone = True
                break
            to = size
            while to > 0 and groups[to - 1] > group:
                to -= 1
            if to > 0 and groups[to - 1] == group:
                continue
            for at in range(size, to, -1):
                groups[at] = groups[at - 1]
            groups[to] = group
            size += 1
        if gone:
            continue
        slot = _slot(known, groups, size)
        if known[slot, 0] >= 0:
            continue
        support = support_of(groups, size, arena, start, stop, units)
        if support >= k:
            for level in range(size):
                known[slot, level] = groups[level]
        if 0 < support < k:
            found[0] = support
            found[1] = size
            for at in range(size):
                found[at + 2] = groups[at]
            return row
    return len(sets)


@njit(cache=True)
def violations(sets, group_of, arena, start, stop, units, k, known):
    """The support of each set where it is 1 to k - 1, 0 for the others: int64[n].

    The arguments are those of `next_violation`.
    """
    supports = np.zeros(len(sets), dtype=np.int64)
    found = np.zeros(sets.shape[1] + 2, dtype=np.int64)
    row = next_violation(sets, 0, group_of, arena, start, stop, units, k, known, found)
    while row < len(sets):
        supports[row] = found[0]
        row = next_violation(sets, row + 1, group_of, arena, start, stop, units, k, known, found)
    return supports
