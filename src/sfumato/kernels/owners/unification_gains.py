"""What unifying two projections would gain and cost, and whether it would leave a problem."""

import numpy as np
from numba import njit

from sfumato.kernels.owners.projections import (
    CODE,
    FIRST_PLACE,
    LABEL,
    LENGTH,
    MARK,
    NEXT,
    NODES,
    PARENT,
    PERSON,
    PLACE,
    START,
    SUPPORT,
    TROUBLE,
    VALUE,
    changed,
    held_key,
    inner,
    pair_count,
    rebased,
    slot_of,
)
from sfumato.kernels.owners.unification_queue import (
    BY_LONG,
    CUT,
    DEPTH,
    FOLLOWING,
    HEAD,
    LOSS,
    NODE,
    PIECE,
    SHORT,
    WORTH,
    path_of,
    rekey,
    useful,
)

__all__ = ["refresh", "refresh_all", "safe"]


@inner
def _others(state, unions, node):
    """The projections to other owners of the pieces behind a projection, sorted, a number for each piece (with its
    person, where persons are known); and the lengths of the pieces, sorted."""
    n_lengths = n_others = 0
    entry = unions.nodes[HEAD, node]
    while entry >= 0:
        piece = unions.entries[PIECE, entry]
        n_lengths += 1
        n_others += unions.firsts[piece + 1] - unions.firsts[piece]
        entry = unions.entries[FOLLOWING, entry]
    others, lengths = np.empty(n_others, dtype=np.int64), np.empty(n_lengths, dtype=np.int64)
    n_lengths = n_others = 0
    entry = unions.nodes[HEAD, node]
    while entry >= 0:
        piece = unions.entries[PIECE, entry]
        lengths[n_lengths] = state.pieces[LENGTH, piece]
        n_lengths += 1
        for beside in range(unions.firsts[piece], unions.firsts[piece + 1]):
            if beside != entry and unions.entries[NODE, beside]:
                others[n_others] = unions.entries[NODE, beside]
                if state.n_persons:
                    others[n_others] = unions.entries[NODE, beside] * state.n_persons + state.pieces[PERSON, piece]
                n_others += 1
        entry = unions.entries[FOLLOWING, entry]
    others = others[:n_others]
    others.sort()
    lengths.sort()
    return others, lengths


@inner
def _relief(state, others, code):
    """How many problems of other owners vanish when a place is suppressed in these pieces, all of which hold it."""
    total, at = np.int64(0), 0
    each = max(1, state.n_persons)
    while at < len(others):
        node = others[at] // each
        pieces, persons = np.int64(0), np.int64(0)
        while at < len(others) and others[at] // each == node:
            begin = at
            while at < len(others) and others[at] == others[begin]:
                at += 1
            pieces += at - begin
            if state.n_persons:
                key = held_key(state, node, code, others[begin] % each)
                persons += state.held[VALUE, slot_of(state.held, key)] == at - begin
        total -= changed(state, pair_count(state, node, 0, code), -pieces, state.sides[SUPPORT, 2 * node])
        if persons:
            total -= changed(state, pair_count(state, node, 1, code), -persons, state.sides[SUPPORT, 2 * node + 1])
    return total


@inner
def refresh(state, unions, node):
    """Compute value and loss of a projection's candidates anew."""
    begin, end = unions.nodes[BY_LONG, node], unions.nodes[BY_LONG, node + 1]
    wanted = False
    for candidate in range(begin, end):
        wanted |= useful(state, unions, candidate)
    if not wanted:
        return
    others, lengths = _others(state, unions, node)
    path = path_of(state, node, unions.nodes[DEPTH, node])
    relief = np.zeros(len(path), dtype=np.int64)
    for step in range(len(path)):
        if state.scratch[MARK, path[step]] < 0:
            state.scratch[MARK, path[step]] = step
            relief[step] = _relief(state, others, path[step])
    for step in range(len(path)):
        state.scratch[MARK, path[step]] = -1
    for candidate in range(begin, end):
        if not useful(state, unions, candidate):
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
    """Fill the queue."""
    for node in range(state.sizes[NODES]):
        if unions.nodes[BY_LONG, node] < unions.nodes[BY_LONG, node + 1]:
            refresh(state, unions, node)
            for candidate in range(unions.nodes[BY_LONG, node], unions.nodes[BY_LONG, node + 1]):
                rekey(state, unions, candidate)


@inner
def safe(state, unions, long, short):
    """Whether the shorter projection would be no problem after the longer one has come to it."""
    if short == 0:
        return True
    size = state.sides[SUPPORT, 2 * long] + state.sides[SUPPORT, 2 * short]
    if state.sides[TROUBLE, 2 * short] + rebased(state, short, 0, size) > 0:
        return False
    entry = state.nodes[FIRST_PLACE, long]
    while entry:
        code = state.lists[PLACE, entry]
        count = pair_count(state, long, 0, code)
        if count and count + pair_count(state, short, 0, code) > state.quota[size]:
            return False
        entry = state.lists[NEXT, entry]
    return state.n_persons == 0 or _safe_for_persons(state, unions, long, short)


@inner
def _safe_for_persons(state, unions, long, short):
    """The same for shares of persons, who may be behind both projections."""
    owner = state.owner[state.nodes[LABEL, long]]
    total = 0
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        total += state.pieces[LENGTH, unions.entries[PIECE, entry]] + 1
        entry = unions.entries[FOLLOWING, entry]
    keys = np.empty(total, dtype=np.int64)  # (place or -1, person) of everybody who is new behind the shorter one
    fresh = 0
    entry = unions.nodes[HEAD, long]
    while entry >= 0:
        piece = unions.entries[PIECE, entry]
        person = state.pieces[PERSON, piece]
        for step in range(-1, state.pieces[LENGTH, piece]):
            code = np.int64(-1) if step < 0 else np.int64(state.visits[CODE, state.pieces[START, piece] + step])
            if step >= 0 and state.owner[code] == owner:
                continue
            if state.held[VALUE, slot_of(state.held, held_key(state, short, code, person))] == 0:
                keys[fresh] = (code + 1) * state.n_persons + person
                fresh += 1
        entry = unions.entries[FOLLOWING, entry]
    keys = keys[:fresh]
    keys.sort()
    crowd, at = state.sides[SUPPORT, 2 * short + 1], 0
    counted = -1
    while at < fresh:
        code, distinct = keys[at] // state.n_persons - 1, np.int64(0)
        while at < fresh and keys[at] // state.n_persons - 1 == code:
            distinct += at == 0 or keys[at] != keys[at - 1]
            at += 1
        if code < 0:
            crowd += distinct
        if counted < 0:  # the size of the crowd is known from here on
            counted = 0
            if state.sides[TROUBLE, 2 * short + 1] + rebased(state, short, 1, crowd) > 0:
                return False
        if code >= 0 and pair_count(state, short, 1, code) + distinct > state.quota[crowd]:
            return False
    if counted < 0:
        return state.sides[TROUBLE, 2 * short + 1] == 0
    return True
