"""The support of sets of items, given what the published labels stand for; used by verifiers only.

A record may hold an item when one of its labels stands for it.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["class_supports", "set_supports"]


@njit(cache=True)
def _mark_holders(items, base, starts, records, met):
    """Mark each record by how many items of a set it met in turn, counted from `base`; returns the size of the set."""
    size = 0
    while size < len(items) and items[size] >= 0:
        for position in range(starts[items[size]], starts[items[size] + 1]):
            record = records[position]
            if size == 0:
                met[record] = base
            elif met[record] == base + size - 1:
                met[record] = base + size
        size += 1
    return size


@njit(cache=True)
def set_supports(sets, starts, records, units, n_records):
    """For each set of items (padded with -1) the number of units with a record that may hold all of them.

    records[starts[i]:starts[i + 1]] : the records that may hold item i, in any order, perhaps repeatedly.
    units : int64[records], the unit of each record.
    """
    supports = np.zeros(len(sets), dtype=np.int64)
    met = np.full(n_records, -1, dtype=np.int64)
    seen = np.full(n_records, -1, dtype=np.int64)
    width = sets.shape[1]
    for row in range(len(sets)):
        base = row * (width + 1)
        size = _mark_holders(sets[row], base, starts, records, met)
        if size == 0:
            continue
        last = sets[row, size - 1]
        for position in range(starts[last], starts[last + 1]):
            record = records[position]
            if met[record] == base + size - 1 and seen[units[record]] != row:
                seen[units[record]] = row
                supports[row] += 1
    return supports


@njit(cache=True)
def class_supports(sets, starts, records, pairs, class_of_pair, k, n_records, n_classes):
    """The same for the records of each class by themselves.

    pairs : int64[records], the number of each record's class and unit together.  class_of_pair : int64[pairs].
    Returns for each set the smallest number of units in a class with any, 0 where no record may hold the set, the
    number of classes with fewer than k, and the class of the smallest number, or -1.
    """
    smallest = np.zeros(len(sets), dtype=np.int64)
    too_few = np.zeros(len(sets), dtype=np.int64)
    where = np.full(len(sets), -1, dtype=np.int64)
    met = np.full(n_records, -1, dtype=np.int64)
    seen = np.full(len(class_of_pair), -1, dtype=np.int64)
    counts = np.zeros(n_classes, dtype=np.int64)
    touched = np.empty(n_classes, dtype=np.int64)
    width = sets.shape[1]
    for row in range(len(sets)):
        base = row * (width + 1)
        size = _mark_holders(sets[row], base, starts, records, met)
        if size == 0:
            continue
        n_touched = 0
        last = sets[row, size - 1]
        for place in range(starts[last], starts[last + 1]):
            pair = pairs[records[place]]
            if met[records[place]] == base + size - 1 and seen[pair] != row:
                seen[pair] = row
                if counts[class_of_pair[pair]] == 0:
                    touched[n_touched] = class_of_pair[pair]
                    n_touched += 1
                counts[class_of_pair[pair]] += 1
        for place in range(n_touched):
            count = counts[touched[place]]
            if count < k:
                too_few[row] += 1
            if where[row] < 0 or count < smallest[row]:
                smallest[row], where[row] = count, touched[place]
            counts[touched[place]] = 0
    return smallest, too_few, where
