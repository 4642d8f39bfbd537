"""The published records that match each private record best (record linkage); used by attacks only.

A published record fits a private one if it can be read as that record with things suppressed: of a sequence, every
label stands for a visit, in order; of a set, every label stands for an item.  Each published content is filed under
its rarest label, so that only contents whose rarest label may stand for something in the record are examined.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["Contents", "Meanings", "best_fits", "fit_scores", "fitting_classes"]


class Contents(NamedTuple):
    """Records of visits, items or labels."""

    codes: Any
    offsets: Any  # int64[records + 1]


class Meanings(NamedTuple):
    """The labels that may stand for each leaf, and the leaves that each label may stand for."""

    leaf_starts: Any  # int64[leaves + 1]
    leaf_labels: Any  # int64[...]
    starts: Any  # int64[labels + 1]
    members: Any  # int32[...], rising under each label


@njit(cache=True)
def _stands_for(label, leaf, starts, members):
    """Whether a label may stand for a leaf."""
    low, high = starts[label], starts[label + 1]
    while low < high:
        middle = (low + high) // 2
        if members[middle] < leaf:
            low = middle + 1
        else:
            high = middle
    return low < starts[label + 1] and members[low] == leaf


@njit(cache=True)
def _score(first, end, seen_codes, codes, start, stop, ordered, counts, meanings):
    """How many visits or items the labels seen_codes[first:end] explain of codes[start:stop]; -1 where they do not fit.

    counts : int32[labels], how many distinct elements of the record each label may stand for.
    """
    starts, members = meanings.starts, meanings.members
    total = 0
    for index in range(first, end):
        if counts[seen_codes[index]] == 0:
            return -1
        total += counts[seen_codes[index]]
    if not ordered:
        return total
    position = start
    for index in range(first, end):
        while position < stop and not _stands_for(seen_codes[index], codes[position], starts, members):
            position += 1
        if position == stop:
            return -1
        position += 1
    return end - first


@njit(cache=True)
def _count_labels(codes, start, stop, leaf_starts, leaf_labels, counts, used, last, turn):
    """Count for each label how many distinct elements of a record it may stand for; returns how many labels there are.

    last : int64[leaves], the turn in which each leaf was counted last.
    """
    n = 0
    for position in range(start, stop):
        if last[codes[position]] == turn:
            continue
        last[codes[position]] = turn
        for i in range(leaf_starts[codes[position]], leaf_starts[codes[position] + 1]):
            label = leaf_labels[i]
            if counts[label] == 0:
                used[n] = label
                n += 1
            counts[label] += 1
    return n


@njit(cache=True)
def best_fits(private, ordered, meanings, published, sizes, filed_starts, filed, n_labels):
    """For each private record the best score of any published content, and how many published records have it.

    private : Contents.  published : Contents, the distinct ones.  sizes : int64[contents], how often each is published.
    filed_starts, filed : the published contents under their rarest label, longest first.
    Returns int64[records, 2]: the best score (-1 for none), and how many records have it.
    """
    codes, offsets = private
    seen_codes, seen_offsets = published
    leaf_starts, leaf_labels = meanings.leaf_starts, meanings.leaf_labels
    fits = np.zeros((len(offsets) - 1, 2), dtype=np.int64)
    counts = np.zeros(n_labels, dtype=np.int32)
    used = np.empty(n_labels, dtype=np.int64)
    last = np.full(len(leaf_starts), -1, dtype=np.int64)
    for record in range(len(offsets) - 1):
        start, stop = offsets[record], offsets[record + 1]
        n = _count_labels(codes, start, stop, leaf_starts, leaf_labels, counts, used, last, record)
        best, ties = -1, 0
        for i in range(n):
            for j in range(filed_starts[used[i]], filed_starts[used[i] + 1]):
                content = filed[j]
                first, end = seen_offsets[content], seen_offsets[content + 1]
                if ordered and end - first > stop - start:
                    continue
                if ordered and end - first < best:  # those that follow explain even less
                    break
                score = _score(first, end, seen_codes, codes, start, stop, ordered, counts, meanings)
                if score < 0:
                    continue
                if score > best:
                    best, ties = score, 0
                if score == best:
                    ties += sizes[content]
        for i in range(n):
            counts[used[i]] = 0
        fits[record, 0], fits[record, 1] = best, ties
    return fits


@njit(cache=True)
def fit_scores(records, contents, private, ordered, meanings, published, n_labels):
    """The score of single pairs of a private record and a published content; -1 where they do not fit.

    records, contents : int64[pairs].  private, published : Contents.  Returns int64[pairs].
    """
    codes, offsets = private
    seen_codes, seen_offsets = published
    leaf_starts, leaf_labels = meanings.leaf_starts, meanings.leaf_labels
    scores = np.empty(len(records), dtype=np.int64)
    counts = np.zeros(n_labels, dtype=np.int32)
    used = np.empty(n_labels, dtype=np.int64)
    last = np.full(len(leaf_starts), -1, dtype=np.int64)
    for row in range(len(records)):
        start, stop = offsets[records[row]], offsets[records[row] + 1]
        n = _count_labels(codes, start, stop, leaf_starts, leaf_labels, counts, used, last, row)
        first, end = seen_offsets[contents[row]], seen_offsets[contents[row] + 1]
        scores[row] = _score(first, end, seen_codes, codes, start, stop, ordered, counts, meanings)
        for i in range(n):
            counts[used[i]] = 0
    return scores


@njit(cache=True)
def fitting_classes(leaves, cells, leaf_starts, leaf_labels, class_starts, classes, covers, bases, widths, matches):
    """The classes of published rows whose labels cover the values of each private row.

    leaves : int64[rows, columns], each value as a leaf counted over all columns.
    cells : int64[classes, columns], each label counted over all columns.
    leaf_starts, leaf_labels : the labels of each leaf.  class_starts, classes : the classes with each label.
    covers : bool[...], of column c the matrix of labels and leaves, from bases[c] on, widths[c] leaves wide, both
    counted from 0 in their column by subtracting the column's first leaf and label (bases[c, 1], bases[c, 2]).
    matches : int64[...], receives the classes.  Returns int64[rows + 1], where those of each row begin; the last entry
    is -1 if `matches` was too short.
    """
    starts = np.zeros(len(leaves) + 1, dtype=np.int64)
    n = 0
    for row in range(len(leaves)):
        rarest, fewest = 0, -1
        for column in range(leaves.shape[1]):
            leaf, here = leaves[row, column], 0
            for i in range(leaf_starts[leaf], leaf_starts[leaf + 1]):
                here += class_starts[leaf_labels[i] + 1] - class_starts[leaf_labels[i]]
            if fewest < 0 or here < fewest:
                rarest, fewest = column, here
        leaf = leaves[row, rarest]
        for i in range(leaf_starts[leaf], leaf_starts[leaf + 1]):
            for j in range(class_starts[leaf_labels[i]], class_starts[leaf_labels[i] + 1]):
                class_number, fits = classes[j], True
                for column in range(leaves.shape[1]):
                    label = cells[class_number, column] - bases[column, 2]
                    value = leaves[row, column] - bases[column, 1]
                    if widths[column] == 0:
                        # every value has one label: covers holds it
                        if covers[bases[column, 0] + value] != label:
                            fits = False
                            break
                    elif covers[bases[column, 0] + label * widths[column] + value] == 0:
                        fits = False
                        break
                if fits:
                    if n == len(matches):
                        starts[-1] = -1
                        return starts
                    matches[n] = class_number
                    n += 1
        starts[row + 1] = n
    return starts
