"""Checks of road trajectories: broken paths, anonymity sets of roads, and their differences (inference routes)."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["broken_paths", "difference_sizes", "distinct_units"]


@njit(cache=True)
def broken_paths(codes, offsets, tails, heads):
    """The records in which some road does not begin where the one before it ends: bool[n]."""
    broken = np.zeros(len(offsets) - 1, dtype=np.bool_)
    for record in range(len(broken)):
        for position in range(offsets[record] + 1, offsets[record + 1]):
            if heads[codes[position - 1]] != tails[codes[position]]:
                broken[record] = True
    return broken


@njit(cache=True)
def distinct_units(members, starts, units, n_units):
    """Count the distinct units of the members of each list.

    members : int64[total], records.  starts : int64[n + 1].  units : of each record, below n_units.
    """
    sizes = np.zeros(len(starts) - 1, dtype=np.int64)
    seen = np.full(n_units, -1, dtype=np.int64)
    for number in range(len(sizes)):
        for place in range(starts[number], starts[number + 1]):
            unit = units[members[place]]
            if seen[unit] != number:
                seen[unit] = number
                sizes[number] += 1
    return sizes


@njit(cache=True)
def difference_sizes(members, starts, units, n_units, coming, leaving):
    """For each pair of lists, count the distinct units of records in the first alone and in the second alone.

    members : records, ascending in each list.  coming, leaving : int64[pairs], numbers of lists.
    Returns int64[pairs, 2].
    """
    sizes = np.zeros((len(coming), 2), dtype=np.int64)
    seen = np.full((2, n_units), -1, dtype=np.int64)
    for pair in range(len(coming)):
        left, left_end = starts[coming[pair]], starts[coming[pair] + 1]
        right, right_end = starts[leaving[pair]], starts[leaving[pair] + 1]
        while left < left_end or right < right_end:
            if left < left_end and right < right_end and members[left] == members[right]:
                left += 1
                right += 1
                continue
            if right == right_end or (left < left_end and members[left] < members[right]):
                side, record = 0, members[left]
                left += 1
            else:
                side, record = 1, members[right]
                right += 1
            unit = units[record]
            if seen[side, unit] != pair:
                seen[side, unit] = pair
                sizes[pair, side] += 1
    return sizes
