"""Which pieces can gain more by a change, now that the numbers behind some projections are others.

A piece depends on the projections that it is behind and on those that a change would bring it behind.  If their numbers
change so that somebody could gain more, those pieces are looked at again.  For all others, their place in the queue is
right, or too far to the front.
"""

import numpy as np

from sfumato.kernels.owners.change_queue import (
    FOLLOWING,
    GENERATION,
    NEXT_KIN,
    TROUBLED,
    WAITING,
    WHEN,
    WHO,
    await_look,
)
from sfumato.kernels.owners.projections import (
    CODE,
    FIRST_PLACE,
    LENGTH,
    MARK,
    NEXT,
    PERSON,
    PLACE,
    START,
    SUPPORT,
    WIDTH,
    changed,
    inner,
    pair_count,
    rebased,
)

__all__ = ["alarm_kin", "noted", "tell"]


@inner
def alarm_kin(state, queue, piece):
    """Have all pieces of a person looked at again: who else is behind a projection may be the person itself."""
    other = queue.kin[state.pieces[PERSON, piece]] if state.n_persons else np.int64(-1)
    while other >= 0:
        await_look(queue, other)
        other = queue.looks[NEXT_KIN, other]


@inner
def _observe(state, nodes, count, sizes, shifts, starts, counts):
    """Write down what pieces can tell of some projections: how large their crowds are, how their problems change when
    somebody leaves or one or two join, and how many go to each place."""
    layers = 2 if state.n_persons else 1
    at = 0
    for index in range(count):
        node = nodes[index]
        starts[index] = at
        for layer in range(layers):
            size = state.sides[SUPPORT, 2 * node + layer]
            sizes[index, layer] = size
            shifts[index, 3 * layer] = rebased(state, node, layer, max(size - 1, 0))
            shifts[index, 3 * layer + 1] = rebased(state, node, layer, size + 1)
            shifts[index, 3 * layer + 2] = rebased(state, node, layer, size + 2)
        entry = state.nodes[FIRST_PLACE, node]
        while entry:
            for layer in range(layers):
                counts[at] = pair_count(state, node, layer, state.lists[PLACE, entry])
                at += 1
            entry = state.lists[NEXT, entry]


@inner
def noted(state, nodes, count):
    """What `_observe` writes down."""
    total = 0
    for index in range(count):
        total += state.nodes[WIDTH, nodes[index]]
    layers = 2 if state.n_persons else 1
    sizes = np.zeros((count, 2), dtype=np.int64)
    shifts = np.zeros((count, 6), dtype=np.int64)
    starts = np.zeros(count, dtype=np.int64)
    counts = np.zeros(total * layers, dtype=np.int64)
    _observe(state, nodes, count, sizes, shifts, starts, counts)
    return sizes, shifts, starts, counts


@inner
def _better(state, count, size, count_now, size_now, joins):
    """Whether a piece that holds a place, or one that would bring it, could gain more than before by a change."""
    if joins:
        return (
            changed(state, count, 1, size + 1) > changed(state, count_now, 1, size_now + 1)
            or changed(state, count, 1, size) > changed(state, count_now, 1, size_now)
            or changed(state, count, 1, size + 2) > changed(state, count_now, 1, size_now + 2)
            or changed(state, count, 2, size + 2) > changed(state, count_now, 2, size_now + 2)
        )
    below, below_now = max(size - 1, 0), max(size_now - 1, 0)
    return changed(state, count, -1, size) > changed(state, count_now, -1, size_now) or changed(
        state, count, -1, below
    ) > changed(state, count_now, -1, below_now)


@inner
def _alarm(state, queue, heads, node, codes, problems, count, everybody):
    """Have pieces that depend on a projection looked at again.

    Those that hold one of the first `problems` places have a problem now.  Those that hold another of them, or
    everybody, can gain more, if they have a problem at all.
    """
    for index in range(count):
        state.scratch[MARK, codes[index]] = 0 if index < problems else 1
    entry, previous = heads[node], np.int64(-1)
    while entry >= 0:
        piece, following = queue.entries[WHO, entry], queue.entries[FOLLOWING, entry]
        if queue.entries[WHEN, entry] != queue.looks[GENERATION, piece]:  # it has changed since: the entry is void
            if previous < 0:
                heads[node] = following
            else:
                queue.entries[FOLLOWING, previous] = following
        else:
            previous = entry
            worried = queue.looks[TROUBLED, piece] == 1
            if queue.looks[WAITING, piece] == 0 and (worried or problems):
                concerned = everybody and worried
                first = state.pieces[START, piece]
                step = 0
                while not concerned and step < state.pieces[LENGTH, piece]:
                    mark = state.scratch[MARK, state.visits[CODE, first + step]]
                    concerned = mark == 0 or (mark == 1 and worried)
                    step += 1
                if concerned:
                    await_look(queue, piece)
        entry = following
    for index in range(count):
        state.scratch[MARK, codes[index]] = -1


@inner
def _gaining(state, node, sizes, counts, joins, codes):
    """The places by which a piece can gain more than before, those that have become a problem first.

    sizes : what the crowds were.  counts : how many went to each place, in the order of the list of places, whose new
    entries stand first.  Returns how many of `codes` there are, and how many of them are new problems.
    """
    layers = 2 if state.n_persons else 1
    fresh = state.nodes[WIDTH, node] - len(counts) // layers
    found = problems = at = place = 0
    entry = state.nodes[FIRST_PLACE, node]
    while entry:
        code = state.lists[PLACE, entry]
        gains = problem = False
        for layer in range(layers):
            before = np.int64(0) if place < fresh else counts[at + layer]
            now, size = pair_count(state, node, layer, code), state.sides[SUPPORT, 2 * node + layer]
            gains |= _better(state, before, sizes[layer], now, size, joins)
            problem |= now > state.quota[size] and before <= state.quota[sizes[layer]]
        if place >= fresh:
            at += layers
        if gains:
            codes[found] = code
            if problem and not joins:
                codes[found], codes[problems] = codes[problems], code
                problems += 1
            found += 1
        place += 1
        entry = state.lists[NEXT, entry]
    return found, problems


@inner
def tell(state, queue, nodes, count, sizes, shifts, starts, counts):
    """Alarm the pieces that could gain more by a change than when the numbers were written down.

    Those that can only gain less stay where they are in the queue: they are looked at again when their turn comes.
    """
    for index in range(count):
        node = nodes[index]
        end = starts[index + 1] if index + 1 < count else len(counts)
        codes = np.empty(state.nodes[WIDTH, node], dtype=np.int64)
        for joins in (False, True):
            everybody = False
            for layer in range(2 if state.n_persons else 1):
                size, now = sizes[index, layer], state.sides[SUPPORT, 2 * node + layer]
                if joins:
                    everybody |= rebased(state, node, layer, now + 1) < shifts[index, 3 * layer + 1]
                    everybody |= rebased(state, node, layer, now + 2) < shifts[index, 3 * layer + 2]
                    everybody |= _better(state, np.int64(0), size, np.int64(0), now, joins)  # places not yet there
                else:
                    everybody |= rebased(state, node, layer, max(now - 1, 0)) < shifts[index, 3 * layer]
            found, problems = _gaining(state, node, sizes[index], counts[starts[index] : end], joins, codes)
            if everybody or found:
                heads = queue.aim if joins else queue.head
                _alarm(state, queue, heads, node, codes, problems, found, everybody)
