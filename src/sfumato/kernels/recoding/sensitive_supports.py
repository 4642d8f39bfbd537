"""Supports of all subsequences of one size, alone and with each sensitive value, kept up to date while labels merge.

A unit (a person, or a record where persons are unknown) supports a pattern when one of its records contains it as a
subsequence, and a pattern together with a sensitive value when one of its records contains both, in any order.

The table is open-addressed, int32[slots, size + 6].  A row begins with its key: a pattern, and a sensitive value or -1
(an unused row begins with -1).  Then, counted from the end: RECORDS, how many records hold it; COUNT, the support;
STAMP, the last unit that touched it; HEAD of a pattern alone and AFTER of its sensitive values chain them, -1 being the
end.  One row lies in one or two lines of the processor's cache, which is most of what a lookup costs.  Kernels let
other threads run.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.subsequence_supports import append_subsequences, copy_row, slot_of

__all__ = ["Holders", "SensitiveRecords", "absorb_into", "count_associations", "is_unsafe", "unsafe_patterns"]

RECORDS, COUNT, STAMP, HEAD, AFTER = -5, -4, -3, -2, -1
_LAST_TICK = 2**31 - 2


class SensitiveRecords(NamedTuple):
    """Records of labels, and the distinct sensitive values of each record."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    unit_offsets: Any  # int64[units + 1], over records
    sensitive_starts: Any  # int64[records + 1]
    sensitive: Any  # int32[...]


class Holders(NamedTuple):
    """Chains of the units that hold each label."""

    first: Any  # int64[labels]: the first link, or -1
    following: Any  # int64[links]: the next link, or -1
    units: Any  # int64[links]
    supports: Any  # int64[labels]: how many units hold each label


@njit(cache=True)
def is_unsafe(slot, table, k, diversity):
    """Whether fewer than k units support a pattern, or too many of them share a sensitive value.

    More than one in `diversity` of the units, or of the records that hold the pattern, are too many.
    """
    support, records = np.int64(table[slot, COUNT]), np.int64(table[slot, RECORDS])
    if support < k:
        return support > 0
    value = table[slot, HEAD]
    while value >= 0:
        if diversity * np.int64(table[value, COUNT]) > support or diversity * np.int64(table[value, RECORDS]) > records:
            return True
        value = table[value, AFTER]
    return False


@njit(cache=True)
def _empty_table(capacity, size):
    table = np.full((capacity, size + 6), -1, dtype=np.int32)
    for slot in range(capacity):
        table[slot, COUNT] = 0
        table[slot, RECORDS] = 0
    return table


@njit(cache=True)
def _enter(key, base, table):
    """The slot of a key, and whether it is new; a new sensitive value is chained to its pattern at `base`."""
    slot = slot_of(table, key)
    new = table[slot, 0] < 0
    if new:
        for level in range(len(key)):
            table[slot, level] = key[level]
        if key[-1] >= 0:
            table[slot, AFTER] = table[base, HEAD]
            table[base, HEAD] = slot
    return slot, new


@njit(cache=True)
def _grown(table, used, more):
    """The table with enough free slots for `more` new keys; keys of support 0 are left out when it grows."""
    if 2 * (used + more) <= len(table):
        return table, used
    alive = 0
    for slot in range(len(table)):
        if table[slot, COUNT] > 0:
            alive += 1
    capacity = len(table)
    while capacity < 3 * (alive + more):
        capacity *= 2
    size = table.shape[1] - 6
    grown = _empty_table(capacity, size)
    key = np.empty(size + 1, dtype=np.int32)
    for with_value in range(2):  # patterns alone come first, so that their sensitive values find them
        for slot in range(len(table)):
            if table[slot, COUNT] == 0 or (table[slot, size] >= 0) != (with_value == 1):
                continue
            for level in range(size):
                key[level] = table[slot, level]
            base = np.int64(-1)
            if with_value == 1:
                key[size] = -1
                base = slot_of(grown, key)
            key[size] = table[slot, size]
            new_slot, _ = _enter(key, base, grown)
            grown[new_slot, COUNT] = table[slot, COUNT]
            grown[new_slot, RECORDS] = table[slot, RECORDS]
            grown[new_slot, STAMP] = table[slot, STAMP]
    return grown, alive


@njit(cache=True)
def _keys_of_unit(data, first, end, size, left, right, last, subsequences, out):
    """Write the keys of records first..end, each pattern before its sensitive values.

    Only patterns with label `left` or `right`; all of them where `left` is -1.
    Returns subsequences, out and how many keys there are.
    """
    codes, offsets, starts = data.codes, data.offsets, data.sensitive_starts
    filled = np.int64(0)
    for record in range(first, end):
        n_found = np.int64(0)
        subsequences, n_found = append_subsequences(
            codes, offsets[record], offsets[record + 1], size, size, left, right, last, subsequences, n_found
        )
        held = starts[record + 1] - starts[record]
        if filled + n_found * (1 + held) > len(out):
            grown = np.empty((2 * (filled + n_found * (1 + held)), size + 1), dtype=np.int32)
            for row in range(filled):
                copy_row(out, row, grown, row)
            out = grown
        for row in range(n_found):
            for i in range(starts[record] - 1, starts[record + 1]):
                copy_row(subsequences, row, out, filled)
                out[filled, size] = data.sensitive[i] if i >= starts[record] else -1
                filled += 1
    return subsequences, out, filled


@njit(cache=True)
def _add_keys(out, filled, tick, table, used):
    """Add 1 to the records of each key of out[:filled], and to the support of each that this tick has not touched."""
    table, used = _grown(table, used, filled)
    base = np.int64(-1)
    for row in range(filled):
        slot, new = _enter(out[row], base, table)
        used += new
        if out[row, -1] < 0:
            base = slot
        table[slot, RECORDS] += 1
        if table[slot, STAMP] != tick:
            table[slot, STAMP] = tick
            table[slot, COUNT] += 1
    return table, used


@njit(cache=True)
def count_associations(data, n_labels, size):
    """The table of all patterns of `size` labels and their sensitive values, and how many of its slots are used.

    data : SensitiveRecords.
    """
    unit_offsets, capacity = data.unit_offsets, 1024
    while capacity < len(data.codes):
        capacity *= 2
    table = _empty_table(capacity, size)
    used = np.int64(0)
    nothing = np.int64(-1)
    last = np.full(n_labels, -1, dtype=np.int64)
    subsequences = np.empty((64, size), dtype=np.int32)
    out = np.empty((64, size + 1), dtype=np.int32)
    for unit in range(len(unit_offsets) - 1):
        subsequences, out, filled = _keys_of_unit(
            data, unit_offsets[unit], unit_offsets[unit + 1], size, nothing, nothing, last, subsequences, out
        )
        table, used = _add_keys(out, filled, unit, table, used)
    return table, used


@njit(cache=True)
def unsafe_patterns(table, k, diversity):
    """The unsafe patterns, int32[n, size], and their supports, in no particular order."""
    size = table.shape[1] - 6
    n = 0
    for slot in range(len(table)):
        if table[slot, COUNT] > 0 and table[slot, size] < 0 and is_unsafe(slot, table, k, diversity):
            n += 1
    patterns = np.empty((n, size), dtype=np.int32)
    supports = np.empty(n, dtype=np.int64)
    n = 0
    for slot in range(len(table)):
        if table[slot, COUNT] > 0 and table[slot, size] < 0 and is_unsafe(slot, table, k, diversity):
            for level in range(size):
                patterns[n, level] = table[slot, level]
            supports[n] = table[slot, COUNT]
            n += 1
    return patterns, supports


@njit(cache=True)
def absorb_into(kept, gone, data, holders, table, used, tick, last, subsequences, out):
    """Rename label `gone` to `kept` in the codes (in place), in the table and among the holders.

    data : SensitiveRecords.  holders : Holders.  tick : larger than any used before.
    Returns table, used, the next free tick, subsequences and out.
    """
    codes, offsets, unit_offsets = data.codes, data.offsets, data.unit_offsets
    first, following, units, supports = holders
    size = out.shape[1] - 1
    node = first[gone]
    while node >= 0:
        if tick == _LAST_TICK:
            for slot in range(len(table)):
                table[slot, STAMP] = -1
            tick = np.int64(0)
        unit = units[node]
        begin, end = unit_offsets[unit], unit_offsets[unit + 1]
        subsequences, out, filled = _keys_of_unit(data, begin, end, size, gone, kept, last, subsequences, out)
        for row in range(filled):
            slot = slot_of(table, out[row])
            table[slot, RECORDS] -= 1
            if table[slot, STAMP] != tick:
                table[slot, STAMP] = tick
                for level in range(size):
                    if out[row, level] == gone:
                        table[slot, COUNT] -= 1
                        break
        had = False
        for position in range(offsets[begin], offsets[end]):
            if codes[position] == kept:
                had = True
            elif codes[position] == gone:
                codes[position] = kept
        subsequences, out, filled = _keys_of_unit(data, begin, end, size, kept, kept, last, subsequences, out)
        table, used = _add_keys(out, filled, tick, table, used)
        tick += 1
        behind = following[node]
        if not had:
            following[node] = first[kept]
            first[kept] = node
            supports[kept] += 1
        node = behind
    first[gone] = -1
    supports[gone] = 0
    return table, used, tick, subsequences, out
