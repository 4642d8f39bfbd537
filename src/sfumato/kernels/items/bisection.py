"""Binary search in a sorted part of an array."""

from sfumato.kernels.compiled import njit

__all__ = ["lower_bound"]


@njit(cache=True)
def lower_bound(values, low, high, wanted):
    """The position of the first of values[low:high], which rise, that is at least `wanted`; `high` if none exists."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
