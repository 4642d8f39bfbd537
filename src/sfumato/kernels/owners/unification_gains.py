"""The gain and the information loss of unifying two projections, and whether a problem would be left."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.owners.projections import (
    CODE,
    FIRST_PLACE,
    LABEL,
    LENGTH,
    MARK,
    NEXT,
    NODE_PROBLEMS,
    NODES,
    PARENT,
    PERSON,
    PLACE,
    START,
    SUPPORT,
    VALUE,
    count_effect,
    held_key,
    inner,
    pair_count,
    resize_effect,
    slot_of,
)
from sfumato.kernels.owners.unification_queue import (
    BY_LONG,
    CUT,
    DEPTH,
    FOLLOWING,
    FRAGMENT,
    HEAD,
    LOSS,
    NODE,
    SHORT,
    WORTH,
    is_useful,
    path_of,
    rekey,
)

__all__ = ["is_safe", "refresh", "refresh_all"]


@inner
def _other_projections(state, unions, node):
    """The other projections of the fragments with a projection, sorted (each with its person, where persons are known),
    and the lengths of these fragments, sorted."""
    n_lengths = n_others = 0
    entry = unions.nodes[HEAD, node]
    while entry >= 0:
        fragment = unions.entries[FRAGMENT, entry]
        n_lengths += 1
        n_others += unions.firsts[fragment + 1] - unions.firsts[fragment]
        entry = unions.entries[FOLLOWING, entry]
    others, lengths = np.empty(n_others, dtype=np.int64), np.empty(n_lengths, dtype=np.int64)
    n_lengths = n_others = 0
    entry = unions.nodes[HEAD, node]
    while entry >= 0:
        fragment = unions.entries[FRAGMENT, entry]
        lengths[n_lengths] = state.fragments[LENGTH, fragment]
        n_lengths += 1
        for beside in range(unions.firsts[fragment], unions.firsts[fragment + 1]):
            if beside != entry and unions.entries[NODE, beside]:
                others[n_others] = unions.entries[NODE, beside]
                if state.n_persons:
                    others[n_others] = (
                        unions.entries[NODE, beside] * state.n_persons + state.fragments[PERSON, fragment]
                    )
                n_others += 1
        entry = unions.entries[FOLLOWING, entry]
    others = others[:n_others]
    others.sort()
    lengths.sort()
    return others, lengths


@inner
def _relief(state, others, code):
    """The problems of other owners that vanish when a place is suppressed in these fragments, which all visit it."""
    total, position = np.int64(0), 0
    each = max(1, state.n_persons)
    while position < len(others):
        node = others[position] // each
        fragments, persons = np.int64(0), np.int64(0)
        while position < len(others) and others[position] // each == node:
            begin = position
            while position < len(others) and others[position] == others[begin]:
                position += 1
            fragments += position - begin
            if state.n_persons:
                key = held_key(state, node, code, others[begin] % each)
                persons += state.held[VALUE, slot_of(state.held, key)] == position - begin
        total -= count_effect(state, pair_count(state, node, 0, code), -fragments, state.sides[SUPPORT, 2 * node])
        if persons:
            total -= count_effect(state, pair_count(state, node, 1, code), -persons, state.sides[SUPPORT, 2 * node + 1])
    return total


@inner
def refresh(state, unions, node):
    """Compute the gain and the loss of a projection's candidates again."""
    begin, end = unions.nodes[BY_LONG, node], unions.nodes[BY_LONG, node + 1]
    wanted = False
    for candidate in range(begin, end):
        wanted |= is_useful(state, unions, candidate)
    if not wanted:
        return
    others, lengths = _other_projections(state, unions, node)
    path = path_of(state, node, unions.nodes[DEPTH, node])
    relief = np.zeros(len(path), dtype=np.int64)
    for step in range(len(path)):
        if state.scratch[MARK, path[step]] < 0:
            state.scratch[MARK, path[step]] = step
            relief[step] = _relief(state, others, path[step])
    for step in range(len(path)):
        state.scratch[MARK, path[step]] = -1
    for candidate in range(begin, end):
        if not is_useful(state, unions, candidate):
            continue
        short = unions.candidates[SHORT, candidate]
        total = np.int64(0)
        kept = short
        while kept:
            state.scratch[MARK, state.nodes[LABEL, kept]] = 0
            kept = state.nodes[PARENT, kept]
        for step in range(len(path)):
            total += relief[step] if state.scratch[MARK, path[step]] < 0 else 0
        kept = short
        while kept:
            state.scratch[MARK, state.nodes[LABEL, kept]] = -1
            kept = state.nodes[PARENT, kept]
        unions.candidates[WORTH, candidate] = total
        loss = np.int64(0)
        for index in range(len(lengths)):
            pairs, left = lengths[index] * (lengths[index] - 1), lengths[index] - unions.candidates[CUT, candidate]
            if pairs:
                loss += ((pairs - left * (left - 1)) << 32) // pairs
        unions.candidates[LOSS, candidate] = loss


@njit(cache=True)
def refresh_all(state, unions):
    """Compute all candidates' gains and losses, and fill the queue."""
    for node in range(state.sizes[NODES]):
        if unions.nodes[BY_LONG, node] < unions.nodes[BY_LONG, node + 1]:
            refresh(state, unions, node)
            for candidate in range(unions.nodes[BY_LONG, node], unions.nodes[BY_LONG, node + 1]):
                rekey(state, unions, candidate)


@inner
def is_safe(state, unions, long, short):
    """Whether the shorter projection has no problem after the longer one has become it."""
    if short == 0:
        return True
    size = state.sides[SUPPORT, 2 * long] + state.sides[SUPPORT, 2 * short]
    if state.sides[NODE_PROBLEMS, 2 * short] + resize_effect(state, short, 0, size) > 0:
        return False
    entry = state.nodes[FIRST_PLACE, long]
    while entry:
        code = state.lists[PLACE, entry]
        count = pair_count(state, long, 0, code)
        if count and count + pair_count(state, short, 0, code) > state.quota[size]:
            return False
        entry = state.lists[NEXT, entry]
    return state.n_persons == 0 or _is_safe_for_persons(state, unions, long, short)


@inner
def _is_safe_for_persons(state, unions, long, short):
    """Whether the shorter projection then has no problem counted in persons, who may have both projections."""
    owner = state.owner[state.nodes[LABEL, long]]
    total = 0
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        total += state.fragments[LENGTH, unions.entries[FRAGMENT, entry]] + 1
        entry = unions.entries[FOLLOWING, entry]
    keys = np.empty(total, dtype=np.int64)  # (place or -1, person) of all who do not have the shorter one yet
    fresh = 0
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        fragment = unions.entries[FRAGMENT, entry]
        person = state.fragments[PERSON, fragment]
        for step in range(-1, state.fragments[LENGTH, fragment]):
            code = np.int64(-1) if step < 0 else np.int64(state.visits[CODE, state.fragments[START, fragment] + step])
            if step >= 0 and state.owner[code] == owner:
                continue
            if state.held[VALUE, slot_of(state.held, held_key(state, short, code, person))] == 0:
                keys[fresh] = (code + 1) * state.n_persons + person
                fresh += 1
        entry = unions.entries[FOLLOWING, entry]
    keys = keys[:fresh]
    keys.sort()
    persons_with, position = state.sides[SUPPORT, 2 * short + 1], 0
    counted = -1
    while position < fresh:
        code, distinct = keys[position] // state.n_persons - 1, np.int64(0)
        while position < fresh and keys[position] // state.n_persons - 1 == code:
            distinct += position == 0 or keys[position] != keys[position - 1]
            position += 1
        if code < 0:
            persons_with += distinct
        if counted < 0:  # the number of persons is known from here on
            counted = 0
            if state.sides[NODE_PROBLEMS, 2 * short + 1] + resize_effect(state, short, 1, persons_with) > 0:
                return False
        if code >= 0 and pair_count(state, short, 1, code) + distinct > state.quota[persons_with]:
            return False
    if counted < 0:
        return state.sides[NODE_PROBLEMS, 2 * short + 1] == 0
    return True
