"""What the miners of itemsets and of sequences share: their data, their settings, and the patterns found so far.

Counters are an int64 array: BUCKETS on the stack, patterns FOUND, BAR (the smallest support that still matters),
ABOVE (how many found patterns reach the bar) and TIES (how many patterns exactly at the bar are still wanted).
Values are copied one by one: a slice on the left of an assignment costs seconds to compile.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = [
    "ABOVE",
    "ALL",
    "BAR",
    "BUCKETS",
    "CLOSED",
    "FOUND",
    "MAXIMAL",
    "TIES",
    "Found",
    "MiningRules",
    "MiningState",
    "Records",
    "Scratch",
    "clear_touched",
    "keep",
    "mining_state",
    "sort",
    "with_length",
    "with_rows",
]

BUCKETS, FOUND, BAR, ABOVE, TIES = range(5)
ALL, CLOSED, MAXIMAL = range(3)


class Records(NamedTuple):
    """The data; records of one unit (a person, or a record where persons are unknown) lie together."""

    codes: Any  # int32[total]
    offsets: Any  # int64[records + 1]
    units: Any  # int32[records], not falling


class MiningRules(NamedTuple):
    """What is asked for, and how long one batch of the search lasts."""

    frequent: Any  # the support that makes a pattern frequent
    shortest: Any  # length of the patterns to keep
    longest: Any
    which: Any  # ALL, CLOSED or MAXIMAL
    top: Any  # as for `keep`
    budget: Any  # how many embeddings are read before the batch ends
    most: Any  # how many labels in found patterns end the batch; for itemsets


class Found(NamedTuple):
    """The patterns found so far."""

    codes: Any  # int32[...]: the labels, pattern after pattern
    ends: Any  # int64[...]: where the labels of each pattern end
    supports: Any  # int64[...]


class MiningState(NamedTuple):
    """A search that can go on in another batch: a stack of buckets, their embeddings, and the patterns found so far.

    The first columns of a bucket are label, first embedding, end, level and support.  The stack begins with one bucket:
    the empty pattern, embedded before the first position of every record.
    """

    stack: Any  # int64[n, 5 or 6]
    records: Any  # int32[...]: the record of each embedding
    positions: Any  # int32[...]: where the embedding ends in it
    found: Any  # Found


def mining_state(stack: Any, records: Any, positions: Any, codes: Any, ends: Any, supports: Any) -> MiningState:
    """The state of a search from what a kernel returns."""
    return MiningState(stack, records, positions, Found(codes, ends, supports))


class Scratch(NamedTuple):
    """Counters by label, and the labels that were touched; int64[labels] each."""

    supports: Any  # units, all 0
    entries: Any  # records, all 0
    last_unit: Any  # all -1
    fill: Any  # where the next embedding goes, all -1
    touched: Any


@njit(cache=True)
def clear_touched(scratch, n_touched):
    """Reset the counters of the touched labels."""
    for i in range(n_touched):
        label = scratch.touched[i]
        scratch.supports[label], scratch.entries[label] = 0, 0
        scratch.last_unit[label], scratch.fill[label] = -1, -1


@njit(cache=True)
def with_length(array, used, length):
    """The array with at least this length, its first `used` values kept."""
    if length <= len(array):
        return array
    grown = np.empty(2 * length, dtype=array.dtype)
    for i in range(used):
        grown[i] = array[i]
    return grown


@njit(cache=True)
def with_rows(array, used, rows):
    """The table with at least this many rows, the first `used` of them kept."""
    if rows <= len(array):
        return array
    grown = np.empty((2 * rows, array.shape[1]), dtype=array.dtype)
    for i in range(used):
        for j in range(array.shape[1]):
            grown[i, j] = array[i, j]
    return grown


@njit(cache=True)
def sort(values, n):
    """Sort the first n values in place (Shell's method: small, and fast enough for a few thousand)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            value = values[i]
            position = i
            while position >= gap and values[position - gap] > value:
                values[position] = values[position - gap]
                position -= gap
            values[position] = value
        gap //= 3


@njit(cache=True)
def keep(pattern, support, top, histogram, patterns, counters):
    """Add a pattern whose support reaches the bar; returns the patterns found so far, perhaps in longer arrays.

    With a histogram (int64, by support) patterns are only counted, and the bar follows the best `top` of them: it
    rises above the support of the last of these.  Otherwise the pattern is stored, and with a `top` no more than that
    many at the bar are: then the bar rises.
    """
    if len(histogram) > 0:
        histogram[support] += 1
        counters[ABOVE] += 1
        while counters[ABOVE] >= top:
            counters[ABOVE] -= histogram[counters[BAR]]
            counters[BAR] += 1
        return patterns
    n, size = counters[FOUND], len(pattern)
    begin = patterns.ends[n - 1] if n > 0 else 0
    codes = with_length(patterns.codes, begin, begin + size)
    ends, supports = with_length(patterns.ends, n, n + 1), with_length(patterns.supports, n, n + 1)
    for i in range(size):
        codes[begin + i] = pattern[i]
    ends[n] = begin + size
    supports[n] = support
    counters[FOUND] = n + 1
    if top > 0 and support == counters[BAR]:
        counters[TIES] -= 1
        if counters[TIES] == 0:
            counters[BAR] += 1
    return Found(codes, ends, supports)
