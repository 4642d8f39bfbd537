"""The support of sets of items, given what the published labels stand for; used by verifiers only.

A record may hold an item when one of its labels stands for it.
"""

import numpy as np
from numba import njit

__all__ = ["set_supports"]


@njit(cache=True)
def set_supports(sets, starts, records, units, n_records):
    """For each set of items (padded with -1) the number of units with a record that may hold all of them.

    records[starts[i]:starts[i + 1]] : the records that may hold item i, in any order, perhaps repeatedly.
    units : int64[records], the unit of each record.  Every record is marked by how many items of a set it met in turn.
    """
    supports = np.zeros(len(sets), dtype=np.int64)
    met = np.full(n_records, -1, dtype=np.int64)
    seen = np.full(n_records, -1, dtype=np.int64)
    width = sets.shape[1]
    for row in range(len(sets)):
        base = row * (width + 1)
        size = 0
        while size < width and sets[row, size] >= 0:
            size += 1
        for level in range(size):
            item = sets[row, level]
            for position in range(starts[item], starts[item + 1]):
                record = records[position]
                if level == 0:
                    met[record] = base
                elif met[record] == base + level - 1:
                    met[record] = base + level
        if size == 0:
            continue
        last = sets[row, size - 1]
        for position in range(starts[last], starts[last + 1]):
            record = records[position]
            if met[record] == base + size - 1 and seen[units[record]] != row:
                seen[units[record]] = row
                supports[row] += 1
    return supports
