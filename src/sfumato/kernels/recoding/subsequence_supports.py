"""Supports of all short subsequences, kept up to date while labels are merged.

A unit (a person, or a record where persons are unknown) supports a pattern when one of its records contains it as a
subsequence.

For the sake of compile time, rows are copied label by label, and counters begin as int64: a literal 0 would have
every function compiled once more for it.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = [
    "PatternTable",
    "absorb_label",
    "append_subsequences",
    "copy_row",
    "divide_by_slots",
    "enter_rows",
    "fill_slots",
    "first_slot",
    "holders_of_labels",
    "next_rare",
    "slot_of",
    "tally_slots",
]


class PatternTable(NamedTuple):
    """The supports of patterns in an open-addressed table; the number of slots is a power of two."""

    keys: Any  # int32[slots, width]: patterns padded with -1; an unused slot begins with -1
    counts: Any  # int32[slots]: the support
    stamps: Any  # int64[slots]: the last unit or tick that touched the pattern
    used: Any  # int: how many slots are used


@njit(cache=True)
def holders_of_labels(codes, offsets, unit_offsets, n_labels):
    """The units that hold each label.

    codes : int32[total].  offsets : int64[records + 1].  unit_offsets : int64[units + 1], over records.
    Returns starts int64[n_labels + 1] and units int32[...], rising under each label.  Linear.
    """
    starts = np.zeros(n_labels + 1, dtype=np.int64)
    last = np.full(n_labels, -1, dtype=np.int64)
    n_units = len(unit_offsets) - 1
    for unit in range(n_units):
        for position in range(offsets[unit_offsets[unit]], offsets[unit_offsets[unit + 1]]):
            if last[codes[position]] != unit:
                last[codes[position]] = unit
                starts[codes[position] + 1] += 1
    for label in range(n_labels):
        starts[label + 1] += starts[label]
    units = np.empty(starts[n_labels], dtype=np.int32)
    fill = starts[:-1].copy()
    last[:] = -1
    for unit in range(n_units):
        for position in range(offsets[unit_offsets[unit]], offsets[unit_offsets[unit + 1]]):
            label = codes[position]
            if last[label] != unit:
                last[label] = unit
                units[fill[label]] = unit
                fill[label] += 1
    return starts, units


@njit(cache=True)
def copy_row(source, row, target, position):
    """Copy a row of one table into a row of another."""
    for level in range(source.shape[1]):
        target[position, level] = source[row, level]


@njit(cache=True)
def _neighbours(codes, start, end, left, right, last):
    """For each position of a record: the previous one with the same label, and where the next wanted label stands.

    Wanted are `left` and `right`; every label where `left` is -1.  The former is -1, the latter `end` if none exists.
    last : int64[n_labels], scratch, all -1, left so.
    """
    before = np.empty(end - start, dtype=np.int64)
    ahead = np.empty(end - start, dtype=np.int64)
    for position in range(start, end):
        before[position - start] = last[codes[position]]
        last[codes[position]] = position
    nearest = end
    for position in range(end - 1, start - 1, -1):
        last[codes[position]] = -1
        if left < 0 or codes[position] == left or codes[position] == right:
            nearest = position
        ahead[position - start] = nearest
    return before, ahead


@njit(cache=True)
def append_subsequences(codes, start, end, smallest, largest, left, right, last, out, filled):
    """Append the distinct subsequences of codes[start:end] to out; returns out (perhaps grown) and filled.

    Only those that hold label `left` or `right`; all of them where `left` is -1.  A subsequence is met at its
    leftmost embedding: a position counts only if its label does not occur between it and the previous one.
    last : int64[n_labels], scratch, all -1, left so.
    """
    before, ahead = _neighbours(codes, start, end, left, right, last)
    chosen = np.empty(largest, dtype=np.int64)
    wanted = np.empty(largest, dtype=np.bool_)
    depth = 0
    floor = start - 1
    position = start
    while depth >= 0:
        if (
            position < end
            and (depth == 0 or not wanted[depth - 1])
            and (depth + 1 == largest or ahead[position - start] == end)
        ):
            position = ahead[position - start]  # nothing is wanted so far, so that what follows must be
        if position == end:
            depth -= 1
            if depth >= 0:
                position = chosen[depth] + 1
                floor = chosen[depth - 1] if depth > 0 else start - 1
            continue
        if before[position - start] <= floor:
            label = codes[position]
            chosen[depth] = position
            wanted[depth] = left < 0 or label == left or label == right or (depth > 0 and wanted[depth - 1])
            if wanted[depth] and depth + 1 >= smallest:
                if filled == len(out):
                    grown = np.empty((2 * len(out), largest), dtype=np.int32)
                    for row in range(filled):
                        copy_row(out, row, grown, row)
                    out = grown
                for level in range(largest):
                    out[filled, level] = codes[chosen[level]] if level <= depth else -1
                filled += 1
            if depth + 1 < largest:
                floor = position
                depth += 1
        position += 1
    return out, filled


@njit(cache=True)
def first_slot(n_slots, pattern):
    """The slot where the search for a pattern begins."""
    mixed = np.uint64(1469598103934665603)
    for level in range(len(pattern)):
        mixed = (mixed ^ np.uint64(pattern[level] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(n_slots - 1))


@njit(cache=True)
def slot_of(keys, pattern):
    """The slot of a pattern, or the unused slot where it belongs."""
    slot = first_slot(len(keys), pattern)
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
def _grown(table, more):
    """The table with enough free slots for `more` new patterns; patterns of support 0 are left out when it grows."""
    keys, counts, stamps, used = table
    if 3 * (used + more) <= 2 * len(keys):
        return table
    alive = 0
    for slot in range(len(keys)):
        if keys[slot, 0] >= 0 and counts[slot] > 0:
            alive += 1
    capacity = len(keys)
    while capacity < 2 * (alive + more):
        capacity *= 2
    new_keys = np.full((capacity, keys.shape[1]), -1, dtype=np.int32)
    new_counts = np.zeros(capacity, dtype=np.int32)
    new_stamps = np.full(capacity, -1, dtype=np.int64)
    for slot in range(len(keys)):
        if keys[slot, 0] >= 0 and counts[slot] > 0:
            position = slot_of(new_keys, keys[slot])
            copy_row(keys, slot, new_keys, position)
            new_counts[position] = counts[slot]
            new_stamps[position] = stamps[slot]
    return PatternTable(new_keys, new_counts, new_stamps, alive)


@njit(cache=True)
def _add_patterns(out, filled, tick, table):
    """Add 1 to the support of each pattern of out[:filled] that this tick has not touched; returns the table."""
    keys, counts, stamps, used = _grown(table, filled)
    for row in range(filled):
        slot = slot_of(keys, out[row])
        if keys[slot, 0] < 0:
            copy_row(out, row, keys, slot)
            used += 1
        if stamps[slot] != tick:
            stamps[slot] = tick
            counts[slot] += 1
    return PatternTable(keys, counts, stamps, used)


@njit(cache=True)
def tally_slots(rows, n_slots, bits, counts):
    """Count patterns by the range of slots where their search begins: 2 ** bits slots each.

    rows : int32[n, width + 1], a pattern and its support in each.
    """
    for row in range(len(rows)):
        counts[first_slot(n_slots, rows[row, :-1]) >> bits] += 1


@njit(cache=True)
def divide_by_slots(rows, n_slots, bits, place, divided):
    """Put each row at place[range of slots] and behind."""
    for row in range(len(rows)):
        part = first_slot(n_slots, rows[row, :-1]) >> bits
        copy_row(rows, row, divided, place[part])
        place[part] += 1


@njit(cache=True)
def fill_slots(rows, starts, first, end, table):
    """Empty the ranges of slots from `first` to `end` and enter the patterns that belong there.

    rows : int32[n, width + 1], distinct patterns and their supports, those of a range from starts[range] on.
    Returns int64[...], the rows that found no free slot in their range: others may fill the next one meanwhile.
    """
    keys, counts, stamps, _ = table
    over, n_over = np.empty(64, dtype=np.int64), 0
    width, size = keys.shape[1], len(keys) // (len(starts) - 1)
    for part in range(first, end):
        last = (part + 1) * size
        for slot in range(last - size, last):
            counts[slot], stamps[slot] = 0, -1
            for level in range(width):
                keys[slot, level] = -1
        for row in range(starts[part], starts[part + 1]):
            slot = first_slot(len(keys), rows[row, :-1])
            while slot < last and keys[slot, 0] >= 0:
                slot += 1
            if slot < last:
                _enter(rows, row, table, slot)
                continue
            if n_over == len(over):
                grown = np.empty(2 * n_over, dtype=np.int64)
                for at in range(n_over):
                    grown[at] = over[at]
                over = grown
            over[n_over] = row
            n_over += 1
    return over[:n_over]


@njit(cache=True)
def enter_rows(rows, numbers, table):
    """Enter these rows, whose patterns are distinct and not in the table."""
    for row in numbers:
        _enter(rows, row, table, slot_of(table.keys, rows[row, :-1]))


@njit(cache=True)
def _enter(rows, row, table, slot):
    """Enter a pattern and its support into a free slot."""
    width = table.keys.shape[1]
    for level in range(width):
        table.keys[slot, level] = rows[row, level]
    table.counts[slot] = rows[row, width]


@njit(cache=True)
def absorb_label(codes, offsets, unit_offsets, last, kept, gone, holders, smallest, largest, table, tick):
    """Rename label `gone` to `kept` in codes (in place) and in the table.

    Only the units that hold `gone` are visited.  holders : int32[...], those units.
    last : int64[n_labels], scratch, all -1, left so.  tick : larger than any unit or tick used before.
    Returns the fields of the table, the units that came to hold `kept`, and the next free tick.
    """
    gained = np.empty(len(holders), dtype=np.int32)
    n_gained = 0
    out = np.empty((64, largest), dtype=np.int32)
    for unit in holders:
        first, end = unit_offsets[unit], unit_offsets[unit + 1]
        filled = np.int64(0)
        for record in range(first, end):
            out, filled = append_subsequences(
                codes, offsets[record], offsets[record + 1], smallest, largest, gone, kept, last, out, filled
            )
        for row in range(filled):
            slot = slot_of(table.keys, out[row])
            if table.stamps[slot] != tick:
                table.stamps[slot] = tick
                for level in range(largest):
                    if out[row, level] == gone:
                        table.counts[slot] -= 1
                        break
        had = False
        for position in range(offsets[first], offsets[end]):
            if codes[position] == kept:
                had = True
            elif codes[position] == gone:
                codes[position] = kept
        if not had:
            gained[n_gained] = unit
            n_gained += 1
        filled = np.int64(0)
        for record in range(first, end):
            out, filled = append_subsequences(
                codes, offsets[record], offsets[record + 1], smallest, largest, kept, kept, last, out, filled
            )
        table = _add_patterns(out, filled, tick, table)
        tick += 1
    return table.keys, table.counts, table.stamps, table.used, gained[:n_gained], tick


@njit(cache=True)
def next_rare(patterns, start, current, table, k):
    """The row of the first of patterns[start:], read through `current`, with a support of 1 to k - 1; or their number.

    patterns : int32[n, width], padded with -1.  current : int32[n_labels], the label that each became; -1 for none, in
    which case nothing is left of the pattern.
    """
    pattern = np.empty(patterns.shape[1], dtype=np.int32)
    for row in range(start, len(patterns)):
        whole = True
        for level in range(len(pattern)):
            label = patterns[row, level]
            pattern[level] = current[label] if label >= 0 else -1
            whole &= label < 0 or pattern[level] >= 0
        slot = slot_of(table.keys, pattern)
        if whole and table.keys[slot, 0] >= 0 and 0 < table.counts[slot] < k:
            return row
    return len(patterns)
