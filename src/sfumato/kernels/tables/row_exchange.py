"""Exchange of rows between groups until no exchange lowers the information loss; every group keeps its promise.

An exchange is a chain of rows, each of which goes to the group of the next.  It is closed when the last row goes to the
group that the first one left, and open when that group can spare its row and the last row joins another group.  A chain
is followed only as long as what it has done so far is a gain; a profitable circle of exchanges can always be entered
at a place from which that is true (S. Lin and B. W. Kernighan, Operations Research 21(2), 1973).
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.tables.group_costs import join_cost
from sfumato.kernels.tables.group_state import (
    AFTER,
    COST,
    COST_WITHOUT,
    FIRST,
    GROUP,
    SIZE,
    allowed,
    group_state,
    link,
    refresh_label,
    unlink,
)
from sfumato.kernels.tables.nearest_groups import insert_lowest, nearest_groups

__all__ = ["exchange_rows"]


@njit(cache=True)
def exchange_rows(group, n_groups, codes, k, demand, near, changed, everywhere, widths, spans):
    """Exchange rows along chains that begin at each row, then dissolve groups, as far as that is a gain: one pass.

    group : int64[n], numbers below `n_groups`; changed in place.
    k : int, rows that a group must keep.  demand : Demand, or None where k rows suffice.
    near : int64[n, near groups], the groups that a row looks at, from pass to pass.
    changed : bool[n_groups], the groups that the last pass has changed; receives those that this one changes.
    everywhere : whether to begin at every row, and not only where a group of the row or near it has changed.
    widths : int64[depth], how many rows each step of a chain tries.
    Returns what was gained; nothing is left to gain when that is 0 everywhere.
    """
    state = group_state(group, n_groups, codes, spans)
    near_cost = np.empty((1, near.shape[1]), dtype=np.int64)
    chain, members = np.empty(len(widths) + 1, dtype=np.int64), np.empty(len(codes), dtype=np.int64)
    begin = np.empty(len(codes), dtype=np.bool_)
    for row in range(len(codes)):
        begin[row] = everywhere or changed[group[row]] or any_changed(near, row, changed)
        if begin[row]:
            nearest_groups(row, codes, spans, state, near, near_cost)
    for number in range(n_groups):
        changed[number] = False
    gained = np.int64(0)
    for row in range(len(codes)):
        while begin[row]:
            gain, length, end = best_chain(row, codes, k, demand, widths, spans, state, near, chain, members)
            if gain <= 0:
                break
            gained += gain
            carry_out(chain, length, end, codes, spans, state, changed)
    for number in range(n_groups):
        gained += dissolve(number, codes, k, demand, spans, state, near, members, changed)
    for row in range(len(codes)):
        group[row] = state.rows[row, GROUP]
    return gained


@inner
def any_changed(near, row, changed):
    """Whether any of the groups near a row (-1 for none) has changed."""
    result = False
    for group in near[row]:
        result = result or (group >= 0 and changed[group])
    return result


@inner
def best_chain(start, codes, k, demand, widths, spans, state, near, chain, members):
    """The most profitable chain that begins with a row: its gain, length and last group (-1 if it is closed)."""
    own = state.rows[start, GROUP]
    size, cost = state.groups[own, SIZE], state.groups[own, COST]
    if demand is None and cost == 0 and equal_row_before(start, codes, state):
        return np.int64(0), np.int64(0), np.int64(-1)  # an equal row of this group has been tried
    best, length, end = np.int64(0), np.int64(0), np.int64(-1)
    tried = np.empty(len(widths) + 1, dtype=np.int64)
    spare = size > k and allowed(own, start, np.int64(-1), state, demand, members)
    for open_chain in (False, True):
        so_far = np.int64(0)
        if open_chain:
            so_far = (size - 1) * state.rows[start, COST_WITHOUT] - size * cost
        if open_chain and not spare:
            continue
        gain, n, last = search_chains(
            start, so_far, open_chain, codes, k, demand, widths, spans, state, near, tried, members
        )
        if gain > best:
            best, length, end = gain, n, last
            for position in range(n):
                chain[position] = tried[position]
    return best, length, end


@inner
def equal_row_before(row, codes, state):
    """Whether an earlier row of the same group has the same codes."""
    other = state.groups[state.rows[row, GROUP], FIRST]
    while other >= 0:
        if other < row:
            same = True
            for a in range(codes.shape[1]):
                same = same and codes[other, a] == codes[row, a]
            if same:
                return True
        other = state.rows[other, AFTER]
    return False


@inner
def search_chains(start, so_far, open_chain, codes, k, demand, widths, spans, state, near, chain, members):
    """Search the open or the closed chains depth first; returns as `best_chain` does and writes the chain."""
    depth, most = len(widths), 0
    for width in widths:
        most = max(most, width)
    current, sums = np.empty(depth + 1, dtype=np.int64), np.empty(depth + 1, dtype=np.int64)
    steps, step_costs = np.empty((depth, most), dtype=np.int64), np.empty((depth, most), dtype=np.int64)
    n_steps, at_step = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1, dtype=np.int64)
    best, length, end = np.int64(0), np.int64(0), np.int64(-1)
    current[0], sums[0] = start, so_far
    level = np.int64(0)
    while level >= 0:
        if at_step[level] == 0:
            total, last = end_chain(
                current, level, sums[level], open_chain, best, codes, demand, spans, state, near, members
            )
            if total < -best:
                best, length, end = -total, level + 1, last
                for position in range(level + 1):
                    chain[position] = current[position]
            n_steps[level] = 0
            if level < depth:
                n_steps[level] = next_rows(
                    current, level, sums[level], codes, k, demand, spans, state, near, members,
                    steps, step_costs, widths[level],
                )  # fmt: skip
        if at_step[level] < n_steps[level]:
            step = at_step[level]
            at_step[level] += 1
            current[level + 1] = steps[level, step]
            sums[level + 1] = sums[level] + step_costs[level, step]
            level += 1
            at_step[level] = 0
        else:
            level -= 1
    return best, length, end


@inner
def end_chain(current, level, so_far, open_chain, best, codes, demand, spans, state, near, members):
    """The lowest sum with which a chain can end here, and the group that its last row joins (-1: the first one's)."""
    row, start = current[level], current[0]
    total, last = -best, np.int64(-1)
    if not open_chain:
        own = state.rows[start, GROUP]
        size, cost = state.groups[own, SIZE], state.groups[own, COST]
        if level == 0:
            return total, last
        most = -(-(total - so_far + size * cost) // size)
        joined = join_cost(state.without, start, row, codes, spans, most)
        if joined < most and allowed(own, start, row, state, demand, members):
            total = so_far + size * (joined - cost)
        return total, last
    for group in near[row]:
        if group < 0 or state.groups[group, SIZE] == 0 or in_chain(group, current, level, state):
            continue
        size, cost = state.groups[group, SIZE], state.groups[group, COST]
        most = -(-(total - so_far + size * cost) // (size + 1))
        joined = join_cost(state.labels, group, row, codes, spans, most)
        if joined < most and allowed(group, np.int64(-1), row, state, demand, members):
            total, last = so_far + (size + 1) * joined - size * cost, group
    return total, last


@inner
def in_chain(group, current, level, state):
    """Whether a row of the chain comes from this group."""
    result = False
    for position in range(level + 1):
        result = result or state.rows[current[position], GROUP] == group
    return result


@inner
def next_rows(current, level, so_far, codes, k, demand, spans, state, near, members, steps, step_costs, width):
    """The rows whose places the last row of a chain takes best, as long as the chain remains a gain."""
    row, count = current[level], np.int64(0)
    for group in near[row]:
        if group < 0 or state.groups[group, SIZE] < 2 or state.groups[group, SIZE] > 2 * k:
            continue
        if in_chain(group, current, level, state):
            continue
        size, cost, other = state.groups[group, SIZE], state.groups[group, COST], state.groups[group, FIRST]
        while other >= 0:
            limit = -so_far
            if count == width:
                limit = min(limit, step_costs[level, count - 1])
            most = -(-(limit + size * cost) // size)
            if state.rows[other, COST_WITHOUT] < most:
                joined = join_cost(state.without, other, row, codes, spans, most)
                if joined < most and allowed(group, other, row, state, demand, members):
                    gain = size * (joined - cost)
                    count = insert_lowest(other, gain, steps, level, step_costs, level, width, count)
            other = state.rows[other, AFTER]
    return count


@inner
def carry_out(chain, length, end, codes, spans, state, changed):
    """Carry out a chain, and mark the groups that it changes."""
    goal = np.empty(length, dtype=np.int64)
    left = state.rows[chain[0], GROUP]
    for position in range(length):
        goal[position] = state.rows[chain[position + 1], GROUP] if position + 1 < length else end
    if end < 0:
        goal[length - 1] = left
    for position in range(length):
        unlink(chain[position], state)
    for position in range(length):
        link(chain[position], goal[position], state)
    refresh_label(left, codes, spans, state)
    changed[left] = True
    for position in range(length):
        refresh_label(goal[position], codes, spans, state)
        changed[goal[position]] = True


@inner
def dissolve(group, codes, k, demand, spans, state, near, members, changed):
    """Let the rows of a group join other groups, no two the same one, if that is a gain; returns the gain."""
    n, cost, total = state.groups[group, SIZE], state.groups[group, COST], np.int64(0)
    if n == 0 or n > 2 * k or cost == 0:
        return np.int64(0)
    goal, leaving = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    row, count = state.groups[group, FIRST], np.int64(0)
    while row >= 0:
        best = n * cost - total
        goal[count] = -1
        for other in near[row]:
            if other < 0 or other == group or state.groups[other, SIZE] == 0 or among(other, goal, count):
                continue
            before = state.groups[other, SIZE] * state.groups[other, COST]
            most = -(-(best + before) // (state.groups[other, SIZE] + 1))
            joined = join_cost(state.labels, other, row, codes, spans, most)
            if joined < most and allowed(other, np.int64(-1), row, state, demand, members):
                best, goal[count] = (state.groups[other, SIZE] + 1) * joined - before, other
        if goal[count] < 0:
            return np.int64(0)
        leaving[count] = row
        total += best
        count += 1
        row = state.rows[row, AFTER]
    for position in range(n):
        unlink(leaving[position], state)
        link(leaving[position], goal[position], state)
        refresh_label(goal[position], codes, spans, state)
        changed[goal[position]] = True
    refresh_label(group, codes, spans, state)
    changed[group] = True
    return n * cost - total


@inner
def among(group, goal, count):
    """Whether a group is among the first `count` goals."""
    result = False
    for position in range(count):
        result = result or goal[position] == group
    return result
