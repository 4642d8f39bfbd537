"""What the itemsets found so far say about others: closed ones found by their records, maximal ones by their items."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.fp_tree import RANK
from sfumato.kernels.mining.pattern_buffers import FOUND, with_rows

__all__ = ["FoundSets", "covered", "is_subset_of_equal", "link", "remember", "with_listed_sets"]

LIST, LISTED, SEEN = 4, 5, 6  # columns of a frame: its part of the lists, and how many sets it knows
MIXER = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd number without a pattern


class FoundSets(NamedTuple):
    """Indexes of the found sets.

    A set is closed unless a larger one with the same records was found before: the table holds the sets by weight.
    A set is maximal unless it lies in a larger one that was found before: each frame lists those that hold its items.
    """

    table: Any  # int64[a power of 2, 2]: weight (0: free) and number of a set
    heads: Any  # int64[items]: the last place of each item in the found sets, or -1
    links: Any  # int64[..., 2]: for each place, the one before with the same item (or -1), and where its set ends
    lists: Any  # int64[..., 3]: a place in a set that holds the items of a frame, where the set ends, the item there


@njit(cache=True)
def _slot(total, table):
    return ((total * MIXER) >> 36) & (len(table) - 1)


@njit(cache=True)
def is_subset_of_equal(total, chosen, size, found, store):
    """Whether a found set with the same records holds the first `size` of these items."""
    table = store.table
    slot = _slot(total, table)
    while table[slot, 0] != 0:
        if table[slot, 0] == total:
            number = table[slot, 1]
            begin, end = found.ends[number - 1] if number > 0 else 0, found.ends[number]
            inside = 0
            for k in range(size):
                for i in range(begin, end):
                    if found.codes[i] == chosen[k]:
                        inside += 1
                        break
            if inside == size:
                return True
        slot = (slot + 1) & (len(table) - 1)
    return False


@njit(cache=True)
def _enter(total, number, table):
    slot = _slot(total, table)
    while table[slot, 0] != 0:
        slot = (slot + 1) & (len(table) - 1)
    table[slot, 0], table[slot, 1] = total, number


@njit(cache=True)
def remember(total, store, counters):
    """The store with the last set, whose records have this weight, in a table that may have grown."""
    table = store.table
    if 2 * counters[FOUND] > len(table):
        table = np.zeros((4 * len(table), 2), dtype=np.int64)
        for slot in range(len(store.table)):
            if store.table[slot, 0] != 0:
                _enter(store.table[slot, 0], store.table[slot, 1], table)
    _enter(total, counters[FOUND] - 1, table)
    return FoundSets(table, store.heads, store.links, store.lists)


@njit(cache=True)
def link(found, store, counters):
    """The store with the last set, its items sorted from the rarest, linked to earlier places of the same items."""
    codes, end = found.codes, found.ends[counters[FOUND] - 1]
    begin = found.ends[counters[FOUND] - 2] if counters[FOUND] > 1 else 0
    links = with_rows(store.links, begin, end)
    for i in range(begin, end):
        item, place = codes[i], i
        while place > begin and codes[place - 1] < item:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = item
    for i in range(begin, end):
        links[i, 0], links[i, 1] = store.heads[codes[i]], end
        store.heads[codes[i]] = i
    return FoundSets(store.table, store.heads, links, store.lists)


@njit(cache=True)
def _put(lists, n, place, end, codes):
    lists[n, 0], lists[n, 1], lists[n, 2] = place, end, codes[place] if place < end else -1


@njit(cache=True)
def _list_new(frames, top, newest, found, lists, counters):
    """The lists with the sets that were found below a frame since its last call: they hold its items."""
    n = frames[top, LISTED]
    lists = with_rows(lists, n, n + counters[FOUND] - frames[top, SEEN])
    for number in range(frames[top, SEEN], counters[FOUND]):
        place, end = found.ends[number - 1] if number > 0 else 0, found.ends[number]
        while found.codes[place] != newest:
            place += 1
        _put(lists, n, place + 1, end, found.codes)
        n += 1
    frames[top, LISTED], frames[top, SEEN] = n, counters[FOUND]
    return lists


@njit(cache=True)
def with_listed_sets(frames, level, chosen, found, store, counters):
    """The store with a list of the sets that hold the chosen items, for the frame of this level."""
    lists, codes, item, top = store.lists, found.codes, chosen[level - 1], level - 1
    if level == 1:
        lists = with_rows(lists, 0, counters[FOUND])
        n, place = 0, store.heads[item]
        while place >= 0:
            _put(lists, n, place + 1, store.links[place, 1], codes)
            n, place = n + 1, store.links[place, 0]
        frames[1, LIST], frames[1, LISTED] = 0, n
        return FoundSets(store.table, store.heads, store.links, lists)
    if frames[top, SEEN] < counters[FOUND]:
        lists = _list_new(frames, top, chosen[top - 1], found, lists, counters)
    n = frames[top, LISTED]
    lists = with_rows(lists, n, n + n - frames[top, LIST])
    for i in range(frames[top, LIST], frames[top, LISTED]):
        if lists[i, 2] > item:
            place, end = lists[i, 0], lists[i, 1]
            while place < end and codes[place] > item:
                place += 1
            _put(lists, i, place, end, codes)
        if lists[i, 2] == item:
            _put(lists, n, lists[i, 0] + 1, lists[i, 1], codes)
            n += 1
    frames[level, LIST], frames[level, LISTED] = frames[top, LISTED], n
    return FoundSets(store.table, store.heads, store.links, lists)


@njit(cache=True)
def covered(frames, level, items, base, n_kept, conditional, found, store):
    """Whether a found set holds the items of this level's frame and all others that can join them.

    What all records hold need not be looked for: a maximal set with the items of a frame holds it too.
    """
    codes, met = found.codes, conditional.met
    for entry in range(frames[level, LIST], frames[level, LISTED]):
        place, end = store.lists[entry, 0], store.lists[entry, 1]
        fits = True
        for i in range(n_kept - 1, -1, -1):
            rank = items[base + met[i], RANK]
            while place < end and codes[place] > rank:
                place += 1
            if place == end or codes[place] != rank:
                fits = False
                break
        if fits:
            return True
    return False
