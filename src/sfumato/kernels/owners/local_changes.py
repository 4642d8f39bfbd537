"""Suppressions in trajectory fragments and splits of them, carried out; fragments that can gain more are queued."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.owners.change_queue import GENERATION, NEXT_OF_PERSON, requeue
from sfumato.kernels.owners.local_gains import (
    clear_projections,
    has_problem,
    projection_without,
    split_gain,
    suppression_gain,
)
from sfumato.kernels.owners.projections import (
    CODE,
    FRAGMENTS,
    LENGTH,
    NODE_OF_OWNER,
    ORIGIN,
    OWNERS,
    PERSON,
    START,
    count_fragment,
    inner,
    link_repeats,
    projections_of,
)
from sfumato.kernels.owners.requeue import requeue_gaining, requeue_person, snapshot

__all__ = ["commit_split", "commit_suppression", "split_by_owner"]


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
def commit_split(state, queue, fragment, cut, least, mixed):
    """Cut a fragment before a step if that still removes `least` problems; returns 0 if nothing was done, 2 if it was.

    mixed : suppress the place before the cut instead, and return 1, if that removes problems and leaves the fragment
    without any.
    """
    if split_gain(state, fragment, cut) < least:
        requeue(queue, fragment)
        return 0
    if mixed:
        code = state.visits[CODE, state.fragments[START, fragment] + cut - 1]
        if suppression_gain(state, fragment, code) > 0 and _clean_without(state, fragment, code):
            _suppress(state, queue, fragment, code)
            return 1
    _divide(state, queue, fragment, np.array([cut]))
    return 2


@njit(cache=True)
def split_by_owner(state, queue, fragment):
    """Cut a fragment wherever the owner of the places changes; returns the number of cuts."""
    first, length = state.fragments[START, fragment], state.fragments[LENGTH, fragment]
    cuts = np.empty(length, dtype=np.int64)
    count = 0
    for step in range(1, length):
        code, before = state.visits[CODE, first + step], state.visits[CODE, first + step - 1]
        if state.owner[code] != state.owner[before]:
            cuts[count] = step
            count += 1
    _divide(state, queue, fragment, cuts[:count])
    return count


@inner
def _divide(state, queue, fragment, cuts):
    """Cut a fragment before some steps, in rising order, and queue what can gain more after that."""
    length, person = state.fragments[LENGTH, fragment], state.fragments[PERSON, fragment]
    fresh = state.sizes[FRAGMENTS]
    nodes = np.empty(3 * length, dtype=np.int64)
    count = _collect(state, fragment, nodes, np.int64(0))
    for index in range(len(cuts)):
        end = cuts[index + 1] if index + 1 < len(cuts) else length
        state.fragments[START, fresh + index] = state.fragments[START, fragment] + cuts[index]
        state.fragments[LENGTH, fresh + index] = end - cuts[index]
        state.fragments[PERSON, fresh + index] = person
        count = _collect(state, fresh + index, nodes, count)
    state.fragments[LENGTH, fragment] = cuts[0]
    count = _collect(state, fragment, nodes, count)
    state.fragments[LENGTH, fragment] = length
    before = snapshot(state, nodes, count)
    count_fragment(state, fragment, -1)
    state.fragments[LENGTH, fragment] = cuts[0]
    state.sizes[FRAGMENTS] = fresh + len(cuts)
    count_fragment(state, fragment, 1)
    queue.status[GENERATION, fragment] += 1
    requeue(queue, fragment)
    for part in range(fresh, fresh + len(cuts)):
        count_fragment(state, part, 1)
        requeue(queue, part)
        if state.n_persons:
            queue.status[NEXT_OF_PERSON, part] = queue.person_head[person]
            queue.person_head[person] = part
    requeue_person(state, queue, fragment)
    requeue_gaining(state, queue, nodes, count, before)


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
