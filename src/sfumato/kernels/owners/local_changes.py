"""The best suppression or split of every trajectory fragment: finding it, and carrying it out."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.owners.change_queue import (
    GENERATION,
    LISTED,
    NEXT_OF_PERSON,
    PROBLEMATIC,
    add_dependent,
    next_waiting,
    pop,
    push,
    requeue,
)
from sfumato.kernels.owners.local_gains import (
    clear_projections,
    has_problem,
    owner_spans,
    part_projections,
    projection_without,
    split_change,
    split_gain,
    suppression_change,
    suppression_gain,
)
from sfumato.kernels.owners.projection_effects import leave_effect
from sfumato.kernels.owners.projections import (
    BEFORE,
    CODE,
    FRAGMENTS,
    LENGTH,
    NODE_OF_OWNER,
    ORIGIN,
    OWNERS,
    PERSON,
    START,
    child,
    count_fragment,
    inner,
    link_repeats,
    projections_of,
    stretch_of,
)
from sfumato.kernels.owners.requeue import requeue_gaining, requeue_person, snapshot

__all__ = [
    "commit_split",
    "commit_suppression",
    "evaluate_splits",
    "evaluate_suppressions",
    "problematic_fragments",
    "split_by_owner",
    "take_splits",
    "take_suppressions",
]


class Changes(NamedTuple):
    """Changes of fragments: the key of each in the queue, the fragment, and the place or the step."""

    keys: Any  # float64[...]
    fragments: Any  # int64[...]
    choices: Any  # int64[...]


@inner
def _list_members(state, queue, fragment, n_owners):
    """List a fragment under all of its projections."""
    for index in range(n_owners):
        add_dependent(
            state, queue, queue.members_head, state.scratch[NODE_OF_OWNER, state.scratch[OWNERS, index]], fragment
        )


@inner
def _best_suppression(state, queue, fragment):
    """The place whose suppression has the largest gain for the pairs it loses, as (key, place); key 0 if none gains."""
    first, length, person = stretch_of(state, fragment)
    link_repeats(state, first, length)
    n_owners = projections_of(state, first, length)
    fresh = queue.status[LISTED, fragment] != queue.status[GENERATION, fragment]
    if fresh:
        _list_members(state, queue, fragment, n_owners)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] < 0 and state.owner[code] >= 0:
                node = projection_without(state, state.owner[code], first, length, code)
                if node:
                    add_dependent(state, queue, queue.joiners_head, node, fragment)
        queue.status[LISTED, fragment] = queue.status[GENERATION, fragment]
    best, choice = 0.0, np.int64(-1)
    problem = has_problem(state, first, length, n_owners)
    queue.status[PROBLEMATIC, fragment] = problem
    if problem:
        leaving = np.zeros(n_owners, dtype=np.int64)
        for index in range(n_owners):
            owner = state.scratch[OWNERS, index]
            leaving[index] = leave_effect(state, state.scratch[NODE_OF_OWNER, owner], owner, first, length, person)
        pairs = length * (length - 1)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] >= 0:
                continue
            own = np.int64(0)
            for index in range(n_owners):
                if state.scratch[OWNERS, index] == state.owner[code]:
                    own = leaving[index]
            gain = -suppression_change(state, first, length, person, n_owners, code, own)
            left = length
            for other in range(length):
                left -= state.visits[CODE, first + other] == code
            key = gain * pairs / (pairs - left * (left - 1))
            if key > best or (key == best and key > 0 and code < choice):
                best, choice = key, np.int64(code)
    clear_projections(state, n_owners)
    return best, choice


@inner
def _best_split(state, queue, fragment):
    """The cut with the largest gain, as (gain, step); ties by the pairs lost, then by the step; gain 0 if none."""
    first, length, person = stretch_of(state, fragment)
    link_repeats(state, first, length)
    n_owners = projections_of(state, first, length)
    begins, ends = np.empty(n_owners, dtype=np.int64), np.empty(n_owners, dtype=np.int64)
    left, right = np.zeros(n_owners, dtype=np.int64), np.zeros(n_owners, dtype=np.int64)
    owner_spans(state, first, length, n_owners, begins, ends)
    fresh = queue.status[LISTED, fragment] != queue.status[GENERATION, fragment]
    if fresh:
        _list_members(state, queue, fragment, n_owners)
    problem = has_problem(state, first, length, n_owners)
    queue.status[PROBLEMATIC, fragment] = problem
    best, choice, least = np.int64(0), np.int64(-1), np.int64(0)
    leaving = np.zeros(n_owners, dtype=np.int64)
    for index in range(n_owners):
        if problem and begins[index] < ends[index]:
            owner = state.scratch[OWNERS, index]
            leaving[index] = leave_effect(state, state.scratch[NODE_OF_OWNER, owner], owner, first, length, person)
    for cut in range(1, length if fresh or problem else 1):
        part_projections(state, first, cut, length, n_owners, right)
        for index in range(n_owners):
            code, following = state.visits[CODE, first + cut - 1], state.visits[CODE, first + cut]
            if state.owner[code] == state.scratch[OWNERS, index]:
                left[index] = child(state, left[index], code)
                if fresh and cut <= ends[index]:
                    add_dependent(state, queue, queue.joiners_head, left[index], fragment)
            if fresh and begins[index] < cut and state.owner[following] == state.scratch[OWNERS, index]:
                add_dependent(state, queue, queue.joiners_head, right[index], fragment)
        if not problem:
            continue
        gain = -split_change(state, first, length, person, n_owners, cut, begins, ends, left, right, leaving)
        lost = cut * (length - cut)
        if gain > best or (gain == best and gain > 0 and lost < least):
            best, choice, least = gain, np.int64(cut), np.int64(lost)
    queue.status[LISTED, fragment] = queue.status[GENERATION, fragment]
    clear_projections(state, n_owners)
    return best, choice


@njit(cache=True)
def evaluate_suppressions(state, queue, capacity):
    """Evaluate the waiting fragments, as far as the capacity allows, and put their best suppressions into the queue.

    capacity : int64[9], the largest allowed value of each of `sizes`.
    """
    fragment = next_waiting(state, queue, capacity)
    while fragment >= 0:
        if state.fragments[LENGTH, fragment] > 1:
            key, choice = _best_suppression(state, queue, fragment)
            if key > 0:
                push(state, queue, key, fragment, choice)
        fragment = next_waiting(state, queue, capacity)


@njit(cache=True)
def evaluate_splits(state, queue, capacity):
    """Evaluate the waiting fragments like `evaluate_suppressions`, and put their best splits into the queue."""
    fragment = next_waiting(state, queue, capacity)
    while fragment >= 0:
        if state.fragments[LENGTH, fragment] > 1:
            gain, choice = _best_split(state, queue, fragment)
            if gain > 0:
                push(state, queue, float(gain), fragment, choice)
        fragment = next_waiting(state, queue, capacity)


@inner
def _no_changes(most):
    return Changes(np.empty(most), np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64))


@inner
def _take_or_push(state, queue, key, now, fragment, choice, taken, count):
    """Take a change whose key is right; put it back with its present key if it gains less; returns the new count."""
    if now == key:
        taken.keys[count], taken.fragments[count], taken.choices[count] = key, fragment, choice
        return count + 1
    if now > 0:
        push(state, queue, now, fragment, choice)
    return count


@njit(cache=True)
def take_suppressions(state, queue, most):
    """Take the best suppressions, at most so many, out of the queue: keys, fragments and places.

    An entry may gain less by now: it is evaluated again, and goes back if it does.
    """
    taken = _no_changes(most)
    count = 0
    while count < most:
        key, fragment, choice = pop(state, queue)
        if fragment < 0:
            break
        now, choice = _best_suppression(state, queue, fragment)
        count = _take_or_push(state, queue, key, now, fragment, choice, taken, count)
    return taken.keys[:count], taken.fragments[:count], taken.choices[:count]


@njit(cache=True)
def take_splits(state, queue, most):
    """Take the best splits, at most so many, out of the queue: keys, fragments and the steps to split before."""
    taken = _no_changes(most)
    count = 0
    while count < most:
        key, fragment, choice = pop(state, queue)
        if fragment < 0:
            break
        gain, choice = _best_split(state, queue, fragment)
        count = _take_or_push(state, queue, key, float(gain), fragment, choice, taken, count)
    return taken.keys[:count], taken.fragments[:count], taken.choices[:count]


@inner
def _collect(state, fragment, nodes, count):
    """Add the projections of a fragment to the distinct nodes; returns the new number of nodes."""
    n_owners = projections_of(state, state.fragments[START, fragment], state.fragments[LENGTH, fragment])
    for index in range(n_owners):
        node = state.scratch[NODE_OF_OWNER, state.scratch[OWNERS, index]]
        state.scratch[NODE_OF_OWNER, state.scratch[OWNERS, index]] = 0
        known = False
        for other in range(count):
            known |= nodes[other] == node
        if not known:
            nodes[count] = node
            count += 1
    return count


@njit(cache=True)
def commit_suppression(state, queue, fragment, code):
    """Suppress a place in a fragment if that still removes problems; returns whether it was done."""
    if suppression_gain(state, fragment, code) <= 0:
        requeue(queue, fragment)
        return False
    _suppress(state, queue, fragment, code)
    return True


@inner
def _suppress(state, queue, fragment, code):
    """Suppress a place in a fragment, and queue what can gain more after that."""
    first, length = state.fragments[START, fragment], state.fragments[LENGTH, fragment]
    nodes = np.empty(2 * length, dtype=np.int64)
    count = _collect(state, fragment, nodes, np.int64(0))
    if state.owner[code] >= 0:
        node = projection_without(state, state.owner[code], first, length, code)
        if node:
            nodes[count] = node
            count += 1
    before = snapshot(state, nodes, count)
    count_fragment(state, fragment, -1)
    kept = 0
    for step in range(length):
        if state.visits[CODE, first + step] != code:
            state.visits[CODE, first + kept] = state.visits[CODE, first + step]
            state.visits[ORIGIN, first + kept] = state.visits[ORIGIN, first + step]
            kept += 1
    state.fragments[LENGTH, fragment] = kept
    count_fragment(state, fragment, 1)
    queue.status[GENERATION, fragment] += 1
    requeue(queue, fragment)
    requeue_person(state, queue, fragment)
    requeue_gaining(state, queue, nodes, count, before)


@njit(cache=True)
def commit_split(state, queue, fragment, cut, mixed):
    """Cut a fragment before a step if that still removes problems; returns 0 if nothing was done, 2 if it was cut.

    mixed : suppress the place before the cut instead, and return 1, if that removes problems and leaves the fragment
    without any.
    """
    if split_gain(state, fragment, cut) <= 0:
        requeue(queue, fragment)
        return 0
    if mixed:
        code = state.visits[CODE, state.fragments[START, fragment] + cut - 1]
        if suppression_gain(state, fragment, code) > 0 and _clean_without(state, fragment, code):
            _suppress(state, queue, fragment, code)
            return 1
    first, length = state.fragments[START, fragment], state.fragments[LENGTH, fragment]
    other = state.sizes[FRAGMENTS]
    state.fragments[START, other], state.fragments[LENGTH, other], state.fragments[PERSON, other] = (
        first + cut,
        length - cut,
        state.fragments[PERSON, fragment],
    )
    nodes = np.empty(3 * length, dtype=np.int64)
    count = _collect(state, fragment, nodes, np.int64(0))
    state.fragments[LENGTH, fragment] = cut
    count = _collect(state, fragment, nodes, count)
    count = _collect(state, other, nodes, count)
    state.fragments[LENGTH, fragment] = length
    before = snapshot(state, nodes, count)
    count_fragment(state, fragment, -1)
    state.fragments[LENGTH, fragment] = cut
    state.sizes[FRAGMENTS] = other + 1
    count_fragment(state, fragment, 1)
    count_fragment(state, other, 1)
    queue.status[GENERATION, fragment] += 1
    requeue(queue, fragment)
    requeue(queue, other)
    if state.n_persons:
        queue.status[NEXT_OF_PERSON, other] = queue.person_head[state.fragments[PERSON, fragment]]
        queue.person_head[state.fragments[PERSON, fragment]] = other
        requeue_person(state, queue, fragment)
    requeue_gaining(state, queue, nodes, count, before)
    return 2


@inner
def _clean_without(state, fragment, code):
    """Whether a fragment would have no problematic pair after a place is suppressed in it."""
    first, length = state.fragments[START, fragment], state.fragments[LENGTH, fragment]
    count_fragment(state, fragment, -1)
    spare = state.visits[CODE, first : first + length].copy()
    kept = 0
    for step in range(length):
        if spare[step] != code:
            state.visits[CODE, first + kept] = spare[step]
            kept += 1
    state.fragments[LENGTH, fragment] = kept
    count_fragment(state, fragment, 1)
    link_repeats(state, first, kept)
    n_owners = projections_of(state, first, kept)
    clean = not has_problem(state, first, kept, n_owners)
    clear_projections(state, n_owners)
    count_fragment(state, fragment, -1)
    for step in range(length):
        state.visits[CODE, first + step] = spare[step]
    state.fragments[LENGTH, fragment] = length
    count_fragment(state, fragment, 1)
    return clean


@njit(cache=True)
def problematic_fragments(state):
    """The fragments that have a problematic pair."""
    numbers = np.empty(state.sizes[FRAGMENTS], dtype=np.int64)
    count = 0
    for fragment in range(state.sizes[FRAGMENTS]):
        first, length = state.fragments[START, fragment], state.fragments[LENGTH, fragment]
        link_repeats(state, first, length)
        n_owners = projections_of(state, first, length)
        if has_problem(state, first, length, n_owners):
            numbers[count] = fragment
            count += 1
        clear_projections(state, n_owners)
    return numbers[:count]


@njit(cache=True)
def split_by_owner(state, fragment):
    """Cut a fragment wherever the owner of the places changes; returns the number of cuts."""
    count_fragment(state, fragment, -1)
    first, length, cuts = state.fragments[START, fragment], state.fragments[LENGTH, fragment], 0
    part, begin = fragment, 0
    for step in range(1, length + 1):
        if (
            step == length
            or state.owner[state.visits[CODE, first + step]] != state.owner[state.visits[CODE, first + step - 1]]
        ):
            state.fragments[START, part], state.fragments[LENGTH, part], state.fragments[PERSON, part] = (
                first + begin,
                step - begin,
                state.fragments[PERSON, fragment],
            )
            count_fragment(state, part, 1)
            if step < length:
                part, begin = state.sizes[FRAGMENTS], step
                state.sizes[FRAGMENTS] = part + 1
                cuts += 1
    return cuts
