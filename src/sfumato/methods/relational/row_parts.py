"""Parts of rows that groups need not cross: cuts between values whose common label loses much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.tables.group_costs import span_cost

__all__ = ["row_parts"]

_LEAST = 0.05  # of the weight that one side of a cut should have


def row_parts(
    codes: Ints, weights: Ints, spans: npt.NDArray[np.int32], largest: int, share: float = 0.5
) -> Iterator[Ints]:
    """Parts of the rows, each of a weight of at most `largest`, as far as single rows allow.

    codes, spans : as in `sfumato.kernels.tables.group_costs`.  weights : int64[n].
    A part is cut between two values of an attribute: where the label over both loses much, and where about this share
    of the weight lies before the cut.  Rows of which nearly all are equal are cut by number.

    >>> codes = np.array([[0], [0], [1], [1]], dtype=np.int32)
    >>> spans = np.array([0, 2, 3, 0, 9, 9, 0], dtype=np.int32)  # a table of costs for one attribute of two leaves
    >>> [rows.tolist() for rows in row_parts(codes, np.ones(4, dtype=np.int64), spans, 2)]
    [[0, 1], [2, 3]]
    """
    waiting = [np.arange(len(codes))]
    while waiting:
        rows = waiting.pop()
        if len(rows) < 2 or weights[rows].sum() <= largest:
            yield rows
            continue
        first = _before_best_cut(codes[rows], weights[rows], spans, share)
        waiting += [rows[~first], rows[first]]


def _before_best_cut(codes: Ints, weights: Ints, spans: npt.NDArray[np.int32], share: float) -> npt.NDArray[np.bool_]:
    """Which rows lie before the best cut; ties go to the earlier attribute and the lower value."""
    best, attribute, value = 0.0, -1, -1
    for a in range(codes.shape[1]):
        counts = np.bincount(codes[:, a], weights)
        present = np.flatnonzero(counts)
        before = np.cumsum(counts[present])[:-1] / counts.sum()
        balance = np.minimum(before / share, (1 - before) / (1 - share))
        balance[balance < _LEAST] = 0
        costs = [span_cost(a, low, high, spans) for low, high in pairwise(present)]
        scores = balance * np.array(costs, dtype=np.float64)
        if len(scores) and scores.max() > best:
            best, attribute = float(scores.max()), a
            value = int(present[scores.argmax()])
    if attribute < 0:
        return np.arange(len(codes)) < max(1, int(len(codes) * share))
    return np.asarray(codes[:, attribute] <= value)
