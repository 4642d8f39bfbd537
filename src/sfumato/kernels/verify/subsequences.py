"""Supports of all subsequences of up to m labels, by growing prefixes; used by verifiers and attacks only.

A prefix is held as the list of its leftmost embeddings, one (record, position) a record that contains it;
reading what follows each embedding counts every extension at once.  Records of one unit lie together, so that
distinct units are counted by watching the unit change.  There is no table of patterns and no hashing.

Arrays are copied value by value: assigning to a slice costs seconds of compile time.
"""

import numpy as np
from numba import njit

__all__ = ["shares_a_member", "subsequence_supports"]

PATTERNS, VIOLATIONS, SMALLEST, WORK, COMPLETE, WITNESSES = range(6)


@njit(cache=True)
def _previous(codes, offsets, n_labels):
    """For each position the last earlier one of the same label in the same record, or -1."""
    previous = np.full(len(codes), -1, dtype=np.int64)
    last = np.full(n_labels, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for at in range(offsets[record], offsets[record + 1]):
            if last[codes[at]] >= offsets[record]:
                previous[at] = last[codes[at]]
            last[codes[at]] = at
    return previous


@njit(cache=True)
def _tally(records, positions, codes, offsets, units, previous, supports, entries, last_unit, touched):
    """Count, for every label that extends these embeddings, its units and its embeddings.

    Returns how many labels were touched and how many positions were read.
    """
    n_touched = 0
    work = 0
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        unit = units[record]
        work += offsets[record + 1] - floor
        for at in range(floor + 1, offsets[record + 1]):
            if previous[at] > floor:
                continue
            label = codes[at]
            if entries[label] == 0:
                touched[n_touched] = label
                n_touched += 1
            entries[label] += 1
            if last_unit[label] != unit:
                last_unit[label] = unit
                supports[label] += 1
    return n_touched, work


@njit(cache=True)
def _lower(records, positions, codes, offsets, units, previous, supports, lowest):
    """Lower each unit's smallest support to that of the extensions it holds."""
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        for at in range(floor + 1, offsets[record + 1]):
            if previous[at] <= floor and supports[codes[at]] < lowest[units[record]]:
                lowest[units[record]] = supports[codes[at]]


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
def _note(prefix, size, label, support, k, result, witnesses, witness_supports):
    """Enter one pattern into the result; keep the rarest violations as witnesses, whatever order they come in."""
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
def _scatter(records, positions, codes, offsets, previous, fill, new_records, new_positions):
    """Write every extension's embeddings behind fill[label], records in their order."""
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        for at in range(floor + 1, offsets[record + 1]):
            if previous[at] <= floor:
                slot = fill[codes[at]]
                new_records[slot] = record
                new_positions[slot] = at
                fill[codes[at]] += 1


@njit(cache=True)
def _push(stack, n_buckets, touched, n_touched, entries, fill, top, size):
    """Put a bucket of embeddings, from `top` upwards, on the stack for each touched label.

    stack : int64[n, 4], rows of label, first embedding, end, level.  Returns it (perhaps grown) and the new top.
    """
    if n_buckets + n_touched > len(stack):
        grown = np.empty((2 * (n_buckets + n_touched), 4), dtype=np.int64)
        for bucket in range(n_buckets):
            for column in range(4):
                grown[bucket, column] = stack[bucket, column]
        stack = grown
    for i in range(n_touched):
        label = touched[i]
        fill[label] = top
        stack[n_buckets + i, 0] = label
        stack[n_buckets + i, 1] = top
        top += entries[label]
        stack[n_buckets + i, 2] = top
        stack[n_buckets + i, 3] = size
    return stack, top


@njit(cache=True)
def _with_length(array, used, length):
    """The array with at least this length, its first `used` values kept."""
    if length <= len(array):
        return array
    grown = np.empty(2 * length, dtype=array.dtype)
    for at in range(used):
        grown[at] = array[at]
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
    previous = _previous(codes, offsets, n_labels)
    supports = np.zeros(n_labels, dtype=np.int64)
    entries = np.zeros(n_labels, dtype=np.int64)
    fill = np.zeros(n_labels, dtype=np.int64)
    last_unit = np.full(n_labels, -1, dtype=np.int64)
    touched = np.empty(n_labels, dtype=np.int64)
    prefix = np.empty(m, dtype=np.int32)
    # the empty prefix is embedded once in every record, before its first position
    records = np.arange(len(offsets) - 1).astype(np.int32)
    positions = offsets[:-1] - 1
    stack = np.zeros((1, 4), dtype=np.int64)
    stack[0, 2] = len(records)
    n_buckets = 1
    while n_buckets > 0:
        n_buckets -= 1
        label, start, end, level = stack[n_buckets]
        if level > 0:
            prefix[level - 1] = label
        size = level + 1
        here, floors = records[start:end], positions[start:end]
        n_touched, work = _tally(here, floors, codes, offsets, units, previous, supports, entries, last_unit, touched)
        result[WORK] += work if limit < 0 or size == m else 0
        total = 0
        for i in range(n_touched):
            total += entries[touched[i]]
            _note(prefix, size, touched[i], supports[touched[i]], k, result, witnesses, witness_supports)
        if len(lowest) > 0:
            _lower(here, floors, codes, offsets, units, previous, supports, lowest)
        if limit >= 0 and (result[SMALLEST] <= 1 or result[WORK] > limit):
            result[COMPLETE] = 1 if result[SMALLEST] <= 1 else 0
            break
        if size < m:
            # buckets lie on the arrays as on the stack: whatever is behind this one is free
            records, positions = _with_length(records, end, end + total), _with_length(positions, end, end + total)
            stack, _ = _push(stack, n_buckets, touched, n_touched, entries, fill, end, size)
            _scatter(here, floors, codes, offsets, previous, fill, records, positions)
            n_buckets += n_touched
        for i in range(n_touched):
            supports[touched[i]] = 0
            entries[touched[i]] = 0
            last_unit[touched[i]] = -1
    return result


@njit(cache=True)
def shares_a_member(codes, offsets, member_starts, members, n_members):
    """The first record in which two different labels share a member, or -1.

    member_starts : int64[labels + 1] and members : int32[...], the contested members of each label.
    """
    owner = np.full(n_members, -1, dtype=np.int64)
    claimed = np.full(n_members, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        for at in range(offsets[record], offsets[record + 1]):
            label = codes[at]
            for i in range(member_starts[label], member_starts[label + 1]):
                member = members[i]
                if claimed[member] == record and owner[member] != label:
                    return record
                claimed[member] = record
                owner[member] = label
    return -1
