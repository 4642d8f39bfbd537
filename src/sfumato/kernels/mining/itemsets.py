"""Frequent itemsets by growing sets from the rarest item on (FP-growth; Han et al., 2000) in the trees of `fp_tree`.

An item that all records of a set hold is perfect: it joins the set at once, so that one step stands for a closed set
and all its subsets with the same records.  Sets of a few further items are counted at once, in a table.

No array grows here, as Numba counts references to arrays that may: a step that may lack room ends the batch.
"""

from typing import Any, NamedTuple

from sfumato.kernels.borrowed import borrowed
from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.mining.found_sets import (
    LIST,
    LISTED,
    SEEN,
    begin_of,
    covered,
    is_subset_of_equal,
    link,
    list_sets,
    remember,
)
from sfumato.kernels.mining.fp_tree import (
    COUNT,
    FIRST,
    RANK,
    TOTAL,
    climb,
    forget,
    grow_tree,
    read_records,
    sift,
    tree_of_records,
)
from sfumato.kernels.mining.pattern_buffers import ALL, BUCKETS, CLOSED, FOUND, MAXIMAL
from sfumato.kernels.mining.small_trees import SMALL, count_in_nodes, count_in_records

__all__ = ["FRAME_COLUMNS", "NEXT", "ROOM", "ItemsetPath", "grow_itemsets"]

ROOT, BASE, NEXT, PERFECT = range(4)  # columns of a frame; the others are those of `found_sets`
FRAME_COLUMNS = 7
ROOM = ("nodes", "items", "codes", "sets", "lists")  # what a step may need more of
NODES, ITEMS, CODES, SETS, LISTS = range(5)


class ItemsetPath(NamedTuple):
    """The items of the current set, by rank."""

    chosen: Any  # int32[longest record]: one item a frame
    perfect: Any  # int32[longest record]: items in all of the records
    wanted: Any  # int32[items]: items that may join, rarest first
    table: Any  # int64[1 << SMALL]: see `small_trees`


@inner
def _has_room_for_tree(frames, level, items, n_items, counters, room, needs):
    """Whether the next step of a frame has room for a tree and a list; writes what it needs."""
    top = level - 1
    base, n_found = frames[top, BASE], counters[FOUND]
    place = base + frames[top, NEXT] - 1
    listed = frames[top, LISTED] + n_found - frames[top, SEEN]
    needs[NODES] = 2 * items[place, FIRST] - frames[top, ROOT] + 2 if level > 1 else 0
    needs[ITEMS] = (place if level > 1 else n_items) + place - base + 3
    needs[LISTS] = 2 * listed - frames[top, LIST] if level > 1 else n_found
    return needs[NODES] <= room[NODES] and needs[ITEMS] <= room[ITEMS] and needs[LISTS] <= room[LISTS]


@inner
def _has_room_for_sets(n_kept, size, found, counters, room, needs):
    """Whether there is room for all sets of some kept items, with `size` others; writes what they need."""
    n_sets = 1 << n_kept
    needs[SETS] = counters[FOUND] + n_sets
    needs[CODES] = begin_of(counters[FOUND], found.ends) + n_sets * (size + n_kept)
    return needs[SETS] <= room[SETS] and needs[CODES] <= room[CODES]


@inner
def _write(held, n_kept, level, n_perfect, path, found, counters):
    """Write a set behind the others: the chosen items, those of the table that it holds, the perfect ones.

    Returns where the first begin, where the second end and where the third end.
    """
    codes = found.codes
    begin = begin_of(counters[FOUND], found.ends)
    for i in range(level):
        codes[begin + i] = path.chosen[i]
    end = begin + level
    for i in range(n_kept):
        codes[end] = path.wanted[i]
        end += (held >> (n_kept - 1 - i)) & 1
    for i in range(n_perfect):
        codes[end + i] = path.perfect[i]
    return begin, end, end + n_perfect


@inner
def _grows(held, n_kept, least, table):
    """Whether one more item leaves a set with at least this support."""
    for i in range(n_kept):
        larger = held | (1 << i)
        if larger != held and table[larger] & COUNT >= least:
            return True
    return False


@inner
def _keep_sets(n_kept, level, n_perfect, rules, frames, path, found, store, counters):
    """Keep the sets of the table, larger ones first."""
    which, table, full = rules.which, path.table, (1 << n_kept) - 1
    for held in range(full, -1, -1):
        support = table[held] & COUNT
        if support < rules.frequent:
            continue
        if which != ALL and _grows(held, n_kept, support if which == CLOSED else rules.frequent, table):
            continue
        begin, fixed, end = _write(held, n_kept, level, n_perfect, path, found, counters)
        if which == ALL:
            if fixed - begin > rules.longest or end - begin < rules.shortest:
                continue
            if fixed - begin == rules.longest:
                end = fixed
        elif which == CLOSED:
            if held > 0 and is_subset_of_equal(table[held], found.codes, begin, fixed, found, store):
                continue
        elif held < full and covered(frames, level, found.codes, begin + level, fixed, found, store):
            continue
        n = counters[FOUND]
        found.ends[n], found.supports[n], found.fixed[n] = end, support, (fixed if which == ALL else end) - begin
        counters[FOUND] = n + 1
        if which == CLOSED:
            remember(table[held], store, counters)
        elif which == MAXIMAL:
            link(found, store, counters)


@inner
def _count(records, nodes, root, first, end, level, place, total, n_kept, conditional, table):
    """Write the weights of the sets of a few kept items."""
    if n_kept > 1 and level == 1:
        count_in_records(records, place, n_kept, conditional, table)
    elif n_kept > 1:
        count_in_nodes(nodes, root, first, end, n_kept, conditional, table)
    else:
        table[0] = total
        if n_kept == 1:
            table[1] = conditional.sums[conditional.met[0]]


@inner
def _push(records, nodes, items, frames, level, place, n_touched, n_kept, n_perfect, conditional, counters):
    """Write the tree of a set's records, and a frame that takes its items one by one."""
    top, first = level - 1, items[place, FIRST]
    below = place + 1 if level > 1 else len(records.begin)
    if level == 1:
        tree_of_records(nodes, items, records, place, n_kept, conditional)
    else:
        grow_tree(nodes, items, frames[top, ROOT], frames[top, BASE], below, n_touched, n_kept, conditional)
    frames[level, ROOT], frames[level, BASE], frames[level, NEXT] = first, below, n_kept
    frames[level, PERFECT], frames[level, SEEN] = n_perfect, counters[FOUND]
    counters[BUCKETS] += 1


@njit(cache=True)
def grow_itemsets(records, nodes, items, rules, frames, path, conditional, found, store, counters, room, needs):
    """Mine itemsets until no frame is left, about `budget` nodes were read, or there may be no room for a step.

    records : RankedRecords.  nodes : Nodes, items : int64[n, 3], the trees, first the items of the records.
    rules : MiningRules.  frames : int64[longest record + 1, 7].  path : ItemsetPath.  conditional : Conditional.
    found : FoundItemsets.  store : FoundSets.  counters : BUCKETS is the number of frames, FOUND that of sets.
    room, needs : int64[5], the lengths that the arrays have and those that the next step needs, as ROOM names them.
    """
    records, nodes, items, frames, path = borrowed((records, nodes, items, frames, path))
    conditional, found, store, counters = borrowed((conditional, found, store, counters))
    which, work, met = rules.which, 0, conditional.met
    while counters[BUCKETS] > 0 and work < rules.budget:
        level = counters[BUCKETS]
        top = level - 1
        if frames[top, NEXT] == 0:
            counters[BUCKETS] -= 1
            continue
        if begin_of(counters[FOUND], found.ends) > rules.most:
            break
        if not _has_room_for_tree(frames, level, items, len(path.wanted), counters, room, needs):
            break
        frames[top, NEXT] -= 1
        base = frames[top, BASE]
        place = base + frames[top, NEXT]
        total, first, end = items[place, TOTAL], items[place, FIRST], items[place + 1, FIRST]
        path.chosen[top] = items[place, RANK]
        work += 1
        if which == CLOSED and is_subset_of_equal(total, path.chosen, 0, level, found, store):
            continue
        if which == MAXIMAL:
            list_sets(frames, level, path.chosen, found, store, counters)
        if level == 1:
            n_touched, n_met = read_records(records, place, conditional)
        else:
            n_touched, n_met = climb(nodes, frames[top, ROOT], first, end, conditional)
        work += end - first + n_touched
        n_kept, n_perfect = sift(
            n_met, rules.frequent, total & COUNT, conditional, path.perfect, frames[top, PERFECT], items, base
        )
        for i in range(n_kept):
            path.wanted[n_kept - 1 - i] = items[base + met[i], RANK]
        n_open = n_kept if which != ALL or level < rules.longest else 0
        if not _has_room_for_sets(n_open if n_open <= SMALL else 0, level + n_perfect, found, counters, room, needs):
            forget(nodes, n_touched if level > 1 else 0, n_kept, conditional)
            frames[top, NEXT] += 1
            break
        if which != MAXIMAL or not covered(frames, level, path.wanted, 0, n_open, found, store):
            if n_open > SMALL:
                path.table[0] = total
                if which != MAXIMAL:
                    _keep_sets(0, level, n_perfect, rules, frames, path, found, store, counters)
                _push(records, nodes, items, frames, level, place, n_touched, n_kept, n_perfect, conditional, counters)
            else:
                root = frames[top, ROOT]
                _count(records, nodes, root, first, end, level, place, total, n_open, conditional, path.table)
                _keep_sets(n_open, level, n_perfect, rules, frames, path, found, store, counters)
        forget(nodes, n_touched if level > 1 else 0, n_kept, conditional)
