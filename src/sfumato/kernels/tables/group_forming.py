"""Groups of rows formed around a seed (k-member clustering), and the rows that are left put into these groups.

Ties go to the earlier row.  A group takes in `target` different persons, and as many different sensitive values as
l-diversity asks for.
"""

import numpy as np
from numba import njit

from sfumato.kernels.tables.class_requirements import distinct_numbers, meets
from sfumato.kernels.tables.group_costs import join_cost, label_cost

__all__ = ["groups_by_growth", "groups_of_nearest", "merge_until_met", "place_rest"]

_FAR = 1 << 62


@njit(cache=True)
def may_join(row, members, size, target, demand):
    """Whether a row may join a group: it is a new person, and l sensitive values still fit into the group after it."""
    l, units, sensitive = demand.l, demand.units, demand.sensitive  # noqa: E741
    for position in range(size):
        if units[members[position]] == units[row]:
            return False
    if l == 1:
        return True
    for column in range(sensitive.shape[1]):
        values = 0
        for position in range(size + 1):
            here = row if position == size else members[position]
            new = True
            for earlier in range(position):
                new = new and sensitive[members[earlier], column] != sensitive[here, column]
            values += new
        if l - values > target - size - 1:
            return False
    return True


@njit(cache=True)
def keep_ungrouped(left, m, group):
    """Move the rows without a group to the front of `left`; returns how many there are."""
    kept = 0
    for position in range(m):
        if group[left[position]] == -1:
            left[kept] = left[position]
            kept += 1
    return kept


@njit(cache=True)
def groups_of_nearest(codes, seeds, target, demand, spans):
    """Groups of a seed and the rows nearest to it: those with which a pair costs least.

    seeds : int64[n], all rows, in the order in which they are taken.
    Returns int64[n], the group of each row and -1 for the rest, and the number of groups.
    """
    n = len(codes)
    group = np.full(n, -1, dtype=np.int64)
    left, members, cost = np.arange(n), np.empty(target, dtype=np.int64), np.empty(n, dtype=np.int64)
    m, n_groups = n, 0
    for seed in seeds:
        if group[seed] != -1:
            continue
        if m < target or distinct_numbers(left, m, demand.units, demand.seen, demand.tick) < target:
            break
        for position in range(m):
            cost[position] = join_cost(codes, codes, seed, left[position], codes, spans, _FAR)
        members[0], size = seed, 1
        while size < target:
            best, chosen = _FAR, -1
            for position in range(m):
                if (
                    cost[position] < best
                    and left[position] != seed
                    and may_join(left[position], members, size, target, demand)
                ):
                    best, chosen = cost[position], position
            if chosen < 0:
                break
            members[size] = left[chosen]
            cost[chosen] = _FAR
            size += 1
        group[seed] = -2  # the seed of no group: it goes to the rest
        if size == target:
            for position in range(size):
                group[members[position]] = n_groups
            n_groups += 1
        m = keep_ungrouped(left, m, group)
    for row in range(n):
        group[row] = max(group[row], -1)
    return group, n_groups


@njit(cache=True)
def groups_by_growth(codes, target, demand, spans):
    """Greedy k-member groups: a far seed, then each time the row with which the group as a whole costs least.

    Returns as `groups_of_nearest` does.
    """
    n = len(codes)
    group = np.full(n, -1, dtype=np.int64)
    left, members = np.arange(n), np.empty(target, dtype=np.int64)
    m, n_groups, seed = n, 0, 0
    while m >= target and distinct_numbers(left, m, demand.units, demand.seen, demand.tick) >= target:
        far, last = -1, seed
        for position in range(m):
            cost = join_cost(codes, codes, last, left[position], codes, spans, _FAR)
            if cost > far:
                far, seed = cost, left[position]
        low, high = codes[seed : seed + 1].copy(), codes[seed : seed + 1].copy()
        members[0], size = seed, 1
        group[seed] = -2
        while size < target:
            best, chosen = _FAR, -1
            for position in range(m):
                row = left[position]
                if group[row] == -1:
                    cost = join_cost(low, high, 0, row, codes, spans, best)
                    if cost < best and may_join(row, members, size, target, demand):
                        best, chosen = cost, row
            if chosen < 0:
                break
            group[chosen] = -2
            members[size] = chosen
            size += 1
            for a in range(codes.shape[1]):
                low[0, a], high[0, a] = min(low[0, a], codes[chosen, a]), max(high[0, a], codes[chosen, a])
        for position in range(1, size):
            group[members[position]] = n_groups if size == target else -1
        if size == target:
            group[seed] = n_groups
            n_groups += 1
        m = keep_ungrouped(left, m, group)
    for row in range(n):
        group[row] = max(group[row], -1)
    return group, n_groups


@njit(cache=True)
def place_rest(group, n_groups, codes, spans):
    """Put each row without a group into the one whose rows cost least after it joins; changes `group`."""
    n, n_attributes = codes.shape
    low = np.full((n_groups, n_attributes), np.int32(1 << 30), dtype=np.int32)
    high = np.full((n_groups, n_attributes), -1, dtype=np.int32)
    for passing in range(2):
        for row in range(n):
            number = group[row]
            if (number < 0) != (passing == 1):
                continue
            if number < 0:
                best = _FAR
                for other in range(n_groups):
                    cost = join_cost(low, high, other, row, codes, spans, best)
                    if cost < best:
                        best, number = cost, other
                group[row] = number
            for a in range(n_attributes):
                low[number, a] = min(low[number, a], codes[row, a])
                high[number, a] = max(high[number, a], codes[row, a])


@njit(cache=True)
def merge_until_met(group, n_groups, codes, demand, spans):
    """Merge each group that does not meet the demand with its cheapest partner, until all do; changes `group`.

    If all rows are one group, that group may not meet the demand.
    """
    n, n_attributes = codes.shape
    size = np.zeros(n_groups, dtype=np.int64)
    low = np.full((n_groups, n_attributes), np.int32(1 << 30), dtype=np.int32)
    high = np.full((n_groups, n_attributes), -1, dtype=np.int32)
    first, after = np.full(n_groups, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    for row in range(n - 1, -1, -1):
        number = group[row]
        size[number] += 1
        after[row], first[number] = first[number], row
        for a in range(n_attributes):
            low[number, a] = min(low[number, a], codes[row, a])
            high[number, a] = max(high[number, a], codes[row, a])
    members = np.empty(n, dtype=np.int64)
    for number in range(n_groups):
        while size[number] > 0:
            row, m = first[number], 0
            while row >= 0:
                members[m] = row
                row = after[row]
                m += 1
            if meets(members, m, demand):
                break
            partner = cheapest_partner(number, size, low, high, spans)
            if partner < 0:
                break
            for a in range(n_attributes):
                low[number, a] = min(low[number, a], low[partner, a])
                high[number, a] = max(high[number, a], high[partner, a])
            after[members[m - 1]] = first[partner]
            size[number], size[partner] = size[number] + size[partner], 0
    for number in range(n_groups):
        if size[number] > 0:
            row = first[number]
            while row >= 0:
                group[row] = number
                row = after[row]


@njit(cache=True)
def cheapest_partner(group, size, low, high, spans):
    """The other group with which the cost of both together grows least; -1 where none exists."""
    best, partner = _FAR, -1
    own = size[group] * label_cost(low, high, group, group, spans)
    for other in range(len(size)):
        if other == group or size[other] == 0:
            continue
        now = own + size[other] * label_cost(low, high, other, other, spans)
        then = (size[group] + size[other]) * label_cost(low, high, group, other, spans)
        if then - now < best:
            best, partner = then - now, other
    return partner
