"""Patterns in flat arrays: copied in another order, and their labels as numbers that sort like them."""

from sfumato.kernels.compiled import njit

__all__ = ["append_labels", "copy_rows"]


@njit(cache=True)
def copy_rows(codes, offsets, rows, copied):
    """Write the labels of the given rows one after the other.

    codes : int32[total], offsets : int64[n + 1].  rows : int64[m].  copied : int32[...], as long as they are together.
    """
    used = 0
    for row in rows:
        for i in range(offsets[row], offsets[row + 1]):
            copied[used] = codes[i]
            used += 1


@njit(cache=True)
def append_labels(codes, offsets, rows, begin, end, n_labels, numbers):
    """Append the labels from `begin` to `end` of each row, as digits, to its number; past its last label, zeros.

    codes : int32[total], offsets : int64[n + 1].  rows : int64[m].  n_labels : more than every code by 2 or more.
    numbers : int64[m], changed.
    """
    for i in range(len(rows)):
        first, last, number = offsets[rows[i]] + begin, offsets[rows[i] + 1], numbers[i]
        for place in range(first, first + end - begin):
            number = number * n_labels + (codes[place] + 1 if place < last else 0)
        numbers[i] = number
