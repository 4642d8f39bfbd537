"""Exchanging rows between groups, as far as these stay what they must be, until no exchange makes them cheaper.

An exchange is a chain of rows, each of which goes to the group of the next.  It is closed when the last row goes to the
group that the first one left, and open when that group can spare its row and the last row joins another group.  A chain
is followed only as long as what it has done so far is a gain; a profitable circle of exchanges can always be entered
at a place from which that is true (S. Lin and B. W. Kernighan, Operations Research 21(2), 1973).
"""

import numpy as np
from numba import njit

from sfumato.kernels.tables.class_requirements import meets
from sfumato.kernels.tables.group_costs import join_cost
from sfumato.kernels.tables.group_state import link, new_state, refresh, replaced, unlink
from sfumato.kernels.tables.nearest_groups import inserted, nearest_groups

__all__ = ["exchanged"]


@njit(cache=True)
def exchanged(group, made, codes, demand, plain, near, changed, everywhere, widths, spans):
    """One pass: exchange rows from each row on, then dissolve groups, as far as that is a gain.

    group : int64[n], numbers below `made`; changed in place.  plain : whether the demand is a number of rows alone.
    near : int64[n, near groups], the groups that a row looks at, from pass to pass.
    changed : bool[made], the groups that the last pass has changed; receives those that this one changes.
    everywhere : whether to begin at every row, and not only where a group of the row or near it has changed.
    widths : int64[depth], how many rows each step of a chain tries.
    Returns what was gained; nothing is left to gain when that is 0 everywhere.
    """
    state = new_state(group, made, codes, spans)
    near_cost = np.empty(near.shape[1], dtype=np.int64)
    chain, members = np.empty(len(widths) + 1, dtype=np.int64), np.empty(len(codes), dtype=np.int64)
    begin = np.empty(len(codes), dtype=np.bool_)
    for row in range(len(codes)):
        begin[row] = everywhere or changed[group[row]] or any_changed(near[row], changed)
        if begin[row]:
            nearest_groups(row, codes, spans, state, near[row], near_cost)
    for one in range(made):
        changed[one] = False
    gained = 0
    for row in range(len(codes)):
        while begin[row]:
            gain, length, end = best_chain(row, codes, demand, plain, widths, spans, state, near, chain, members)
            if gain <= 0:
                break
            gained += gain
            follow(chain, length, end, codes, spans, state, changed)
    for one in range(made):
        gained += dissolved(one, codes, demand, spans, state, near, members, changed)
    return gained


@njit(cache=True)
def any_changed(groups, changed):
    """Whether one of these groups (-1 for none) has changed."""
    found = False
    for one in groups:
        found = found or (one >= 0 and changed[one])
    return found


@njit(cache=True)
def best_chain(start, codes, demand, plain, widths, spans, state, near, chain, members):
    """The most profitable chain that begins with a row: its gain, length and last group (-1 if it is closed)."""
    group, size, cost, cost_but = state[0], state[1], state[7], state[10]
    own = group[start]
    if plain and cost[own] == 0 and before_alike(start, codes, state):
        return np.int64(0), np.int64(0), np.int64(-1)  # an equal row of this group has been tried
    best, length, end = np.int64(0), np.int64(0), np.int64(-1)
    tried = np.empty(len(widths) + 1, dtype=np.int64)
    spare = size[own] > demand[0]
    if spare and not plain:
        spare = meets(members, replaced(own, start, -1, state, members), demand)
    for open_chain in (False, True):
        so_far = np.int64(0)
        if open_chain:
            so_far = (size[own] - 1) * cost_but[start] - size[own] * cost[own]
        if open_chain and not spare:
            continue
        gain, n, last = followed_chains(
            start, so_far, open_chain, codes, demand, plain, widths, spans, state, near, tried, members
        )
        if gain > best:
            best, length, end = gain, n, last
            for at in range(n):
                chain[at] = tried[at]
    return best, length, end


@njit(cache=True)
def before_alike(row, codes, state):
    """Whether an earlier row of the group has the same codes."""
    after, one = state[3], state[0][row]
    other = state[2][one]
    while other >= 0:
        if other < row:
            same = True
            for a in range(codes.shape[1]):
                same = same and codes[other, a] == codes[row, a]
            if same:
                return True
        other = after[other]
    return False


@njit(cache=True)
def followed_chains(start, so_far, open_chain, codes, demand, plain, widths, spans, state, near, chain, members):
    """Depth-first over chains of one kind; returns as `best_chain` does and writes the chain."""
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
            total, last = ended(
                current, level, sums[level], open_chain, best, codes, demand, plain, spans, state, near, members
            )
            if total < -best:
                best, length, end = -total, level + 1, last
                for at in range(level + 1):
                    chain[at] = current[at]
            n_steps[level] = 0
            if level < depth:
                n_steps[level] = next_rows(
                    current, level, sums[level], codes, demand, plain, spans, state, near, members,
                    steps[level, : widths[level]], step_costs[level, : widths[level]],
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


@njit(cache=True)
def ended(current, level, so_far, open_chain, best, codes, demand, plain, spans, state, near, members):
    """The lowest sum with which a chain can end here, and the group that its last row joins (-1: the first one's)."""
    group, size, _, _, _, low, high, cost, low_but, high_but, _ = state
    row, start = current[level], current[0]
    total, last = -best, np.int64(-1)
    if not open_chain:
        own = group[start]
        if level == 0:
            return total, last
        most = -(-(total - so_far + size[own] * cost[own]) // size[own])
        joined = join_cost(low_but, high_but, start, row, codes, spans, most)
        if joined < most and (plain or meets(members, replaced(own, start, row, state, members), demand)):
            total = so_far + size[own] * (joined - cost[own])
        return total, last
    for one in near[row]:
        if one < 0 or size[one] == 0 or on_the_way(one, current, level, group):
            continue
        most = -(-(total - so_far + size[one] * cost[one]) // (size[one] + 1))
        joined = join_cost(low, high, one, row, codes, spans, most)
        if joined < most and (plain or meets(members, replaced(one, -1, row, state, members), demand)):
            total, last = so_far + (size[one] + 1) * joined - size[one] * cost[one], one
    return total, last


@njit(cache=True)
def on_the_way(one, current, level, group):
    """Whether a group has been met by the chain already."""
    met = False
    for at in range(level + 1):
        met = met or group[current[at]] == one
    return met


@njit(cache=True)
def next_rows(current, level, so_far, codes, demand, plain, spans, state, near, members, steps, step_costs):
    """The rows whose places the last row of a chain takes best, as long as the chain remains a gain."""
    group, size, first, after, _, _, _, cost, low_but, high_but, cost_but = state
    row, found = current[level], 0
    for one in near[row]:
        if one < 0 or size[one] < 2 or size[one] > 2 * demand[0] or on_the_way(one, current, level, group):
            continue
        other = first[one]
        while other >= 0:
            limit = -so_far
            if found == len(steps):
                limit = min(limit, step_costs[found - 1])
            most = -(-(limit + size[one] * cost[one]) // size[one])
            if cost_but[other] < most:
                joined = join_cost(low_but, high_but, other, row, codes, spans, most)
                if joined < most and (plain or meets(members, replaced(one, other, row, state, members), demand)):
                    found = inserted(other, size[one] * (joined - cost[one]), steps, step_costs, found)
            other = after[other]
    return found


@njit(cache=True)
def follow(chain, length, end, codes, spans, state, changed):
    """Carry out a chain, and note which groups it has changed."""
    group = state[0]
    goal = np.empty(length, dtype=np.int64)
    left = group[chain[0]]
    for at in range(length):
        goal[at] = group[chain[at + 1]] if at + 1 < length else end
    if end < 0:
        goal[length - 1] = left
    for at in range(length):
        unlink(chain[at], state)
    for at in range(length):
        link(chain[at], goal[at], state)
    refresh(left, codes, spans, state)
    changed[left] = True
    for at in range(length):
        refresh(goal[at], codes, spans, state)
        changed[goal[at]] = True


@njit(cache=True)
def dissolved(one, codes, demand, spans, state, near, members, changed):
    """Let the rows of a group join other groups, each another one, if that is a gain; returns the gain."""
    _, size, first, after, _, low, high, cost = state[:8]
    n, total = size[one], 0
    if n == 0 or n > 2 * demand[0] or cost[one] == 0:
        return 0
    goal, leaving = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    row, found = first[one], 0
    while row >= 0:
        best = size[one] * cost[one] - total
        goal[found] = -1
        for other in near[row]:
            if other < 0 or other == one or size[other] == 0 or taken(other, goal, found):
                continue
            most = -(-(best + size[other] * cost[other]) // (size[other] + 1))
            joined = join_cost(low, high, other, row, codes, spans, most)
            if joined < most and meets(members, replaced(other, -1, row, state, members), demand):
                best, goal[found] = (size[other] + 1) * joined - size[other] * cost[other], other
        if goal[found] < 0:
            return 0
        leaving[found] = row
        total += best
        found += 1
        row = after[row]
    gain = n * cost[one] - total
    for at in range(n):
        unlink(leaving[at], state)
        link(leaving[at], goal[at], state)
        refresh(goal[at], codes, spans, state)
        changed[goal[at]] = True
    refresh(one, codes, spans, state)
    changed[one] = True
    return gain


@njit(cache=True)
def taken(one, goal, found):
    """Whether a group is among the first goals."""
    met = False
    for at in range(found):
        met = met or goal[at] == one
    return met
