"""What every owner sees of every piece of a trajectory, and how often each other place lies behind it, kept up to date.

A projection is a node of a trie that all owners share; node 0 is the empty one.  Each node counts on two layers, the
pieces behind it and, where persons are known, the distinct persons; ``2 * node + layer`` numbers them.  On a layer,
`support` is the size of the crowd behind the projection and a pair (projection, place) holds how many of them went to
the place: a problem if that is more than ``quota[support]``.  `problems` sums these numbers, and a histogram of them
tells without looking at the pairs how many become problems, or cease to be, when the crowd grows or shrinks.

Tables are open-addressed: keys int64, -1 where a slot is free, a power of two slots.
"""

from typing import Any, NamedTuple

from numba import njit

__all__ = [
    "AT",
    "BEFORE",
    "CODE",
    "DEPENDENTS",
    "FIRST_PLACE",
    "HEAP",
    "HELD",
    "HIST",
    "KEY",
    "LABEL",
    "LAST",
    "LENGTH",
    "MARK",
    "MET",
    "NEXT",
    "NODES",
    "ORIGIN",
    "PAIRS",
    "PARENT",
    "PERSON",
    "PIECES",
    "PLACE",
    "PLACES",
    "PROBLEMS",
    "START",
    "SUPPORT",
    "TROUBLE",
    "VALUE",
    "WIDTH",
    "State",
    "changed",
    "child",
    "enter",
    "enter_all",
    "held_key",
    "inner",
    "link",
    "nodes_of",
    "pair_count",
    "pieces_held",
    "rebased",
    "rehash",
    "slot_of",
]

# for functions that only kernels call: without wrappers for Python they compile in half the time
inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)

PIECES, NODES, PROBLEMS, PAIRS, HIST, HELD, PLACES, DEPENDENTS, HEAP = range(9)  # what `sizes` counts


# rows of the arrays below
CODE, ORIGIN = range(2)
START, LENGTH, PERSON = range(3)
PARENT, LABEL, WIDTH, FIRST_PLACE = range(4)
SUPPORT, TROUBLE = range(2)
KEY, VALUE = range(2)
PLACE, NEXT = range(2)
AT, MET, BEFORE, LAST, MARK = range(5)


class State(NamedTuple):
    """Everything, in few arrays, since each one costs compile time; capacities are the caller's to keep."""

    n_persons: Any  # int, 0 where persons are not known
    quota: Any  # int64: how many of a crowd of each size may share a place
    owner: Any  # int64[places], -1 for nobody
    sizes: Any  # int64[9]
    visits: Any  # int64[2, visits]: place and origin; pieces lie in their trajectory's stretch
    pieces: Any  # int64[3, pieces]: where each begins, its length, its person
    nodes: Any  # int64[4, nodes]: parent, last place; how many places there are pairs of, the first in `lists` or 0
    sides: Any  # int64[2, 2 * nodes]: size of the crowd, problems
    trie: Any  # int64[2, slots]: from a node and a place to the next node
    pairs: Any  # from a side and a place to how many of the crowd went there
    hist: Any  # from a side and such a number to how many places have it
    held: Any  # from a node and a person, or a pair and a person, to how many of the person's pieces there are
    lists: Any  # int64[2, pairs]: a place, and the next entry
    scratch: Any  # int64[5, ...]: `at` by owner, all 0; `met`, `before` and `last` by step; `mark` by place, all -1


@inner
def slot_of(table, key):
    """Where the key is, or the free slot where it belongs."""
    mixed = key ^ (key >> 29)
    mixed *= 6364136223846793005
    mixed ^= mixed >> 32
    last = table.shape[1] - 1
    at = mixed & last
    while table[KEY, at] >= 0 and table[KEY, at] != key:
        at = (at + 1) & last
    return at


@inner
def _bump(table, sizes, which, key, by):
    """Add to a value; returns the new one."""
    at = slot_of(table, key)
    if table[KEY, at] < 0:
        table[KEY, at] = key
        sizes[which] += 1
    table[VALUE, at] += by
    return table[VALUE, at]


@njit(cache=True)
def rehash(table, larger, keep_zeros):
    """Move a table into a larger one; returns how many entries it has."""
    count = 0
    for old in range(table.shape[1]):
        if table[KEY, old] >= 0 and (keep_zeros or table[VALUE, old] != 0):
            at = slot_of(larger, table[KEY, old])
            larger[KEY, at] = table[KEY, old]
            larger[VALUE, at] = table[VALUE, old]
            count += 1
    return count


@inner
def child(state, node, code):
    """The projection that goes on with this place."""
    key = node * len(state.owner) + code
    at = slot_of(state.trie, key)
    if state.trie[KEY, at] < 0:
        fresh = state.sizes[NODES]
        state.sizes[NODES] = fresh + 1
        state.trie[KEY, at] = key
        state.trie[VALUE, at] = fresh
        state.nodes[PARENT, fresh] = node
        state.nodes[LABEL, fresh] = code
    return state.trie[VALUE, at]


@inner
def held_key(state, node, code, person):
    """The key of a person behind a projection (code -1) or behind a pair."""
    return (node * (len(state.owner) + 1) + code + 1) * state.n_persons + person


@inner
def pair_count(state, node, layer, code):
    """How many behind the projection went to the place."""
    return state.pairs[VALUE, slot_of(state.pairs, (2 * node + layer) * len(state.owner) + code)]


@inner
def pieces_held(state, node, code, person):
    return state.held[VALUE, slot_of(state.held, held_key(state, node, code, person))]


@inner
def rebased(state, node, layer, size):
    """How the problems of a projection change when its crowd has another size and its pairs stay."""
    side = 2 * node + layer
    now, then = state.quota[state.sides[SUPPORT, side]], state.quota[size]
    total = 0
    for count in range(min(now, then) + 1, max(now, then) + 1):
        total += count * state.hist[VALUE, slot_of(state.hist, (side << 32) | count)]
    return -total if then > now else total


@inner
def changed(state, count, by, size):
    """How the problems change when `by` more of a crowd of this size go to a place that `count` go to."""
    most = state.quota[size]
    return (count + by if count + by > most else 0) - (count if count > most else 0)


@inner
def link(state, first, length):
    """For every visit of a stretch: the previous visit to the same place in `before`, or -1, and the `last` one."""
    for step in range(length):
        code = state.visits[CODE, first + step]
        state.scratch[BEFORE, step] = state.scratch[MARK, code]
        state.scratch[MARK, code] = step
    for step in range(length):
        state.scratch[LAST, step] = state.scratch[MARK, state.visits[CODE, first + step]]
    for step in range(length):
        state.scratch[MARK, state.visits[CODE, first + step]] = -1


@inner
def nodes_of(state, first, length):
    """The projections of a stretch, in `at`, and who has one, in `met`; returns how many.  Clear `at` after use."""
    n_met = 0
    for step in range(length):
        code = state.visits[CODE, first + step]
        owner = state.owner[code]
        if owner >= 0:
            if state.scratch[AT, owner] == 0:
                state.scratch[MET, n_met] = owner
                n_met += 1
            state.scratch[AT, owner] = child(state, state.scratch[AT, owner], code)
    return n_met


@inner
def _resize(state, node, layer, size):
    change = rebased(state, node, layer, size)
    state.sides[SUPPORT, 2 * node + layer] = size
    state.sides[TROUBLE, 2 * node + layer] += change
    state.sizes[PROBLEMS] += change


@inner
def _recount(state, node, layer, code, by):
    side = 2 * node + layer
    if layer == 0 and state.pairs[KEY, slot_of(state.pairs, side * len(state.owner) + code)] < 0:
        entry = state.sizes[PLACES]
        state.sizes[PLACES] = entry + 1
        state.lists[PLACE, entry] = code
        state.lists[NEXT, entry] = state.nodes[FIRST_PLACE, node]
        state.nodes[FIRST_PLACE, node] = entry
        state.nodes[WIDTH, node] += 1
    count = _bump(state.pairs, state.sizes, PAIRS, side * len(state.owner) + code, by)
    if count - by > 0:
        _bump(state.hist, state.sizes, HIST, (side << 32) | (count - by), -1)
    if count > 0:
        _bump(state.hist, state.sizes, HIST, (side << 32) | count, 1)
    change = changed(state, count - by, by, state.sides[SUPPORT, side])
    state.sides[TROUBLE, side] += change
    state.sizes[PROBLEMS] += change


@inner
def enter(state, piece, by):
    """Count a piece (by = 1), or take it away again (by = -1)."""
    first, length, person = state.pieces[START, piece], state.pieces[LENGTH, piece], state.pieces[PERSON, piece]
    link(state, first, length)
    n_met = nodes_of(state, first, length)
    for index in range(n_met):
        owner = state.scratch[MET, index]
        node = state.scratch[AT, owner]
        state.scratch[AT, owner] = 0
        _resize(state, node, 0, state.sides[SUPPORT, 2 * node] + by)
        if state.n_persons:
            key = held_key(state, node, -1, person)
            left = _bump(state.held, state.sizes, HELD, key, by)
            if (by > 0 and left == 1) or left == 0:
                _resize(state, node, 1, state.sides[SUPPORT, 2 * node + 1] + by)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] >= 0 or state.owner[code] == owner:
                continue
            _recount(state, node, 0, code, by)
            if state.n_persons:
                key = held_key(state, node, code, person)
                left = _bump(state.held, state.sizes, HELD, key, by)
                if (by > 0 and left == 1) or left == 0:
                    _recount(state, node, 1, code, by)


@njit(cache=True)
def enter_all(state, begin, slots):
    """Count the pieces from `begin` on, as long as tables of this many free slots have room; returns the next one."""
    for piece in range(begin, state.sizes[PIECES]):
        length = state.pieces[LENGTH, piece]
        need = 2 * length * length + 2 * length + 2
        if (
            state.sizes[PAIRS] + need > slots[PAIRS]
            or state.sizes[HIST] + 2 * need > slots[HIST]
            or state.sizes[HELD] + need > slots[HELD]
            or state.sizes[NODES] + need > slots[NODES]
        ):
            return piece
        enter(state, piece, 1)
    return state.sizes[PIECES]
