"""How alike the items of two clusters are, without recoding them: the bit-vector transaction distance (BTD)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sfumato.data import Transactions
from sfumato.data.base import Ints
from sfumato.data.ragged import row_order
from sfumato.kernels.items.basket_distance import farthest_apart, widths

__all__ = ["Spreads"]

Floats = npt.NDArray[np.float64]


class Spreads:
    """BTD of clusters: the largest distance between two records, small where items are few and common.

    Of equal records one is enough, so that each cluster is a list of distinct sets, the largest first.
    """

    def __init__(self, items: Transactions, clusters: Sequence[Ints]) -> None:
        order = row_order(items.offsets, items.codes)
        order = order[np.argsort(-items.lengths[order], kind="stable")]
        ordered = items.take(order)
        new = ordered.run_starts()
        number = np.empty(len(items), dtype=np.int32)
        number[order] = np.cumsum(new) - 1
        distinct = ordered.take(np.flatnonzero(new))
        self._codes, self._offsets = distinct.codes, distinct.offsets
        self._sets = [np.unique(number[rows]) for rows in clusters]
        self._widths = widths(*self._listed(range(len(clusters))), self._codes, self._offsets)

    def with_each(self, cluster: int, others: Ints) -> Floats:
        """BTD of one cluster merged with each of others."""
        across = farthest_apart(self._sets[cluster], *self._listed(others.tolist()), self._codes, self._offsets)
        return np.asarray(np.maximum(np.maximum(across, self._widths[others]), self._widths[cluster]))

    def merge(self, first: int, second: int) -> None:
        """Put two clusters together, under the number of the earlier one."""
        kept, gone = min(first, second), max(first, second)
        self._widths[kept] = self.with_each(kept, np.array([gone]))[0]
        self._sets[kept] = np.union1d(self._sets[kept], self._sets[gone]).astype(np.int32)

    def _listed(self, clusters: Sequence[int]) -> tuple[Ints, Ints]:
        sets = [self._sets[cluster] for cluster in clusters]
        starts = np.concatenate(([0], np.cumsum([len(itemset) for itemset in sets]))).astype(np.int64)
        return np.concatenate(sets or [np.empty(0, dtype=np.int32)]), starts
