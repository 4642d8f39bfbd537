"""Re-identification risks of each unit under background knowledge of m labels in order; used by attacks only.

The background knowledge about a record of n labels is one of its distinct subsequences of min(m, n) labels; about a
unit (a person, or a record where persons are unknown), one of those of its records.  Prefixes are grown as in
`subsequences`.  A prefix that is left with one embedding is not grown: anything that follows it is unique, and
`continuation_counts` tells how much that is.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.verify.subsequences import (
    clear_touched,
    first_prefix,
    grow_prefixes,
    prefix_arrays,
    tally_extensions,
)

__all__ = ["CHANCE", "LONE", "LOWEST", "TOTAL", "continuation_counts", "subsequence_risks"]

# the columns of a unit's row: its patterns, those of support 1, the sum of 1 / support, the smallest support
TOTAL, LONE, CHANCE, LOWEST = range(4)


@njit(cache=True)
def continuation_counts(codes, offsets, n_labels, m):
    """Count the distinct subsequences of 0 to m - 1 labels after each position, and of 0 to m labels in each record.

    codes : int32[total].  offsets : int64[records + 1].
    Returns float64[total, m] and float64[records, m + 1]: whole numbers, exact up to 2^53.  O(total m).
    """
    after = np.zeros((len(codes), m))
    whole = np.zeros((len(offsets) - 1, m + 1))
    following = np.full(n_labels, -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        row = whole[record]  # of the rest of the record, while it is read from its end
        row[0] = 1.0
        for position in range(offsets[record + 1] - 1, offsets[record] - 1, -1):
            again = following[codes[position]]
            for size in range(m):
                after[position, size] = row[size]
            for size in range(m, 0, -1):
                # those that begin here, without those that begin at the next visit of the same label
                row[size] += after[position, size - 1] - (after[again, size - 1] if again >= 0 else 0.0)
            following[codes[position]] = position
        for position in range(offsets[record], offsets[record + 1]):
            following[codes[position]] = -1
    return after, whole


@njit(cache=True)
def _add(row, patterns, support):
    """Add patterns of one support to a unit's row."""
    row[TOTAL] += patterns
    row[CHANCE] += patterns / support
    if support == 1:
        row[LONE] += patterns
    row[LOWEST] = min(row[LOWEST], support)


@njit(cache=True)
def _add_longest(records, positions, codes, offsets, units, previous, supports, seen, risks):
    """Add every extension of these embeddings, once a unit.  seen : int64[labels], -1 under every extension."""
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        unit = units[record]
        for position in range(floor + 1, offsets[record + 1]):
            if previous[position] <= floor and seen[codes[position]] != unit:
                seen[codes[position]] = unit
                _add(risks[unit], 1.0, supports[codes[position]])


@njit(cache=True)
def _add_whole(records, positions, codes, offsets, units, size, supports, seen, risks):
    """Add the records that have no more than `size` labels: background knowledge is then the whole record."""
    for entry in range(len(records)):
        record = records[entry]
        last = offsets[record + 1] - 1
        if last - offsets[record] + 1 == size and positions[entry] == last - 1 and seen[codes[last]] != units[record]:
            seen[codes[last]] = units[record]
            _add(risks[units[record]], 1.0, supports[codes[last]])


@njit(cache=True)
def _add_unique(record, floor, level, m, offsets, units, after, risks):
    """Add all continuations of a prefix of `level` labels that only one record contains."""
    size = min(m, offsets[record + 1] - offsets[record])
    if size > level and after[floor, size - level] > 0.0:
        _add(risks[units[record]], after[floor, size - level], 1)


@njit(cache=True)
def subsequence_risks(codes, offsets, units, n_labels, m, limit, after, risks):
    """The risks of each unit over all distinct subsequences of m labels (of all labels, in shorter records).

    units : int32[records], not falling: records of one unit lie together.
    limit : stop once more than this many positions were read; risks are then incomplete.
    after : float64[total, m], of `continuation_counts`.
    risks : float64[units, 4], zeros and the number of units in column LOWEST; receives the columns named above.
    Returns the positions read, or -1 where the limit was met.
    """
    arrays, search = prefix_arrays(codes, offsets, units, n_labels), first_prefix(offsets)
    previous, supports, last_unit = arrays.previous, arrays.supports, arrays.last_unit
    n_buckets, read = 1, 0
    while n_buckets > 0:
        n_buckets -= 1
        _, start, end, level = search.stack[n_buckets]
        if level > 0 and end - start == 1:
            _add_unique(search.records[start], search.positions[start], level, m, offsets, units, after, risks)
            continue
        size = level + 1
        here, floors = search.records[start:end], search.positions[start:end]
        n_touched, work = tally_extensions(here, floors, arrays)
        read += work
        if read > limit:
            return -1
        for i in range(n_touched):
            last_unit[arrays.touched[i]] = -1
        if size == m:
            _add_longest(here, floors, codes, offsets, units, previous, supports, last_unit, risks)
        else:
            _add_whole(here, floors, codes, offsets, units, size, supports, last_unit, risks)
            search = grow_prefixes(here, floors, n_touched, n_buckets, end, size, search, arrays)
            n_buckets += n_touched
        clear_touched(arrays, n_touched)
    return read
