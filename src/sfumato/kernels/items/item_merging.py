"""Groups of items published under one label: their records, their overlap, and the support of sets of groups.

The records of group g are ``arena[start[g]:stop[g]]``, rising; records of one unit lie together.  A merged group is
written behind all others; what it replaces is left behind.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound

__all__ = ["best_partner", "join", "next_violation", "support_of", "violations"]


@njit(cache=True)
def _overlap(arena, left, one_end, right, other_end):
    """Count the records that two groups share."""
    if one_end - left > other_end - right:
        left, one_end, right, other_end = right, other_end, left, one_end
    shared = 0
    far = (other_end - right) > 16 * (one_end - left)
    while left < one_end and right < other_end:
        if far:
            right = lower_bound(arena, right, other_end, arena[left])
        else:
            while right < other_end and arena[right] < arena[left]:
                right += 1
        if right < other_end and arena[right] == arena[left]:
            shared += 1
        left += 1
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
def join(arena, start, stop, kept, gone, position):
    """Write the records of both groups to arena[position:] and give them to `kept`; returns where they end."""
    left, right = start[kept], start[gone]
    begin = position
    while left < stop[kept] or right < stop[gone]:
        if right == stop[gone] or (left < stop[kept] and arena[left] < arena[right]):
            arena[position] = arena[left]
            left += 1
        else:
            if left < stop[kept] and arena[left] == arena[right]:
                left += 1
            arena[position] = arena[right]
            right += 1
        position += 1
    start[kept], stop[kept] = begin, position
    stop[gone] = start[gone]
    return position


@njit(cache=True)
def support_of(groups, size, arena, start, stop, units):
    """The support of groups[:size]: how many units have a record with all of them."""
    shortest = 0
    for position in range(1, size):
        if stop[groups[position]] - start[groups[position]] < stop[groups[shortest]] - start[groups[shortest]]:
            shortest = position
    low = np.empty(size, dtype=np.int64)
    for position in range(size):
        low[position] = start[groups[position]]
    support = 0
    unit = -1
    for entry in range(start[groups[shortest]], stop[groups[shortest]]):
        record = arena[entry]
        if units[record] == unit:
            continue
        inside = True
        for position in range(size):
            if position == shortest:
                continue
            end = stop[groups[position]]
            low[position] = lower_bound(arena, low[position], end, record)
            if low[position] == end or arena[low[position]] != record:
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
    for position in range(size):
        mixed = (mixed ^ np.uint64(groups[position] + 1)) * np.uint64(0x9E3779B97F4A7C15)
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
def next_violation(sets, first, group_of, arena, start, stop, units, k, known, violation):
    """The row of the first of sets[first:] whose groups have a support of 1 to k - 1; or their number.

    sets : int32[n, width] of items, padded with -1.  group_of : int64[items], -1 where an item is suppressed.
    known : int32[more than n, a power of two, width], -1 where unused: the sets of groups with a support of at least
    k.  Merging only raises the support, so that they need not be counted again.
    violation : int64[width + 2], receives the support, the number of groups and the groups, rising.
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
            for position in range(size, to, -1):
                groups[position] = groups[position - 1]
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
            violation[0] = support
            violation[1] = size
            for position in range(size):
                violation[position + 2] = groups[position]
            return row
    return len(sets)


@njit(cache=True)
def violations(sets, group_of, arena, start, stop, units, k, known):
    """The support of each set where it is 1 to k - 1, 0 for the others: int64[n].

    The arguments are those of `next_violation`.
    """
    supports = np.zeros(len(sets), dtype=np.int64)
    violation = np.zeros(sets.shape[1] + 2, dtype=np.int64)
    row = next_violation(sets, 0, group_of, arena, start, stop, units, k, known, violation)
    while row < len(sets):
        supports[row] = violation[0]
        row = next_violation(sets, row + 1, group_of, arena, start, stop, units, k, known, violation)
    return supports
