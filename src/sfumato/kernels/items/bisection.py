"""Searching a rising stretch of an array by halving."""

from numba import njit

__all__ = ["lower_bound"]


@njit(cache=True, nogil=True)
def lower_bound(values, low, high, wanted):
    """Where in values[low:high] the first entry of at least `wanted` stands, or `high`."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
