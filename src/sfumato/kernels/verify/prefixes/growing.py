"""Prefixes that grow: the patterns of up to m labels that records contain as subsequences.

A prefix is held as the list of its leftmost embeddings, one (record, position in it) a record that contains it;
reading what follows each embedding counts every extension at once.  Records of one unit lie together, so that
distinct units are counted by watching the unit change.  There is no table of patterns and no hashing.

Arrays are copied value by value: assigning to a slice costs seconds of compile time.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = [
    "PrefixArrays",
    "PrefixSearch",
    "clear_touched",
    "empty_search",
    "grow_prefixes",
    "prefix_arrays",
    "previous_positions",
    "tally_extensions",
    "with_length",
]


class PrefixArrays(NamedTuple):
    """The records that prefixes are grown in, and counters by label."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling: records of one unit lie together
    previous: Any  # int32[total]: see `previous_positions`; what follows belongs to one thread
    supports: Any  # int64[labels], all 0: units
    entries: Any  # int64[labels], all 0: embeddings
    fill: Any  # int64[labels]: where the next embedding goes
    last_unit: Any  # int64[labels], all -1
    touched: Any  # int64[labels]: the labels with an entry


class PrefixSearch(NamedTuple):
    """Prefixes still to be grown: a stack of buckets, and the embeddings in them."""

    stack: Any  # int64[n, 4]: rows of label, first embedding, end, length of the prefix
    records: Any  # int32[...]
    positions: Any  # int32[...], in the record


@njit(cache=True)
def prefix_arrays(codes, offsets, units, previous, n_labels):
    """The arrays of a search that has not begun."""
    supports, entries, fill = np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64)
    last_unit, touched = np.full(n_labels, -1, np.int64), np.empty(n_labels, np.int64)
    return PrefixArrays(codes, offsets, units, previous, supports, entries, fill, last_unit, touched)


@njit(cache=True)
def empty_search():
    """A search without buckets."""
    return PrefixSearch(np.empty((64, 4), np.int64), np.empty(64, np.int32), np.empty(64, np.int32))


@njit(cache=True)
def previous_positions(codes, offsets, n_labels):
    """For each visit the last earlier one of the same label in the same record, as its position in it; or -1."""
    previous = np.full(len(codes), -1, dtype=np.int32)
    last = np.full(n_labels, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        start = offsets[record]
        for position in range(start, offsets[record + 1]):
            if last[codes[position]] >= start:
                previous[position] = last[codes[position]] - start
            last[codes[position]] = position
    return previous


@njit(cache=True)
def tally_extensions(records, positions, arrays):
    """Count, for every label that extends these embeddings, its units and its embeddings.

    Returns how many labels were touched and how many positions were read.
    """
    codes, offsets, units, previous, supports, entries, _, last_unit, touched = arrays
    n_touched = 0
    work = 0
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        unit, here, end = units[record], offsets[record] + floor, offsets[record + 1]
        work += end - here
        for position in range(here + 1, end):
            if previous[position] > floor:
                continue
            label = codes[position]
            if entries[label] == 0:
                touched[n_touched] = label
                n_touched += 1
            entries[label] += 1
            if last_unit[label] != unit:
                last_unit[label] = unit
                supports[label] += 1
    return n_touched, work


@njit(cache=True)
def grow_prefixes(records, positions, n_touched, n_buckets, end, size, search, arrays):
    """Put a bucket on the stack for each touched label: the embeddings of the prefix that it extends to this size.

    records, positions : the embeddings of the prefix, whose bucket ends at `end`.  Buckets lie on the arrays as on the
    stack: everything behind this one is free.  Returns the search, perhaps in longer arrays.
    """
    codes, offsets, previous, entries, fill = (
        arrays.codes, arrays.offsets, arrays.previous, arrays.entries, arrays.fill
    )  # fmt: skip
    stack, top = search.stack, end
    if n_buckets + n_touched > len(stack):
        stack = np.empty((2 * (n_buckets + n_touched), 4), dtype=np.int64)
        for bucket in range(n_buckets):
            for column in range(4):
                stack[bucket, column] = search.stack[bucket, column]
    for i in range(n_touched):
        label = arrays.touched[i]
        fill[label] = top
        stack[n_buckets + i, 0], stack[n_buckets + i, 1] = label, top
        top += entries[label]
        stack[n_buckets + i, 2], stack[n_buckets + i, 3] = top, size
    new_records, new_positions = with_length(search.records, end, top), with_length(search.positions, end, top)
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        start = offsets[record]
        for position in range(start + floor + 1, offsets[record + 1]):
            if previous[position] <= floor:
                slot = fill[codes[position]]
                new_records[slot] = record
                new_positions[slot] = position - start
                fill[codes[position]] += 1
    return PrefixSearch(stack, new_records, new_positions)


@njit(cache=True)
def clear_touched(arrays, n_touched):
    """Reset the counters of the touched labels."""
    for i in range(n_touched):
        label = arrays.touched[i]
        arrays.supports[label], arrays.entries[label], arrays.last_unit[label] = 0, 0, -1


@njit(cache=True)
def with_length(array, used, length):
    """The array with at least this length, its first `used` values kept."""
    if length <= len(array):
        return array
    grown = np.empty(2 * length, dtype=array.dtype)
    for position in range(used):
        grown[position] = array[position]
    return grown
