"""What the itemsets found so far say about others: closed ones found by their records, maximal ones by their items.

No array grows here: the caller sees to it that there is room.
"""

from typing import Any, NamedTuple

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.mining.pattern_buffers import FOUND

__all__ = [
    "LIST",
    "LISTED",
    "SEEN",
    "FoundItemsets",
    "FoundSets",
    "begin_of",
    "covered",
    "is_subset_of_equal",
    "link",
    "list_sets",
    "move_table",
    "remember",
]

LIST, LISTED, SEEN = 4, 5, 6  # columns of a frame: its part of the lists, and how many sets it knows
MIXER = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd number without a pattern


class FoundItemsets(NamedTuple):
    """The sets found so far.

    Of all sets, only some are written: each stands for itself with any of the items behind its first `fixed` ones.
    """

    codes: Any  # int32[...]: the items, set after set
    ends: Any  # int64[...]: where the items of each set end
    supports: Any  # int64[...]
    fixed: Any  # int64[...]


class FoundSets(NamedTuple):
    """Indexes of the found sets.

    A set is closed unless a larger one with the same records was found before: the table holds the sets by weight.
    A set is maximal unless it lies in a larger one that was found before: each frame lists those that hold its items.
    """

    table: Any  # int64[a power of 2, 2]: weight (0: free) and number of a set
    heads: Any  # int64[items]: the last place of each item in the found sets, or -1
    links: Any  # int64[..., 2]: for each place, the one before with the same item (or -1), and where its set ends
    lists: Any  # int64[..., 3]: a place in a set that holds the items of a frame, where the set ends, the item there


@inner
def _slot(total, table):
    return ((total * MIXER) >> 36) & (len(table) - 1)


@inner
def begin_of(number, ends):
    """Where the items of a set begin."""
    return ends[number - 1] if number > 0 else 0


@inner
def is_subset_of_equal(total, items, begin, end, found, store):
    """Whether a found set with the same records holds items[begin:end]."""
    table, codes = store.table, found.codes
    slot = _slot(total, table)
    while table[slot, 0] != 0:
        if table[slot, 0] == total:
            first, last = begin_of(table[slot, 1], found.ends), found.ends[table[slot, 1]]
            inside = 0
            for k in range(begin, end):
                for i in range(first, last):
                    if codes[i] == items[k]:
                        inside += 1
                        break
            if inside == end - begin:
                return True
        slot = (slot + 1) & (len(table) - 1)
    return False


@inner
def _enter(total, number, table):
    slot = _slot(total, table)
    while table[slot, 0] != 0:
        slot = (slot + 1) & (len(table) - 1)
    table[slot, 0], table[slot, 1] = total, number


@njit(cache=True)
def move_table(old, new):
    """Enter all sets of a table into a larger one: int64[a power of 2, 2], all 0."""
    for slot in range(len(old)):
        if old[slot, 0] != 0:
            _enter(old[slot, 0], old[slot, 1], new)


@inner
def remember(total, store, counters):
    """Enter the last set, whose records have this weight, into the table."""
    _enter(total, counters[FOUND] - 1, store.table)


@inner
def link(found, store, counters):
    """Sort the items of the last set from the rarest, and link them to earlier places of the same items."""
    codes, links, heads = found.codes, store.links, store.heads
    begin, end = begin_of(counters[FOUND] - 1, found.ends), found.ends[counters[FOUND] - 1]
    for i in range(begin, end):
        item, place = codes[i], i
        while place > begin and codes[place - 1] < item:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = item
    for i in range(begin, end):
        links[i, 0], links[i, 1] = heads[codes[i]], end
        heads[codes[i]] = i


@inner
def _put(lists, n, place, end, codes):
    lists[n, 0], lists[n, 1], lists[n, 2] = place, end, codes[place] if place < end else -1


@inner
def _list_new(frames, top, newest, found, store, counters):
    """List the sets that were found below a frame since its last call: they hold its items."""
    n = frames[top, LISTED]
    for number in range(frames[top, SEEN], counters[FOUND]):
        place, end = begin_of(number, found.ends), found.ends[number]
        while found.codes[place] != newest:
            place += 1
        _put(store.lists, n, place + 1, end, found.codes)
        n += 1
    frames[top, LISTED], frames[top, SEEN] = n, counters[FOUND]


@inner
def list_sets(frames, level, chosen, found, store, counters):
    """List the sets that hold the chosen items, for the frame of this level."""
    lists, codes, item, top = store.lists, found.codes, chosen[level - 1], level - 1
    if level == 1:
        n, place = 0, store.heads[item]
        while place >= 0:
            _put(lists, n, place + 1, store.links[place, 1], codes)
            n, place = n + 1, store.links[place, 0]
        frames[1, LIST], frames[1, LISTED] = 0, n
        return
    if frames[top, SEEN] < counters[FOUND]:
        _list_new(frames, top, chosen[top - 1], found, store, counters)
    n = frames[top, LISTED]
    for i in range(frames[top, LIST], frames[top, LISTED]):
        if lists[i, 2] < item:
            continue
        place, end = lists[i, 0], lists[i, 1]
        while place < end and codes[place] > item:
            place += 1
        here = codes[place] if place < end else -1
        lists[i, 0], lists[i, 2] = place, here
        if here == item:
            lists[n, 0], lists[n, 1], lists[n, 2] = place + 1, end, codes[place + 1] if place + 1 < end else -1
            n += 1
    frames[level, LIST], frames[level, LISTED] = frames[top, LISTED], n


@inner
def covered(frames, level, wanted, begin, end, found, store):
    """Whether a found set holds the items of this level's frame and wanted[begin:end], rarest first.

    What all records hold need not be looked for: a maximal set with the items of a frame holds it too.
    """
    codes, lists = found.codes, store.lists
    rarest = wanted[begin] if begin < end else -1
    for entry in range(frames[level, LIST], frames[level, LISTED]):
        if lists[entry, 2] < rarest:
            continue
        place, last = lists[entry, 0], lists[entry, 1]
        k = begin
        while k < end:
            while place < last and codes[place] > wanted[k]:
                place += 1
            if place == last or codes[place] != wanted[k]:
                break
            k += 1
        if k == end:
            return True
    return False
