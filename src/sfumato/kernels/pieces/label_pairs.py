"""The distinct labels of each record, the ordered pairs of them that occur, and the support of each pair.

Inside a record, labels are numbered from 0 in the order of their first visit, and a square table gives for each ordered
pair of these numbers the number of the pair among all pairs of the data.  No table of all labels by all labels is made.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["RecordPairs", "pair_supports", "record_labels"]


class RecordPairs(NamedTuple):
    """Records as visits to numbered labels, and the numbers of their ordered pairs of labels."""

    offsets: Any  # int64[records + 1]: the visits of each record
    local: Any  # int32[visits]: the number of the visit's label inside its record; -1 where it is left out
    starts: Any  # int64[records + 1]: the labels of each record
    labels: Any  # int32[...]: those labels
    squares: Any  # int64[records + 1]: the table of each record in `pairs`
    pairs: Any  # int32[...]: by record, first label and second label the number of the pair; -1 where it does not occur


@njit(cache=True)
def record_labels(codes, offsets, n_labels, most):
    """The distinct labels of each record, at most `most` of them: RecordPairs.local, starts and labels.

    codes : int32[visits], -1 for a visit that is left out.  Linear.
    """
    n_records = len(offsets) - 1
    local = np.full(len(codes), -1, dtype=np.int32)
    starts = np.zeros(n_records + 1, dtype=np.int64)
    labels = np.empty(len(codes), dtype=np.int32)
    number = np.zeros(n_labels, dtype=np.int32)
    last_record = np.full(n_labels, -1, dtype=np.int64)
    filled = 0
    for record in range(n_records):
        for visit in range(offsets[record], offsets[record + 1]):
            label = codes[visit]
            if label < 0:
                continue
            if last_record[label] != record:
                last_record[label] = record
                number[label] = -1
                if filled - starts[record] < most:
                    number[label] = filled - starts[record]
                    labels[filled] = label
                    filled += 1
            local[visit] = number[label]
        starts[record + 1] = filled
    return local, starts, labels[:filled].copy()


@njit(cache=True)
def _doubled(array, fill):
    """An int32 array with as many further entries, all `fill`."""
    larger = np.empty(2 * len(array), dtype=np.int32)
    for index in range(len(larger)):
        larger[index] = array[index] if index < len(array) else fill
    return larger


@njit(cache=True)
def _pair_number(left, right, lefts, rights, numbers, used):
    """The number of a pair in an open-addressed table, and how many pairs there are now."""
    mixed = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(right) * np.uint64(0xC2B2AE3D27D4EB4F)
    slot = np.int64((mixed ^ mixed >> np.uint64(31)) & np.uint64(len(lefts) - 1))
    while lefts[slot] >= 0 and (lefts[slot] != left or rights[slot] != right):
        slot = (slot + 1) & (len(lefts) - 1)
    if lefts[slot] < 0:
        lefts[slot], rights[slot], numbers[slot] = left, right, used
        used += np.int32(1)
    return numbers[slot], used


@njit(cache=True)
def _twice_as_large(lefts, rights, numbers):
    """The table with twice as many slots, filled anew."""
    size = 2 * len(lefts)
    tables = (np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32))
    for slot in range(len(lefts)):
        if lefts[slot] >= 0:
            _pair_number(lefts[slot], rights[slot], tables[0], tables[1], tables[2], numbers[slot])
    return tables


@njit(cache=True)
def pair_supports(local, offsets, starts, labels, units, squares):
    """RecordPairs.pairs, and the number of units that hold each pair.

    units : int32[records], not falling.  squares : int64[records + 1].  Linear in the size of the squares.
    """
    pairs = np.full(squares[-1], -1, dtype=np.int32)
    size = 1024
    lefts, rights = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.int32)
    numbers = np.zeros(size, dtype=np.int32)
    used = np.int32(0)
    supports, last_unit = np.zeros(size, dtype=np.int32), np.full(size, -1, dtype=np.int32)
    widest = 0
    for record in range(len(offsets) - 1):
        widest = max(widest, starts[record + 1] - starts[record])
    first, last = np.empty(widest, dtype=np.int64), np.empty(widest, dtype=np.int64)
    for record in range(len(offsets) - 1):
        begin, n = starts[record], starts[record + 1] - starts[record]
        for visit in range(offsets[record + 1] - 1, offsets[record] - 1, -1):
            if local[visit] >= 0:
                first[local[visit]] = visit
        for visit in range(offsets[record], offsets[record + 1]):
            if local[visit] >= 0:
                last[local[visit]] = visit
        for left in range(n):
            for right in range(n):
                if first[left] >= last[right]:
                    continue
                if 2 * (used + 1) > len(lefts):
                    lefts, rights, numbers = _twice_as_large(lefts, rights, numbers)
                number, used = _pair_number(labels[begin + left], labels[begin + right], lefts, rights, numbers, used)
                pairs[squares[record] + left * n + right] = number
                if number == len(supports):
                    supports, last_unit = _doubled(supports, np.int32(0)), _doubled(last_unit, np.int32(-1))
                if last_unit[number] != units[record]:
                    last_unit[number] = units[record]
                    supports[number] += 1
    return pairs, supports[:used].copy()
