"""The order of clusters in REFINE, by the ranks of their terms, and which neighbours may share a term.

The terms of cluster number c are terms[begins[c]:ends[c]], rising.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["compact", "leading_ranks", "may_share"]

_FLOOR = 1 << 32  # more than any support


@njit(cache=True)
def compact(terms, supports, heads, tails, begins, ends):
    """Move the terms of the clusters to the front, in the order in which they stand, without gaps; returns the end.

    Later clusters stand further behind.  begins and ends follow.
    """
    n = 0
    for cluster in range(len(begins)):
        begin, end = begins[cluster], ends[cluster]
        begins[cluster] = n
        for i in range(begin, end):
            terms[n], supports[n], heads[n], tails[n] = terms[i], supports[i], heads[i], tails[i]
            n += 1
        ends[cluster] = n
    return n


@njit(cache=True)
def leading_ranks(clusters, terms, begins, ends, rank, lowest, width):
    """The smallest ranks of each cluster's terms as the digits of one number; int64[clusters].

    rank : int64 by term, from 1; the base of the digits is one more than the terms.  `width` digits, the smallest rank
    first; 0 where there are no more, so that the numbers stand as the lists of ranks do.
    lowest : by term, the smallest rank of it and all later ones; terms that come early should have small ranks.
    """
    result = np.zeros(len(clusters), dtype=np.int64)
    leading, base = np.zeros(width, dtype=np.int64), np.int64(len(rank) + 1)
    for row in range(len(clusters)):
        n = 0
        for i in range(begins[clusters[row]], ends[clusters[row]]):
            if n == width and lowest[terms[i]] > leading[width - 1]:
                break
            value = rank[terms[i]]
            if n == width and value > leading[width - 1]:
                continue
            spot = min(n, width - 1)
            while spot > 0 and leading[spot - 1] > value:
                leading[spot] = leading[spot - 1]
                spot -= 1
            leading[spot] = value
            n = min(n + 1, width)
        key = np.int64(0)
        for digit in range(width):
            key = key * base + (leading[digit] if digit < n else 0)
        result[row] = key
    return result


@njit(cache=True)
def may_share(order, terms, supports, begins, ends, k, after, known, n_terms):
    """For each cluster and the next, whether a common term has a support of at least k; bool[len(order) - 1].

    after : int64 by cluster, which one came next when it was last asked for; known : bool by cluster, the answer then.
    """
    result = np.zeros(max(0, len(order) - 1), dtype=np.bool_)
    marks, marked = np.zeros(n_terms, dtype=np.int64), -1  # by term: the support in the marked cluster, above its floor
    for position in range(len(result)):
        left, right = order[position], order[position + 1]
        floor = np.int64(position + 1) * _FLOOR
        if after[left] != right:
            if marked != left:
                for i in range(begins[left], ends[left]):
                    marks[terms[i]] = floor + supports[i]
            enough = False
            for i in range(begins[right], ends[right]):
                support = marks[terms[i]] - floor
                enough |= (support > 0) & (support + supports[i] >= k)
                marks[terms[i]] = floor + _FLOOR + supports[i]
            after[left], known[left], marked = right, enough, right
        result[position] = known[left]
    return result
