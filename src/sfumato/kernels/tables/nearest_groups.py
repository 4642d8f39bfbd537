"""The groups whose information loss grows least when a row joins them."""

import numpy as np

from sfumato.kernels.inner import inner
from sfumato.kernels.tables.group_costs import join_cost
from sfumato.kernels.tables.group_state import COST, GROUP, SIZE

__all__ = ["insert_lowest", "nearest_groups"]

_FAR = 1 << 62


@inner
def nearest_groups(row, codes, spans, state, near, near_cost):
    """Write the groups whose cost grows least when the row joins them into near[row], cheapest first, then -1.

    near : int64[n, width].  near_cost : int64[1, width], scratch.
    """
    count, width = np.int64(0), near.shape[1]
    for group in range(len(state.groups)):
        size, cost = state.groups[group, SIZE], state.groups[group, COST]
        if size == 0 or group == state.rows[row, GROUP]:
            continue
        # (size + 1) * joined - size * cost < worst  <=>  joined < (worst + size * cost) / (size + 1)
        most = np.int64(_FAR)
        if count == width:
            most = -(-(near_cost[0, count - 1] + size * cost) // (size + 1))
        joined = join_cost(state.labels, group, row, codes, spans, most)
        if joined < most:
            count = insert_lowest(
                group, (size + 1) * joined - size * cost, near, row, near_cost, np.int64(0), width, count
            )
    for position in range(count, width):
        near[row, position] = -1


@inner
def insert_lowest(which, value, best, line, values, value_line, width, count):
    """Insert into a line of the lowest values, lowest first, of which `count` are there; returns the new count."""
    position = count if count < width else count - 1
    if count == width and values[value_line, position] <= value:
        return count
    while position > 0 and values[value_line, position - 1] > value:
        best[line, position] = best[line, position - 1]
        values[value_line, position] = values[value_line, position - 1]
        position -= 1
    best[line, position], values[value_line, position] = which, value
    return min(count + 1, width)
