"""The probability that each record answers a query, when generalized labels stand for unknown members."""

import numpy as np
from numba import njit

__all__ = ["itemset_probabilities", "sequence_probabilities"]


@njit(cache=True)
def sequence_probabilities(codes, offsets, hits):
    """The probability that each record contains a sequence.

    hits : float64[size, labels], the probability that a visit under a label is the wanted location.  Visits are
    independent, and taking the earliest match is never wrong, so that one walk along the record suffices.
    """
    size = len(hits)
    probabilities = np.zeros(len(offsets) - 1)
    matched = np.empty(size + 1)
    for record in range(len(probabilities)):
        matched[:] = 0.0
        matched[0] = 1.0
        for at in range(offsets[record], offsets[record + 1]):
            for level in range(size - 1, -1, -1):
                step = matched[level] * hits[level, codes[at]]
                matched[level] -= step
                matched[level + 1] += step
        probabilities[record] = matched[size]
    return probabilities


@njit(cache=True)
def itemset_probabilities(codes, offsets, wanted, factors, size):
    """The probability that each record contains all wanted items.

    wanted : int64[labels], how many of the items a label may stand for.  factors : float64[labels], the
    probability that it stands for all of these.  size : how many items are wanted.
    """
    probabilities = np.zeros(len(offsets) - 1)
    for record in range(len(probabilities)):
        count = 0
        probability = 1.0
        for at in range(offsets[record], offsets[record + 1]):
            count += wanted[codes[at]]
            probability *= factors[codes[at]]
        if count >= size:
            probabilities[record] = probability
    return probabilities
