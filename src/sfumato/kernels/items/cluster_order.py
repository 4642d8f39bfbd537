"""The order of clusters in REFINE, by the ranks of their terms, and which neighbours may share a term.

The terms of cluster number c are terms[begins[c]:ends[c]], rising.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner
from sfumato.kernels.items.bisection import lower_bound

__all__ = ["compact", "leading_ranks", "list_strong", "may_share"]


@njit(cache=True)
def compact(terms, supports, heads, tails, strong, begins, ends):
    """Move the terms of the clusters to the front, in the order in which they stand, without gaps; returns the end.

    Later clusters stand further behind.  begins and ends follow.
    """
    n = 0
    for cluster in range(len(begins)):
        begin, end = begins[cluster], ends[cluster]
        begins[cluster] = n
        for i in range(begin, end):
            terms[n], supports[n], heads[n], tails[n] = terms[i], supports[i], heads[i], tails[i]
            strong[n] = strong[i]
            n += 1
        ends[cluster] = n
    return n


@njit(cache=True)
def leading_ranks(clusters, above, terms, begins, ends, rank, lowest, width):
    """The smallest ranks above a given one of each cluster's terms, as the digits of one number; int64[clusters].

    above : int64[clusters].  rank : int64 by term, from 1; the base of the digits is one more than the terms.  `width`
    digits, the smallest rank first; 0 where there are no more, so that the numbers stand as the lists of ranks do.
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
            if value <= above[row] or (n == width and value > leading[width - 1]):
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
def list_strong(clusters, supports, begins, ends, enough, strong, n_strong):
    """List the terms of these clusters that have at least `enough` records.

    strong : int32 beside the terms, of each cluster their places among its terms; n_strong : by cluster, their number.
    """
    for cluster in clusters:
        begin, n = begins[cluster], 0
        for i in range(begin, ends[cluster]):
            if supports[i] >= enough:
                strong[begin + n] = i - begin
                n += 1
        n_strong[cluster] = n


@inner
def _share(terms, supports, begin, strong, other, other_end, enough, k):
    """Whether a term with at least `enough` records in the first list has k records in both lists together.

    strong : the places of all such terms, and maybe of others, in the first list.
    """
    for place in strong:
        i = begin + place
        if supports[i] >= enough:
            near, step = other, 1  # long lists have the next common term not far away
            while near < other_end and terms[near] < terms[i]:
                other = near + 1
                near += step
                step *= 2
            other = lower_bound(terms, other, min(near, other_end), terms[i])
            if other == other_end:
                return False
            if terms[other] == terms[i] and supports[i] + supports[other] >= k:
                return True
    return False


@njit(cache=True)
def may_share(order, terms, supports, begins, ends, strong, n_strong, k, most, after, known):
    """For each cluster and the next, whether a common term has a support of at least k; bool[len(order) - 1].

    most : by cluster, the largest support of its terms.  One of two supports that make k is at least k / 2; strong,
    n_strong : as by `list_strong`, the terms that have so many.
    after : int64 by cluster, which one came next when it was last asked for; known : bool by cluster, the answer then.
    """
    result = np.zeros(max(0, len(order) - 1), dtype=np.bool_)
    for position in range(len(result)):
        left, right = order[position], order[position + 1]
        if after[left] != right:
            known[left] = False
            if most[left] + most[right] >= k:
                here, there = begins[left], begins[right]
                mine, others = strong[here : here + n_strong[left]], strong[there : there + n_strong[right]]
                known[left] = _share(terms, supports, here, mine, there, ends[right], k - most[right], k) or _share(
                    terms, supports, there, others, here, ends[left], k - most[left], k
                )
            after[left] = right
        result[position] = known[left]
    return result
