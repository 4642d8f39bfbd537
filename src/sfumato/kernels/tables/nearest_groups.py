"""The groups that a row would burden least; see `group_state`."""

from numba import njit

from sfumato.kernels.tables.group_costs import join_cost

__all__ = ["inserted", "nearest_groups"]

_FAR = 1 << 62


@njit(cache=True)
def nearest_groups(row, codes, spans, state, near, near_cost):
    """The groups that become least dearer when the row joins them, cheapest first, -1 where there are no more."""
    group, size, _, _, _, low, high, cost = state[:8]
    found = 0
    for one in range(len(size)):
        if size[one] == 0 or one == group[row]:
            continue
        # (size + 1) * joined - size * cost < worst  <=>  joined < (worst + size * cost) / (size + 1)
        most = _FAR
        if found == len(near):
            most = -(-(near_cost[found - 1] + size[one] * cost[one]) // (size[one] + 1))
        joined = join_cost(low, high, one, row, codes, spans, most)
        if joined >= most:
            continue
        found = inserted(one, (size[one] + 1) * joined - size[one] * cost[one], near, near_cost, found)
    near[found:] = -1


@njit(cache=True)
def inserted(which, value, best, values, found):
    """Insert into the best ones, lowest value first; returns how many there are."""
    at = found if found < len(best) else found - 1
    if found == len(best) and values[at] <= value:
        return found
    while at > 0 and values[at - 1] > value:
        best[at], values[at] = best[at - 1], values[at - 1]
        at -= 1
    best[at], values[at] = which, value
    return min(found + 1, len(best))
