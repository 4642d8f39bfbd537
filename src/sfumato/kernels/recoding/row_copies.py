"""Rows of different length in flat arrays: copied in another order, and compared with the row before."""

from sfumato.kernels.compiled import njit

__all__ = ["copy_rows", "differ_from_row_before", "first_unordered_row"]


@njit(cache=True)
def copy_rows(values, offsets, rows, copied):
    """Copy rows one after the other.

    values : array[total].  offsets : int64[n + 1].  rows : int64[m], below n.  copied : array[sum of their lengths],
    which is filled.  O(len(copied)) time, no memory.
    """
    place = 0
    for at in range(len(rows)):
        row = rows[at]
        for element in range(offsets[row], offsets[row + 1]):
            copied[place] = values[element]
            place += 1


@njit(cache=True)
def first_unordered_row(offsets, codes):
    """The first row that comes before the row above it, as sequences of codes; the number of rows where none does.

    offsets : int64[n + 1].  codes : int32[total].  O(total) time, no memory.
    """
    n = len(offsets) - 1
    for row in range(1, n):
        above, here, end = offsets[row - 1], offsets[row], offsets[row + 1]
        while above < offsets[row] and here < end and codes[above] == codes[here]:
            above += 1
            here += 1
        if above < offsets[row] and (here == end or codes[above] > codes[here]):
            return row
    return n


@njit(cache=True)
def differ_from_row_before(offsets, codes, differ):
    """Write into `differ`, bool[n], whether each row differs from the row before it; the first one does.

    offsets : int64[n + 1].  codes : int32[total].  O(total) time, no memory.
    """
    for row in range(len(differ)):
        here, end = offsets[row], offsets[row + 1]
        above = offsets[row - 1] if row > 0 else 0
        same = row > 0 and end - here == here - above
        while same and here < end:
            same = codes[here] == codes[above]
            above += 1
            here += 1
        differ[row] = not same
