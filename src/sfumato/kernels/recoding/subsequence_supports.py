"""Supports of all short subsequences, kept up to date while labels are merged.

A unit (a person, or a record where persons are unknown) supports a pattern when one of its records contains
it as a subsequence.  The table is open-addressed: ``keys[slot]`` is a pattern padded with -1 (an unused slot
begins with -1), ``counts[slot]`` its support, ``stamps[slot]`` the last unit that touched it.

For the sake of compile time, rows are copied label by label, and counters begin as int64: a literal 0 would have
every function compiled once more for it.
"""

import numpy as np
from numba import njit

__all__ = ["absorb_label", "count_patterns", "holders_of_labels", "next_rare"]


@njit(cache=True)
def holders_of_labels(codes, offsets, unit_offsets, n_labels):
    """Which units hold each label.

    codes : int32[total].  offsets : int64[records + 1].  unit_offsets : int64[units + 1], over records.
    Returns starts int64[n_labels + 1] and units int32[...], rising under each label.  Linear.
    """
    starts = np.zeros(n_labels + 1, dtype=np.int64)
    last = np.full(n_labels, -1, dtype=np.int64)
    n_units = len(unit_offsets) - 1
    for unit in range(n_units):
        for at in range(offsets[unit_offsets[unit]], offsets[unit_offsets[unit + 1]]):
            if last[codes[at]] != unit:
                last[codes[at]] = unit
                starts[codes[at] + 1] += 1
    for label in range(n_labels):
        starts[label + 1] += starts[label]
    units = np.empty(starts[n_labels], dtype=np.int32)
    fill = starts[:-1].copy()
    last[:] = -1
    for unit in range(n_units):
        for at in range(offsets[unit_offsets[unit]], offsets[unit_offsets[unit + 1]]):
            label = codes[at]
            if last[label] != unit:
                last[label] = unit
                units[fill[label]] = unit
                fill[label] += 1
    return starts, units


@njit(cache=True)
def _copy_row(source, row, target, at):
    for level in range(source.shape[1]):
        target[at, level] = source[row, level]


@njit(cache=True)
def _neighbours(codes, start, end, one, other, last):
    """For each position of a record: the previous one with the same label, and where the next wanted label stands.

    Wanted are `one` and `other`; every label where `one` is -1.  The former is -1, the latter `end` if there is none.
    last : int64[n_labels], scratch, all -1, left so.
    """
    before = np.empty(end - start, dtype=np.int64)
    ahead = np.empty(end - start, dtype=np.int64)
    for at in range(start, end):
        before[at - start] = last[codes[at]]
        last[codes[at]] = at
    found = end
    for at in range(end - 1, start - 1, -1):
        last[codes[at]] = -1
        if one < 0 or codes[at] == one or codes[at] == other:
            found = at
        ahead[at - start] = found
    return before, ahead


@njit(cache=True)
def _append_subsequences(codes, start, end, smallest, largest, one, other, last, out, filled):
    """Append the distinct subsequences of codes[start:end] to out; returns out (perhaps grown) and filled.

    Only those that hold label `one` or `other`; all of them where `one` is -1.  A subsequence is met at its
    leftmost embedding: a position counts only if its label does not occur between it and the previous one.
    last : int64[n_labels], scratch, all -1, left so.
    """
    before, ahead = _neighbours(codes, start, end, one, other, last)
    chosen = np.empty(largest, dtype=np.int64)
    wanted = np.empty(largest, dtype=np.bool_)
    depth = 0
    floor = start - 1
    at = start
    while depth >= 0:
        if at < end and (depth == 0 or not wanted[depth - 1]) and (depth + 1 == largest or ahead[at - start] == end):
            at = ahead[at - start]  # nothing is wanted so far, so that what follows must be
        if at == end:
            depth -= 1
            if depth >= 0:
                at = chosen[depth] + 1
                floor = chosen[depth - 1] if depth > 0 else start - 1
            continue
        if before[at - start] <= floor:
            label = codes[at]
            chosen[depth] = at
            wanted[depth] = one < 0 or label == one or label == other or (depth > 0 and wanted[depth - 1])
            if wanted[depth] and depth + 1 >= smallest:
                if filled == len(out):
                    grown = np.empty((2 * len(out), largest), dtype=np.int32)
                    for row in range(filled):
                        _copy_row(out, row, grown, row)
                    out = grown
                for level in range(largest):
                    out[filled, level] = codes[chosen[level]] if level <= depth else -1
                filled += 1
            if depth + 1 < largest:
                floor = at
                depth += 1
        at += 1
    return out, filled


@njit(cache=True)
def _slot(keys, pattern):
    """The slot of a pattern, or the unused slot where it belongs."""
    mixed = np.uint64(1469598103934665603)
    for level in range(len(pattern)):
        mixed = (mixed ^ np.uint64(pattern[level] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(len(keys) - 1))
    while keys[slot, 0] >= 0:
        same = True
        for level in range(len(pattern)):
            if keys[slot, level] != pattern[level]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@njit(cache=True)
def _with_room(keys, counts, stamps, used, more):
    """The table with room for `more` new patterns; patterns of support 0 are left behind when it grows."""
    if 2 * (used + more) <= len(keys):
        return keys, counts, stamps, used
    alive = 0
    for slot in range(len(keys)):
        if keys[slot, 0] >= 0 and counts[slot] > 0:
            alive += 1
    capacity = len(keys)
    while capacity < 3 * (alive + more):
        capacity *= 2
    new_keys = np.full((capacity, keys.shape[1]), -1, dtype=np.int32)
    new_counts = np.zeros(capacity, dtype=np.int32)
    new_stamps = np.full(capacity, -1, dtype=np.int64)
    for slot in range(len(keys)):
        if keys[slot, 0] >= 0 and counts[slot] > 0:
            at = _slot(new_keys, keys[slot])
            _copy_row(keys, slot, new_keys, at)
            new_counts[at] = counts[slot]
            new_stamps[at] = stamps[slot]
    return new_keys, new_counts, new_stamps, alive


@njit(cache=True)
def _add_patterns(out, filled, tick, keys, counts, stamps, used):
    """Support each pattern of out[:filled] once more, unless this tick has touched it already."""
    keys, counts, stamps, used = _with_room(keys, counts, stamps, used, filled)
    for row in range(filled):
        slot = _slot(keys, out[row])
        if keys[slot, 0] < 0:
            _copy_row(out, row, keys, slot)
            used += 1
        if stamps[slot] != tick:
            stamps[slot] = tick
            counts[slot] += 1
    return keys, counts, stamps, used


@njit(cache=True)
def count_patterns(codes, offsets, unit_offsets, n_labels, smallest, largest):
    """The table of all patterns of `smallest` to `largest` labels, and how many of its slots are used.

    Linear in the number of (record, pattern) pairs.
    """
    keys = np.full((1024, largest), -1, dtype=np.int32)
    counts = np.zeros(1024, dtype=np.int32)
    stamps = np.full(1024, -1, dtype=np.int64)
    used = np.int64(0)
    nothing = np.int64(-1)
    last = np.full(n_labels, -1, dtype=np.int64)
    out = np.empty((64, largest), dtype=np.int32)
    for unit in range(len(unit_offsets) - 1):
        filled = np.int64(0)
        for record in range(unit_offsets[unit], unit_offsets[unit + 1]):
            out, filled = _append_subsequences(
                codes, offsets[record], offsets[record + 1], smallest, largest, nothing, nothing, last, out, filled
            )
        keys, counts, stamps, used = _add_patterns(out, filled, unit, keys, counts, stamps, used)
    return keys, counts, stamps, used


@njit(cache=True)
def absorb_label(
    codes,
    offsets,
    unit_offsets,
    last,
    kept,
    gone,
    holders,
    smallest,
    largest,
    keys,
    counts,
    stamps,
    used,
    tick,
):
    """Rename label `gone` to `kept` in codes (in place) and in the table.

    Only the units that hold `gone` are visited.  holders : int32[...], those units.
    last : int64[n_labels], scratch, all -1, left so.  tick : larger than any unit or tick used before.
    Returns the table, used, the units that came to hold `kept`, and the next free tick.
    """
    gained = np.empty(len(holders), dtype=np.int32)
    n_gained = 0
    out = np.empty((64, largest), dtype=np.int32)
    for unit in holders:
        first, end = unit_offsets[unit], unit_offsets[unit + 1]
        filled = np.int64(0)
        for record in range(first, end):
            out, filled = _append_subsequences(
                codes, offsets[record], offsets[record + 1], smallest, largest, gone, kept, last, out, filled
            )
        for row in range(filled):
            slot = _slot(keys, out[row])
            if stamps[slot] != tick:
                stamps[slot] = tick
                for level in range(largest):
                    if out[row, level] == gone:
                        counts[slot] -= 1
                        break
        had = False
        for at in range(offsets[first], offsets[end]):
            if codes[at] == kept:
                had = True
            elif codes[at] == gone:
                codes[at] = kept
        if not had:
            gained[n_gained] = unit
            n_gained += 1
        filled = np.int64(0)
        for record in range(first, end):
            out, filled = _append_subsequences(
                codes, offsets[record], offsets[record + 1], smallest, largest, kept, kept, last, out, filled
            )
        keys, counts, stamps, used = _add_patterns(out, filled, tick, keys, counts, stamps, used)
        tick += 1
    return keys, counts, stamps, used, gained[:n_gained], tick


@njit(cache=True)
def next_rare(patterns, start, current, keys, counts, k):
    """The first of patterns[start:], read through `current`, with a support of 1 to k - 1; or their number.

    patterns : int32[n, width], padded with -1.  current : int32[n_labels], the label that each became.
    """
    pattern = np.empty(patterns.shape[1], dtype=np.int32)
    for row in range(start, len(patterns)):
        for level in range(len(pattern)):
            label = patterns[row, level]
            pattern[level] = current[label] if label >= 0 else -1
        slot = _slot(keys, pattern)
        if keys[slot, 0] >= 0 and 0 < counts[slot] < k:
            return row
    return len(patterns)
