"""Rows that a set of columns singles out, and the numbers of combinations of values; by hashing in small buckets."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["number_keys", "unique_rows"]

_FREE, _SHARED = -1, -2  # of a combination: not seen yet; seen with several units
_LEFT_OUT, _OPEN, _UNIQUE = 0, 1, 2  # of a row: unique on a smaller set; shared or not known yet; unique on this set
_DIRECT = 1 << 18  # combinations up to which an array of owners stays in the cache
_BUCKET = 1024  # rows in a bucket, about


@njit(cache=True)
def number_keys(keys):
    """The number of each key, by first appearance, and how many different keys there are.

    keys : int64[n], not negative.  Returns int32[n] and an int.  O(n) time and memory.
    """
    size = _table_size(len(keys))
    slots = np.full(size, -1, dtype=np.int64)
    owners = np.empty(size, dtype=np.int32)
    ids = np.empty(len(keys), dtype=np.int32)
    count = 0
    for row in range(len(keys)):
        slot = np.int64(_mixed(keys[row]) & np.uint64(size - 1))
        while slots[slot] >= 0 and slots[slot] != keys[row]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = keys[row]
            owners[slot] = count
            count += 1
        ids[row] = owners[slot]
    return ids, count


@njit(cache=True)
def unique_rows(first, second, third, radix, units, left_out, bits, masks, mask):
    """Find the units that are unique on a set of columns, and those of them that are unique on no smaller set.

    first, second, third : int32[n], the codes of the columns, below radix : int64[3]; zeros below 1 for no column.
    units : int32[n].  left_out : uint8[bytes], a bit a row: unique on a smaller set.
    bits : uint8[bytes], a bit a row: unique on this set; written, unless it has no bytes.
    masks : uint64[2, n], of each row the columns in any and in all of its minimal sets; `mask`, the columns of this
    set, is entered.  Returns the numbers of unique and of minimally unique units.
    """
    n = len(units)
    keys, state = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.uint8)
    for row in range(n):
        keys[row] = (first[row] * radix[1] + second[row]) * radix[2] + third[row]
    active = 0
    for row in range(n):
        is_open = ((left_out[row >> 3] >> (row & 7)) & 1) == 0
        state[row] = _OPEN if is_open else _LEFT_OUT
        active += is_open
    space = radix[0] * radix[1] * radix[2]
    if space <= _DIRECT:
        _compare_directly(keys, space, units, state)
    else:
        _compare_in_buckets(keys, active, units, state)
    return _enter(units, state, bits, masks, mask)


@njit(cache=True)
def _compare_directly(keys, space, units, state):
    """Mark the rows whose key no other unit has, where there are few keys."""
    owners = np.full(space, _FREE, dtype=np.int32)
    for row in range(len(units)):
        if state[row] == _OPEN:
            owner = owners[keys[row]]
            owners[keys[row]] = units[row] if owner == _FREE or owner == units[row] else _SHARED
    for row in range(len(units)):
        if state[row] == _OPEN and owners[keys[row]] != _SHARED:
            state[row] = _UNIQUE


@njit(cache=True)
def _compare_in_buckets(keys, active, units, state):
    """Mark the rows whose key no other unit has: rows are first put into buckets by the first bits of their hash."""
    shift = np.uint64(64)
    while (np.int64(1) << np.int64(np.uint64(64) - shift)) * _BUCKET < active:
        shift -= np.uint64(1)
    n_buckets = np.int64(1) << np.int64(np.uint64(64) - shift)
    ends = np.zeros(n_buckets + 1, dtype=np.int64)
    for row in range(len(keys)):
        if state[row] == _OPEN:
            keys[row] = _mixed(keys[row])  # no two keys have the same hash
            ends[(keys[row] >> shift if n_buckets > 1 else np.uint64(0)) + np.uint64(1)] += 1
    longest = 0
    for bucket in range(n_buckets):
        longest = max(longest, ends[bucket + 1])
        ends[bucket + 1] += ends[bucket]
    starts = ends.copy()
    rows = np.empty(active, dtype=np.int32)
    hashes = np.empty(active, dtype=np.uint64)
    for row in range(len(keys)):
        if state[row] == _OPEN:
            bucket = keys[row] >> shift if n_buckets > 1 else np.uint64(0)
            rows[starts[bucket]], hashes[starts[bucket]] = row, keys[row]
            starts[bucket] += 1
    slots = np.empty(_table_size(longest), dtype=np.uint64)
    owners = np.empty(_table_size(longest), dtype=np.int32)
    for bucket in range(n_buckets):
        _compare_bucket(rows, hashes, ends[bucket], ends[bucket + 1], slots, owners, units, state)


@njit(cache=True)
def _compare_bucket(rows, hashes, first, end, slots, owners, units, state):
    size = _table_size(end - first)
    owners[:size] = _FREE
    for index in range(first, end):
        slot = _slot_of(hashes[index], slots, owners, size)
        slots[slot] = hashes[index]
        unit = units[rows[index]]
        owners[slot] = unit if owners[slot] == _FREE or owners[slot] == unit else _SHARED
    for index in range(first, end):
        if owners[_slot_of(hashes[index], slots, owners, size)] != _SHARED:
            state[rows[index]] = _UNIQUE


@njit(cache=True)
def _slot_of(hashed, slots, owners, size):
    """The slot of a hash, or the free slot where it belongs (open addressing)."""
    slot = np.int64(hashed & np.uint64(size - 1))
    while owners[slot] != _FREE and slots[slot] != hashed:
        slot = (slot + 1) & (size - 1)
    return slot


@njit(cache=True)
def _enter(units, state, bits, masks, mask):
    """Write down the unique rows; count their units, each once."""
    seen = np.zeros(units.max() + 1 if len(units) else 0, dtype=np.uint8)
    unique = minimal = 0
    for row in range(len(units)):
        if state[row] == _OPEN:
            continue
        unit = units[row]
        unique += seen[unit] == 0
        seen[unit] |= 1
        if len(bits):
            bits[row >> 3] |= 1 << (row & 7)
        if state[row] == _UNIQUE:
            minimal += seen[unit] & 2 == 0
            seen[unit] |= 2
            masks[0, row] |= mask
            masks[1, row] &= mask
    return unique, minimal


@njit(cache=True)
def _table_size(n):
    size = 16
    while size < 2 * n:
        size *= 2
    return size


@njit(cache=True)
def _mixed(key):
    """A hash from which the key could be computed: different keys have different hashes."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(32))
