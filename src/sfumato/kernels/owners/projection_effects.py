"""The change of the problems when a trajectory fragment gets a projection, or loses it."""

from sfumato.kernels.owners.projections import (
    BEFORE,
    CODE,
    LAST,
    SUPPORT,
    count_effect,
    fragments_held,
    inner,
    pair_count,
    resize_effect,
)

__all__ = ["drop_effect", "join_effect", "leave_effect"]


@inner
def leave_effect(state, node, owner, first, length, person):
    """The change of the problems when a linked fragment (see `link_repeats`) loses its projection."""
    size = state.sides[SUPPORT, 2 * node] - 1
    total = resize_effect(state, node, 0, size)
    alone, persons = False, 0
    if state.n_persons:
        alone = fragments_held(state, node, -1, person) == 1
        persons = state.sides[SUPPORT, 2 * node + 1] - alone
        total += resize_effect(state, node, 1, persons)
    for step in range(length):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= 0 or state.owner[code] == owner:
            continue
        total += count_effect(state, pair_count(state, node, 0, code), -1, size)
        if state.n_persons and (alone or fragments_held(state, node, code, person) == 1):
            total += count_effect(state, pair_count(state, node, 1, code), -1, persons)
    return total


@inner
def join_effect(state, node, owner, first, begin, end, person, cut):
    """The change of the problems when the visits from `begin` to `end` of a linked fragment get a projection.

    cut : 0, or the step before which they are cut, so that both parts get the same projection.
    """
    size = state.sides[SUPPORT, 2 * node] + (2 if cut else 1)
    total = resize_effect(state, node, 0, size)
    new, persons = False, 0
    if state.n_persons:
        new = fragments_held(state, node, -1, person) == 0
        persons = state.sides[SUPPORT, 2 * node + 1] + new
        total += resize_effect(state, node, 1, persons)
    for step in range(begin, end):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= begin or state.owner[code] == owner:
            continue
        both = step < cut and state.scratch[LAST, step] >= cut
        total += count_effect(state, pair_count(state, node, 0, code), 2 if both else 1, size)
        if state.n_persons and (new or fragments_held(state, node, code, person) == 0):
            total += count_effect(state, pair_count(state, node, 1, code), 1, persons)
    return total


@inner
def drop_effect(state, node, code, person):
    """The change of the problems when a fragment with a projection no longer visits a place of another owner."""
    total = count_effect(state, pair_count(state, node, 0, code), -1, state.sides[SUPPORT, 2 * node])
    if state.n_persons and fragments_held(state, node, code, person) == 1:
        total += count_effect(state, pair_count(state, node, 1, code), -1, state.sides[SUPPORT, 2 * node + 1])
    return total
