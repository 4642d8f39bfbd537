"""Looking for the best suppression or split of every piece, and carrying it out."""

import numpy as np
from numba import njit

from sfumato.kernels.owners.change_queue import (
    GENERATION,
    LISTED,
    NEXT_KIN,
    TROUBLED,
    await_look,
    depend,
    next_look,
    pop,
    push,
)
from sfumato.kernels.owners.local_gains import (
    clear,
    has_problem,
    parts,
    spans,
    split_change,
    split_gain,
    suppression_change,
    suppression_gain,
    without,
)
from sfumato.kernels.owners.projection_effects import leave_effect
from sfumato.kernels.owners.projections import (
    AT,
    BEFORE,
    CODE,
    LENGTH,
    MET,
    ORIGIN,
    PERSON,
    PIECES,
    START,
    child,
    enter,
    inner,
    link,
    nodes_of,
)
from sfumato.kernels.owners.requeue import alarm_kin, noted, tell

__all__ = [
    "commit_split",
    "commit_suppression",
    "cut_naively",
    "evaluate_splits",
    "evaluate_suppressions",
    "take_splits",
    "take_suppressions",
    "troubled",
]


@inner
def _list_nodes(state, queue, piece, n_met):
    for index in range(n_met):
        depend(state, queue, queue.head, state.scratch[AT, state.scratch[MET, index]], piece)


@inner
def _best_suppression(state, queue, piece):
    """The place whose suppression has the largest gain for the pairs it loses, as (key, place); key 0 if none gains."""
    first, length, person = state.pieces[START, piece], state.pieces[LENGTH, piece], state.pieces[PERSON, piece]
    link(state, first, length)
    n_met = nodes_of(state, first, length)
    fresh = queue.looks[LISTED, piece] != queue.looks[GENERATION, piece]
    if fresh:
        _list_nodes(state, queue, piece, n_met)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] < 0 and state.owner[code] >= 0:
                node = without(state, state.owner[code], first, length, code)
                if node:
                    depend(state, queue, queue.aim, node, piece)
        queue.looks[LISTED, piece] = queue.looks[GENERATION, piece]
    best, choice = 0.0, np.int64(-1)
    problem = has_problem(state, first, length, n_met)
    queue.looks[TROUBLED, piece] = problem
    if problem:
        leaving = np.zeros(n_met, dtype=np.int64)
        for index in range(n_met):
            owner = state.scratch[MET, index]
            leaving[index] = leave_effect(state, state.scratch[AT, owner], owner, first, length, person)
        pairs = length * (length - 1)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] >= 0:
                continue
            own = np.int64(0)
            for index in range(n_met):
                if state.scratch[MET, index] == state.owner[code]:
                    own = leaving[index]
            gain = -suppression_change(state, first, length, person, n_met, code, own)
            left = length
            for other in range(length):
                left -= state.visits[CODE, first + other] == code
            key = gain * pairs / (pairs - left * (left - 1))
            if key > best or (key == best and key > 0 and code < choice):
                best, choice = key, np.int64(code)
    clear(state, n_met)
    return best, choice


@inner
def _best_split(state, queue, piece):
    """The cut with the largest gain, as (gain, step); ties by the pairs lost, then by the step; gain 0 if none."""
    first, length, person = state.pieces[START, piece], state.pieces[LENGTH, piece], state.pieces[PERSON, piece]
    link(state, first, length)
    n_met = nodes_of(state, first, length)
    begins, ends = np.empty(n_met, dtype=np.int64), np.empty(n_met, dtype=np.int64)
    left, right = np.zeros(n_met, dtype=np.int64), np.zeros(n_met, dtype=np.int64)
    spans(state, first, length, n_met, begins, ends)
    fresh = queue.looks[LISTED, piece] != queue.looks[GENERATION, piece]
    if fresh:
        _list_nodes(state, queue, piece, n_met)
    problem = has_problem(state, first, length, n_met)
    queue.looks[TROUBLED, piece] = problem
    best, choice, least = np.int64(0), np.int64(-1), np.int64(0)
    leaving = np.zeros(n_met, dtype=np.int64)
    for index in range(n_met):
        if problem and begins[index] < ends[index]:
            owner = state.scratch[MET, index]
            leaving[index] = leave_effect(state, state.scratch[AT, owner], owner, first, length, person)
    for cut in range(1, length if fresh or problem else 1):
        parts(state, first, cut, length, n_met, right)
        for index in range(n_met):
            code, following = state.visits[CODE, first + cut - 1], state.visits[CODE, first + cut]
            if state.owner[code] == state.scratch[MET, index]:
                left[index] = child(state, left[index], code)
                if fresh and cut <= ends[index]:
                    depend(state, queue, queue.aim, left[index], piece)
            if fresh and begins[index] < cut and state.owner[following] == state.scratch[MET, index]:
                depend(state, queue, queue.aim, right[index], piece)
        if not problem:
            continue
        gain = -split_change(state, first, length, person, n_met, cut, begins, ends, left, right, leaving)
        lost = cut * (length - cut)
        if gain > best or (gain == best and gain > 0 and lost < least):
            best, choice, least = gain, np.int64(cut), np.int64(lost)
    queue.looks[LISTED, piece] = queue.looks[GENERATION, piece]
    clear(state, n_met)
    return best, choice


@njit(cache=True)
def evaluate_suppressions(state, queue, slots):
    """Look at the pieces that wait for it, as far as there is room, and put their best suppressions into the queue.

    slots : int64[9], how much there may be of what `sizes` counts.
    """
    piece = next_look(state, queue, slots)
    while piece >= 0:
        if state.pieces[LENGTH, piece] > 1:
            key, choice = _best_suppression(state, queue, piece)
            if key > 0:
                push(state, queue, key, piece, choice)
        piece = next_look(state, queue, slots)


@njit(cache=True)
def evaluate_splits(state, queue, slots):
    """The same for splits."""
    piece = next_look(state, queue, slots)
    while piece >= 0:
        if state.pieces[LENGTH, piece] > 1:
            gain, choice = _best_split(state, queue, piece)
            if gain > 0:
                push(state, queue, float(gain), piece, choice)
        piece = next_look(state, queue, slots)


@njit(cache=True)
def take_suppressions(state, queue, most):
    """The first suppressions of the queue, at most so many: keys, pieces and places.  They leave the queue.

    What was put there may gain less by now: it is looked at again, and goes back if it does.
    """
    keys, pieces, choices = np.empty(most), np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    count = 0
    while count < most:
        key, piece, choice = pop(state, queue)
        if piece < 0:
            break
        now, choice = _best_suppression(state, queue, piece)
        if now == key:
            keys[count], pieces[count], choices[count] = key, piece, choice
            count += 1
        elif now > 0:
            push(state, queue, now, piece, choice)
    return keys[:count], pieces[:count], choices[:count]


@njit(cache=True)
def take_splits(state, queue, most):
    """The same for splits: keys, pieces and the steps to split before."""
    keys, pieces, choices = np.empty(most), np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    count = 0
    while count < most:
        key, piece, choice = pop(state, queue)
        if piece < 0:
            break
        now, choice = _best_split(state, queue, piece)
        if now == key:
            keys[count], pieces[count], choices[count] = key, piece, choice
            count += 1
        elif now > 0:
            push(state, queue, float(now), piece, choice)
    return keys[:count], pieces[:count], choices[:count]


@inner
def _collect(state, piece, nodes, count):
    """Add the projections of a piece that are not among the nodes yet; returns how many there are then."""
    n_met = nodes_of(state, state.pieces[START, piece], state.pieces[LENGTH, piece])
    for index in range(n_met):
        node = state.scratch[AT, state.scratch[MET, index]]
        state.scratch[AT, state.scratch[MET, index]] = 0
        known = False
        for other in range(count):
            known |= nodes[other] == node
        if not known:
            nodes[count] = node
            count += 1
    return count


@njit(cache=True)
def commit_suppression(state, queue, piece, code):
    """Suppress a place in a piece if that still takes problems away; returns whether it was done."""
    if suppression_gain(state, piece, code) <= 0:
        await_look(queue, piece)
        return False
    _suppress(state, queue, piece, code)
    return True


@inner
def _suppress(state, queue, piece, code):
    first, length = state.pieces[START, piece], state.pieces[LENGTH, piece]
    nodes = np.empty(2 * length, dtype=np.int64)
    count = _collect(state, piece, nodes, np.int64(0))
    if state.owner[code] >= 0:
        node = without(state, state.owner[code], first, length, code)
        if node:
            nodes[count] = node
            count += 1
    sizes, shifts, starts, counts = noted(state, nodes, count)
    enter(state, piece, -1)
    kept = 0
    for step in range(length):
        if state.visits[CODE, first + step] != code:
            state.visits[CODE, first + kept] = state.visits[CODE, first + step]
            state.visits[ORIGIN, first + kept] = state.visits[ORIGIN, first + step]
            kept += 1
    state.pieces[LENGTH, piece] = kept
    enter(state, piece, 1)
    queue.looks[GENERATION, piece] += 1
    await_look(queue, piece)
    alarm_kin(state, queue, piece)
    tell(state, queue, nodes, count, sizes, shifts, starts, counts)


@njit(cache=True)
def commit_split(state, queue, piece, cut, mixed):
    """Cut a piece before a step if that still takes problems away; 0 if nothing was done, 2 if it was cut.

    mixed : suppress the place before the cut instead, and return 1, if that takes problems away and leaves the piece
    without any.
    """
    if split_gain(state, piece, cut) <= 0:
        await_look(queue, piece)
        return 0
    if mixed:
        code = state.visits[CODE, state.pieces[START, piece] + cut - 1]
        if suppression_gain(state, piece, code) > 0 and _clean_without(state, piece, code):
            _suppress(state, queue, piece, code)
            return 1
    first, length = state.pieces[START, piece], state.pieces[LENGTH, piece]
    other = state.sizes[PIECES]
    state.pieces[START, other], state.pieces[LENGTH, other], state.pieces[PERSON, other] = (
        first + cut,
        length - cut,
        state.pieces[PERSON, piece],
    )
    nodes = np.empty(3 * length, dtype=np.int64)
    count = _collect(state, piece, nodes, np.int64(0))
    state.pieces[LENGTH, piece] = cut
    count = _collect(state, piece, nodes, count)
    count = _collect(state, other, nodes, count)
    state.pieces[LENGTH, piece] = length
    sizes, shifts, starts, counts = noted(state, nodes, count)
    enter(state, piece, -1)
    state.pieces[LENGTH, piece] = cut
    state.sizes[PIECES] = other + 1
    enter(state, piece, 1)
    enter(state, other, 1)
    queue.looks[GENERATION, piece] += 1
    await_look(queue, piece)
    await_look(queue, other)
    if state.n_persons:
        queue.looks[NEXT_KIN, other] = queue.kin[state.pieces[PERSON, piece]]
        queue.kin[state.pieces[PERSON, piece]] = other
        alarm_kin(state, queue, piece)
    tell(state, queue, nodes, count, sizes, shifts, starts, counts)
    return 2


@inner
def _clean_without(state, piece, code):
    """Whether a piece would have no problematic pair after a place is suppressed in it."""
    first, length = state.pieces[START, piece], state.pieces[LENGTH, piece]
    enter(state, piece, -1)
    spare = state.visits[CODE, first : first + length].copy()
    kept = 0
    for step in range(length):
        if spare[step] != code:
            state.visits[CODE, first + kept] = spare[step]
            kept += 1
    state.pieces[LENGTH, piece] = kept
    enter(state, piece, 1)
    link(state, first, kept)
    n_met = nodes_of(state, first, kept)
    clean = not has_problem(state, first, kept, n_met)
    clear(state, n_met)
    enter(state, piece, -1)
    for step in range(length):
        state.visits[CODE, first + step] = spare[step]
    state.pieces[LENGTH, piece] = length
    enter(state, piece, 1)
    return clean


@njit(cache=True)
def troubled(state):
    """The pieces that have a problematic pair."""
    found = np.empty(state.sizes[PIECES], dtype=np.int64)
    count = 0
    for piece in range(state.sizes[PIECES]):
        first, length = state.pieces[START, piece], state.pieces[LENGTH, piece]
        link(state, first, length)
        n_met = nodes_of(state, first, length)
        if has_problem(state, first, length, n_met):
            found[count] = piece
            count += 1
        clear(state, n_met)
    return found[:count]


@njit(cache=True)
def cut_naively(state, piece):
    """Cut a piece wherever the owner changes; returns how many cuts that took."""
    enter(state, piece, -1)
    first, length, cuts = state.pieces[START, piece], state.pieces[LENGTH, piece], 0
    part, begin = piece, 0
    for step in range(1, length + 1):
        if (
            step == length
            or state.owner[state.visits[CODE, first + step]] != state.owner[state.visits[CODE, first + step - 1]]
        ):
            state.pieces[START, part], state.pieces[LENGTH, part], state.pieces[PERSON, part] = (
                first + begin,
                step - begin,
                state.pieces[PERSON, piece],
            )
            enter(state, part, 1)
            if step < length:
                part, begin = state.sizes[PIECES], step
                state.sizes[PIECES] = part + 1
                cuts += 1
    return cuts
