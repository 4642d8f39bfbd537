"""Records of different length in another order: copied into it, compared along it, and grouped."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["differs_from_before", "gathered_records", "order_within"]


@njit(cache=True)
def gathered_records(codes, offsets, records):
    """The codes of these records, one record after the other, and where each begins: int64[n + 1]."""
    starts = np.zeros(len(records) + 1, dtype=np.int64)
    for row in range(len(records)):
        starts[row + 1] = starts[row] + offsets[records[row] + 1] - offsets[records[row]]
    gathered = np.empty(starts[-1], dtype=codes.dtype)
    for row in range(len(records)):
        begin, shift = starts[row], offsets[records[row]] - starts[row]
        for i in range(begin, starts[row + 1]):
            gathered[i] = codes[i + shift]
    return gathered, starts


@njit(cache=True)
def differs_from_before(codes, offsets, order):
    """Whether each record differs from the one before it in this order: bool[n]."""
    differs = np.ones(len(order), dtype=np.bool_)
    for row in range(1, len(order)):
        begin, before = offsets[order[row]], offsets[order[row - 1]]
        length = offsets[order[row] + 1] - begin
        if offsets[order[row - 1] + 1] - before == length:
            i = 0
            while i < length and codes[begin + i] == codes[before + i]:
                i += 1
            differs[row] = i < length
    return differs


@njit(cache=True)
def order_within(group_offsets, group_of, order):
    """The records group by group, in each group in the order that is given for all: int64[n].

    group_offsets : int64[groups + 1]; group_of : int64[n], rising.
    """
    following, grouped = group_offsets.copy(), np.empty(len(order), dtype=np.int64)
    for record in order:
        grouped[following[group_of[record]]] = record
        following[group_of[record]] += 1
    return grouped
