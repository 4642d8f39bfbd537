"""Fragments that can gain more by a change after the counts of some projections changed, put into the queue again.

A fragment depends on the projections that it has and on those that a change would give it.  If their counts change so
that the fragment could gain more, it is evaluated again.  All other fragments keep their place in the queue: it is
right, or too far to the front.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.owners.change_queue import (
    ENTRY_FRAGMENT,
    ENTRY_GENERATION,
    FOLLOWING,
    GENERATION,
    NEXT_OF_PERSON,
    PROBLEMATIC,
    WAITING,
    requeue,
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
    count_effect,
    inner,
    pair_count,
    resize_effect,
)

__all__ = ["Snapshot", "requeue_gaining", "requeue_person", "snapshot"]


class Snapshot(NamedTuple):
    """The counts of some projections before a change; one row a projection."""

    sizes: Any  # int64[count, 2]: of the anonymity set, by layer
    shifts: Any  # int64[count, 6]: by layer, the change of the problems when one leaves, one joins, two join
    starts: Any  # int64[count]: where the counts of each projection begin
    counts: Any  # int64[...]: how many visit each place, by layer


@inner
def requeue_person(state, queue, fragment):
    """Queue all fragments of a person for evaluation: they may share a projection, and count as one person."""
    other = queue.person_head[state.fragments[PERSON, fragment]] if state.n_persons else np.int64(-1)
    while other >= 0:
        requeue(queue, other)
        other = queue.status[NEXT_OF_PERSON, other]


@inner
def _write_snapshot(state, nodes, count, sizes, shifts, starts, counts):
    """Write the fields of a `Snapshot`."""
    layers = 2 if state.n_persons else 1
    position = 0
    for index in range(count):
        node = nodes[index]
        starts[index] = position
        for layer in range(layers):
            size = state.sides[SUPPORT, 2 * node + layer]
            sizes[index, layer] = size
            shifts[index, 3 * layer] = resize_effect(state, node, layer, max(size - 1, 0))
            shifts[index, 3 * layer + 1] = resize_effect(state, node, layer, size + 1)
            shifts[index, 3 * layer + 2] = resize_effect(state, node, layer, size + 2)
        entry = state.nodes[FIRST_PLACE, node]
        while entry:
            for layer in range(layers):
                counts[position] = pair_count(state, node, layer, state.lists[PLACE, entry])
                position += 1
            entry = state.lists[NEXT, entry]


@inner
def snapshot(state, nodes, count):
    """The counts of the first `count` nodes, to be compared by `requeue_gaining` after a change."""
    total = 0
    for index in range(count):
        total += state.nodes[WIDTH, nodes[index]]
    layers = 2 if state.n_persons else 1
    sizes = np.zeros((count, 2), dtype=np.int64)
    shifts = np.zeros((count, 6), dtype=np.int64)
    starts = np.zeros(count, dtype=np.int64)
    counts = np.zeros(total * layers, dtype=np.int64)
    _write_snapshot(state, nodes, count, sizes, shifts, starts, counts)
    return Snapshot(sizes, shifts, starts, counts)


@inner
def _can_gain_more(state, count, size, count_now, size_now, joins):
    """Whether a change of a fragment that visits a place, or that would join with it, could gain more than before."""
    if joins:
        return (
            count_effect(state, count, 1, size + 1) > count_effect(state, count_now, 1, size_now + 1)
            or count_effect(state, count, 1, size) > count_effect(state, count_now, 1, size_now)
            or count_effect(state, count, 1, size + 2) > count_effect(state, count_now, 1, size_now + 2)
            or count_effect(state, count, 2, size + 2) > count_effect(state, count_now, 2, size_now + 2)
        )
    below, below_now = max(size - 1, 0), max(size_now - 1, 0)
    return count_effect(state, count, -1, size) > count_effect(state, count_now, -1, size_now) or count_effect(
        state, count, -1, below
    ) > count_effect(state, count_now, -1, below_now)


@inner
def _requeue_dependents(state, queue, heads, node, codes, problems, count, all_dependents):
    """Queue fragments that depend on a projection for evaluation.

    Those that visit one of the first `problems` places have a problem now.  Those that visit another of the places (or
    all dependents) can gain more, if they have a problem at all.
    """
    for index in range(count):
        state.scratch[MARK, codes[index]] = 0 if index < problems else 1
    entry, previous = heads[node], np.int64(-1)
    while entry >= 0:
        fragment, following = queue.entries[ENTRY_FRAGMENT, entry], queue.entries[FOLLOWING, entry]
        if queue.entries[ENTRY_GENERATION, entry] != queue.status[GENERATION, fragment]:  # changed since: void
            if previous < 0:
                heads[node] = following
            else:
                queue.entries[FOLLOWING, previous] = following
        else:
            previous = entry
            problematic = queue.status[PROBLEMATIC, fragment] == 1
            if queue.status[WAITING, fragment] == 0 and (problematic or problems):
                affected = all_dependents and problematic
                first = state.fragments[START, fragment]
                step = 0
                while not affected and step < state.fragments[LENGTH, fragment]:
                    mark = state.scratch[MARK, state.visits[CODE, first + step]]
                    affected = mark == 0 or (mark == 1 and problematic)
                    step += 1
                if affected:
                    requeue(queue, fragment)
        entry = following
    for index in range(count):
        state.scratch[MARK, codes[index]] = -1


@inner
def _gaining_places(state, node, sizes, counts, joins, codes):
    """Write the places by which a fragment can gain more than before, new problems first.

    sizes : of the anonymity set, before.  counts : how many visited each place before, in the order of the list of
    places, whose new entries stand first.  Returns how many `codes` are written, and how many are new problems.
    """
    layers = 2 if state.n_persons else 1
    fresh = state.nodes[WIDTH, node] - len(counts) // layers
    n_gaining = problems = position = place = 0
    entry = state.nodes[FIRST_PLACE, node]
    while entry:
        code = state.lists[PLACE, entry]
        gains = problem = False
        for layer in range(layers):
            before = np.int64(0) if place < fresh else counts[position + layer]
            now, size = pair_count(state, node, layer, code), state.sides[SUPPORT, 2 * node + layer]
            gains |= _can_gain_more(state, before, sizes[layer], now, size, joins)
            problem |= now > state.quota[size] and before <= state.quota[sizes[layer]]
        if place >= fresh:
            position += layers
        if gains:
            codes[n_gaining] = code
            if problem and not joins:
                codes[n_gaining], codes[problems] = codes[problems], code
                problems += 1
            n_gaining += 1
        place += 1
        entry = state.lists[NEXT, entry]
    return n_gaining, problems


@inner
def requeue_gaining(state, queue, nodes, count, before):
    """Queue the fragments that could gain more by a change than at the time of the snapshot `before`.

    Those that can only gain less keep their place in the queue: they are evaluated again when their turn comes.
    """
    sizes, shifts, starts, counts = before
    for index in range(count):
        node = nodes[index]
        end = starts[index + 1] if index + 1 < count else len(counts)
        codes = np.empty(state.nodes[WIDTH, node], dtype=np.int64)
        for joins in (False, True):
            all_dependents = False
            for layer in range(2 if state.n_persons else 1):
                size, now = sizes[index, layer], state.sides[SUPPORT, 2 * node + layer]
                if joins:
                    all_dependents |= resize_effect(state, node, layer, now + 1) < shifts[index, 3 * layer + 1]
                    all_dependents |= resize_effect(state, node, layer, now + 2) < shifts[index, 3 * layer + 2]
                    # places that no member visits yet
                    all_dependents |= _can_gain_more(state, np.int64(0), size, np.int64(0), now, joins)
                else:
                    all_dependents |= resize_effect(state, node, layer, max(now - 1, 0)) < shifts[index, 3 * layer]
            n_gaining, problems = _gaining_places(state, node, sizes[index], counts[starts[index] : end], joins, codes)
            if all_dependents or n_gaining:
                heads = queue.joiners_head if joins else queue.members_head
                _requeue_dependents(state, queue, heads, node, codes, problems, n_gaining, all_dependents)
