"""Search for occurrences of a pattern in a graph, node after node, with backjumping, in batches that can be resumed."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.subgraphs.between import has_room, new_buffers
from sfumato.kernels.subgraphs.domains import OUT, UNKNOWN, has_arc, propagate, take_out
from sfumato.kernels.subgraphs.search_order import (
    BLAME,
    FIELDS,
    FROM,
    IMAGE,
    PIVOT,
    TRIED,
    UPTO,
    bits_before,
    depth_bit,
    distances,
    open_depth,
)
from sfumato.kernels.subgraphs.witnesses import mark_witness

__all__ = ["ENOUGH", "FREQUENT", "GIVEN_UP", "INFREQUENT", "PAUSED", "Limits", "SavedSearches", "sweep"]

FOUND, FAILED, PUT_ASIDE, ABANDONED = range(4)
INFREQUENT, FREQUENT, GIVEN_UP, PAUSED = range(4)
ENOUGH = 1 << 62


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
    jumps: Any  # 1 if a search that fails goes back to the cause of the conflict
    removes: Any  # 1 if a node that fails for no fault of earlier ones is taken out of its domain
    near: Any  # 1 if images must be as near to the first one as the nodes of the pattern are
    propagates: Any  # 1 if arc consistency is restored after each search, 0 if after each domain


@njit(cache=True, nogil=True)
def _blame_all(frames, d):
    """Blame every earlier depth for what fails at a depth, so that a search goes back one step at a time."""
    frames[d, BLAME] = bits_before(np.int64(d))


@njit(cache=True, nogil=True)
def _search(problem, frames, taken, near, begun, limits, leaves):
    """Resume a search at depth `begun` (0: it has not begun) for at most `limits.steps` steps.

    taken : int32[N], the depth + 1 at which a node is in use, all 0 before and after.  near : (int64[N], the
    distance from the first image; Buffers), of length 0 where they do not matter.  leaves : int64[2], ends of branches
    seen and allowed: each stands for at least one complete assignment, and no two for the same.
    Returns (what happened, depth, steps).  What no earlier node is to blame for is taken out of its domain.
    """
    graph, pattern, plan, ahead, domains, removed, domain = problem
    keys, n, row, inside = graph.keys, graph.n, pattern.row, domains.inside
    variables, starts, depths, kinds, reach, _ = plan
    last, (distance, buffers) = variables.shape[1] - 1, near
    for d in range(max(begun, 1)):
        taken[frames[d, IMAGE]] = d + 1
    d, steps, outcome = begun, 0, PUT_ASIDE
    if d == 0:
        d = 1
        open_depth(graph, plan, domain, frames, d)
        if limits.jumps == 0:
            _blame_all(frames, d)
    while steps < limits.steps:
        steps += 1
        if frames[d, FROM] == frames[d, UPTO]:
            if frames[d, TRIED] == 0:
                leaves[0] += 1
            blame = frames[d, BLAME]
            back = d - 1
            while blame & depth_bit(back) == 0:
                back -= 1
            for k in range(back, d):
                taken[frames[k, IMAGE]] = 0
            blame &= bits_before(back)
            fails = blame == 0 and (back == 0 or limits.removes == 1)
            if fails and inside[row[variables[domain, back]], frames[back, IMAGE]] != OUT:
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
        if len(distance) > 0 and (distance[node] < 0 or distance[node] > reach[domain, d]):
            frames[d, BLAME] |= 1
            continue
        frames[d, TRIED] = 1
        if taken[node] != 0:
            frames[d, BLAME] |= depth_bit(np.int64(taken[node] - 1))
            leaves[0] += 1
        else:
            fits = True
            for a in range(starts[domain, d], starts[domain, d + 1]):
                if a != frames[d, PIVOT] and not has_arc(
                    graph, frames[depths[domain, a], IMAGE], kinds[domain, a], node
                ):
                    frames[d, BLAME] |= depth_bit(depths[domain, a])
                    fits = False
                    break
            if fits and len(distance) > 0:
                fits, blame = has_room(graph, inside, taken, frames, ahead, domain, d, node, buffers)
                frames[d, BLAME] |= 0 if fits else blame
            if fits:
                frames[d, IMAGE] = node
                if d == last:
                    outcome = FOUND
                    d += 1
                    break
                taken[node] = d + 1
                d += 1
                open_depth(graph, plan, domain, frames, d)
                if limits.jumps == 0:
                    _blame_all(frames, d)
                continue
            leaves[0] += 1
        if leaves[0] > leaves[1]:
            outcome = ABANDONED
            break
    for k in range(d):
        taken[frames[k, IMAGE]] = 0
    return outcome, d, steps


@njit(cache=True, nogil=True)
def _images(plan, domain, frames, image):
    """Write the image of each node of the pattern."""
    for d in range(plan.variables.shape[1]):
        image[plan.variables[domain, d]] = frames[d, IMAGE]


@njit(cache=True, nogil=True)
def _consistent(graph, pattern, domains, removed, least):
    """Restore arc consistency after nodes were taken out; whether each domain keeps at least so many nodes."""
    used = removed.used
    return used[1] == used[0] or propagate(graph, pattern, domains, removed, least, False)


@njit(cache=True, nogil=True)
def sweep(graph, pattern, plan, ahead, domains, removed, saved, witnesses, order, limits, cursor, taken):
    """Decide which members of the domains are valid, until each domain has enough valid ones, or one too few.

    saved : SavedSearches.  witnesses : Witnesses, to which occurrences are added.  order : int64[rows], in which the
    domains are taken.  limits : Limits.
    cursor : int64[4], the position in `order`, the member in its domain, whether a search is still open, and steps.
    Returns what is known: INFREQUENT, FREQUENT, GIVEN_UP, or PAUSED where a call again goes on.
    """
    inside, members, starts, sizes, valid = domains
    slot, states, free, n_free = saved
    n = plan.variables.shape[1]
    frames, leaves, spent = np.empty((n + 1, FIELDS), dtype=np.int64), np.empty(2, dtype=np.int64), 0
    image = np.empty(n, dtype=np.int32)
    distance = np.full(graph.n if limits.near == 1 else 0, -1, dtype=np.int64)
    queue, buffers = np.empty_like(distance), new_buffers(len(distance))
    while cursor[0] < len(order):
        domain = order[cursor[0]]
        settled = valid[domain] >= limits.enough or starts[domain] + cursor[1] >= starts[domain + 1]
        if settled:
            cursor[0], cursor[1] = cursor[0] + 1, 0
            if limits.propagates == 0 and not _consistent(graph, pattern, domains, removed, limits.least):
                return INFREQUENT
            continue
        member = starts[domain] + cursor[1]
        node = members[member]
        if inside[domain, node] != UNKNOWN or slot[member] == -2:
            cursor[1] += 1
            continue
        if spent >= limits.batch:
            return PAUSED
        begun, position = 0, slot[member]
        frames[0, IMAGE], leaves[0], leaves[1] = node, 0, limits.leaves
        if position >= 0:
            begun, leaves[0] = states[position, 0], states[position, 1]
            for d in range(begun + 1):
                for f in range(FIELDS):
                    frames[d, f] = states[position, 2 + d * FIELDS + f]
        n_near = 0
        if limits.near == 1:
            n_near = distances(graph, inside, node, plan.reach[domain].max(), distance, queue)
        problem = (graph, pattern, plan, ahead, domains, removed, domain)
        outcome, d, steps = _search(problem, frames, taken, (distance, buffers), begun, limits, leaves)
        for i in range(n_near):
            distance[queue[i]] = -1
        spent += steps
        cursor[3] += steps
        if outcome == PUT_ASIDE:
            cursor[2] = 1
            if position < 0 and n_free[0] > 0:
                n_free[0] -= 1
                position = free[n_free[0]]
                slot[member] = position
            if position >= 0:
                states[position, 0], states[position, 1] = d, leaves[0]
                for k in range(d + 1):
                    for f in range(FIELDS):
                        states[position, 2 + k * FIELDS + f] = frames[k, f]
        elif position >= 0:
            slot[member] = -1
            free[n_free[0]] = position
            n_free[0] += 1
        if outcome == FOUND:
            _images(plan, domain, frames, image)
            mark_witness(pattern.row, domains, witnesses, image)
        elif outcome == ABANDONED:
            slot[member] = -2
        if outcome != PUT_ASIDE or limits.postpone == 1:
            cursor[1] += 1
        if limits.propagates == 1 and not _consistent(graph, pattern, domains, removed, limits.least):
            return INFREQUENT
        for r in range(len(sizes)):
            if sizes[r] < limits.least:
                return INFREQUENT
    short = False
    for r in order:
        if valid[r] < limits.enough and valid[r] < sizes[r]:
            short = True
    if not short:
        return FREQUENT
    return PAUSED if cursor[2] == 1 else GIVEN_UP
