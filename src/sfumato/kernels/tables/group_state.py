"""Groups of rows whose members change: linked lists of members, and each group's label with and without a member."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.inner import inner
from sfumato.kernels.tables.class_requirements import meets
from sfumato.kernels.tables.group_costs import span_cost

__all__ = [
    "AFTER",
    "COST",
    "COST_WITHOUT",
    "FIRST",
    "GROUP",
    "SIZE",
    "GroupState",
    "allowed",
    "group_state",
    "link",
    "refresh_label",
    "unlink",
]


GROUP, AFTER, BEFORE, COST_WITHOUT = range(4)
SIZE, FIRST, COST = range(3)


class GroupState(NamedTuple):
    """The members and the labels of all groups; few arrays, because every array makes each call dearer to compile.

    A label is given by its lowest and its highest leaf; its cost is the information loss of each row under it.
    """

    rows: Any  # int64[n, 4]: group, next and previous member of it (-1 for none), cost of the group without the row
    groups: Any  # int64[groups, 3]: size, a member (-1 for none), cost
    labels: Any  # int32[groups, 2, attributes]
    without: Any  # int32[n, 2, attributes]: the label of the row's group without the row


@inner
def group_state(group, n_groups, codes, spans):
    """The state of these groups; group : int64[n]."""
    n, n_attributes = codes.shape
    rows, groups = np.zeros((n, 4), dtype=np.int64), np.zeros((n_groups, 3), dtype=np.int64)
    labels = np.zeros((n_groups, 2, n_attributes), dtype=np.int32)
    state = GroupState(rows, groups, labels, np.zeros((n, 2, n_attributes), dtype=np.int32))
    for number in range(n_groups):
        groups[number, FIRST] = -1
    for row in range(n - 1, -1, -1):
        link(row, group[row], state)
    for number in range(n_groups):
        refresh_label(number, codes, spans, state)
    return state


@inner
def link(row, group, state):
    """Put a row in front of the members of a group."""
    first = state.groups[group, FIRST]
    state.rows[row, GROUP] = group
    state.rows[row, AFTER], state.rows[row, BEFORE] = first, -1
    if first >= 0:
        state.rows[first, BEFORE] = row
    state.groups[group, FIRST] = row
    state.groups[group, SIZE] += 1


@inner
def unlink(row, state):
    """Take a row out of its group."""
    group, after, before = state.rows[row, GROUP], state.rows[row, AFTER], state.rows[row, BEFORE]
    if before >= 0:
        state.rows[before, AFTER] = after
    else:
        state.groups[group, FIRST] = after
    if after >= 0:
        state.rows[after, BEFORE] = before
    state.groups[group, SIZE] -= 1


@inner
def refresh_label(group, codes, spans, state):
    """Compute the label of a group, and without each member, from its two lowest and two highest leaves."""
    state.groups[group, COST] = 0
    row = state.groups[group, FIRST]
    while row >= 0:
        state.rows[row, COST_WITHOUT] = 0
        row = state.rows[row, AFTER]
    if state.groups[group, SIZE] == 0:
        return
    for a in range(codes.shape[1]):
        lowest = second_lowest = np.int32(1 << 30)
        highest = second_highest = np.int32(-1)
        row = state.groups[group, FIRST]
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
            row = state.rows[row, AFTER]
        state.labels[group, 0, a], state.labels[group, 1, a] = lowest, highest
        state.groups[group, COST] += span_cost(a, lowest, highest, spans)
        row = state.groups[group, FIRST]
        while row >= 0 and state.groups[group, SIZE] > 1:
            code = codes[row, a]
            low = second_lowest if code == lowest else lowest
            high = second_highest if code == highest else highest
            state.without[row, 0, a], state.without[row, 1, a] = low, high
            state.rows[row, COST_WITHOUT] += span_cost(a, low, high, spans)
            row = state.rows[row, AFTER]


@inner
def allowed(group, leaving, joining, state, demand, members):
    """Whether a group meets the demand after one row leaves and one joins (-1 for none); always without a demand.

    members : int64[n], scratch.
    """
    if demand is None:
        return True
    m = np.int64(0)
    row = state.groups[group, FIRST]
    while row >= 0:
        if row != leaving:
            members[m] = row
            m += 1
        row = state.rows[row, AFTER]
    if joining >= 0:
        members[m] = joining
        m += 1
    return meets(members, m, demand)
