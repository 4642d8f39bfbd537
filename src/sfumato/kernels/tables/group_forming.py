"""Groups of rows around a seed: the nearest ones, or those that together cost least; and what becomes of the rest.

Ties go to the earlier row.  See `group_costs` for costs and `class_requirements` for what a group must be, in persons
and in rows.
Groups are made of `target` different persons, of whom each brings a sensitive value that is new as long as fewer than l
are there and no place is to spare.
"""

import numpy as np
from numba import njit

from sfumato.kernels.tables.class_requirements import meets, number_of
from sfumato.kernels.tables.group_costs import join_cost, label_cost

__all__ = ["groups_by_growth", "groups_of_nearest", "merged_until_met", "placed_rest"]

_FAR = 1 << 62


@njit(cache=True)
def welcome(row, members, size, target, demand):
    """Whether a row may join: a new person, and enough places left for the values that are still wanted."""
    l, units, secrets = demand[1], demand[3], demand[5]  # noqa: E741
    for at in range(size):
        if units[members[at]] == units[row]:
            return False
    if l == 1:
        return True
    for column in range(secrets.shape[1]):
        values = 0
        for at in range(size + 1):
            here = row if at == size else members[at]
            new = True
            for earlier in range(at):
                new = new and secrets[members[earlier], column] != secrets[here, column]
            values += new
        if l - values > target - size - 1:
            return False
    return True


@njit(cache=True)
def keep_free(left, m, group):
    """Move the rows that are in no group to the front of `left`; returns how many there are."""
    kept = 0
    for at in range(m):
        if group[left[at]] == -1:
            left[kept] = left[at]
            kept += 1
    return kept


@njit(cache=True)
def groups_of_nearest(codes, seeds, target, demand, spans):
    """Take the seeds in turn; each unites with the rows that, together with it alone, cost least.

    seeds : int64[n], all rows.  Returns int64[n], the group of each row and -1 for the rest, and the number of groups.
    """
    n = len(codes)
    group = np.full(n, -1, dtype=np.int64)
    left, members, cost = np.arange(n), np.empty(target, dtype=np.int64), np.empty(n, dtype=np.int64)
    m, made = n, 0
    for seed in seeds:
        if group[seed] != -1:
            continue
        if m < target or number_of(left, m, demand[3], demand[8], demand[10]) < target:
            break
        for at in range(m):
            cost[at] = join_cost(codes, codes, seed, left[at], codes, spans, _FAR)
        members[0], size = seed, 1
        while size < target:
            best, chosen = _FAR, -1
            for at in range(m):
                if cost[at] < best and left[at] != seed and welcome(left[at], members, size, target, demand):
                    best, chosen = cost[at], at
            if chosen < 0:
                break
            members[size] = left[chosen]
            cost[chosen] = _FAR
            size += 1
        group[seed] = -2  # the rest, where there is no group for it
        if size == target:
            for at in range(size):
                group[members[at]] = made
            made += 1
        m = keep_free(left, m, group)
    for row in range(n):
        group[row] = max(group[row], -1)
    return group, made


@njit(cache=True)
def groups_by_growth(codes, target, demand, spans):
    """Greedy k-member groups: from a far seed on, add the row with which the group as a whole costs least.

    Returns as `groups_of_nearest` does.
    """
    n = len(codes)
    group = np.full(n, -1, dtype=np.int64)
    left, members = np.arange(n), np.empty(target, dtype=np.int64)
    m, made, seed = n, 0, 0
    while m >= target and number_of(left, m, demand[3], demand[8], demand[10]) >= target:
        far, last = -1, seed
        for at in range(m):
            cost = join_cost(codes, codes, last, left[at], codes, spans, _FAR)
            if cost > far:
                far, seed = cost, left[at]
        low, high = codes[seed : seed + 1].copy(), codes[seed : seed + 1].copy()
        members[0], size = seed, 1
        group[seed] = -2
        while size < target:
            best, chosen = _FAR, -1
            for at in range(m):
                row = left[at]
                if group[row] == -1:
                    cost = join_cost(low, high, 0, row, codes, spans, best)
                    if cost < best and welcome(row, members, size, target, demand):
                        best, chosen = cost, row
            if chosen < 0:
                break
            group[chosen] = -2
            members[size] = chosen
            size += 1
            for a in range(codes.shape[1]):
                low[0, a], high[0, a] = min(low[0, a], codes[chosen, a]), max(high[0, a], codes[chosen, a])
        for at in range(1, size):
            group[members[at]] = made if size == target else -1
        if size == target:
            group[seed] = made
            made += 1
        m = keep_free(left, m, group)
    for row in range(n):
        group[row] = max(group[row], -1)
    return group, made


@njit(cache=True)
def placed_rest(group, made, codes, spans):
    """Put each row that is in no group into the one whose rows cost least after it has joined; in place."""
    n, n_attributes = codes.shape
    low = np.full((made, n_attributes), np.int32(1 << 30), dtype=np.int32)
    high = np.full((made, n_attributes), -1, dtype=np.int32)
    for passing in range(2):
        for row in range(n):
            one = group[row]
            if (one < 0) != (passing == 1):
                continue
            if one < 0:
                best = _FAR
                for other in range(made):
                    cost = join_cost(low, high, other, row, codes, spans, best)
                    if cost < best:
                        best, one = cost, other
                group[row] = one
            for a in range(n_attributes):
                low[one, a] = min(low[one, a], codes[row, a])
                high[one, a] = max(high[one, a], codes[row, a])


@njit(cache=True)
def merged_until_met(group, made, codes, demand, spans):
    """Merge each group that does not meet the demand with the one that makes both together cost least; in place.

    Merging goes on until every group meets it or all rows are one group.
    """
    n, n_attributes = codes.shape
    size = np.zeros(made, dtype=np.int64)
    low = np.full((made, n_attributes), np.int32(1 << 30), dtype=np.int32)
    high = np.full((made, n_attributes), -1, dtype=np.int32)
    first, after = np.full(made, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    for row in range(n - 1, -1, -1):
        one = group[row]
        size[one] += 1
        after[row], first[one] = first[one], row
        for a in range(n_attributes):
            low[one, a], high[one, a] = min(low[one, a], codes[row, a]), max(high[one, a], codes[row, a])
    members = np.empty(n, dtype=np.int64)
    for one in range(made):
        while size[one] > 0:
            row, m = first[one], 0
            while row >= 0:
                members[m] = row
                row = after[row]
                m += 1
            if meets(members, m, demand):
                break
            partner = cheapest_partner(one, size, low, high, spans)
            if partner < 0:
                break
            for a in range(n_attributes):
                low[one, a] = min(low[one, a], low[partner, a])
                high[one, a] = max(high[one, a], high[partner, a])
            after[members[m - 1]] = first[partner]
            size[one], size[partner] = size[one] + size[partner], 0
    for one in range(made):
        if size[one] > 0:
            row = first[one]
            while row >= 0:
                group[row] = one
                row = after[row]


@njit(cache=True)
def cheapest_partner(one, size, low, high, spans):
    """The other group with which the cost of both together grows least; -1 where there is none."""
    best, partner = _FAR, -1
    own = size[one] * label_cost(low, high, one, one, spans)
    for other in range(len(size)):
        if other == one or size[other] == 0:
            continue
        now = own + size[other] * label_cost(low, high, other, other, spans)
        then = (size[one] + size[other]) * label_cost(low, high, one, other, spans)
        if then - now < best:
            best, partner = then - now, other
    return partner
