"""The groups whose information loss grows least when a row joins them."""

from numba import njit

from sfumato.kernels.tables.group_costs import join_cost

__all__ = ["insert_lowest", "nearest_groups"]

_FAR = 1 << 62


@njit(cache=True)
def nearest_groups(row, codes, spans, state, near, near_cost):
    """Write the groups whose cost grows least when the row joins them into `near`, cheapest first, then -1."""
    count = 0
    for group in range(len(state.size)):
        size, cost = state.size[group], state.cost[group]
        if size == 0 or group == state.group[row]:
            continue
        # (size + 1) * joined - size * cost < worst  <=>  joined < (worst + size * cost) / (size + 1)
        most = _FAR
        if count == len(near):
            most = -(-(near_cost[count - 1] + size * cost) // (size + 1))
        joined = join_cost(state.low, state.high, group, row, codes, spans, most)
        if joined >= most:
            continue
        count = insert_lowest(group, (size + 1) * joined - size * cost, near, near_cost, count)
    near[count:] = -1


@njit(cache=True)
def insert_lowest(which, value, best, values, count):
    """Insert into a full or growing list of the lowest values, lowest first; returns its length."""
    position = count if count < len(best) else count - 1
    if count == len(best) and values[position] <= value:
        return count
    while position > 0 and values[position - 1] > value:
        best[position], values[position] = best[position - 1], values[position - 1]
        position -= 1
    best[position], values[position] = which, value
    return min(count + 1, len(best))
