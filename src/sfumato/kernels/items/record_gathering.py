"""Records of different length, copied into the order in which they are wanted."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["gathered_records"]


@njit(cache=True)
def gathered_records(codes, offsets, records):
    """The codes of these records, one record after the other, and where each begins: int32[...], int64[n + 1]."""
    starts = np.zeros(len(records) + 1, dtype=np.int64)
    for row in range(len(records)):
        starts[row + 1] = starts[row] + offsets[records[row] + 1] - offsets[records[row]]
    gathered = np.empty(starts[-1], dtype=np.int32)
    for row in range(len(records)):
        begin, shift = starts[row], offsets[records[row]] - starts[row]
        for i in range(begin, starts[row + 1]):
            gathered[i] = codes[i + shift]
    return gathered, starts
