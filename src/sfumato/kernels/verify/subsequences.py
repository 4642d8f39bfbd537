"""Supports of all subsequences of up to m labels, by growing prefixes; used by verifiers and attacks only.

A prefix is held as the list of its leftmost embeddings, one (record, position) a record that contains it;
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
    "first_prefix",
    "grow_prefixes",
    "prefix_arrays",
    "previous_positions",
    "shares_a_member",
    "subsequence_supports",
    "tally_extensions",
    "with_length",
]

PATTERNS, VIOLATIONS, SMALLEST, WORK, COMPLETE, WITNESSES = range(6)


class PrefixArrays(NamedTuple):
    """The records that prefixes are grown in, and counters by label."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling: records of one unit lie together
    previous: Any  # int64[total]: see `previous_positions`
    supports: Any  # int64[labels], all 0: units
    entries: Any  # int64[labels], all 0: embeddings
    fill: Any  # int64[labels]: where the next embedding goes
    last_unit: Any  # int64[labels], all -1
    touched: Any  # int64[labels]: the labels with an entry


class PrefixSearch(NamedTuple):
    """Prefixes still to be grown: a stack of buckets, and the embeddings in them."""

    stack: Any  # int64[n, 4]: rows of label, first embedding, end, length of the prefix
    records: Any  # int32[...]
    positions: Any  # int64[...]


@njit(cache=True)
def prefix_arrays(codes, offsets, units, n_labels):
    """The arrays of a search that has not begun."""
    previous = previous_positions(codes, offsets, n_labels)
    supports, entries, fill = np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64), np.zeros(n_labels, np.int64)
    last_unit, touched = np.full(n_labels, -1, np.int64), np.empty(n_labels, np.int64)
    return PrefixArrays(codes, offsets, units, previous, supports, entries, fill, last_unit, touched)


@njit(cache=True)
def first_prefix(offsets):
    """A search with one bucket: the empty prefix, embedded once in every record, before its first position."""
    records = np.arange(len(offsets) - 1).astype(np.int32)
    stack = np.zeros((1, 4), dtype=np.int64)
    stack[0, 2] = len(records)
    return PrefixSearch(stack, records, offsets[:-1] - 1)


@njit(cache=True)
def previous_positions(codes, offsets, n_labels):
    """For each position the last earlier one of the same label in the same record, or -1."""
    previous = np.full(len(codes), -1, dtype=np.int64)
    last = np.full(n_labels, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            if last[codes[position]] >= offsets[record]:
                previous[position] = last[codes[position]]
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
        unit = units[record]
        work += offsets[record + 1] - floor
        for position in range(floor + 1, offsets[record + 1]):
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
def _lower(records, positions, arrays, lowest):
    """Lower each unit's smallest support to that of the extensions it holds."""
    codes, offsets, units, previous, supports, _, _, _, _ = arrays
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        for position in range(floor + 1, offsets[record + 1]):
            if previous[position] <= floor and supports[codes[position]] < lowest[units[record]]:
                lowest[units[record]] = supports[codes[position]]


@njit(cache=True)
def _comes_first(support, pattern, other_support, other):
    """Whether a violation is shown before another: smaller support, then name order."""
    if support != other_support:
        return support < other_support
    for level in range(len(pattern)):
        if pattern[level] != other[level]:
            return pattern[level] < other[level]
    return False


@njit(cache=True)
def _count_pattern(prefix, size, label, support, k, result, witnesses, witness_supports):
    """Add a pattern to the result; the rarest violations become witnesses, in any order."""
    result[PATTERNS] += 1
    result[SMALLEST] = min(result[SMALLEST], support)
    if support >= k:
        return
    result[VIOLATIONS] += 1
    pattern = np.full(witnesses.shape[1], -1, dtype=np.int32)
    for level in range(size - 1):
        pattern[level] = prefix[level]
    pattern[size - 1] = label
    row = result[WITNESSES]
    if row < len(witnesses):
        result[WITNESSES] += 1
    else:
        row = 0
        for other in range(1, len(witnesses)):
            if _comes_first(witness_supports[row], witnesses[row], witness_supports[other], witnesses[other]):
                row = other
        if not _comes_first(support, pattern, witness_supports[row], witnesses[row]):
            return
    witness_supports[row] = support
    for level in range(len(pattern)):
        witnesses[row, level] = pattern[level]


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
        for position in range(floor + 1, offsets[record + 1]):
            if previous[position] <= floor:
                slot = fill[codes[position]]
                new_records[slot] = record
                new_positions[slot] = position
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


@njit(cache=True)
def subsequence_supports(codes, offsets, units, n_labels, m, k, limit, lowest, witnesses, witness_supports):
    """Check every distinct subsequence of 1 to m labels.

    units : int32[records], not falling: records of one unit lie together.
    limit : stop once the longest patterns have cost more than this many positions, or at a support of 1;
    no limit where it is negative.
    lowest : int64[units], lowered to the smallest support among the patterns each unit holds; or int64[0].
    witnesses : int32[w, m] and witness_supports : int64[w], w >= 1, receive the rarest violations.
    Returns int64[6]: patterns, violations (support below k), smallest support, positions read, whether
    complete, number of witnesses.  Memory: one embedding per visit and level below m.
    """
    result = np.zeros(6, dtype=np.int64)
    result[SMALLEST] = np.iinfo(np.int64).max
    result[COMPLETE] = 1
    arrays, search = prefix_arrays(codes, offsets, units, n_labels), first_prefix(offsets)
    prefix = np.empty(m, dtype=np.int32)
    n_buckets = 1
    while n_buckets > 0:
        n_buckets -= 1
        label, start, end, level = search.stack[n_buckets]
        if level > 0:
            prefix[level - 1] = label
        size = level + 1
        here, floors = search.records[start:end], search.positions[start:end]
        n_touched, work = tally_extensions(here, floors, arrays)
        result[WORK] += work if limit < 0 or size == m else 0
        for i in range(n_touched):
            new, support = arrays.touched[i], arrays.supports[arrays.touched[i]]
            _count_pattern(prefix, size, new, support, k, result, witnesses, witness_supports)
        if len(lowest) > 0:
            _lower(here, floors, arrays, lowest)
        if limit >= 0 and (result[SMALLEST] <= 1 or result[WORK] > limit):
            result[COMPLETE] = 1 if result[SMALLEST] <= 1 else 0
            break
        if size < m:
            search = grow_prefixes(here, floors, n_touched, n_buckets, end, size, search, arrays)
            n_buckets += n_touched
        clear_touched(arrays, n_touched)
    return result


@njit(cache=True)
def shares_a_member(codes, offsets, member_starts, members, n_members):
    """The first record in which two different labels share a member, or -1.

    member_starts : int64[labels + 1] and members : int32[...], the contested members of each label.
    """
    owner = np.full(n_members, -1, dtype=np.int64)
    claimed = np.full(n_members, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for position in range(offsets[record], offsets[record + 1]):
            label = codes[position]
            for i in range(member_starts[label], member_starts[label + 1]):
                member = members[i]
                if claimed[member] == record and owner[member] != label:
                    return record
                claimed[member] = record
                owner[member] = label
    return -1
