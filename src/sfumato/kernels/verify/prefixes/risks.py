"""Re-identification risks of each unit under background knowledge of m labels in order; used by attacks only.

The background knowledge about a record of n labels is one of its distinct subsequences of min(m, n) labels; about a
unit (a person, or a record where persons are unknown), one of those of its records.  Prefixes are grown as in
`growing`.  A prefix that is left with one embedding is not grown: anything that follows it is unique, and
`continuations_of_records` tells how much that is.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.verify.prefixes.growing import (
    clear_touched,
    empty_search,
    grow_prefixes,
    prefix_arrays,
    tally_extensions,
)

__all__ = ["CHANCE", "LONE", "LOWEST", "REST", "TOTAL", "add_rows", "continuations_of_records", "risks_of_part"]

# the columns of a unit's row: its patterns, those of support 1, the sum of 1 / support as a whole number and a rest
# below 1, the smallest support; a rest is a multiple of 2^-52, so that no order of additions changes a sum
TOTAL, LONE, CHANCE, REST, LOWEST = range(5)
_STEPS = 2.0**52


@njit(cache=True)
def continuations_of_records(codes, offsets, first, end, n_labels, after, whole):
    """Count the distinct subsequences of 1 to m - 1 labels after each position, and of m labels in each record.

    codes : int32[total].  offsets : int64[records + 1].  first, end : the records to look at.
    after : [total, m - 1], column 0 for one label, and whole : float64[records], of all labels in shorter records,
    receive the counts: whole numbers, exact up to 2^53.  O(total m).
    """
    m = after.shape[1] + 1
    following = np.full(n_labels, -1, dtype=np.int64)
    row = np.empty(m + 1)  # of the rest of the record, while it is read from its end
    for record in range(first, end):
        row[0] = 1.0
        for size in range(1, m + 1):
            row[size] = 0.0
        for position in range(offsets[record + 1] - 1, offsets[record] - 1, -1):
            again = following[codes[position]]
            for size in range(1, m):
                after[position, size - 1] = row[size]
            for size in range(m, 1, -1):
                # those that begin here, without those that begin at the next visit of the same label
                row[size] += row[size - 1]
                if again >= 0:
                    row[size] -= after[again, size - 2]
            row[1] += again < 0
            following[codes[position]] = position
        for position in range(offsets[record], offsets[record + 1]):
            following[codes[position]] = -1
        whole[record] = row[min(m, offsets[record + 1] - offsets[record])]


@inner
def _carry(row):
    """Let the rest of the sum be below 1."""
    if row[REST] >= 1.0:
        row[REST] -= 1.0
        row[CHANCE] += 1.0


@inner
def _add(row, patterns, support):
    """Add patterns of one support to a unit's row: one pattern, or several of support 1."""
    row[TOTAL] += patterns
    if support == 1:
        row[LONE] += patterns
        row[CHANCE] += patterns
    else:
        row[REST] += np.floor(_STEPS / support) / _STEPS
        _carry(row)
    row[LOWEST] = min(row[LOWEST], support)


@inner
def _add_longest(records, positions, codes, offsets, units, previous, supports, seen, risks):
    """Add every extension of these embeddings, once a unit.  seen : int64[labels], -1 under every extension."""
    for entry in range(len(records)):
        record, floor = records[entry], positions[entry]
        unit = units[record]
        for position in range(offsets[record] + floor + 1, offsets[record + 1]):
            if previous[position] <= floor and seen[codes[position]] != unit:
                seen[codes[position]] = unit
                _add(risks[unit], 1.0, supports[codes[position]])


@inner
def _add_whole(records, positions, codes, offsets, units, size, supports, seen, risks):
    """Add the records that have no more than `size` labels: background knowledge is then the whole record."""
    for entry in range(len(records)):
        record = records[entry]
        last = offsets[record + 1] - 1
        length = last - offsets[record] + 1
        if length == size and positions[entry] == size - 2 and seen[codes[last]] != units[record]:
            seen[codes[last]] = units[record]
            _add(risks[units[record]], 1.0, supports[codes[last]])


@inner
def _add_unique(record, floor, level, m, offsets, units, after, risks):
    """Add all continuations of a prefix of `level` labels that only one record contains."""
    size = min(m, offsets[record + 1] - offsets[record])
    if size > level:
        patterns = float(after[offsets[record] + floor, size - level - 1])
        if patterns > 0.0:
            _add(risks[units[record]], patterns, 1)


@inner
def _add_first(here, m, offsets, units, support, risks):
    """Add the pattern of one label, once a unit: where one label is known, or a record has no other."""
    last = -1
    for record in here:
        if units[record] != last and (m == 1 or offsets[record + 1] - offsets[record] == 1):
            last = units[record]
            _add(risks[last], 1.0, support)


@njit(cache=True)
def risks_of_part(
    codes, offsets, units, previous, starts, records, positions, first_supports, labels, m, limit, spent, after, risks
):  # fmt: skip
    """Add the patterns that begin with one of these labels to the risks of each unit; see `subsequence_risks`.

    spent : int64[1], the positions that all parts have read, which may lag behind; nothing more is read beyond the
    limit.  Returns the positions read.
    """
    arrays, search = prefix_arrays(codes, offsets, units, previous, len(first_supports)), empty_search()
    supports, last_unit = arrays.supports, arrays.last_unit
    read = np.int64(0)
    for first in labels:
        here, floors = records[starts[first] : starts[first + 1]], positions[starts[first] : starts[first + 1]]
        _add_first(here, m, offsets, units, first_supports[first], risks)
        n_buckets, end, level = 0, np.int64(0), np.int64(1)
        while level < m:
            size = level + 1
            if len(here) == 1:
                _add_unique(here[0], floors[0], level, m, offsets, units, after, risks)
            else:
                n_touched, work = tally_extensions(here, floors, arrays)
                read += work
                spent[0] += work
                if spent[0] > limit:
                    return read
                for i in range(n_touched):
                    last_unit[arrays.touched[i]] = -1
                if size == m:
                    _add_longest(here, floors, codes, offsets, units, previous, supports, last_unit, risks)
                else:
                    _add_whole(here, floors, codes, offsets, units, size, supports, last_unit, risks)
                    search = grow_prefixes(here, floors, n_touched, n_buckets, end, size, search, arrays)
                    n_buckets += n_touched
                clear_touched(arrays, n_touched)
            if n_buckets == 0:
                break
            n_buckets -= 1
            _, start, end, level = search.stack[n_buckets]
            here, floors = search.records[start:end], search.positions[start:end]
    return read


@njit(cache=True)
def add_rows(other, risks):
    """Add the patterns of other rows to rows of the same units."""
    for unit in range(len(risks)):
        for column in (TOTAL, LONE, CHANCE, REST):
            risks[unit, column] += other[unit, column]
        _carry(risks[unit])
        risks[unit, LOWEST] = min(risks[unit, LOWEST], other[unit, LOWEST])
