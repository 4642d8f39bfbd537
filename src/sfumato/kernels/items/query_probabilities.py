"""The probability that each record answers a query, when generalized labels stand for unknown members."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["itemset_probabilities", "sequence_probabilities", "share_probabilities", "subset_probabilities"]


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
        for position in range(offsets[record], offsets[record + 1]):
            for level in range(size - 1, -1, -1):
                step = matched[level] * hits[level, codes[position]]
                matched[level] -= step
                matched[level + 1] += step
        probabilities[record] = matched[size]
    return probabilities


@njit(cache=True)
def itemset_probabilities(codes, offsets, wanted, factors, size):
    """The probability that each record contains all wanted items, where each of them is under one label only.

    wanted : int64[labels], how many of the items a label may stand for.  factors : float64[labels], the
    probability that it stands for all of these.  size : how many items are wanted.
    """
    probabilities = np.zeros(len(offsets) - 1)
    for record in range(len(probabilities)):
        count = 0
        probability = 1.0
        for position in range(offsets[record], offsets[record + 1]):
            count += wanted[codes[position]]
            probability *= factors[codes[position]]
        if count >= size:
            probabilities[record] = probability
    return probabilities


@njit(cache=True)
def share_probabilities(codes, offsets, rows, holds, sizes):
    """The probability that each record contains all wanted items, if a label holds each member with 1 / members.

    rows : int64[labels], the row of a label in `holds` and `sizes`, -1 for labels without a wanted item.
    holds : bool[rows, wanted items], the members among these.  sizes : int64[rows], the number of all members.
    """
    probabilities = np.zeros(len(offsets) - 1)
    held = np.empty(holds.shape[1])
    for record in range(len(probabilities)):
        held[:] = 0.0
        for position in range(offsets[record], offsets[record + 1]):
            row = rows[codes[position]]
            if row >= 0:
                for item in range(len(held)):
                    if holds[row, item]:
                        held[item] += (1.0 - held[item]) / sizes[row]
        probabilities[record] = np.prod(held)
    return probabilities


@njit(cache=True)
def subset_probabilities(codes, offsets, rows, holds, sizes):
    """The same if a label stands for each non-empty subset of its members with equal probability.

    A wanted item under one label of the record must be in its subset.  For items under several labels: inclusion and
    exclusion over the sets of items that all labels leave out.
    """
    probabilities = np.zeros(len(offsets) - 1)
    labels = np.empty(holds.shape[1], dtype=np.int64)
    for record in range(len(probabilities)):
        start, end = offsets[record], offsets[record + 1]
        labels[:] = 0
        for position in range(start, end):
            row = rows[codes[position]]
            if row >= 0:
                for item in range(len(labels)):
                    labels[item] += holds[row, item]
        n_shared = 0
        for item in range(len(labels)):
            n_shared += labels[item] > 1
        if labels.min() > 0:
            for left_out in range(1 << n_shared):
                probabilities[record] += _signed_probability(codes[start:end], rows, holds, sizes, labels, left_out)
    return probabilities


@njit(cache=True)
def _signed_probability(codes, rows, holds, sizes, labels, left_out):
    """The probability that the labels of a record hold their own items and none of those left out, with its sign.

    labels : int64[wanted items], the number of labels of the record with each item.
    left_out : the items left out, one bit for each item under several labels.
    Of the 2^n - 1 subsets of a label, 2^(n - own - absent) fit, without the empty one if no item is its own.
    """
    probability = 1.0
    for code in codes:
        row = rows[code]
        if row >= 0:
            own, absent, bit = 0, 0, 0
            for item in range(len(labels)):
                if labels[item] == 1:
                    own += holds[row, item]
                else:
                    absent += holds[row, item] * (left_out >> bit & 1)
                    bit += 1
            empty = 0.5 ** sizes[row]
            probability *= (0.5 ** (own + absent) - empty * (own == 0)) / (1.0 - empty)
    while left_out:
        probability = -probability
        left_out &= left_out - 1
    return probability
