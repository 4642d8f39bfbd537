"""Patterns in flat arrays: copied in another order, and their labels as numbers that sort like them."""

from sfumato.kernels.compiled import njit

__all__ = ["append_labels", "copy_rows"]


@njit(cache=True)
def copy_rows(codes, offsets, rows, copied):
    """Write the labels of the given rows one after the other.

    codes : int32[total], offsets : int64[n + 1], no row empty.  rows : int64[m].
    copied : int32[...], as long as they are together.
    """
    row, place, last = 0, 0, 0
    for i in range(len(copied)):  # one loop: rows are short, and Numba would prepare for long ones
        if place == last:
            place, last = offsets[rows[row]], offsets[rows[row] + 1]
            row += 1
        copied[i] = codes[place]
        place += 1


@njit(cache=True)
def append_labels(codes, offsets, rows, begin, end, bits, numbers):
    """Append the labels from `begin` to `end` of each row, as digits, to its number; past its last label, zeros.

    codes : int32[total], offsets : int64[n + 1].  rows : int64[m].  bits : enough for every code plus 1.
    numbers : int64[m], changed.
    """
    for i in range(len(rows)):
        first, number = offsets[rows[i]] + begin, numbers[i]
        last = min(offsets[rows[i] + 1], first + end - begin)
        for place in range(first, last):
            number = (number << bits) | (codes[place] + 1)
        numbers[i] = number << (bits * (end - begin - max(0, last - first)))
