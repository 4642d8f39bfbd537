"""Soft TF-IDF: the members of two sets of texts matched one to one, most similar first."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.texts.jaro_winkler import scratch, similar_texts

__all__ = ["matched_sets"]


@njit(cache=True)
def _matched(similar, ours, theirs, at_least):
    """The sum over the members that are matched, or -1.0; `similar` is used up."""
    value, columns = -1.0, len(theirs)
    while len(similar) > 0:
        best = np.argmax(similar)  # the first of equal ones: by name
        if similar[best] < max(at_least, 0.0):
            break
        row, column = best // columns, best % columns
        value = max(value, 0.0) + ours[row] * theirs[column] * similar[best]
        similar[row * columns : (row + 1) * columns] = -1.0
        similar[column::columns] = -1.0
    return value


@njit(cache=True)
def matched_sets(letters, offsets, sets, members, borders, weights, left, right, at_least):
    """The sum of weight * weight * similarity over the matched members of the sets `left[i]` and `right[i]`.

    letters, offsets, sets : texts as in `letter_sets`, in the order of their names.  members : int64[total], the texts
    of each set, rising.  borders : int64[sets + 1].  weights : float64[total].  left, right : int64[n].
    Only members that are at least `at_least` similar are matched; of equal similarities, the first by name.
    Returns float64[n]; -1.0 where nothing can be matched.
    """
    values = np.full(len(left), -1.0)
    used, matched = scratch(offsets)
    most = 0
    for pair in range(len(left)):
        rows, columns = borders[left[pair] + 1] - borders[left[pair]], borders[right[pair] + 1] - borders[right[pair]]
        most = max(most, rows * columns)
    similar = np.empty(most)
    for pair in range(len(left)):
        first, second = borders[left[pair]], borders[right[pair]]
        rows, columns = borders[left[pair] + 1] - first, borders[right[pair] + 1] - second
        for row in range(rows):
            for column in range(columns):
                similar[row * columns + column] = similar_texts(
                    letters, offsets, sets, members[first + row], members[second + column], at_least, used, matched
                )
        values[pair] = _matched(
            similar[: rows * columns],
            weights[first : first + rows],
            weights[second : second + columns],
            at_least,
        )
    return values
