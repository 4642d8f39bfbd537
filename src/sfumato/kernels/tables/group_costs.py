"""The information loss of a group of rows that is published under one label per attribute.

The leaves of an attribute are numbered along its tree (or by size, where it is a column of numbers), so that the label
of a group is given by its lowest and its highest leaf.  Costs are whole numbers: sums are exact in any order, and ties
are ties.

spans : int32[...], one array because kernels pass it on a billion times.  It begins with three numbers for each
attribute: its kind, its number of leaves, and where it is described from.  Kind 0, a table: the cost of the label over
low to high is at low * leaves + high.  Kind 1, a range of numbers: where each leaf stands between 0 and the cost of the
whole range (farther than that beyond it for a missing value), then the cost of the whole range.  Kind 2, a tree: the
node of each leaf, then for each node its parent, the leaf after its last one, and its cost.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.inner import inner

__all__ = ["join_cost", "label_cost", "span_cost"]


@njit(cache=True)
def span_cost(a, low, high, spans):
    """The cost of the label of attribute a over the leaves low to high."""
    kind, leaves, position = spans[3 * a], spans[3 * a + 1], spans[3 * a + 2]
    if kind == 0:
        return spans[position + low * leaves + high]
    if kind == 1:
        return min(spans[position + high] - spans[position + low], spans[position + leaves])
    node = position + leaves + 3 * spans[position + low]
    while spans[node + 1] <= high:
        node = position + leaves + 3 * spans[node]
    return spans[node + 2]


@inner
def join_cost(labels, group, row, codes, spans, most):
    """The cost of each row of group `group` after this row joins it; `most` if it is no less.

    labels : int32[groups, 2, attributes], the lowest and the highest leaf.  codes : int32[n, attributes].
    """
    total = np.int64(0)
    for a in range(codes.shape[1]):
        code = codes[row, a]
        total += span_cost(a, min(labels[group, 0, a], code), max(labels[group, 1, a], code), spans)
        if total >= most:
            return most
    return total


@njit(cache=True)
def label_cost(low, high, left, right, spans):
    """The cost of a row in the union of two groups, which may be the same."""
    total = np.int64(0)
    for a in range(low.shape[1]):
        total += span_cost(a, min(low[left, a], low[right, a]), max(high[left, a], high[right, a]), spans)
    return total
