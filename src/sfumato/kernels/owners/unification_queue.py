"""A priority queue of pairs of projections of one owner that can be unified, the largest gain first.

A candidate is a projection (`long`) and what is left of it when some of its places are suppressed (`short`); that is
the projection of another fragment, or empty.  Suppression removes problems and adds none, so that a projection without
a problem never gets one: candidates are found once and only ever drop out.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.owners.projections import LABEL, NODE_PROBLEMS, PARENT, SUPPORT, inner

__all__ = [
    "BY_LONG",
    "BY_SHORT",
    "CUT",
    "DEPTH",
    "FOLLOWING",
    "FRAGMENT",
    "HEAD",
    "HEAP_CANDIDATE",
    "HEAP_SET_SIZE",
    "HEAP_VERSION",
    "LONG",
    "LOSS",
    "NODE",
    "PARKED",
    "RANK",
    "SET_SIZE",
    "SHORT",
    "SHORTS",
    "STAMP",
    "TAIL",
    "VERSION",
    "WORTH",
    "Unions",
    "is_useful",
    "path_of",
    "pop_candidate",
    "problems_of",
    "push_candidate",
    "rekey",
]

# rows of the arrays below
HEAD, TAIL, RANK, DEPTH, STAMP, BY_LONG, BY_SHORT = range(7)
FOLLOWING, FRAGMENT, NODE = range(3)
LONG, SHORT, CUT, SHORTS, WORTH, LOSS, SET_SIZE, VERSION, PARKED = range(9)
HEAP_CANDIDATE, HEAP_SET_SIZE, HEAP_VERSION = range(3)


class Unions(NamedTuple):
    """The fragments with each projection, and the candidates, the largest gain first.

    nodes: first and last entry of the fragments with a projection, or -1; its place in the name order and its length;
    scratch; where its candidates begin, and where, in the row `SHORTS`, those that lead to it.
    candidates, by their longer projection: both projections; how many visits would be suppressed; candidates in the
    order of their shorter projection; the problems of other owners that would vanish; pairs lost, as shares of each
    fragment's, in units of 2^-32; size of the anonymity set and version, as in the heap; whether it would leave a
    problem at present.
    """

    nodes: Any  # int64[7, nodes + 1]
    entries: Any  # int64[3, entries]: the next entry, the fragment, the projection or 0 when it has become empty
    firsts: Any  # int64[fragments + 1]: where the entries of each fragment begin
    candidates: Any  # int64[9, candidates]
    key: Any  # float64[candidates]
    heap: Any  # int64[3, 2 * candidates + 16]: candidates, with what they had when they were put in
    heap_key: Any
    count: Any  # int64[3]: entries in the heap, the last stamp, nodes on the stack


@inner
def path_of(state, node, depth):
    """The places of a projection, first to last."""
    path = np.empty(depth, dtype=np.int64)
    while node:
        depth -= 1
        path[depth] = state.nodes[LABEL, node]
        node = state.nodes[PARENT, node]
    return path


@inner
def problems_of(state, node):
    """The problems of a projection on both layers."""
    return state.sides[NODE_PROBLEMS, 2 * node] + state.sides[NODE_PROBLEMS, 2 * node + 1]


@inner
def is_useful(state, unions, candidate):
    """Whether both projections still occur and one of them has a problem."""
    long, short = unions.candidates[LONG, candidate], unions.candidates[SHORT, candidate]
    there = state.sides[SUPPORT, 2 * long] > 0 and (short == 0 or state.sides[SUPPORT, 2 * short] > 0)
    return there and problems_of(state, long) + problems_of(state, short) > 0


@inner
def _before(unions, left, right):
    """Whether an entry of the heap comes before another: by gain, size of the anonymity set, name."""
    if unions.heap_key[left] != unions.heap_key[right]:
        return unions.heap_key[left] > unions.heap_key[right]
    if unions.heap[HEAP_SET_SIZE, left] != unions.heap[HEAP_SET_SIZE, right]:
        return unions.heap[HEAP_SET_SIZE, left] < unions.heap[HEAP_SET_SIZE, right]
    left, right = unions.heap[HEAP_CANDIDATE, left], unions.heap[HEAP_CANDIDATE, right]
    if unions.candidates[LONG, left] != unions.candidates[LONG, right]:
        return unions.nodes[RANK, unions.candidates[LONG, left]] < unions.nodes[RANK, unions.candidates[LONG, right]]
    left, right = unions.candidates[SHORT, left], unions.candidates[SHORT, right]
    if unions.nodes[DEPTH, left] != unions.nodes[DEPTH, right]:
        return unions.nodes[DEPTH, left] > unions.nodes[DEPTH, right]
    return unions.nodes[RANK, left] < unions.nodes[RANK, right]


@inner
def _copy(unions, source, target):
    unions.heap[HEAP_CANDIDATE, target] = unions.heap[HEAP_CANDIDATE, source]
    unions.heap_key[target] = unions.heap_key[source]
    unions.heap[HEAP_SET_SIZE, target] = unions.heap[HEAP_SET_SIZE, source]
    unions.heap[HEAP_VERSION, target] = unions.heap[HEAP_VERSION, source]


@inner
def _swap(unions, left, right):
    spare = len(unions.heap_key) - 1
    _copy(unions, left, spare)
    _copy(unions, right, left)
    _copy(unions, spare, right)


@inner
def _sink(unions, position):
    """Move an entry of the heap down to its place."""
    end = unions.count[0]
    while True:
        best = position
        for below in (2 * position + 1, 2 * position + 2):
            if below < end and _before(unions, below, best):
                best = below
        if best == position:
            return
        _swap(unions, position, best)
        position = best


@inner
def push_candidate(unions, candidate):
    """Put a candidate into the queue; its earlier entries are void."""
    unions.candidates[VERSION, candidate] += 1
    if unions.count[0] == len(unions.heap_key) - 1:
        kept = 0
        for position in range(unions.count[0]):
            if unions.heap[HEAP_VERSION, position] == unions.candidates[VERSION, unions.heap[HEAP_CANDIDATE, position]]:
                _copy(unions, position, kept)
                kept += 1
        unions.count[0] = kept
        for position in range(kept // 2, -1, -1):
            _sink(unions, position)
    position = unions.count[0]
    unions.count[0] = position + 1
    unions.heap[HEAP_CANDIDATE, position] = candidate
    unions.heap_key[position] = unions.key[candidate]
    unions.heap[HEAP_SET_SIZE, position] = unions.candidates[SET_SIZE, candidate]
    unions.heap[HEAP_VERSION, position] = unions.candidates[VERSION, candidate]
    while position > 0 and _before(unions, position, (position - 1) // 2):
        _swap(unions, position, (position - 1) // 2)
        position = (position - 1) // 2


@inner
def pop_candidate(unions):
    """Take the first entry out of the queue: its candidate, or -1 if it is void."""
    candidate = unions.heap[HEAP_CANDIDATE, 0]
    valid = unions.heap[HEAP_VERSION, 0] == unions.candidates[VERSION, candidate]
    unions.count[0] -= 1
    _copy(unions, unions.count[0], 0)
    _sink(unions, 0)
    return candidate if valid else -1


@inner
def rekey(state, unions, candidate):
    """Put a candidate into the queue again if its gain has changed or it was parked."""
    if not is_useful(state, unions, candidate):
        unions.candidates[VERSION, candidate] += 1
        return
    long, short = unions.candidates[LONG, candidate], unions.candidates[SHORT, candidate]
    gain = problems_of(state, long) + problems_of(state, short) + unions.candidates[WORTH, candidate]
    key, set_size = gain / unions.candidates[LOSS, candidate], state.sides[SUPPORT, 2 * long]
    if (
        unions.candidates[PARKED, candidate]
        or key != unions.key[candidate]
        or set_size != unions.candidates[SET_SIZE, candidate]
    ):
        unions.candidates[PARKED, candidate] = False
        unions.key[candidate], unions.candidates[SET_SIZE, candidate] = key, set_size
        push_candidate(unions, candidate)
