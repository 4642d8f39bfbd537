"""The best suppression or split of every trajectory fragment: evaluating it, and taking the best of the queue."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.owners.change_queue import (
    GENERATION,
    LISTED,
    PROBLEMATIC,
    add_dependent,
    next_waiting,
    pop,
    push,
)
from sfumato.kernels.owners.local_gains import (
    clear_projections,
    has_problem,
    owner_spans,
    part_projections,
    projection_without,
    split_change,
    suppression_change,
)
from sfumato.kernels.owners.projection_effects import leave_effect
from sfumato.kernels.owners.projections import (
    BEFORE,
    CODE,
    LENGTH,
    NODE_OF_OWNER,
    OWNERS,
    child,
    inner,
    link_repeats,
    projections_of,
    stretch_of,
)

__all__ = ["Changes", "evaluate_splits", "evaluate_suppressions", "take_splits", "take_suppressions"]


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
    """The cut with the largest gain, as (gain, step); ties by the pairs lost, then by the step.

    The gain is negative if every cut adds problems.  The step is -1 if the fragment has no problem.
    """
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
        if choice < 0 or gain > best or (gain == best and lost < least):
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
            if choice > 0:
                push(state, queue, float(gain), fragment, choice)
        fragment = next_waiting(state, queue, capacity)


@inner
def _no_changes(most):
    return Changes(np.empty(most), np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64))


@inner
def _take_or_push(state, queue, key, now, fragment, choice, taken, count):
    """Take a change whose key is right; put it back with its present key if it gains less; returns the new count."""
    if now != key:
        push(state, queue, now, fragment, choice)
        return count
    taken.keys[count], taken.fragments[count], taken.choices[count] = key, fragment, choice
    return count + 1


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
        if now > 0:
            count = _take_or_push(state, queue, key, now, fragment, choice, taken, count)
    return taken.keys[:count], taken.fragments[:count], taken.choices[:count]


@njit(cache=True)
def take_splits(state, queue, most):
    """Take the best splits, at most so many, out of the queue: keys, fragments and the steps to split before.

    All of them remove problems; if there is no such split, none changes their number; if none of these exist
    either, all of them add problems.
    """
    taken = _no_changes(most)
    count = 0
    while count < most:
        key, fragment, choice = pop(state, queue)
        if fragment < 0:
            break
        if count and np.sign(key) < np.sign(taken.keys[0]):
            push(state, queue, key, fragment, choice)
            break
        gain, choice = _best_split(state, queue, fragment)
        if choice > 0:
            count = _take_or_push(state, queue, key, float(gain), fragment, choice, taken, count)
    return taken.keys[:count], taken.fragments[:count], taken.choices[:count]
