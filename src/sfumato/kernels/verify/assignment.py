"""Matching of published rows to different original rows, each to one that it may stand for; for verifiers only."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["fitting_rows", "match_rows"]


@njit(cache=True)
def fitting_rows(labels, values, covers, cover_offsets, widths, limit):
    """The original rows that each published row may stand for.

    labels : int32[published, columns].  values : int32[originals, columns].
    covers : bool[...], for each column a table of values by labels, from cover_offsets, with so many labels (widths).
    Returns offsets int64[published + 1] and rows int32[...]; empty offsets where there are more than limit pairs.
    """
    n_columns = labels.shape[1]
    offsets = np.zeros(labels.shape[0] + 1, dtype=np.int64)
    rows = np.empty(0, dtype=np.int32)
    for filling in range(2):
        position = 0
        for row in range(labels.shape[0]):
            for other in range(values.shape[0]):
                fits = True
                for column in range(n_columns):
                    cell = cover_offsets[column] + values[other, column] * widths[column] + labels[row, column]
                    if not covers[cell]:
                        fits = False
                        break
                if fits:
                    if filling:
                        rows[position] = other
                    position += 1
            offsets[row + 1] = position
            if position > limit:
                return np.empty(0, dtype=np.int64), rows
        if not filling:
            rows = np.empty(position, dtype=np.int32)
    return offsets, rows


@njit(cache=True)
def match_rows(offsets, rows, n_rows, limit):
    """A different original row for each published row, by augmenting paths (Kuhn); -1 where none exists.

    offsets, rows : as `fitting_rows` returns them.  n_rows : how many original rows there are.
    Returns int64[published]; an empty array where more than limit steps are needed.
    """
    n = len(offsets) - 1
    taken_by = np.full(n_rows, -1, dtype=np.int64)
    matched = np.full(n, -1, dtype=np.int64)
    for row in range(n):  # most find a free one at once
        for position in range(offsets[row], offsets[row + 1]):
            if taken_by[rows[position]] < 0:
                taken_by[rows[position]] = row
                matched[row] = rows[position]
                break
    came_from = np.full(n_rows, -1, dtype=np.int64)
    stamp = np.full(n_rows, -1, dtype=np.int64)
    queue = np.empty(n + 1, dtype=np.int64)
    steps = 0
    for start in range(n):
        if matched[start] >= 0:
            continue
        queue[0] = start
        head, tail, free = 0, 1, -1
        while head < tail and free < 0:
            row = queue[head]
            head += 1
            for position in range(offsets[row], offsets[row + 1]):
                other = rows[position]
                steps += 1
                if stamp[other] == start:
                    continue
                stamp[other] = start
                came_from[other] = row
                if taken_by[other] < 0:
                    free = other
                    break
                queue[tail] = taken_by[other]
                tail += 1
        if steps > limit:
            return np.empty(0, dtype=np.int64)
        while free >= 0:
            row = came_from[free]
            free, matched[row] = matched[row], free
            taken_by[matched[row]] = row
    return matched
