"""Containment of patterns in records, as subsequences."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["contained_patterns", "first_embeddings"]


@njit(cache=True)
def contained_patterns(codes, offsets, pattern_codes, pattern_offsets):
    """Whether each record contains each pattern, in order and with gaps: bool[records, patterns].

    codes, pattern_codes : int32[...].  offsets, pattern_offsets : int64[n + 1].
    """
    n_records, n_patterns = len(offsets) - 1, len(pattern_offsets) - 1
    inside = np.zeros((n_records, n_patterns), dtype=np.bool_)
    for record in range(n_records):
        for pattern in range(n_patterns):
            wanted, end = pattern_offsets[pattern], pattern_offsets[pattern + 1]
            for position in range(offsets[record], offsets[record + 1]):
                if wanted < end and codes[position] == pattern_codes[wanted]:
                    wanted += 1
            inside[record, pattern] = wanted == end
    return inside


@njit(cache=True)
def first_embeddings(codes, offsets, pattern):
    """The position behind the first embedding of a pattern in each record, int64[records].

    The end of a record that does not contain the pattern.

    codes, pattern : int32[...].  offsets : int64[n + 1].
    """
    ends = offsets[1:].copy()
    for record in range(len(ends)):
        wanted = 0
        for position in range(offsets[record], offsets[record + 1]):
            if wanted == len(pattern):
                ends[record] = position
                break
            if codes[position] == pattern[wanted]:
                wanted += 1
    return ends
