"""The changes of single pieces, those that take most problems away first, and the pieces to be looked at again."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.owners.projections import DEPENDENTS, HEAP, LENGTH, NODES, START, inner

__all__ = [
    "FOLLOWING",
    "GENERATION",
    "HEAP_CHOICE",
    "HEAP_PIECE",
    "HEAP_VERSION",
    "LISTED",
    "NEXT_KIN",
    "TODO",
    "TROUBLED",
    "VERSION",
    "WAITING",
    "WHEN",
    "WHO",
    "Queue",
    "await_look",
    "depend",
    "next_look",
    "pop",
    "push",
]

# rows of the arrays below
GENERATION, LISTED, VERSION, WAITING, TROUBLED, NEXT_KIN, TODO = range(7)
FOLLOWING, WHO, WHEN = range(3)
HEAP_PIECE, HEAP_VERSION, HEAP_CHOICE = range(3)


class Queue(NamedTuple):
    """The best change of each piece, the largest key first; ties by where the piece begins.

    looks, by piece: how often it has changed; the generation that its dependencies are listed for; how often it has
    been looked at (older entries of the heap are void); whether it waits for that; whether it had a problem when it was
    looked at; another piece of the same person, or -1; and, as a stack, the pieces that wait.
    """

    looks: Any  # int64[7, pieces]
    head: Any  # int64[nodes]: the first entry of the pieces behind a projection, or -1
    aim: Any  # int64[nodes]: the same for pieces that a change would bring behind it
    kin: Any  # int64[persons]: a piece of each person, or -1
    entries: Any  # int64[3, entries]: the next entry, a piece, its generation
    keys: Any  # float64[heap]
    heap: Any  # int64[3, heap]: piece, its version, and the place to suppress or the step to split before
    count: Any  # int64[1]: how many pieces wait


@inner
def depend(state, queue, heads, node, piece):
    entry = state.sizes[DEPENDENTS]
    state.sizes[DEPENDENTS] = entry + 1
    queue.entries[WHO, entry] = piece
    queue.entries[WHEN, entry] = queue.looks[GENERATION, piece]
    queue.entries[FOLLOWING, entry] = heads[node]
    heads[node] = entry


@inner
def _before(queue, state, one, other):
    """Whether an entry of the heap comes before another."""
    if queue.keys[one] != queue.keys[other]:
        return queue.keys[one] > queue.keys[other]
    return state.pieces[START, queue.heap[HEAP_PIECE, one]] < state.pieces[START, queue.heap[HEAP_PIECE, other]]


@inner
def _swap(queue, one, other):
    queue.keys[one], queue.keys[other] = queue.keys[other], queue.keys[one]
    queue.heap[HEAP_PIECE, one], queue.heap[HEAP_PIECE, other] = (
        queue.heap[HEAP_PIECE, other],
        queue.heap[HEAP_PIECE, one],
    )
    queue.heap[HEAP_VERSION, one], queue.heap[HEAP_VERSION, other] = (
        queue.heap[HEAP_VERSION, other],
        queue.heap[HEAP_VERSION, one],
    )
    queue.heap[HEAP_CHOICE, one], queue.heap[HEAP_CHOICE, other] = (
        queue.heap[HEAP_CHOICE, other],
        queue.heap[HEAP_CHOICE, one],
    )


@njit(cache=True)
def push(state, queue, key, piece, choice):
    """Put a piece's best change into the queue."""
    at = state.sizes[HEAP]
    state.sizes[HEAP] = at + 1
    queue.keys[at] = key
    queue.heap[HEAP_PIECE, at] = piece
    queue.heap[HEAP_VERSION, at] = queue.looks[VERSION, piece]
    queue.heap[HEAP_CHOICE, at] = choice
    while at > 0 and _before(queue, state, at, (at - 1) // 2):
        _swap(queue, at, (at - 1) // 2)
        at = (at - 1) // 2


@inner
def _pop(state, queue):
    """Move the first entry behind the end of the heap; returns where it lies now."""
    end = state.sizes[HEAP] - 1
    state.sizes[HEAP] = end
    _swap(queue, 0, end)
    at = 0
    while True:
        best = at
        for below in (2 * at + 1, 2 * at + 2):
            if below < end and _before(queue, state, below, best):
                best = below
        if best == at:
            return end
        _swap(queue, at, best)
        at = best


@inner
def pop(state, queue):
    """Take the first entry that is not void out of the heap: key, piece and choice; piece -1 if there is none."""
    while state.sizes[HEAP] > 0:
        at = _pop(state, queue)
        piece = queue.heap[HEAP_PIECE, at]
        if queue.heap[HEAP_VERSION, at] == queue.looks[VERSION, piece]:
            return queue.keys[at], piece, queue.heap[HEAP_CHOICE, at]
    return 0.0, np.int64(-1), np.int64(-1)


@inner
def await_look(queue, piece):
    if queue.looks[WAITING, piece] == 0:
        queue.looks[WAITING, piece] = 1
        queue.looks[TODO, queue.count[0]] = piece
        queue.count[0] += 1


@inner
def next_look(state, queue, slots):
    """The next piece that waits to be looked at, or -1 if there is none, or no room for what it needs."""
    if queue.count[0] == 0:
        return np.int64(-1)
    piece = queue.looks[TODO, queue.count[0] - 1]
    length = state.pieces[LENGTH, piece]
    if (
        state.sizes[NODES] + length * length + 2 > slots[NODES]
        or state.sizes[DEPENDENTS] + 3 * length > slots[DEPENDENTS]
        or state.sizes[HEAP] + 1 > slots[HEAP]
    ):
        return np.int64(-1)
    queue.count[0] -= 1
    queue.looks[WAITING, piece] = 0
    queue.looks[VERSION, piece] += 1
    return piece
