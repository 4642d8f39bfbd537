"""Supports of all subsequences of up to m labels, by growing prefixes; used by verifiers and attacks only.

A prefix is held as the list of its leftmost embeddings, one (record, position) a record that contains it;
reading what follows each embedding counts every extension at once.  Records of one unit lie together, so that
distinct units are counted by watching the unit change.  There is no table of patterns and no hashing.
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
def _note(prefix, size, label, support, k, result, witnesses, witness_supports):
    """Enter one pattern into the result; keep the rarest violations as witnesses."""
    result[PATTERNS] += 1
    result[SMALLEST] = min(result[SMALLEST], support)
    if support >= k:
        return
    result[VIOLATIONS] += 1
    row = result[WITNESSES]
    if row == len(witnesses):
        row = np.argmax(witness_supports)
        if witness_supports[row] <= support:
            return
    else:
        result[WITNESSES] += 1
    witness_supports[row] = support
    witnesses[row, :] = -1
    witnesses[row, : size - 1] = prefix[: size - 1]
    witnesses[row, size - 1] = label


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
def subsequence_supports(codes, offsets, units, n_labels, m, k, limit, lowest, witnesses, witness_supports):
    """Check every distinct subsequence of 1 to m labels.

    units : int32[records], not falling: records of one unit lie together.
    limit : stop once the longest patterns have cost more than this many positions, or at a support of 1;
    no limit where it is negative.
    lowest : int64[units], lowered to the smallest support among the patterns each unit holds; or int64[0].
    witnesses : int32[w, m] and witness_supports : int64[w] receive the rarest violations.
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
    # the stack: bucket b holds embeddings bucket_start[b]..bucket_end[b] of the prefix of its level + its label
    records = np.arange(len(offsets) - 1).astype(np.int32)
    positions = offsets[:-1] - 1
    bucket_label = np.full(1, -1, dtype=np.int32)
    bucket_start = np.zeros(1, dtype=np.int64)
    bucket_end = np.full(1, len(records), dtype=np.int64)
    bucket_level = np.zeros(1, dtype=np.int64)
    n_buckets = 1
    while n_buckets > 0:
        n_buckets -= 1
        start, end, level = bucket_start[n_buckets], bucket_end[n_buckets], bucket_level[n_buckets]
        if level > 0:
            prefix[level - 1] = bucket_label[n_buckets]
        size = level + 1
        n_touched, work = _tally(
            records[start:end],
            positions[start:end],
            codes,
            offsets,
            units,
            previous,
            supports,
            entries,
            last_unit,
            touched,
        )
        result[WORK] += work if limit < 0 or size == m else 0
        for i in range(n_touched):
            _note(prefix, size, touched[i], supports[touched[i]], k, result, witnesses, witness_supports)
        if len(lowest) > 0:
            _lower(records[start:end], positions[start:end], codes, offsets, units, previous, supports, lowest)
        if limit >= 0 and (result[SMALLEST] <= 1 or result[WORK] > limit):
            result[COMPLETE] = 1 if result[SMALLEST] <= 1 else 0
            break
        if size < m:
            total = 0
            for i in range(n_touched):
                total += entries[touched[i]]
            # this bucket's own embeddings are still being read, so its children go behind them
            if end + total > len(records):
                records = np.concatenate((records[:end], np.empty(max(end, 2 * total), dtype=np.int32)))
                positions = np.concatenate((positions[:end], np.empty(max(end, 2 * total), dtype=np.int64)))
            if n_buckets + n_touched > len(bucket_label):
                more = n_buckets + n_touched
                bucket_label = np.concatenate((bucket_label, np.empty(more, dtype=np.int32)))
                bucket_start = np.concatenate((bucket_start, np.empty(more, dtype=np.int64)))
                bucket_end = np.concatenate((bucket_end, np.empty(more, dtype=np.int64)))
                bucket_level = np.concatenate((bucket_level, np.empty(more, dtype=np.int64)))
            top = end
            for i in range(n_touched):
                fill[touched[i]] = top
                bucket_label[n_buckets + i] = touched[i]
                bucket_start[n_buckets + i] = top
                top += entries[touched[i]]
                bucket_end[n_buckets + i] = top
                bucket_level[n_buckets + i] = size
            _scatter(records[start:end], positions[start:end], codes, offsets, previous, fill, records, positions)
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
