"""What m known pieces give away about each unit, by growing prefixes; used by attacks only.

A record of n labels can be known by its distinct subsequences of min(m, n) labels; a unit (a person, or a record
where persons are unknown) by those of its records.  Prefixes are grown as in `subsequences`.  A prefix that is
left with one embedding is not grown: whatever follows it is alone, and `ways` says how much that is.
"""

import numpy as np
from numba import njit

from sfumato.kernels.verify.subsequences import (
    _previous,
    _push,
    _scatter,
    _tally,
    _with_length,
)

__all__ = ["CHANCE", "LONE", "LOWEST", "TOTAL", "subsequence_risks", "ways_to_go_on"]

# the columns of a unit's row: its patterns, those of support 1, the sum of 1 / support, the smallest support
TOTAL, LONE, CHANCE, LOWEST = range(4)


@njit(cache=True)
def ways_to_go_on(codes, offsets, n_labels, m):
    """How many distinct subsequences of 0 to m - 1 labels follow each position, and of 0 to m begin a record.

    codes : int32[total].  offsets : int64[records + 1].
    Returns float64[total, m] and float64[records, m + 1]: whole numbers, exact up to 2^53.  O(total m).
    """
    after = np.zeros((len(codes), m))
    whole = np.zeros((len(offsets) - 1, m + 1))
    following = np.full(n_labels, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        row = whole[record]  # of the rest of the record, while it is read from its end
        row[0] = 1.0
        for at in range(offsets[record + 1] - 1, offsets[record] - 1, -1):
            again = following[codes[at]]
            for size in range(m):
                after[at, size] = row[size]
            for size in range(m, 0, -1):
                # those that begin here, without those that begin at the next visit of the same label
                row[size] += after[at, size - 1] - (after[again, size - 1] if again >= 0 else 0.0)
            following[codes[at]] = at
        for at in range(offsets[record], offsets[record + 1]):
            following[codes[at]] = -1
    return after, whole


@njit(cache=True)
def _enter(row, patterns, support):
    """Enter patterns of one support into a unit's row."""
    row[TOTAL] += patterns
    row[CHANCE] += patterns / support
    if support == 1:
        row[LONE] += patterns
    row[LOWEST] = min(row[LOWEST], support)


@njit(cache=True)
def _enter_longest(records, positions, codes, offsets, units, previous, supports, seen, risks):
    """Enter every extension of these embeddings, once a unit.  seen : int64[labels], -1 under every extension."""
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        unit = units[record]
        for at in range(floor + 1, offsets[record + 1]):
            if previous[at] <= floor and seen[codes[at]] != unit:
                seen[codes[at]] = unit
                _enter(risks[unit], 1.0, supports[codes[at]])


@njit(cache=True)
def _enter_whole(records, positions, codes, offsets, units, size, supports, seen, risks):
    """Enter the records that have no more than `size` labels: they can only be known whole."""
    for entry in range(len(records)):
        record = records[entry]
        last = offsets[record + 1] - 1
        if last - offsets[record] + 1 == size and positions[entry] == last - 1 and seen[codes[last]] != units[record]:
            seen[codes[last]] = units[record]
            _enter(risks[units[record]], 1.0, supports[codes[last]])


@njit(cache=True)
def _enter_alone(record, floor, level, m, offsets, units, after, risks):
    """Enter all that follows a prefix of `level` labels that one record alone contains."""
    size = min(m, offsets[record + 1] - offsets[record])
    if size > level and after[floor, size - level] > 0.0:
        _enter(risks[units[record]], after[floor, size - level], 1)


@njit(cache=True)
def subsequence_risks(codes, offsets, units, n_labels, m, limit, after, risks):
    """What every distinct subsequence of m labels (of all labels, in shorter records) gives away.

    units : int32[records], not falling: records of one unit lie together.
    limit : stop once more than this many positions were read; risks are then incomplete.
    after : float64[total, m], of `ways_to_go_on`.
    risks : float64[units, 4], zeros and the number of units in column LOWEST; receives the columns named above.
    Returns the positions read, or -1 where the limit was met.
    """
    previous = _previous(codes, offsets, n_labels)
    supports = np.zeros(n_labels, dtype=np.int64)
    entries = np.zeros(n_labels, dtype=np.int64)
    fill = np.zeros(n_labels, dtype=np.int64)
    last_unit = np.full(n_labels, -1, dtype=np.int64)
    touched = np.empty(n_labels, dtype=np.int64)
    # the empty prefix is embedded once in every record, before its first position
    records = np.arange(len(offsets) - 1).astype(np.int32)
    positions = offsets[:-1] - 1
    stack = np.zeros((1, 4), dtype=np.int64)
    stack[0, 2] = len(records)
    n_buckets, read = 1, 0
    while n_buckets > 0:
        n_buckets -= 1
        _, start, end, level = stack[n_buckets]
        if level > 0 and end - start == 1:
            _enter_alone(records[start], positions[start], level, m, offsets, units, after, risks)
            continue
        size = level + 1
        here, floors = records[start:end], positions[start:end]
        n_touched, work = _tally(here, floors, codes, offsets, units, previous, supports, entries, last_unit, touched)
        read += work
        if read > limit:
            return -1
        total = 0
        for i in range(n_touched):
            total += entries[touched[i]]
            last_unit[touched[i]] = -1
        if size == m:
            _enter_longest(here, floors, codes, offsets, units, previous, supports, last_unit, risks)
        else:
            _enter_whole(here, floors, codes, offsets, units, size, supports, last_unit, risks)
            # buckets lie on the arrays as on the stack: whatever is behind this one is free
            records, positions = _with_length(records, end, end + total), _with_length(positions, end, end + total)
            stack, _ = _push(stack, n_buckets, touched, n_touched, entries, fill, end, size)
            _scatter(here, floors, codes, offsets, previous, fill, records, positions)
            n_buckets += n_touched
        for i in range(n_touched):
            supports[touched[i]] = 0
            entries[touched[i]] = 0
            last_unit[touched[i]] = -1
    return read
