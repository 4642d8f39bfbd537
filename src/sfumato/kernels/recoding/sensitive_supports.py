"""Supports of all subsequences of one size, alone and together with each secret, kept up to date through merges.

A unit (a person, or a record where persons are unknown) supports a pattern when one of its records contains it as a
subsequence, and a pattern together with a secret when one of its records contains both, in whatever order.

The table is open-addressed, int32[slots, size + 6].  A row begins with its key: a pattern, and a secret or -1 (an
unused row begins with -1).  Then, counted from the end: RECORDS, how many records hold it; COUNT, the support; STAMP,
the last unit that touched it; HEAD of a pattern alone and AFTER of its secrets chain them, -1 being the end.  One row
lies in one or two lines of the processor's cache, which is most of what a lookup costs.  Kernels let other threads run.
"""

import numpy as np
from numba import njit

from sfumato.kernels.recoding.subsequence_supports import _append_subsequences, _copy_row, _slot

__all__ = ["absorb_into", "count_associations", "is_unsafe", "unsafe_patterns"]

RECORDS, COUNT, STAMP, HEAD, AFTER = -5, -4, -3, -2, -1
_LAST_TICK = 2**31 - 2


@njit(cache=True, nogil=True)
def is_unsafe(slot, table, k, diversity):
    """Whether fewer than k units support a pattern, or more than one in `diversity` of them with the same secret.

    The latter must be true of the records that hold the pattern, too.
    """
    support, records = np.int64(table[slot, COUNT]), np.int64(table[slot, RECORDS])
    if support < k:
        return support > 0
    one = table[slot, HEAD]
    while one >= 0:
        if diversity * np.int64(table[one, COUNT]) > support or diversity * np.int64(table[one, RECORDS]) > records:
            return True
        one = table[one, AFTER]
    return False


@njit(cache=True, nogil=True)
def _empty_table(capacity, size):
    table = np.full((capacity, size + 6), -1, dtype=np.int32)
    for slot in range(capacity):
        table[slot, COUNT] = 0
        table[slot, RECORDS] = 0
    return table


@njit(cache=True, nogil=True)
def _enter(key, base, table):
    """The slot of a key, made if there is none; a secret is chained to its pattern at `base`.  Whether it is new."""
    slot = _slot(table, key)
    new = table[slot, 0] < 0
    if new:
        for level in range(len(key)):
            table[slot, level] = key[level]
        if key[-1] >= 0:
            table[slot, AFTER] = table[base, HEAD]
            table[base, HEAD] = slot
    return slot, new


@njit(cache=True, nogil=True)
def _with_room(table, used, more):
    """The table with room for `more` new keys; keys of support 0 are left behind when it grows."""
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
    for secrets in range(2):  # patterns alone come first, so that their secrets find them
        for slot in range(len(table)):
            if table[slot, COUNT] == 0 or (table[slot, size] >= 0) != (secrets == 1):
                continue
            for level in range(size):
                key[level] = table[slot, level]
            base = np.int64(-1)
            if secrets == 1:
                key[size] = -1
                base = _slot(grown, key)
            key[size] = table[slot, size]
            at, _ = _enter(key, base, grown)
            grown[at, COUNT] = table[slot, COUNT]
            grown[at, RECORDS] = table[slot, RECORDS]
            grown[at, STAMP] = table[slot, STAMP]
    return grown, alive


@njit(cache=True, nogil=True)
def _keys_of_unit(codes, offsets, first, end, secret_starts, secrets, size, one, other, last, found, out):
    """The keys that records first..end hold, each pattern before its secrets; returns found, out and how many.

    Only patterns with label `one` or `other`; all of them where `one` is -1.
    """
    filled = np.int64(0)
    for record in range(first, end):
        n_found = np.int64(0)
        found, n_found = _append_subsequences(
            codes, offsets[record], offsets[record + 1], size, size, one, other, last, found, n_found
        )
        held = secret_starts[record + 1] - secret_starts[record]
        if filled + n_found * (1 + held) > len(out):
            grown = np.empty((2 * (filled + n_found * (1 + held)), size + 1), dtype=np.int32)
            for row in range(filled):
                _copy_row(out, row, grown, row)
            out = grown
        for row in range(n_found):
            for secret in range(secret_starts[record] - 1, secret_starts[record + 1]):
                _copy_row(found, row, out, filled)
                out[filled, size] = secrets[secret] if secret >= secret_starts[record] else -1
                filled += 1
    return found, out, filled


@njit(cache=True, nogil=True)
def _support_once_more(out, filled, tick, table, used):
    """Support each key of out[:filled] once more, unless this tick has touched it already; every row is a record's."""
    table, used = _with_room(table, used, filled)
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


@njit(cache=True, nogil=True)
def count_associations(codes, offsets, unit_offsets, secret_starts, secrets, n_labels, size):
    """The table of all patterns of `size` labels and their secrets, and how many of its slots are used.

    codes : int32[total].  offsets : int64[records + 1].  unit_offsets : int64[units + 1], over records.
    secret_starts : int64[records + 1] into secrets : int32[...], the distinct secrets of each record.
    """
    capacity = 1024
    while capacity < len(codes):
        capacity *= 2
    table = _empty_table(capacity, size)
    used = np.int64(0)
    nothing = np.int64(-1)
    last = np.full(n_labels, -1, dtype=np.int64)
    found = np.empty((64, size), dtype=np.int32)
    out = np.empty((64, size + 1), dtype=np.int32)
    for unit in range(len(unit_offsets) - 1):
        found, out, filled = _keys_of_unit(
            codes, offsets, unit_offsets[unit], unit_offsets[unit + 1], secret_starts, secrets,
            size, nothing, nothing, last, found, out,
        )  # fmt: skip
        table, used = _support_once_more(out, filled, unit, table, used)
    return table, used


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def absorb_into(kept, gone, data, holders, table, used, tick, last, found, out):
    """Rename label `gone` to `kept` in the codes (in place), in the table and among the holders.

    data : codes, offsets, unit_offsets, secret_starts, secrets.
    holders : first int64[labels], following and units int64[...]: chains of the units that hold each label, and
    supports int64[labels], their number.  tick : larger than any used before.
    Returns table, used, the next free tick, found and out.
    """
    codes, offsets, unit_offsets, secret_starts, secrets = data
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
        found, out, filled = _keys_of_unit(
            codes, offsets, begin, end, secret_starts, secrets, size, gone, kept, last, found, out
        )
        for row in range(filled):
            slot = _slot(table, out[row])
            table[slot, RECORDS] -= 1
            if table[slot, STAMP] != tick:
                table[slot, STAMP] = tick
                for level in range(size):
                    if out[row, level] == gone:
                        table[slot, COUNT] -= 1
                        break
        had = False
        for at in range(offsets[begin], offsets[end]):
            if codes[at] == kept:
                had = True
            elif codes[at] == gone:
                codes[at] = kept
        found, out, filled = _keys_of_unit(
            codes, offsets, begin, end, secret_starts, secrets, size, kept, kept, last, found, out
        )
        table, used = _support_once_more(out, filled, tick, table, used)
        tick += 1
        behind = following[node]
        if not had:
            following[node] = first[kept]
            first[kept] = node
            supports[kept] += 1
        node = behind
    first[gone] = -1
    supports[gone] = 0
    return table, used, tick, found, out
