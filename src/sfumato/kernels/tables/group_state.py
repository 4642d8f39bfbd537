"""Groups of rows that change: who is in each, its label, and its label without each of its members.

state : (group, size, first, after, before, low, high, cost, low_but, high_but, cost_but).
group : int64[n], of each row.  size, first : of each group; after, before : int64[n], the members of a group in a row.
low, high : int32[groups, attributes] and cost : int64[groups], the label of a group and what it costs each row.
low_but, high_but : int32[n, attributes] and cost_but : int64[n], the same for the group of a row without that row.
"""

import numpy as np
from numba import njit

from sfumato.kernels.tables.group_costs import span_cost

__all__ = ["link", "new_state", "refresh", "replaced", "unlink"]


@njit(cache=True)
def new_state(group, made, codes, spans):
    """The state of these groups; `group` is changed along with it."""
    n, n_attributes = codes.shape
    size = np.zeros(made, dtype=np.int64)
    first, after, before = np.full(made, -1), np.full(n, -1), np.full(n, -1)
    low, high = np.zeros((made, n_attributes), dtype=np.int32), np.zeros((made, n_attributes), dtype=np.int32)
    low_but, high_but = np.zeros((n, n_attributes), dtype=np.int32), np.zeros((n, n_attributes), dtype=np.int32)
    cost, cost_but = np.zeros(made, dtype=np.int64), np.zeros(n, dtype=np.int64)
    state = (group, size, first, after, before, low, high, cost, low_but, high_but, cost_but)
    for row in range(n - 1, -1, -1):
        link(row, group[row], state)
    for one in range(made):
        refresh(one, codes, spans, state)
    return state


@njit(cache=True)
def link(row, one, state):
    """Put a row in front of the members of a group."""
    group, size, first, after, before = state[:5]
    group[row] = one
    after[row], before[row] = first[one], -1
    if first[one] >= 0:
        before[first[one]] = row
    first[one] = row
    size[one] += 1


@njit(cache=True)
def unlink(row, state):
    """Take a row out of its group."""
    group, size, first, after, before = state[:5]
    one = group[row]
    if before[row] >= 0:
        after[before[row]] = after[row]
    else:
        first[one] = after[row]
    if after[row] >= 0:
        before[after[row]] = before[row]
    size[one] -= 1


@njit(cache=True)
def refresh(one, codes, spans, state):
    """The labels of a group and of the group without each member, by its two lowest and two highest leaves."""
    _, size, first, after, _, low, high, cost, low_but, high_but, cost_but = state
    cost[one] = 0
    row = first[one]
    while row >= 0:
        cost_but[row] = 0
        row = after[row]
    if size[one] == 0:
        return
    for a in range(codes.shape[1]):
        lowest = second_lowest = np.int32(1 << 30)
        highest = second_highest = np.int32(-1)
        row = first[one]
        while row >= 0:
            code = codes[row, a]
            if code < lowest:
                lowest, second_lowest = code, lowest
            elif code < second_lowest:
                second_lowest = code
            if code > highest:
                highest, second_highest = code, highest
            elif code > second_highest:
                second_highest = code
            row = after[row]
        low[one, a], high[one, a] = lowest, highest
        cost[one] += span_cost(a, lowest, highest, spans)
        row = first[one]
        while row >= 0 and size[one] > 1:
            code = codes[row, a]
            low_but[row, a] = second_lowest if code == lowest else lowest
            high_but[row, a] = second_highest if code == highest else highest
            cost_but[row] += span_cost(a, low_but[row, a], high_but[row, a], spans)
            row = after[row]


@njit(cache=True)
def replaced(one, leaving, joining, state, members):
    """Write who would be in a group after one has left and one has joined (-1 for nobody); returns how many."""
    first, after = state[2], state[3]
    m = 0
    row = first[one]
    while row >= 0:
        if row != leaving:
            members[m] = row
            m += 1
        row = after[row]
    if joining >= 0:
        members[m] = joining
        m += 1
    return m
