"""Frequent itemsets by growing sets from the rarest item on (FP-growth; Han et al., 2000) in the trees of `fp_tree`.

An item that all records of a set hold is perfect: it joins the set at once, so that one step stands for a closed set
and all its subsets with the same records.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.mining.found_sets import (
    covered,
    is_subset_of_equal,
    link,
    remember,
    with_listed_sets,
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
from sfumato.kernels.mining.pattern_buffers import ALL, BUCKETS, CLOSED, FOUND, MAXIMAL, Found, with_length, with_rows

__all__ = ["FRAME_COLUMNS", "NEXT", "ItemsetPath", "grow_itemsets", "rename_items"]

ROOT, BASE, NEXT, PERFECT, LIST, LISTED, SEEN = range(7)  # columns of a frame; the last three as in `found_sets`
FRAME_COLUMNS = 7


class ItemsetPath(NamedTuple):
    """The items of the current set, by rank."""

    chosen: Any  # int32[longest record]: one item a frame
    perfect: Any  # int32[longest record]: items in all of the records
    subset: Any  # int32[longest record]: scratch


@njit(cache=True)
def _with_room(found, counters, size):
    """The found sets with room for one more of this size."""
    n = counters[FOUND]
    used = found.ends[n - 1] if n > 0 else 0
    if used + size <= len(found.codes) and n < len(found.ends):
        return found
    codes, ends = with_length(found.codes, used, used + size), with_length(found.ends, n, n + 1)
    return Found(codes, ends, with_length(found.supports, n, n + 1))


@njit(cache=True)
def _keep(one, n_one, other, n_other, support, found, counters):
    """Write a set, which there is room for: the first items of two arrays."""
    n = counters[FOUND]
    used = found.ends[n - 1] if n > 0 else 0
    for i in range(n_one):
        found.codes[used + i] = one[i]
    for i in range(n_other):
        found.codes[used + n_one + i] = other[i]
    found.ends[n], found.supports[n] = used + n_one + n_other, support
    counters[FOUND] = n + 1


@njit(cache=True)
def _keep_subsets(path, level, n_perfect, support, rules, found, counters):
    """Keep the chosen items with every subset of the perfect ones, as far as the lengths and `most` labels allow."""
    index = np.empty(n_perfect, dtype=np.int64)
    for extra in range(max(0, rules.shortest - level), min(level + n_perfect, rules.longest) - level + 1):
        for i in range(extra):
            index[i] = i
        while counters[FOUND] == 0 or found.ends[counters[FOUND] - 1] <= rules.most:
            for i in range(extra):
                path.subset[i] = path.perfect[index[i]]
            found = _with_room(found, counters, level + extra)
            _keep(path.chosen, level, path.subset, extra, support, found, counters)
            last = extra - 1  # the next combination: raise the last index that can be raised
            while last >= 0 and index[last] == n_perfect - extra + last:
                last -= 1
            if last < 0:
                break
            index[last] += 1
            for i in range(last + 1, extra):
                index[i] = index[i - 1] + 1
    return found


@njit(cache=True)
def grow_itemsets(records, last, nodes, items, rules, frames, path, conditional, found, store, counters):
    """Mine itemsets until no frame is left or about `budget` nodes were read.

    records : RankedRecords.  last : int32[records], scratch.  nodes, items : the trees, first the items of the records.
    rules : MiningRules.  frames : int64[longest record + 1, 7].
    path : ItemsetPath.  conditional : Conditional.  found : Found.  store : FoundSets.  counters : BUCKETS is the
    number of frames, FOUND that of sets.
    Returns the arrays that may have grown: nodes, items, codes, ends, supports, and those of the store.
    """
    which, bar, work = rules.which, rules.frequent, 0
    chosen, perfect = path.chosen, path.perfect
    while counters[BUCKETS] > 0 and work < rules.budget:
        if counters[FOUND] > 0 and found.ends[counters[FOUND] - 1] > rules.most:
            break
        level = counters[BUCKETS]
        top = level - 1
        if frames[top, NEXT] == 0:
            counters[BUCKETS] -= 1
            continue
        frames[top, NEXT] -= 1
        base = frames[top, BASE]
        place = base + frames[top, NEXT]
        total, first, end = items[place, TOTAL], items[place, FIRST], items[place + 1, FIRST]
        support = total & COUNT
        chosen[top] = items[place, RANK]
        if which == CLOSED and is_subset_of_equal(total, chosen, level, found, store):
            continue
        if which == MAXIMAL:
            store = with_listed_sets(frames, level, chosen, found, store, counters)
        if level == 1:
            n_touched, n_met = read_records(records, place, conditional)
        else:
            n_touched, n_met = climb(nodes, first, end, conditional)
        work += end - first + n_touched
        n_kept, n_perfect = sift(n_met, bar, support, conditional, perfect, frames[top, PERFECT], items, base)
        known = which == MAXIMAL and covered(frames, level, items, base, n_kept, conditional, found, store)
        if n_kept > 0 and not known and (which != ALL or level < rules.longest):
            below = place + 1 if level > 1 else len(records.begin)
            nodes = with_rows(nodes, first, first + n_touched + 2)
            items = with_rows(items, below, below + n_kept + 1)
            if level == 1:
                tree_of_records(nodes, items, records, place, last, n_kept, conditional)
            else:
                grow_tree(nodes, items, frames[top, ROOT], base, below, n_touched, n_kept, conditional)
            frames[level, ROOT], frames[level, BASE], frames[level, NEXT] = first, below, n_kept
            frames[level, PERFECT], frames[level, SEEN] = n_perfect, counters[FOUND]
            counters[BUCKETS] += 1
        forget(nodes, n_touched if level > 1 else 0, n_met, conditional)
        if known or (which == MAXIMAL and n_kept > 0):
            continue
        if which == ALL and n_perfect > 0:
            found = _keep_subsets(path, level, n_perfect, support, rules, found, counters)
        elif which != ALL or level >= rules.shortest:
            found = _with_room(found, counters, level + n_perfect)
            _keep(chosen, level, perfect, n_perfect, support, found, counters)
            if which == CLOSED:
                store = remember(total, store, counters)
            elif which == MAXIMAL:
                store = link(found, store, counters)
    return nodes, items, found.codes, found.ends, found.supports, store.table, store.heads, store.links, store.lists


@njit(cache=True)
def rename_items(codes, ends, labels):
    """Replace the items of every set by their labels, and sort these; in place.

    codes : int32[...].  ends : int64[n].  labels : int32[items].
    """
    begin = 0
    for end in ends:
        for i in range(begin, end):
            label, place = labels[codes[i]], i
            while place > begin and codes[place - 1] > label:
                codes[place] = codes[place - 1]
                place -= 1
            codes[place] = label
        begin = end
