"""The problems that a suppression in a trajectory fragment, or a split of it, removes."""

import numpy as np

from sfumato.kernels.owners.projection_effects import drop_effect, join_effect, leave_effect
from sfumato.kernels.owners.projections import (
    BEFORE,
    CODE,
    LAST,
    NODE_OF_OWNER,
    OWNERS,
    SUPPORT,
    child,
    inner,
    link_repeats,
    pair_count,
    projections_of,
    stretch_of,
)

__all__ = [
    "clear_projections",
    "has_problem",
    "owner_spans",
    "part_projections",
    "projection_without",
    "split_change",
    "split_gain",
    "suppression_change",
    "suppression_gain",
]


@inner
def has_problem(state, first, length, n_owners):
    """Whether a linked fragment has a problematic pair; needs `projections_of` the fragment."""
    layers = 2 if state.n_persons else 1
    for step in range(length):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= 0:
            continue
        for index in range(n_owners):
            owner = state.scratch[OWNERS, index]
            if state.owner[code] == owner:
                continue
            node = state.scratch[NODE_OF_OWNER, owner]
            for layer in range(layers):
                if pair_count(state, node, layer, code) > state.quota[state.sides[SUPPORT, 2 * node + layer]]:
                    return True
    return False


@inner
def clear_projections(state, n_owners):
    """Clear what `projections_of` wrote."""
    for index in range(n_owners):
        state.scratch[NODE_OF_OWNER, state.scratch[OWNERS, index]] = 0


@inner
def projection_without(state, owner, first, length, code):
    """The projection of a fragment to an owner after a place is suppressed in the fragment."""
    node = np.int64(0)
    for step in range(length):
        other = state.visits[CODE, first + step]
        if other != code and state.owner[other] == owner:
            node = child(state, node, other)
    return node


@inner
def suppression_change(state, first, length, person, n_owners, code, leaving):
    """The change of the problems when a place is suppressed in a linked fragment.

    leaving : the change when the fragment loses its projection to the place's owner.
    """
    total = np.int64(0)
    for index in range(n_owners):
        owner = state.scratch[OWNERS, index]
        if owner != state.owner[code]:
            total += drop_effect(state, state.scratch[NODE_OF_OWNER, owner], code, person)
            continue
        total += leaving
        node = projection_without(state, owner, first, length, code)
        if node:
            total += join_effect(state, node, owner, first, 0, length, person, 0)
    return total


@inner
def suppression_gain(state, fragment, code):
    """How many problems the suppression of a place in a fragment removes at present."""
    first, length, person = stretch_of(state, fragment)
    link_repeats(state, first, length)
    n_owners = projections_of(state, first, length)
    leaving = np.int64(0)
    owner = state.owner[code]
    if owner >= 0:
        leaving = leave_effect(state, state.scratch[NODE_OF_OWNER, owner], owner, first, length, person)
    change = suppression_change(state, first, length, person, n_owners, code, leaving)
    clear_projections(state, n_owners)
    return -change


@inner
def owner_spans(state, first, length, n_owners, begins, ends):
    """Write the first and the last step of each of the OWNERS."""
    for index in range(n_owners):
        begins[index] = -1
        for step in range(length):
            if state.owner[state.visits[CODE, first + step]] == state.scratch[OWNERS, index]:
                ends[index] = step
                if begins[index] < 0:
                    begins[index] = step


@inner
def part_projections(state, first, begin, end, n_owners, nodes):
    """Write the projections of the steps from `begin` to `end` to each of the OWNERS."""
    for index in range(n_owners):
        nodes[index] = 0
        for step in range(begin, end):
            code = state.visits[CODE, first + step]
            if state.owner[code] == state.scratch[OWNERS, index]:
                nodes[index] = child(state, nodes[index], code)


@inner
def split_change(state, first, length, person, n_owners, cut, begins, ends, left, right, leaving):
    """The change of the problems when a linked fragment is cut before a step.

    For each of the OWNERS: begins, ends : its first and last step.  left, right : the projections of the two parts.
    leaving : the change when the fragment loses its projection.
    """
    total = np.int64(0)
    for index in range(n_owners):
        owner = state.scratch[OWNERS, index]
        if begins[index] < cut <= ends[index]:
            total += leaving[index]
            if left[index] == right[index]:
                total += join_effect(state, left[index], owner, first, 0, length, person, cut)
            else:
                total += join_effect(state, left[index], owner, first, 0, cut, person, 0)
                total += join_effect(state, right[index], owner, first, cut, length, person, 0)
            continue
        stays_left = ends[index] < cut  # the other part loses the owner's sight
        for step in range(cut, length) if stays_left else range(cut):
            code = state.visits[CODE, first + step]
            if (
                state.scratch[BEFORE, step] < 0
                and state.owner[code] != owner
                and (stays_left or state.scratch[LAST, step] < cut)
            ):
                total += drop_effect(state, state.scratch[NODE_OF_OWNER, owner], code, person)
    return total


@inner
def split_gain(state, fragment, cut):
    """How many problems a cut before a step removes at present."""
    first, length, person = stretch_of(state, fragment)
    link_repeats(state, first, length)
    n_owners = projections_of(state, first, length)
    begins, ends = np.empty(n_owners, dtype=np.int64), np.empty(n_owners, dtype=np.int64)
    left, right = np.zeros(n_owners, dtype=np.int64), np.zeros(n_owners, dtype=np.int64)
    leaving = np.zeros(n_owners, dtype=np.int64)
    owner_spans(state, first, length, n_owners, begins, ends)
    part_projections(state, first, 0, cut, n_owners, left)
    part_projections(state, first, cut, length, n_owners, right)
    for index in range(n_owners):
        owner = state.scratch[OWNERS, index]
        leaving[index] = leave_effect(state, state.scratch[NODE_OF_OWNER, owner], owner, first, length, person)
    change = split_change(state, first, length, person, n_owners, cut, begins, ends, left, right, leaving)
    clear_projections(state, n_owners)
    return -change
