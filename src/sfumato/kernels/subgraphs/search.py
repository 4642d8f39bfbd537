"""Search for occurrences of a pattern in a graph, node after node, with backjumping, in batches that can be resumed.

A search is a stack of frames, one a depth: IMAGE, arcs of a pivot still to try (FROM, UPTO), PIVOT, the earlier depths
that are to BLAME for what failed (a bit each), and TRIED.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.items.bisection import lower_bound
from sfumato.kernels.subgraphs.domains import OUT, UNKNOWN, VALID, has_arc, propagate, take_out

__all__ = [
    "ENOUGH",
    "FIELDS",
    "FREQUENT",
    "FROM",
    "GIVEN_UP",
    "IMAGE",
    "INFREQUENT",
    "PAUSED",
    "PIVOT",
    "UPTO",
    "Limits",
    "Plans",
    "SavedSearches",
    "open_depth",
    "plans",
    "sweep",
]

IMAGE, FROM, UPTO, PIVOT, BLAME, TRIED = range(6)
FIELDS = 6
FOUND, FAILED, PUT_ASIDE, ABANDONED = range(4)
INFREQUENT, FREQUENT, GIVEN_UP, PAUSED = range(4)
ENOUGH = 1 << 62
LAST_BIT = 62  # deeper depths share this bit: more is blamed than need be, never less


class Plans(NamedTuple):
    """For a search that begins in a domain, the order of the pattern's nodes, and their arcs from earlier ones."""

    variables: Any  # int64[rows, n]: the pattern node at each depth
    begin: Any  # int64[rows, n + 1]: where the arcs of each depth begin
    depth: Any  # int64[rows, m]: the earlier depth
    kind: Any  # int64[rows, m]


class SavedSearches(NamedTuple):
    """Searches that wait to be resumed."""

    slot: Any  # int64[members]: where the search of a member is saved, -1 for none, -2 for given up
    states: Any  # int64[slots, 2 + 6 n]: depth, leaves, frames
    free: Any  # int64[slots]: the slots not in use
    n_free: Any  # int64[1]


class Limits(NamedTuple):
    """When searches end; all int."""

    least: Any  # valid nodes that each domain must have
    enough: Any  # valid nodes after which a domain is settled
    steps: Any  # of one search
    batch: Any  # steps of all searches together before the clock is looked at
    leaves: Any  # of one search
    postpone: Any  # 1 if a search that runs out of steps waits for the next round


@njit(cache=True)
def plans(pattern, sizes):
    """The search order for each first domain: most arcs to earlier nodes first, then the smallest domain."""
    begin, to, kind, row = pattern
    n, m, rows = len(begin) - 1, len(to), len(sizes)
    variables, starts = np.empty((rows, n), dtype=np.int64), np.zeros((rows, n + 1), dtype=np.int64)
    depth, kinds = np.empty((rows, m), dtype=np.int64), np.empty((rows, m), dtype=np.int64)
    for domain in range(rows):
        place = np.zeros(n, dtype=np.int64)
        for v in range(n):
            place[v] = -1
        arcs = 0
        for d in range(n):
            best, best_links = -1, -1
            for v in range(n):
                if place[v] >= 0:
                    continue
                links = 0
                for a in range(begin[v], begin[v + 1]):
                    if place[to[a]] >= 0:
                        links += 1
                if d == 0:
                    links = 1 if row[v] == domain else 0
                if links > best_links or (links == best_links and sizes[row[v]] < sizes[row[best]]):
                    best, best_links = v, links
            place[best], variables[domain, d] = d, best
            for e in range(d):
                earlier = variables[domain, e]
                for a in range(begin[earlier], begin[earlier + 1]):
                    if to[a] == best:
                        depth[domain, arcs], kinds[domain, arcs] = e, kind[a]
                        arcs += 1
            starts[domain, d + 1] = arcs
    return Plans(variables, starts, depth, kinds)


@njit(cache=True)
def open_depth(graph, plan, domain, frames, d):
    """Begin to try images at a depth: the neighbours of the earlier node that has fewest."""
    offsets, keys, n = graph
    _, starts, depth, kind = plan
    fewest = np.int64(1) << 60
    for a in range(starts[domain, d], starts[domain, d + 1]):
        node, base = frames[depth[domain, a], IMAGE], kind[domain, a] * n
        low = lower_bound(keys, offsets[node], offsets[node + 1], base)
        high = lower_bound(keys, low, offsets[node + 1], base + n)
        if high - low < fewest:
            fewest = high - low
            frames[d, FROM], frames[d, UPTO], frames[d, PIVOT] = low, high, a
    frames[d, BLAME] = _bit(depth[domain, frames[d, PIVOT]])
    frames[d, TRIED] = 0


@njit(cache=True)
def _bit(depth):
    return np.int64(1) << min(depth, LAST_BIT)


@njit(cache=True)
def _search(graph, pattern, plan, domains, removed, domain, frames, taken, begun, budget, leaves):
    """Resume a search at depth `begun` (0: it has not begun) for at most `budget` steps.

    taken : int32[N], the depth + 1 at which a node is in use, all 0 before and after.  leaves : int64[2], ends of
    branches seen and allowed: each stands for at least one complete assignment, and no two for the same.
    Returns (what happened, depth, steps).  What no earlier node is to blame for is taken out of its domain.
    """
    keys, n, row, inside = graph.keys, graph.n, pattern.row, domains.inside
    variables, starts, depths, kinds = plan
    last = variables.shape[1] - 1
    for d in range(max(begun, 1)):
        taken[frames[d, IMAGE]] = d + 1
    d, steps, outcome = begun, 0, PUT_ASIDE
    if d == 0:
        d = 1
        open_depth(graph, plan, domain, frames, d)
    while steps < budget:
        steps += 1
        if frames[d, FROM] == frames[d, UPTO]:
            if frames[d, TRIED] == 0:
                leaves[0] += 1
            blame = frames[d, BLAME]
            back = d - 1
            while blame & _bit(back) == 0:
                back -= 1
            for k in range(back, d):
                taken[frames[k, IMAGE]] = 0
            blame &= (_bit(back) - 1) if back <= LAST_BIT else -1
            if blame == 0 and inside[row[variables[domain, back]], frames[back, IMAGE]] != OUT:
                take_out(domains, removed, row[variables[domain, back]], frames[back, IMAGE])
            d = back
            if d == 0:
                outcome = FAILED
                break
            frames[d, BLAME] |= blame
            continue
        node = keys[frames[d, FROM]] - kinds[domain, frames[d, PIVOT]] * n
        frames[d, FROM] += 1
        if inside[row[variables[domain, d]], node] == OUT:
            continue
        frames[d, TRIED] = 1
        if taken[node] != 0:
            frames[d, BLAME] |= _bit(np.int64(taken[node] - 1))
            leaves[0] += 1
        else:
            fits = True
            for a in range(starts[domain, d], starts[domain, d + 1]):
                if a != frames[d, PIVOT] and not has_arc(
                    graph, frames[depths[domain, a], IMAGE], kinds[domain, a], node
                ):
                    frames[d, BLAME] |= _bit(depths[domain, a])
                    fits = False
                    break
            if fits:
                frames[d, IMAGE] = node
                if d == last:
                    outcome = FOUND
                    d += 1
                    break
                taken[node] = d + 1
                d += 1
                open_depth(graph, plan, domain, frames, d)
                continue
            leaves[0] += 1
        if leaves[0] > leaves[1]:
            outcome = ABANDONED
            break
    for k in range(d):
        taken[frames[k, IMAGE]] = 0
    return outcome, d, steps


@njit(cache=True)
def _mark(pattern, plan, domains, domain, frames):
    """Mark all nodes of a solution as valid in their domains."""
    for d in range(plan.variables.shape[1]):
        row, node = pattern.row[plan.variables[domain, d]], frames[d, IMAGE]
        if domains.inside[row, node] == UNKNOWN:
            domains.inside[row, node] = VALID
            domains.valid[row] += 1


@njit(cache=True)
def sweep(graph, pattern, plan, domains, removed, saved, order, limits, cursor, taken):
    """Decide which members of the domains are valid, until each domain has enough valid ones, or one too few.

    saved : SavedSearches.  order : int64[rows], in which the domains are taken.  limits : Limits.
    cursor : int64[4], the position in `order`, the member in its domain, whether a search is still open, and steps.
    Returns what is known: INFREQUENT, FREQUENT, GIVEN_UP, or PAUSED where a call again goes on.
    """
    inside, members, starts, sizes, valid = domains
    slot, states, free, n_free = saved
    n = plan.variables.shape[1]
    frames, leaves, spent = np.empty((n + 1, FIELDS), dtype=np.int64), np.empty(2, dtype=np.int64), 0
    while cursor[0] < len(order):
        domain = order[cursor[0]]
        settled = valid[domain] >= limits.enough or starts[domain] + cursor[1] >= starts[domain + 1]
        if settled:
            cursor[0], cursor[1] = cursor[0] + 1, 0
            continue
        member = starts[domain] + cursor[1]
        node = members[member]
        if inside[domain, node] != UNKNOWN or slot[member] == -2:
            cursor[1] += 1
            continue
        if spent >= limits.batch:
            return PAUSED
        begun, at = 0, slot[member]
        frames[0, IMAGE], leaves[0], leaves[1] = node, 0, limits.leaves
        if at >= 0:
            begun, leaves[0] = states[at, 0], states[at, 1]
            for d in range(begun + 1):
                for f in range(FIELDS):
                    frames[d, f] = states[at, 2 + d * FIELDS + f]
        outcome, d, steps = _search(
            graph, pattern, plan, domains, removed, domain, frames, taken, begun, limits.steps, leaves
        )
        spent += steps
        cursor[3] += steps
        if outcome == PUT_ASIDE:
            cursor[2] = 1
            if at < 0 and n_free[0] > 0:
                n_free[0] -= 1
                at = free[n_free[0]]
                slot[member] = at
            if at >= 0:
                states[at, 0], states[at, 1] = d, leaves[0]
                for k in range(d + 1):
                    for f in range(FIELDS):
                        states[at, 2 + k * FIELDS + f] = frames[k, f]
        elif at >= 0:
            slot[member] = -1
            free[n_free[0]] = at
            n_free[0] += 1
        if outcome == FOUND:
            _mark(pattern, plan, domains, domain, frames)
        elif outcome == ABANDONED:
            slot[member] = -2
        if outcome != PUT_ASIDE or limits.postpone == 1:
            cursor[1] += 1
        used = removed.used
        if used[1] < used[0] and not propagate(graph, pattern, domains, removed, limits.least, False):
            return INFREQUENT
        for r in range(len(sizes)):
            if sizes[r] < limits.least:
                return INFREQUENT
    short = False
    for r in range(len(sizes)):
        if valid[r] < limits.enough and valid[r] < sizes[r]:
            short = True
    if not short:
        return FREQUENT
    return PAUSED if cursor[2] == 1 else GIVEN_UP
