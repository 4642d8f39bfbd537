"""The projection of every trajectory fragment to every owner of places, and counts of places with each projection.

A fragment is a trajectory, or a part of one that was split.  Its projection to an owner is the sequence of its visits
to the owner's places; all fragments with this projection are its anonymity set.  A projection is a node of a trie that
all owners share; node 0 is the empty one.  Each node counts on two layers: fragments and, where persons are known,
distinct persons; ``2 * node + layer`` numbers them.  On a layer, the support is the size of the anonymity set, and a
pair (projection, place) holds how many of the set visit the place: a problem if that is more than ``quota[support]``.
A histogram of these numbers tells how the problems change when the anonymity set grows or shrinks.  All counts are kept
up to date when fragments change.

Tables are open-addressed: keys int64, -1 where a slot is free, a power of two slots.
"""

from typing import Any, NamedTuple

from sfumato.kernels.compiled import njit

__all__ = [
    "BEFORE",
    "CODE",
    "DEPENDENTS",
    "FIRST_PLACE",
    "FRAGMENTS",
    "HEAP",
    "HELD",
    "HIST",
    "KEY",
    "LABEL",
    "LAST",
    "LENGTH",
    "MARK",
    "NEXT",
    "NODES",
    "NODE_OF_OWNER",
    "NODE_PROBLEMS",
    "ORIGIN",
    "OWNERS",
    "PAIRS",
    "PARENT",
    "PERSON",
    "PLACE",
    "PLACES",
    "PROBLEMS",
    "START",
    "SUPPORT",
    "VALUE",
    "WIDTH",
    "State",
    "child",
    "count_effect",
    "count_fragment",
    "count_fragments",
    "count_others",
    "fragments_held",
    "held_key",
    "inner",
    "link_repeats",
    "pair_count",
    "projections_of",
    "rehash",
    "resize_effect",
    "slot_of",
    "stretch_of",
]

# for functions that only kernels call: without wrappers for Python they compile in half the time
inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)

FRAGMENTS, NODES, PROBLEMS, PAIRS, HIST, HELD, PLACES, DEPENDENTS, HEAP = range(9)  # what `sizes` counts


# rows of the arrays below
CODE, ORIGIN = range(2)
START, LENGTH, PERSON = range(3)
PARENT, LABEL, WIDTH, FIRST_PLACE = range(4)
SUPPORT, NODE_PROBLEMS = range(2)
KEY, VALUE = range(2)
PLACE, NEXT = range(2)
NODE_OF_OWNER, OWNERS, BEFORE, LAST, MARK = range(5)


class State(NamedTuple):
    """All counts, in few arrays, since each one costs compile time; the caller sees to their capacity."""

    n_persons: Any  # int, 0 where persons are not known
    quota: Any  # int64: how many of an anonymity set of each size may visit the same place
    owner: Any  # int64[places], -1 for none
    sizes: Any  # int64[9]
    visits: Any  # int64[2, visits]: place and origin; fragments lie in their trajectory's stretch
    fragments: Any  # int64[3, fragments]: where each begins, its length, its person
    nodes: Any  # int64[4, nodes]: parent, last place; how many places there are pairs of, the first in `lists` or 0
    sides: Any  # int64[2, 2 * nodes]: size of the anonymity set, problems
    trie: Any  # int64[2, slots]: from a node and a place to the next node
    pairs: Any  # from a side and a place to how many of the anonymity set visit it
    hist: Any  # from a side and such a number to how many places have it
    held: Any  # from a node and a person, or a pair and a person, to how many of the person's fragments there are
    lists: Any  # int64[2, pairs]: a place, and the next entry
    scratch: Any  # int64[5, ...]: NODE_OF_OWNER, all 0; OWNERS, BEFORE, LAST by step; MARK by place, all -1


@inner
def slot_of(table, key):
    """The slot of a key, or the free slot where it belongs."""
    mixed = key ^ (key >> 29)
    mixed *= 6364136223846793005
    mixed ^= mixed >> 32
    last = table.shape[1] - 1
    slot = mixed & last
    while table[KEY, slot] >= 0 and table[KEY, slot] != key:
        slot = (slot + 1) & last
    return slot


@inner
def _add(table, sizes, which, key, by):
    """Add to the value of a key; returns the new value."""
    slot = slot_of(table, key)
    if table[KEY, slot] < 0:
        table[KEY, slot] = key
        sizes[which] += 1
    table[VALUE, slot] += by
    return table[VALUE, slot]


@njit(cache=True)
def rehash(table, larger, keep_zeros):
    """Copy a table into a larger one; returns the number of entries."""
    count = 0
    for old in range(table.shape[1]):
        if table[KEY, old] >= 0 and (keep_zeros or table[VALUE, old] != 0):
            slot = slot_of(larger, table[KEY, old])
            larger[KEY, slot] = table[KEY, old]
            larger[VALUE, slot] = table[VALUE, old]
            count += 1
    return count


@inner
def child(state, node, code):
    """The projection that continues this one with a place; it is created if it is new."""
    key = node * len(state.owner) + code
    slot = slot_of(state.trie, key)
    if state.trie[KEY, slot] < 0:
        fresh = state.sizes[NODES]
        state.sizes[NODES] = fresh + 1
        state.trie[KEY, slot] = key
        state.trie[VALUE, slot] = fresh
        state.nodes[PARENT, fresh] = node
        state.nodes[LABEL, fresh] = code
    return state.trie[VALUE, slot]


@inner
def held_key(state, node, code, person):
    """The key of a person among those with a projection (code -1) or with a pair."""
    return (node * (len(state.owner) + 1) + code + 1) * state.n_persons + person


@inner
def pair_count(state, node, layer, code):
    """How many of the projection's anonymity set visit the place."""
    return state.pairs[VALUE, slot_of(state.pairs, (2 * node + layer) * len(state.owner) + code)]


@inner
def fragments_held(state, node, code, person):
    """How many fragments of a person have a projection (code -1) or a pair."""
    return state.held[VALUE, slot_of(state.held, held_key(state, node, code, person))]


@inner
def resize_effect(state, node, layer, size):
    """The change of a projection's problems when its anonymity set gets another size and its pairs stay."""
    side = 2 * node + layer
    now, then = state.quota[state.sides[SUPPORT, side]], state.quota[size]
    total = 0
    for count in range(min(now, then) + 1, max(now, then) + 1):
        total += count * state.hist[VALUE, slot_of(state.hist, (side << 32) | count)]
    return -total if then > now else total


@inner
def count_effect(state, count, by, size):
    """The change of the problems when `by` more of an anonymity set of this size visit a place that `count` visit."""
    most = state.quota[size]
    return (count + by if count + by > most else 0) - (count if count > most else 0)


@inner
def stretch_of(state, fragment):
    """Where a fragment begins, its length and its person."""
    return state.fragments[START, fragment], state.fragments[LENGTH, fragment], state.fragments[PERSON, fragment]


@inner
def link_repeats(state, first, length):
    """Write for every visit of a stretch the previous visit to the same place (BEFORE; -1: none) and the LAST one."""
    for step in range(length):
        code = state.visits[CODE, first + step]
        state.scratch[BEFORE, step] = state.scratch[MARK, code]
        state.scratch[MARK, code] = step
    for step in range(length):
        state.scratch[LAST, step] = state.scratch[MARK, state.visits[CODE, first + step]]
    for step in range(length):
        state.scratch[MARK, state.visits[CODE, first + step]] = -1


@inner
def projections_of(state, first, length):
    """Write the projections of a stretch (NODE_OF_OWNER) and the OWNERS who have one; returns how many.

    The caller clears NODE_OF_OWNER after use.
    """
    n_owners = 0
    for step in range(length):
        code = state.visits[CODE, first + step]
        owner = state.owner[code]
        if owner >= 0:
            if state.scratch[NODE_OF_OWNER, owner] == 0:
                state.scratch[OWNERS, n_owners] = owner
                n_owners += 1
            state.scratch[NODE_OF_OWNER, owner] = child(state, state.scratch[NODE_OF_OWNER, owner], code)
    return n_owners


@inner
def _set_size(state, node, layer, size):
    """Give the anonymity set of a projection another size."""
    change = resize_effect(state, node, layer, size)
    state.sides[SUPPORT, 2 * node + layer] = size
    state.sides[NODE_PROBLEMS, 2 * node + layer] += change
    state.sizes[PROBLEMS] += change


@inner
def _add_to_pair(state, node, layer, code, by):
    """Add to the number of the anonymity set who visit a place."""
    side = 2 * node + layer
    if layer == 0 and state.pairs[KEY, slot_of(state.pairs, side * len(state.owner) + code)] < 0:
        entry = state.sizes[PLACES]
        state.sizes[PLACES] = entry + 1
        state.lists[PLACE, entry] = code
        state.lists[NEXT, entry] = state.nodes[FIRST_PLACE, node]
        state.nodes[FIRST_PLACE, node] = entry
        state.nodes[WIDTH, node] += 1
    count = _add(state.pairs, state.sizes, PAIRS, side * len(state.owner) + code, by)
    if count - by > 0:
        _add(state.hist, state.sizes, HIST, (side << 32) | (count - by), -1)
    if count > 0:
        _add(state.hist, state.sizes, HIST, (side << 32) | count, 1)
    change = count_effect(state, count - by, by, state.sides[SUPPORT, side])
    state.sides[NODE_PROBLEMS, side] += change
    state.sizes[PROBLEMS] += change


@inner
def count_fragment(state, fragment, by):
    """Add a fragment to all counts (by = 1), or take it away again (by = -1)."""
    first, length, person = stretch_of(state, fragment)
    link_repeats(state, first, length)
    n_owners = projections_of(state, first, length)
    for index in range(n_owners):
        owner = state.scratch[OWNERS, index]
        node = state.scratch[NODE_OF_OWNER, owner]
        state.scratch[NODE_OF_OWNER, owner] = 0
        _set_size(state, node, 0, state.sides[SUPPORT, 2 * node] + by)
        if state.n_persons:
            key = held_key(state, node, -1, person)
            left = _add(state.held, state.sizes, HELD, key, by)
            if (by > 0 and left == 1) or left == 0:
                _set_size(state, node, 1, state.sides[SUPPORT, 2 * node + 1] + by)
        for step in range(length):
            code = state.visits[CODE, first + step]
            if state.scratch[BEFORE, step] >= 0 or state.owner[code] == owner:
                continue
            _add_to_pair(state, node, 0, code, by)
            if state.n_persons:
                key = held_key(state, node, code, person)
                left = _add(state.held, state.sizes, HELD, key, by)
                if (by > 0 and left == 1) or left == 0:
                    _add_to_pair(state, node, 1, code, by)


@njit(cache=True)
def count_fragments(state, begin, capacity):
    """Count the fragments from `begin` on until a table reaches its capacity; returns the next fragment."""
    for fragment in range(begin, state.sizes[FRAGMENTS]):
        length = state.fragments[LENGTH, fragment]
        need = 2 * length * length + 2 * length + 2
        if (
            state.sizes[PAIRS] + need > capacity[PAIRS]
            or state.sizes[HIST] + 2 * need > capacity[HIST]
            or state.sizes[HELD] + need > capacity[HELD]
            or state.sizes[NODES] + need > capacity[NODES]
        ):
            return fragment
        count_fragment(state, fragment, 1)
    return state.sizes[FRAGMENTS]


@njit(cache=True)
def count_others(state, codes, offsets, places, fragments, persons):
    """Add the counts of fragments that are not in the arrays; no person has fragments of both kinds.

    codes : int64[...], the places of a projection, row by row; offsets : int64[rows + 1].
    places : int64[rows], -1 for the projection alone, otherwise the other place of a pair.
    fragments, persons : int64[rows], how many of these fragments and persons have the projection or the pair.
    """
    for row in range(len(places)):
        node = 0
        for position in range(offsets[row], offsets[row + 1]):
            node = child(state, node, codes[position])
        for layer in range(2 if state.n_persons else 1):
            by = fragments[row] if layer == 0 else persons[row]
            if places[row] < 0:
                _set_size(state, node, layer, state.sides[SUPPORT, 2 * node + layer] + by)
            else:
                _add_to_pair(state, node, layer, places[row], by)
