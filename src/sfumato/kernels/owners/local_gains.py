"""How many problems a suppression or a split of a single piece takes away."""

import numpy as np

from sfumato.kernels.owners.projection_effects import drop_effect, join_effect, join_twice_effect, leave_effect
from sfumato.kernels.owners.projections import (
    AT,
    BEFORE,
    CODE,
    LAST,
    LENGTH,
    MET,
    PERSON,
    START,
    SUPPORT,
    child,
    inner,
    link,
    nodes_of,
    pair_count,
)

__all__ = [
    "clear",
    "has_problem",
    "parts",
    "spans",
    "split_change",
    "split_gain",
    "suppression_change",
    "suppression_gain",
    "without",
]


@inner
def has_problem(state, first, length, n_met):
    """Whether a linked piece has a problematic pair; its projections are in `at`, their owners in `met`."""
    layers = 2 if state.n_persons else 1
    for step in range(length):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= 0:
            continue
        for index in range(n_met):
            owner = state.scratch[MET, index]
            if state.owner[code] == owner:
                continue
            node = state.scratch[AT, owner]
            for layer in range(layers):
                if pair_count(state, node, layer, code) > state.quota[state.sides[SUPPORT, 2 * node + layer]]:
                    return True
    return False


@inner
def clear(state, n_met):
    for index in range(n_met):
        state.scratch[AT, state.scratch[MET, index]] = 0


@inner
def without(state, owner, first, length, code):
    """The projection of a piece to an owner after a place is suppressed."""
    node = np.int64(0)
    for step in range(length):
        other = state.visits[CODE, first + step]
        if other != code and state.owner[other] == owner:
            node = child(state, node, other)
    return node


@inner
def suppression_change(state, first, length, person, n_met, code, leaving):
    """How the problems change when a place is suppressed in a linked piece.

    leaving : how they change when the piece is no longer behind its projection to the place's owner.
    """
    total = np.int64(0)
    for index in range(n_met):
        owner = state.scratch[MET, index]
        if owner != state.owner[code]:
            total += drop_effect(state, state.scratch[AT, owner], code, person)
            continue
        total += leaving
        node = without(state, owner, first, length, code)
        if node:
            total += join_effect(state, node, owner, first, 0, length, person)
    return total


@inner
def suppression_gain(state, piece, code):
    first, length, person = state.pieces[START, piece], state.pieces[LENGTH, piece], state.pieces[PERSON, piece]
    link(state, first, length)
    n_met = nodes_of(state, first, length)
    leaving = np.int64(0)
    owner = state.owner[code]
    if owner >= 0:
        leaving = leave_effect(state, state.scratch[AT, owner], owner, first, length, person)
    change = suppression_change(state, first, length, person, n_met, code, leaving)
    clear(state, n_met)
    return -change


@inner
def spans(state, first, length, n_met, begins, ends):
    """The first and last step of each owner in `met`."""
    for index in range(n_met):
        begins[index] = -1
        for step in range(length):
            if state.owner[state.visits[CODE, first + step]] == state.scratch[MET, index]:
                ends[index] = step
                if begins[index] < 0:
                    begins[index] = step


@inner
def parts(state, first, begin, end, n_met, nodes):
    """The projections of a part of a piece to each owner in `met`."""
    for index in range(n_met):
        nodes[index] = 0
        for step in range(begin, end):
            code = state.visits[CODE, first + step]
            if state.owner[code] == state.scratch[MET, index]:
                nodes[index] = child(state, nodes[index], code)


@inner
def split_change(state, first, length, person, n_met, cut, begins, ends, left, right, leaving):
    """How the problems change when a linked piece is cut before a step.

    For each owner in `met`: begins, ends : its first and last step.  left, right : its projections of the two parts.
    leaving : how the problems change when the piece is no longer behind its projection.
    """
    total = np.int64(0)
    for index in range(n_met):
        owner = state.scratch[MET, index]
        if begins[index] < cut <= ends[index]:
            total += leaving[index]
            if left[index] == right[index]:
                total += join_twice_effect(state, left[index], owner, first, cut, length, person)
            else:
                total += join_effect(state, left[index], owner, first, 0, cut, person)
                total += join_effect(state, right[index], owner, first, cut, length, person)
            continue
        stays_left = ends[index] < cut  # the other part loses the owner's sight
        for step in range(cut, length) if stays_left else range(cut):
            code = state.visits[CODE, first + step]
            if (
                state.scratch[BEFORE, step] < 0
                and state.owner[code] != owner
                and (stays_left or state.scratch[LAST, step] < cut)
            ):
                total += drop_effect(state, state.scratch[AT, owner], code, person)
    return total


@inner
def split_gain(state, piece, cut):
    """How many problems a cut takes away, as things are now."""
    first, length, person = state.pieces[START, piece], state.pieces[LENGTH, piece], state.pieces[PERSON, piece]
    link(state, first, length)
    n_met = nodes_of(state, first, length)
    begins, ends = np.empty(n_met, dtype=np.int64), np.empty(n_met, dtype=np.int64)
    left, right = np.zeros(n_met, dtype=np.int64), np.zeros(n_met, dtype=np.int64)
    leaving = np.zeros(n_met, dtype=np.int64)
    spans(state, first, length, n_met, begins, ends)
    parts(state, first, 0, cut, n_met, left)
    parts(state, first, cut, length, n_met, right)
    for index in range(n_met):
        owner = state.scratch[MET, index]
        leaving[index] = leave_effect(state, state.scratch[AT, owner], owner, first, length, person)
    change = split_change(state, first, length, person, n_met, cut, begins, ends, left, right, leaving)
    clear(state, n_met)
    return -change
