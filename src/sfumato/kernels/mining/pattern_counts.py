"""The support of given sequences: how many records contain each."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["count_containing"]


@njit(cache=True)
def count_containing(codes, offsets, starts, holders, patterns, pattern_offsets):
    """The number of records that contain each pattern as a subsequence.

    codes : int32[total], offsets : int64[n + 1], the records.  starts : int64[labels + 1] into holders : int32[...],
    the records that hold each label.  patterns : int32[...], pattern_offsets : int64[p + 1], none of them empty.
    Returns int64[p].  Only records that hold a pattern's rarest label are read.
    """
    counts = np.zeros(len(pattern_offsets) - 1, dtype=np.int64)
    for pattern in range(len(counts)):
        first, end = pattern_offsets[pattern], pattern_offsets[pattern + 1]
        rarest = patterns[first]
        for position in range(first + 1, end):
            label = patterns[position]
            if starts[label + 1] - starts[label] < starts[rarest + 1] - starts[rarest]:
                rarest = label
        for place in range(starts[rarest], starts[rarest + 1]):
            position, last = offsets[holders[place]], offsets[holders[place] + 1]
            wanted = first
            while wanted < end and position < last:
                if codes[position] == patterns[wanted]:
                    wanted += 1
                position += 1
            counts[pattern] += wanted == end
    return counts
