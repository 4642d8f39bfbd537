"""Unification of two projections of one owner: finding candidates, picking the best, and carrying them out."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.owners.projections import (
    CODE,
    HELD,
    HIST,
    KEY,
    LABEL,
    LENGTH,
    NODE_OF_OWNER,
    NODES,
    ORIGIN,
    OWNERS,
    PAIRS,
    PARENT,
    START,
    SUPPORT,
    VALUE,
    count_fragment,
    inner,
    slot_of,
)
from sfumato.kernels.owners.unification_gains import is_safe, refresh
from sfumato.kernels.owners.unification_queue import (
    BY_LONG,
    BY_SHORT,
    FOLLOWING,
    FRAGMENT,
    HEAD,
    LONG,
    NODE,
    PARKED,
    SHORT,
    SHORTS,
    STAMP,
    TAIL,
    is_useful,
    path_of,
    pop_candidate,
    problems_of,
    push_candidate,
    rekey,
)

__all__ = ["can_become", "find_candidates", "list_projections", "pick_candidates", "unify", "write_paths"]


@njit(cache=True)
def list_projections(state, n_fragments, fill, firsts, entries):
    """Count the projections of every fragment; with `fill`, write them as entries.  Returns their number."""
    position = 0
    for fragment in range(n_fragments):
        firsts[fragment] = position
        first = state.fragments[START, fragment]
        n_owners = 0
        for step in range(state.fragments[LENGTH, fragment]):
            code = state.visits[CODE, first + step]
            owner = state.owner[code]
            if owner < 0:
                continue
            if state.scratch[NODE_OF_OWNER, owner] == 0:
                state.scratch[OWNERS, n_owners] = owner
                n_owners += 1
            state.scratch[NODE_OF_OWNER, owner] = state.trie[
                VALUE, slot_of(state.trie, state.scratch[NODE_OF_OWNER, owner] * len(state.owner) + code)
            ]
        for index in range(n_owners):
            owner = state.scratch[OWNERS, index]
            if fill:
                entries[FRAGMENT, position] = fragment
                entries[NODE, position] = state.scratch[NODE_OF_OWNER, owner]
            state.scratch[NODE_OF_OWNER, owner] = 0
            position += 1
    firsts[n_fragments] = position
    return position


@njit(cache=True)
def write_paths(state, nodes, depth, offsets, codes):
    """Write the places of several projections, one projection after the other."""
    for index in range(len(nodes)):
        path = path_of(state, nodes[index], depth[nodes[index]])
        for step in range(len(path)):
            codes[offsets[index] + step] = path[step]


@inner
def _restrict(state, path, fate, candidates):
    """Write every projection that is left of a path when all visits to some of its places are suppressed.

    fate : int8 by place, scratch, all 0: 1 is kept, 2 suppressed.  candidates : receives the projections.
    Returns how many there are.  Places are tried kept, then suppressed, from the first step to the last.
    """
    nodes = np.zeros(len(path) + 1, dtype=np.int64)
    tried = np.zeros(len(path) + 1, dtype=np.int8)
    before = np.zeros(len(path) + 1, dtype=np.int8)
    count, step = 0, 0
    while step >= 0:
        if step == len(path):
            if nodes[step] and state.sides[SUPPORT, 2 * nodes[step]] > 0:
                candidates[count] = nodes[step]
                count += 1
            step -= 1
            continue
        code = path[step]
        if tried[step] == 0:
            before[step] = fate[code]
        fate[code] = before[step]
        tried[step] += 1
        if tried[step] == 3:
            step -= 1
        elif tried[step] == 1 and before[step] != 2:
            position = slot_of(state.trie, nodes[step] * len(state.owner) + code)
            if state.trie[KEY, position] >= 0:
                fate[code] = 1
                step += 1
                nodes[step], tried[step] = state.trie[VALUE, position], 0
        elif tried[step] == 2 and before[step] != 1:
            fate[code] = 2
            step += 1
            nodes[step], tried[step] = nodes[step - 1], 0
    return count


@njit(cache=True)
def can_become(state, codes, offsets):
    """Whether each projection, without all visits to some of its places or as it is, is one of the state's: bool[n].

    codes : int64[...], the places of each projection, one projection after the other.  offsets : int64[n + 1].
    """
    fate = np.zeros(len(state.owner), dtype=np.int8)
    candidates = np.empty(state.sizes[NODES], dtype=np.int64)
    found = np.zeros(len(offsets) - 1, dtype=np.bool_)
    for row in range(len(found)):
        found[row] = _restrict(state, codes[offsets[row] : offsets[row + 1]], fate, candidates) > 0
    return found


@njit(cache=True)
def find_candidates(state, begin, depth, longs, shorts):
    """Write the candidates of the projections from `begin` on, as far as the arrays reach.

    Only candidates with a problem count.  Returns the next projection and the number of candidates.
    """
    fate = np.zeros(len(state.owner), dtype=np.int8)
    candidates = np.empty(state.sizes[NODES], dtype=np.int64)
    count = 0
    for long in range(begin, state.sizes[NODES]):
        if state.sides[SUPPORT, 2 * long] == 0:
            continue
        n_found = _restrict(state, path_of(state, long, depth[long]), fate, candidates)
        if count + n_found + 1 > len(longs):
            return long, count
        problematic = problems_of(state, long) > 0
        if problematic:
            longs[count], shorts[count] = long, 0
            count += 1
        for index in range(n_found):
            if candidates[index] != long and (problematic or problems_of(state, candidates[index]) > 0):
                longs[count], shorts[count] = long, candidates[index]
                count += 1
    return state.sizes[NODES], count


@njit(cache=True)
def pick_candidates(state, unions, most):
    """The best candidates that leave no problem, of different longer projections, at most so many."""
    picked = np.empty(most, dtype=np.int64)
    count = 0
    spare = np.empty(len(unions.key), dtype=np.int64)
    n_spare = 0
    unions.count[1] += 1
    while count < most and unions.count[0] > 0:
        candidate = pop_candidate(unions)
        if candidate < 0 or not is_useful(state, unions, candidate):
            continue
        long = unions.candidates[LONG, candidate]
        if unions.nodes[STAMP, long] == unions.count[1]:
            spare[n_spare] = candidate
            n_spare += 1
        elif is_safe(state, unions, long, unions.candidates[SHORT, candidate]):
            unions.nodes[STAMP, long] = unions.count[1]
            picked[count] = candidate
            count += 1
        else:
            unions.candidates[PARKED, candidate] = True
    for index in range(n_spare):
        push_candidate(unions, spare[index])
    for index in range(count):
        push_candidate(unions, picked[index])
    return picked[:count]


@inner
def _push_once(unions, stack, node):
    """Add a node to a stack of nodes, once."""
    if node and unions.nodes[STAMP, node] != unions.count[1]:
        unions.nodes[STAMP, node] = unions.count[1]
        stack[unions.count[2]] = node
        unions.count[2] += 1


@inner
def _visits_any(state, fragment, suppressed):
    """Whether a fragment visits a suppressed place."""
    visited = False
    for step in range(state.fragments[LENGTH, fragment]):
        visited |= suppressed[state.visits[CODE, state.fragments[START, fragment] + step]]
    return visited


@inner
def _affected(state, unions, long, short, owner, suppressed, stack):
    """Put the projections whose candidates will have another gain onto the stack, those with other counts first.

    Returns how many have other counts.
    """
    unions.count[1] += 1
    unions.count[2] = 0
    _push_once(unions, stack, short)
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        fragment = unions.entries[FRAGMENT, entry]
        for beside in range(unions.firsts[fragment], unions.firsts[fragment + 1]):
            if beside != entry:
                _push_once(unions, stack, unions.entries[NODE, beside])
        entry = unions.entries[FOLLOWING, entry]
    changing = unions.count[2]
    for index in range(changing):
        node = stack[index]
        if problems_of(state, node) == 0:
            continue
        entry = unions.nodes[HEAD, node]
        while entry >= 0:
            fragment = unions.entries[FRAGMENT, entry]
            if node == short or _visits_any(state, fragment, suppressed):
                for beside in range(unions.firsts[fragment], unions.firsts[fragment + 1]):
                    other = unions.entries[NODE, beside]
                    if other and (node == short or state.owner[state.nodes[LABEL, other]] == owner):
                        _push_once(unions, stack, other)
            entry = unions.entries[FOLLOWING, entry]
    return changing


@njit(cache=True)
def unify(state, unions, candidate, capacity, stack):
    """Suppress places until the longer projection has become the shorter one, if that is still useful and safe.

    capacity : int64[9], the largest allowed value of each of `sizes`.  stack : int64[nodes], scratch.
    Returns 1 if it was done, 0 if not, and -n if the tables must first grow by n entries.
    """
    long, short = unions.candidates[LONG, candidate], unions.candidates[SHORT, candidate]
    if not is_useful(state, unions, candidate) or not is_safe(state, unions, long, short):
        return 0
    need = np.int64(1)
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        fragment = unions.entries[FRAGMENT, entry]
        need += (
            4 * (state.fragments[LENGTH, fragment] + 1) * (unions.firsts[fragment + 1] - unions.firsts[fragment] + 1)
        )
        entry = unions.entries[FOLLOWING, entry]
    for which in (PAIRS, HIST, HELD):
        if state.sizes[which] + need > capacity[which]:
            return -need
    owner = state.owner[state.nodes[LABEL, long]]
    suppressed = np.zeros(len(state.owner), dtype=np.bool_)
    node = long
    while node:
        suppressed[state.nodes[LABEL, node]] = True
        node = state.nodes[PARENT, node]
    node = short
    while node:
        suppressed[state.nodes[LABEL, node]] = False
        node = state.nodes[PARENT, node]
    changing = _affected(state, unions, long, short, owner, suppressed, stack)
    total = unions.count[2]
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        _shorten(state, unions.entries[FRAGMENT, entry], suppressed)
        unions.entries[NODE, entry] = short
        entry = unions.entries[FOLLOWING, entry]
    if short:
        if unions.nodes[HEAD, short] < 0:  # no fragment in the arrays has it
            unions.nodes[HEAD, short] = unions.nodes[HEAD, long]
        else:
            unions.entries[FOLLOWING, unions.nodes[TAIL, short]] = unions.nodes[HEAD, long]
        unions.nodes[TAIL, short] = unions.nodes[TAIL, long]
    unions.nodes[HEAD, long] = unions.nodes[TAIL, long] = -1
    for index in range(total):
        refresh(state, unions, stack[index])
    for index in range(total):
        node = stack[index]
        for other in range(unions.nodes[BY_LONG, node], unions.nodes[BY_LONG, node + 1]):
            rekey(state, unions, other)
        if index < changing:
            for position in range(unions.nodes[BY_SHORT, node], unions.nodes[BY_SHORT, node + 1]):
                rekey(state, unions, unions.candidates[SHORTS, position])
    return 1


@inner
def _shorten(state, fragment, suppressed):
    """Take the visits to suppressed places out of a fragment."""
    first, kept = state.fragments[START, fragment], 0
    count_fragment(state, fragment, -1)
    for step in range(state.fragments[LENGTH, fragment]):
        if not suppressed[state.visits[CODE, first + step]]:
            state.visits[CODE, first + kept] = state.visits[CODE, first + step]
            state.visits[ORIGIN, first + kept] = state.visits[ORIGIN, first + step]
            kept += 1
    state.fragments[LENGTH, fragment] = kept
    count_fragment(state, fragment, 1)
