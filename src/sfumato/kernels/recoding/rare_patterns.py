"""Rare patterns of a table as numbers, which sort by support and then by the ranks of their labels."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["next_apart", "numbers_of_rare", "patterns_of_numbers"]


@njit(cache=True)
def numbers_of_rare(keys, counts, first, end, k, rank, bits):
    """The patterns in the slots from `first` to `end` with a support of 1 to k - 1, each as one number.

    rank : int64[labels].  bits : of each rank plus 1; 0 stands for no label.
    """
    many = 0
    for slot in range(first, end):
        many += 0 < counts[slot] < k
    numbers, at = np.empty(many, dtype=np.int64), 0
    for slot in range(first, end):
        if 0 < counts[slot] < k:
            number = np.int64(counts[slot])
            for level in range(keys.shape[1]):
                label = keys[slot, level]
                number = (number << bits) | (rank[label] + 1 if label >= 0 else 0)
            numbers[at] = number
            at += 1
    return numbers


@njit(cache=True)
def patterns_of_numbers(numbers, first, end, label_of, bits, patterns):
    """Write the patterns of these numbers, from `first` to `end`, to the same rows; label_of : by rank."""
    for row in range(first, end):
        number = numbers[row]
        for level in range(patterns.shape[1] - 1, -1, -1):
            rank = (number & ((1 << bits) - 1)) - 1
            patterns[row, level] = label_of[rank] if rank >= 0 else -1
            number >>= bits


@njit(cache=True)
def next_apart(patterns, start, waits):
    """The row of the first of patterns[start:] none of whose labels waits, or the number of patterns.

    patterns : int32[n, width], padded with -1.  waits : bool[labels].
    """
    for row in range(start, len(patterns)):
        free = True
        for level in range(patterns.shape[1]):
            free &= patterns[row, level] < 0 or not waits[patterns[row, level]]
        if free:
            return row
    return len(patterns)
