"""Groups of rows whose members change: linked lists of members, and each group's label with and without a member."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.tables.group_costs import span_cost

__all__ = ["GroupState", "group_state", "link", "refresh_label", "unlink", "write_members"]


class GroupState(NamedTuple):
    """The members and the labels of all groups; a label is given by its lowest and its highest leaf."""

    group: Any  # int64[n]: the group of each row
    size: Any  # int64[groups]
    first: Any  # int64[groups]: a member, or -1
    after: Any  # int64[n]: the next member of the same group, or -1
    before: Any  # int64[n]: the previous member of the same group, or -1
    low: Any  # int32[groups, attributes]
    high: Any  # int32[groups, attributes]
    cost: Any  # int64[groups]: the information loss of each row under the label
    low_without: Any  # int32[n, attributes]: of the row's group without the row
    high_without: Any  # int32[n, attributes]
    cost_without: Any  # int64[n]


@njit(cache=True)
def group_state(group, n_groups, codes, spans):
    """The state of these groups; later changes also change `group`."""
    n, n_attributes = codes.shape
    size = np.zeros(n_groups, dtype=np.int64)
    first, after, before = np.full(n_groups, -1), np.full(n, -1), np.full(n, -1)
    low, high = np.zeros((n_groups, n_attributes), dtype=np.int32), np.zeros((n_groups, n_attributes), dtype=np.int32)
    low_without, high_without = np.zeros((n, n_attributes), dtype=np.int32), np.zeros((n, n_attributes), dtype=np.int32)
    cost, cost_without = np.zeros(n_groups, dtype=np.int64), np.zeros(n, dtype=np.int64)
    state = GroupState(group, size, first, after, before, low, high, cost, low_without, high_without, cost_without)
    for row in range(n - 1, -1, -1):
        link(row, group[row], state)
    for number in range(n_groups):
        refresh_label(number, codes, spans, state)
    return state


@njit(cache=True)
def link(row, group, state):
    """Put a row in front of the members of a group."""
    first = state.first[group]
    state.group[row] = group
    state.after[row], state.before[row] = first, -1
    if first >= 0:
        state.before[first] = row
    state.first[group] = row
    state.size[group] += 1


@njit(cache=True)
def unlink(row, state):
    """Take a row out of its group."""
    group, after, before = state.group[row], state.after[row], state.before[row]
    if before >= 0:
        state.after[before] = after
    else:
        state.first[group] = after
    if after >= 0:
        state.before[after] = before
    state.size[group] -= 1


@njit(cache=True)
def refresh_label(group, codes, spans, state):
    """Compute the label of a group, and without each member, from its two lowest and two highest leaves."""
    state.cost[group] = 0
    row = state.first[group]
    while row >= 0:
        state.cost_without[row] = 0
        row = state.after[row]
    if state.size[group] == 0:
        return
    for a in range(codes.shape[1]):
        lowest = second_lowest = np.int32(1 << 30)
        highest = second_highest = np.int32(-1)
        row = state.first[group]
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
            row = state.after[row]
        state.low[group, a], state.high[group, a] = lowest, highest
        state.cost[group] += span_cost(a, lowest, highest, spans)
        row = state.first[group]
        while row >= 0 and state.size[group] > 1:
            code = codes[row, a]
            low = second_lowest if code == lowest else lowest
            high = second_highest if code == highest else highest
            state.low_without[row, a], state.high_without[row, a] = low, high
            state.cost_without[row] += span_cost(a, low, high, spans)
            row = state.after[row]


@njit(cache=True)
def write_members(group, leaving, joining, state, members):
    """Write the rows of a group after one leaves and one joins (-1 for none) into `members`; returns how many."""
    m = 0
    row = state.first[group]
    while row >= 0:
        if row != leaving:
            members[m] = row
            m += 1
        row = state.after[row]
    if joining >= 0:
        members[m] = joining
        m += 1
    return m
