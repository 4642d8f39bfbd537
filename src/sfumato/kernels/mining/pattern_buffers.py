"""What the miners share: arrays that grow, the patterns found so far, and the support that still matters.

Counters are an int64 array: BUCKETS on the stack, patterns FOUND, BAR (the smallest support that still matters),
ABOVE (how many found patterns reach the bar) and TIES (how many patterns exactly at the bar are still wanted).
Values are copied one by one: a slice on the left of an assignment costs seconds to compile.
"""

import numpy as np
from numba import njit

__all__ = [
    "ABOVE",
    "ALL",
    "BAR",
    "BUCKETS",
    "CLOSED",
    "FOUND",
    "MAXIMAL",
    "TIES",
    "keep",
    "sort",
    "with_length",
    "with_rows",
]

BUCKETS, FOUND, BAR, ABOVE, TIES = range(5)
ALL, CLOSED, MAXIMAL = range(3)


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
            at = i
            while at >= gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap //= 3


@njit(cache=True)
def keep(pattern, support, top, histogram, found_codes, found_ends, found_supports, counters):
    """Enter a pattern whose support reaches the bar.

    With a histogram (int64, by support) patterns are only counted, and the bar follows the best `top` of them: it
    rises above the support of the last of these.  Otherwise the pattern is stored (found_codes : int32[...],
    found_ends and found_supports : int64[...], each returned, perhaps grown), and with a `top` no more than that
    many at the bar are: then the bar rises.
    """
    if len(histogram) > 0:
        histogram[support] += 1
        counters[ABOVE] += 1
        while counters[ABOVE] >= top:
            counters[ABOVE] -= histogram[counters[BAR]]
            counters[BAR] += 1
        return found_codes, found_ends, found_supports
    n, size = counters[FOUND], len(pattern)
    begin = found_ends[n - 1] if n > 0 else 0
    found_codes = with_length(found_codes, begin, begin + size)
    found_ends, found_supports = with_length(found_ends, n, n + 1), with_length(found_supports, n, n + 1)
    for i in range(size):
        found_codes[begin + i] = pattern[i]
    found_ends[n] = begin + size
    found_supports[n] = support
    counters[FOUND] = n + 1
    if top > 0 and support == counters[BAR]:
        counters[TIES] -= 1
        if counters[TIES] == 0:
            counters[BAR] += 1
    return found_codes, found_ends, found_supports
