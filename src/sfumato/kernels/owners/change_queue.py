"""A priority queue of changes of single fragments, the largest gain first, and the fragments to be evaluated."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.owners.projections import DEPENDENTS, HEAP, LENGTH, NODES, START, inner

__all__ = [
    "ENTRY_FRAGMENT",
    "ENTRY_GENERATION",
    "FOLLOWING",
    "GENERATION",
    "HEAP_CHOICE",
    "HEAP_FRAGMENT",
    "HEAP_VERSION",
    "LISTED",
    "NEXT_OF_PERSON",
    "PROBLEMATIC",
    "VERSION",
    "WAITING",
    "WAITING_STACK",
    "Queue",
    "add_dependent",
    "next_waiting",
    "pop",
    "push",
    "requeue",
]

# rows of the arrays below
GENERATION, LISTED, VERSION, WAITING, PROBLEMATIC, NEXT_OF_PERSON, WAITING_STACK = range(7)
FOLLOWING, ENTRY_FRAGMENT, ENTRY_GENERATION = range(3)
HEAP_FRAGMENT, HEAP_VERSION, HEAP_CHOICE = range(3)


class Queue(NamedTuple):
    """The best change of each fragment, the largest key first; ties by where the fragment begins.

    status, by fragment: how often it has changed; the generation that its dependencies are listed for; how often it has
    been evaluated (older entries of the heap are void); whether it waits for that; whether it had a problem at its
    last evaluation; another fragment of the same person, or -1; and, as a stack, the fragments that wait.
    """

    status: Any  # int64[7, fragments]
    members_head: Any  # int64[nodes]: the first entry of the fragments with a projection, or -1
    joiners_head: Any  # int64[nodes]: the same for fragments that a change would give this projection
    person_head: Any  # int64[persons]: a fragment of each person, or -1
    entries: Any  # int64[3, entries]: the next entry, a fragment, its generation
    keys: Any  # float64[heap]
    heap: Any  # int64[3, heap]: fragment, its version, and the place to suppress or the step to split before
    count: Any  # int64[1]: how many fragments wait


@inner
def add_dependent(state, queue, heads, node, fragment):
    """List a fragment among those that depend on a projection."""
    entry = state.sizes[DEPENDENTS]
    state.sizes[DEPENDENTS] = entry + 1
    queue.entries[ENTRY_FRAGMENT, entry] = fragment
    queue.entries[ENTRY_GENERATION, entry] = queue.status[GENERATION, fragment]
    queue.entries[FOLLOWING, entry] = heads[node]
    heads[node] = entry


@inner
def _before(queue, state, left, right):
    """Whether an entry of the heap comes before another."""
    if queue.keys[left] != queue.keys[right]:
        return queue.keys[left] > queue.keys[right]
    return (
        state.fragments[START, queue.heap[HEAP_FRAGMENT, left]]
        < state.fragments[START, queue.heap[HEAP_FRAGMENT, right]]
    )


@inner
def _swap(queue, left, right):
    queue.keys[left], queue.keys[right] = queue.keys[right], queue.keys[left]
    queue.heap[HEAP_FRAGMENT, left], queue.heap[HEAP_FRAGMENT, right] = (
        queue.heap[HEAP_FRAGMENT, right],
        queue.heap[HEAP_FRAGMENT, left],
    )
    queue.heap[HEAP_VERSION, left], queue.heap[HEAP_VERSION, right] = (
        queue.heap[HEAP_VERSION, right],
        queue.heap[HEAP_VERSION, left],
    )
    queue.heap[HEAP_CHOICE, left], queue.heap[HEAP_CHOICE, right] = (
        queue.heap[HEAP_CHOICE, right],
        queue.heap[HEAP_CHOICE, left],
    )


@njit(cache=True)
def push(state, queue, key, fragment, choice):
    """Put a fragment's best change into the queue."""
    position = state.sizes[HEAP]
    state.sizes[HEAP] = position + 1
    queue.keys[position] = key
    queue.heap[HEAP_FRAGMENT, position] = fragment
    queue.heap[HEAP_VERSION, position] = queue.status[VERSION, fragment]
    queue.heap[HEAP_CHOICE, position] = choice
    while position > 0 and _before(queue, state, position, (position - 1) // 2):
        _swap(queue, position, (position - 1) // 2)
        position = (position - 1) // 2


@inner
def _pop(state, queue):
    """Move the first entry behind the end of the heap; returns where it lies now."""
    end = state.sizes[HEAP] - 1
    state.sizes[HEAP] = end
    _swap(queue, 0, end)
    position = 0
    while True:
        best = position
        for below in (2 * position + 1, 2 * position + 2):
            if below < end and _before(queue, state, below, best):
                best = below
        if best == position:
            return end
        _swap(queue, position, best)
        position = best


@inner
def pop(state, queue):
    """Take the first entry that is not void out of the heap: key, fragment and choice; fragment -1 if none exists."""
    while state.sizes[HEAP] > 0:
        position = _pop(state, queue)
        fragment = queue.heap[HEAP_FRAGMENT, position]
        if queue.heap[HEAP_VERSION, position] == queue.status[VERSION, fragment]:
            return queue.keys[position], fragment, queue.heap[HEAP_CHOICE, position]
    return 0.0, np.int64(-1), np.int64(-1)


@inner
def requeue(queue, fragment):
    """Queue a fragment for evaluation, unless it waits already."""
    if queue.status[WAITING, fragment] == 0:
        queue.status[WAITING, fragment] = 1
        queue.status[WAITING_STACK, queue.count[0]] = fragment
        queue.count[0] += 1


@inner
def next_waiting(state, queue, capacity):
    """The next fragment that waits for evaluation; -1 if none exists, or a table would exceed its capacity."""
    if queue.count[0] == 0:
        return np.int64(-1)
    fragment = queue.status[WAITING_STACK, queue.count[0] - 1]
    length = state.fragments[LENGTH, fragment]
    if (
        state.sizes[NODES] + length * length + 2 > capacity[NODES]
        or state.sizes[DEPENDENTS] + 3 * length > capacity[DEPENDENTS]
        or state.sizes[HEAP] + 1 > capacity[HEAP]
    ):
        return np.int64(-1)
    queue.count[0] -= 1
    queue.status[WAITING, fragment] = 0
    queue.status[VERSION, fragment] += 1
    return fragment
