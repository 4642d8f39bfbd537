"""Groups of rows formed around a seed (k-member clustering), and the rows that are left put into these groups.

Ties go to the earlier row.  A group takes in `target` different persons, and as many different sensitive values as
l-diversity asks for; where the demand is None, every row is a person, and any rows will do.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.tables.class_requirements import distinct_numbers, meets
from sfumato.kernels.tables.group_costs import join_cost, label_cost

__all__ = ["groups_by_growth", "groups_of_nearest", "merge_until_met", "place_rest"]

_FAR = 1 << 62


@inner
def may_join(row, members, size, target, demand):
    """Whether a row may join a group: it is a new person, and l sensitive values still fit into the group after it."""
    if demand is None:
        return True
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


@inner
def enough_left(left, m, target, demand):
    """Whether the first m rows of `left` are `target` persons; rows where there is no demand."""
    if demand is None or m < target:
        return m >= target
    return distinct_numbers(left, m, demand.units, demand.seen, demand.tick) >= target


@inner
def start_label(label, codes, row):
    """Make a label that of one row."""
    for a in range(codes.shape[1]):
        label[0, 0, a] = label[0, 1, a] = codes[row, a]


@inner
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
    label, zero, far = np.empty((1, 2, codes.shape[1]), dtype=np.int32), np.int64(0), np.int64(_FAR)
    m, n_groups = n, 0
    for seed in seeds:
        if group[seed] != -1:
            continue
        if not enough_left(left, m, target, demand):
            break
        start_label(label, codes, seed)
        for position in range(m):
            cost[position] = join_cost(label, zero, left[position], codes, spans, far)
        members[0], size = seed, np.int64(1)
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
    label, zero = np.empty((1, 2, codes.shape[1]), dtype=np.int32), np.int64(0)
    m, n_groups, seed = n, 0, 0
    while enough_left(left, m, target, demand):
        farthest = np.int64(-1)
        start_label(label, codes, seed)
        for position in range(m):
            cost = join_cost(label, zero, left[position], codes, spans, np.int64(_FAR))
            if cost > farthest:
                farthest, seed = cost, left[position]
        start_label(label, codes, seed)
        members[0], size = seed, np.int64(1)
        group[seed] = -2
        while size < target:
            best, chosen = np.int64(_FAR), -1
            for position in range(m):
                row = left[position]
                if group[row] == -1:
                    cost = join_cost(label, zero, row, codes, spans, best)
                    if cost < best and may_join(row, members, size, target, demand):
                        best, chosen = cost, row
            if chosen < 0:
                break
            group[chosen] = -2
            members[size] = chosen
            size += 1
            for a in range(codes.shape[1]):
                label[0, 0, a] = min(label[0, 0, a], codes[chosen, a])
                label[0, 1, a] = max(label[0, 1, a], codes[chosen, a])
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
    labels = np.empty((n_groups, 2, n_attributes), dtype=np.int32)
    for other in range(n_groups):
        for a in range(n_attributes):
            labels[other, 0, a], labels[other, 1, a] = 1 << 30, -1
    for passing in range(2):
        for row in range(n):
            number = group[row]
            if (number < 0) != (passing == 1):
                continue
            if number < 0:
                best = np.int64(_FAR)
                for other in range(n_groups):
                    cost = join_cost(labels, other, row, codes, spans, best)
                    if cost < best:
                        best, number = cost, other
                group[row] = number
            for a in range(n_attributes):
                labels[number, 0, a] = min(labels[number, 0, a], codes[row, a])
                labels[number, 1, a] = max(labels[number, 1, a], codes[row, a])


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
            row, m = first[number], np.int64(0)
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


@inner
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
