"""How the problems of owners change when a piece comes behind a projection, or goes."""

from sfumato.kernels.owners.projections import (
    BEFORE,
    CODE,
    LAST,
    SUPPORT,
    changed,
    inner,
    pair_count,
    pieces_held,
    rebased,
)

__all__ = ["drop_effect", "join_effect", "join_twice_effect", "leave_effect"]


@inner
def leave_effect(state, node, owner, first, length, person):
    """How the problems change when a piece is no longer behind its projection; needs `link` of the piece."""
    size = state.sides[SUPPORT, 2 * node] - 1
    total = rebased(state, node, 0, size)
    alone, crowd = False, 0
    if state.n_persons:
        alone = pieces_held(state, node, -1, person) == 1
        crowd = state.sides[SUPPORT, 2 * node + 1] - alone
        total += rebased(state, node, 1, crowd)
    for step in range(length):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= 0 or state.owner[code] == owner:
            continue
        total += changed(state, pair_count(state, node, 0, code), -1, size)
        if state.n_persons and (alone or pieces_held(state, node, code, person) == 1):
            total += changed(state, pair_count(state, node, 1, code), -1, crowd)
    return total


@inner
def join_effect(state, node, owner, first, begin, end, person):
    """How the problems change when the visits from `begin` to `end` of a linked piece come behind a projection."""
    size = state.sides[SUPPORT, 2 * node] + 1
    total = rebased(state, node, 0, size)
    fresh, crowd = False, 0
    if state.n_persons:
        fresh = pieces_held(state, node, -1, person) == 0
        crowd = state.sides[SUPPORT, 2 * node + 1] + fresh
        total += rebased(state, node, 1, crowd)
    for step in range(begin, end):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= begin or state.owner[code] == owner:
            continue
        total += changed(state, pair_count(state, node, 0, code), 1, size)
        if state.n_persons and (fresh or pieces_held(state, node, code, person) == 0):
            total += changed(state, pair_count(state, node, 1, code), 1, crowd)
    return total


@inner
def join_twice_effect(state, node, owner, first, cut, length, person):
    """The same when both parts of a linked piece, cut at a step, come behind one projection."""
    size = state.sides[SUPPORT, 2 * node] + 2
    total = rebased(state, node, 0, size)
    fresh, crowd = False, 0
    if state.n_persons:
        fresh = pieces_held(state, node, -1, person) == 0
        crowd = state.sides[SUPPORT, 2 * node + 1] + fresh
        total += rebased(state, node, 1, crowd)
    for step in range(length):
        code = state.visits[CODE, first + step]
        if state.scratch[BEFORE, step] >= 0 or state.owner[code] == owner:
            continue
        both = step < cut and state.scratch[LAST, step] >= cut
        total += changed(state, pair_count(state, node, 0, code), 2 if both else 1, size)
        if state.n_persons and (fresh or pieces_held(state, node, code, person) == 0):
            total += changed(state, pair_count(state, node, 1, code), 1, crowd)
    return total


@inner
def drop_effect(state, node, code, person):
    """How the problems change when a piece behind a projection no longer holds a place of somebody else."""
    total = changed(state, pair_count(state, node, 0, code), -1, state.sides[SUPPORT, 2 * node])
    if state.n_persons and pieces_held(state, node, code, person) == 1:
        total += changed(state, pair_count(state, node, 1, code), -1, state.sides[SUPPORT, 2 * node + 1])
    return total
