"""Tests whether a sequential pattern is closed or maximal: whether a label can be inserted and the support stays.

The gaps of a pattern in a record, after BIDE (Wang and Han, 2004): the gap before its i-th label lies between the
leftmost embedding of what precedes it and the rightmost embedding of the label and what follows.  A label that occurs
there can be inserted at this place, and no other label can.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["Gaps", "grows", "grows_inside"]


class Gaps(NamedTuple):
    """The records, and scratch arrays by label."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records]
    numbers: Any  # int32[records]: each record's own number
    counts: Any  # int64[labels], all 0
    last_group: Any  # int64[labels], all -1
    touched: Any  # int64[labels]


@njit(cache=True)
def grows_inside(here, places, pattern, gaps):
    """Whether one insertion is possible in every record without moving the end of the leftmost embedding.

    here : int32[n], the records that hold the pattern; places : int32[n], where its leftmost embedding ends in each.
    If so, neither the pattern nor anything that begins with it is closed (BIDE's BackScan).
    """
    return _can_insert(here, places, gaps.numbers, len(here), len(here), pattern, gaps)


@njit(cache=True)
def grows(here, pattern, support, threshold, gaps):
    """Whether an insertion before one of the pattern's labels has at least this support."""
    return _can_insert(here, here[:0], gaps.units, support, threshold, pattern, gaps)


@njit(cache=True)
def _can_insert(here, lasts, groups, total, threshold, pattern, gaps):
    """Whether some insertion is held by at least `threshold` of the `total` groups of records.

    lasts : int32[n], where the pattern's last label may lie in each record, at most; or int32[0] for anywhere.
    Records of a group lie together; they are read only until the answer is certain.
    """
    codes, offsets, _, _, counts, last_group, touched = gaps
    size = len(pattern)
    lows, highs = np.empty((len(here), size), dtype=np.int32), np.empty((len(here), size), dtype=np.int32)
    known = 0
    for gap in range(size):
        n_touched, best, seen, group = 0, 0, 0, -1
        for entry in range(len(here)):
            record = here[entry]
            if groups[record] != group:
                if best >= threshold or best + total - seen < threshold:
                    break
                group = groups[record]
                seen += 1
            if entry == known:
                last = lasts[entry] if len(lasts) > 0 else offsets[record + 1] - 1
                _mark(codes, offsets[record], last, pattern, lows[entry], highs[entry])
                known += 1
            for position in range(lows[entry, gap], highs[entry, gap]):
                label = codes[position]
                if last_group[label] != group:
                    if counts[label] == 0:
                        touched[n_touched] = label
                        n_touched += 1
                    last_group[label] = group
                    counts[label] += 1
                    best = max(best, counts[label])
        for i in range(n_touched):
            counts[touched[i]] = 0
            last_group[touched[i]] = -1
        if best >= threshold:
            return True
    return False


@njit(cache=True)
def _mark(codes, begin, last, pattern, lows, highs):
    """Write where the gap before each label begins and ends."""
    position = begin
    for i in range(len(pattern)):
        lows[i] = position
        while codes[position] != pattern[i]:
            position += 1
        position += 1
    position = last
    for i in range(len(pattern) - 1, -1, -1):
        while codes[position] != pattern[i]:
            position -= 1
        highs[i] = position
        position -= 1
