"""Frequent itemsets by occurrence deliver (LCM; Uno et al., 2004) on records sorted from rare to frequent items.

A set is held as the records that contain it and the position of its last item in each; reading on counts every item
that can be added.  An item in all of these records is perfect: it joins the set at once, so that one node stands for
a closed set and all its subsets with the same records.  Records of one unit lie together, as for sequences.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.items.bisection import lower_bound
from sfumato.kernels.mining.pattern_buffers import (
    ALL,
    BAR,
    BUCKETS,
    CLOSED,
    FOUND,
    clear_touched,
    keep,
    sort,
    with_length,
    with_rows,
)

__all__ = ["ItemsetPath", "grow_itemsets"]


class ItemsetPath(NamedTuple):
    """The items of the current set."""

    chosen: Any  # int32[longest record]: one item a level
    perfect: Any  # int32[longest record]: items in all of the records
    sizes: Any  # int64[2]: how many of both
    inside: Any  # bool[items]: which items are among them
    items: Any  # int32[longest record]: receives all of them


@njit(cache=True)
def _tally(here, places, data, inside, scratch):
    """Count the units and the records of every item behind the last one; returns how many items there are."""
    supports, entries, last_unit, _, touched = scratch
    n_touched = 0
    for entry in range(len(here)):
        record = here[entry]
        unit = data.units[record]
        for position in range(places[entry] + 1, data.offsets[record + 1]):
            item = data.codes[position]
            if inside[item]:
                continue
            if entries[item] == 0:
                touched[n_touched] = item
                n_touched += 1
            entries[item] += 1
            if last_unit[item] != unit:
                last_unit[item] = unit
                supports[item] += 1
    return n_touched


@njit(cache=True)
def _joins_everywhere(here, places, codes, offsets, inside):
    """Whether all of these records hold the same item before the last one.

    Only items of the record with the fewest before it can be the one.
    """
    fewest = 0
    for entry in range(len(here)):
        if places[entry] - offsets[here[entry]] < places[fewest] - offsets[here[fewest]]:
            fewest = entry
    for candidate in range(offsets[here[fewest]], places[fewest]):
        item = codes[candidate]
        if inside[item]:
            continue
        everywhere = True
        for entry in range(len(here)):
            place = lower_bound(codes, offsets[here[entry]], places[entry], item)
            if place == places[entry] or codes[place] != item:
                everywhere = False
                break
        if everywhere:
            return True
    return False


@njit(cache=True)
def _can_add(here, places, support, threshold, data, inside, scratch):
    """Whether an item before the last one can join with at least this support; read only until that is certain."""
    codes, offsets, units = data
    counts, last_unit, touched = scratch.supports, scratch.last_unit, scratch.touched
    n_touched, best, seen, unit = 0, 0, 0, -1
    for entry in range(len(here)):
        record = here[entry]
        if units[record] != unit:
            if best >= threshold or best + support - seen < threshold:
                break
            unit = units[record]
            seen += 1
        for position in range(offsets[record], places[entry]):
            item = codes[position]
            if not inside[item] and last_unit[item] != unit:
                if counts[item] == 0:
                    touched[n_touched] = item
                    n_touched += 1
                last_unit[item] = unit
                counts[item] += 1
                best = max(best, counts[item])
    for i in range(n_touched):
        counts[touched[i]], last_unit[touched[i]] = 0, -1
    return best >= threshold


@njit(cache=True)
def _push(stack, n_buckets, n_touched, n_records, bar, free, level, n_perfect, scratch):
    """Put a bucket on the stack for each item that reaches the bar and is not perfect, the best supported on top.

    The sixth column of a bucket is the number of perfect items.
    Returns the stack, perhaps longer, and how many buckets were put there.
    """
    supports, entries, _, fill, touched = scratch
    keys = np.empty(n_touched, dtype=np.int64)
    n_items, n = len(supports), 0
    for i in range(n_touched):
        if supports[touched[i]] >= bar and entries[touched[i]] < n_records:
            keys[n] = supports[touched[i]] * n_items + touched[i]
            n += 1
    sort(keys, n)
    stack = with_rows(stack, n_buckets, n_buckets + n)
    for i in range(n):
        item = keys[i] % n_items
        fill[item] = free
        row = stack[n_buckets + i]
        row[0], row[1], row[2] = item, free, free + entries[item]
        row[3], row[4], row[5] = level, supports[item], n_perfect
        free += entries[item]
    return stack, n


@njit(cache=True)
def _deliver(here, places, codes, offsets, fill, records, positions):
    """Write the occurrences of every item with a place to go (fill >= 0), records in their order."""
    for entry in range(len(here)):
        record = here[entry]
        for position in range(places[entry] + 1, offsets[record + 1]):
            slot = fill[codes[position]]
            if slot >= 0:
                records[slot] = record
                positions[slot] = position
                fill[codes[position]] = slot + 1


@njit(cache=True)
def _keep_subsets(items, level, size, support, shortest, longest, most, patterns, histogram, counters):
    """Keep the first `level` items with every subset of the others, as far as the lengths and `most` labels allow."""
    subset = np.empty(size, dtype=np.int32)
    chosen = np.empty(size - level, dtype=np.int64)
    for i in range(level):
        subset[i] = items[i]
    for extra in range(max(0, shortest - level), min(size, longest) - level + 1):
        for i in range(extra):
            chosen[i] = i
        while counters[FOUND] == 0 or patterns.ends[counters[FOUND] - 1] <= most:
            for i in range(extra):
                subset[level + i] = items[level + chosen[i]]
            patterns = keep(subset[: level + extra], support, 0, histogram, patterns, counters)
            last = extra - 1  # the next combination: raise the last index that can be raised
            while last >= 0 and chosen[last] == size - level - extra + last:
                last -= 1
            if last < 0:
                break
            chosen[last] += 1
            for i in range(last + 1, extra):
                chosen[i] = chosen[i - 1] + 1
    return patterns


@njit(cache=True)
def grow_itemsets(data, rules, state, path, histogram, counters, scratch):
    """Mine itemsets until the stack is empty or about `budget` occurrences were read; returns the new state.

    data : Records, codes rising in every record.  rules : MiningRules, top 0 for ALL.  state : MiningState.
    path : ItemsetPath.  histogram, counters : see `keep`.  scratch : Scratch.
    """
    which, shortest, longest = rules.which, rules.shortest, rules.longest
    stack, records, positions, patterns = state
    supports, entries, touched, inside = scratch.supports, scratch.entries, scratch.touched, path.inside
    work = 0
    while counters[BUCKETS] > 0 and work < rules.budget:
        counters[BUCKETS] -= 1
        item, start, end, level, support, n_perfect = stack[counters[BUCKETS]]
        _go_to(path, level, item, n_perfect)
        if support < counters[BAR]:
            continue
        here, places = records[start:end], positions[start:end]
        work += len(here) + level
        # what an earlier item could join everywhere is met again, larger, where that item is chosen
        if which != ALL and _joins_everywhere(here, places, data.codes, data.offsets, inside):
            continue
        n_touched = _tally(here, places, data, inside, scratch)
        best, total = 0, 0
        for i in range(n_touched):
            if entries[touched[i]] == len(here):
                path.perfect[n_perfect] = touched[i]
                n_perfect += 1
                inside[touched[i]] = True
            else:
                best = max(best, supports[touched[i]])
                total += entries[touched[i]]
        path.sizes[1] = n_perfect
        size = level + n_perfect
        if best >= counters[BAR] and (level if which == ALL else size) < longest:
            # buckets lie on the arrays as on the stack: whatever is behind this one is free
            records, positions = with_length(records, end, end + total), with_length(positions, end, end + total)
            stack, n_pushed = _push(
                stack, counters[BUCKETS], n_touched, len(here), counters[BAR], end, level + 1, n_perfect, scratch
            )
            counters[BUCKETS] += n_pushed
            _deliver(here, places, data.codes, data.offsets, scratch.fill, records, positions)
        clear_touched(scratch, n_touched)
        items = path.items
        for i in range(size):
            items[i] = path.chosen[i] if i < level else path.perfect[i - level]
        if which == ALL:
            patterns = _keep_subsets(
                items, level, size, support, max(1, shortest), longest, rules.most, patterns, histogram, counters
            )
            work += size
        elif shortest <= size <= longest:
            threshold = support if which == CLOSED else rules.frequent
            if best < threshold and (
                (which == CLOSED and rules.single)  # then a record is a unit, and no item joins everywhere
                or not _can_add(here, places, support, threshold, data, inside, scratch)
            ):
                patterns = keep(items[:size], support, rules.top, histogram, patterns, counters)
    return stack, records, positions, patterns.codes, patterns.ends, patterns.supports


@njit(cache=True)
def _go_to(path, level, item, n_perfect):
    """Replace the items of the last node by those of this one."""
    chosen, perfect, sizes, inside, _ = path
    for i in range(max(0, level - 1), sizes[0]):
        inside[chosen[i]] = False
    for i in range(n_perfect, sizes[1]):
        inside[perfect[i]] = False
    sizes[0], sizes[1] = level, n_perfect
    if level > 0:
        chosen[level - 1] = item
        inside[item] = True
