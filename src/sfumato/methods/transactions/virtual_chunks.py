"""The virtual term chunks that REFINE compares: of every cluster without a parent, the terms that it may share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.items.cluster_order import compact, leading_ranks, list_strong, may_share
from sfumato.kernels.items.joint_clusters import ClusterTerms

__all__ = ["VirtualChunks"]

_LEADING = 8  # terms at most by which clusters are sorted before whole term chunks are compared


class VirtualChunks:
    """Four columns over all terms of all chunks: term, support, first and last entry (see `kernels.joining`).

    The terms of a cluster stand together and rise.  Chunks that were replaced stay until room is short; as a joint
    cluster has no more terms than its parts have, there is always room for all that live.
    names : by term; among terms that are in as many chunks, the earlier name comes first.
    k : how many records must have a term that two clusters share.
    """

    def __init__(self, starts: Ints, columns: ClusterTerms, names: Ints, k: int) -> None:
        n, self._names, self._k = len(starts) - 1, names, k
        self._used = len(columns.terms)
        self._columns = ClusterTerms(*(np.empty(self._used + self._used // 2, dtype=np.int32) for _ in columns))
        for column, values in zip(self._columns, columns, strict=True):
            column[: self._used] = values
        self._begins, self._ends = np.zeros((2, 2 * n), dtype=np.int64)
        self._begins[:n], self._ends[:n] = starts[:-1], starts[1:]
        self._living = self._rising = np.flatnonzero(np.diff(starts) > 0)  # as they were sorted, and as they lie
        self._most = np.zeros(2 * n, dtype=np.int64)
        if len(self._living):
            self._most[self._living] = np.maximum.reduceat(columns.supports, starts[self._living])
        self._keys = np.zeros(2 * n, dtype=np.int64)
        self._strong = np.empty(len(self._columns.terms), dtype=np.int32)
        self._n_strong = np.zeros(2 * n, dtype=np.int64)
        self._list_strong(self._living)
        self._new: list[int] = []
        self._counts = np.bincount(columns.terms, minlength=len(names))
        self._after, self._known = np.full(2 * n, -1, dtype=np.int64), np.zeros(2 * n, dtype=bool)

    def _list_strong(self, clusters: Ints) -> None:
        enough = (self._k + 1) // 2
        list_strong(clusters, self._columns.supports, self._begins, self._ends, enough, self._strong, self._n_strong)

    def of(self, number: int) -> ClusterTerms:
        """The terms of one chunk."""
        begin, end = self._begins[number], self._ends[number]
        return ClusterTerms(*(column[begin:end] for column in self._columns))

    def replace(self, left: int, right: int, number: int, columns: ClusterTerms) -> None:
        """Put the chunk of a joint cluster in the place of two."""
        terms = columns.terms
        for gone in (left, right):
            self._counts[self.of(gone).terms] -= 1  # the terms of a chunk are distinct
            self._ends[gone] = self._begins[gone]
        self._counts[terms] += 1
        if self._used + len(terms) > len(self._columns.terms):
            self._used = compact(*self._columns, self._strong, self._begins, self._ends)
        begin, end = self._used, self._used + len(terms)
        for column, values in zip(self._columns, columns, strict=True):
            column[begin:end] = values
        self._begins[number], self._ends[number], self._used = begin, end, end
        self._most[number] = columns.supports.max(initial=0)
        self._new.append(number)

    def in_order(self) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The clusters in the order of their chunks, whose terms stand by the number of chunks they are in.

        Beside it for each but the last: whether it and the next have a term that k records have in both together.
        """
        new = np.array(self._new, dtype=np.int64)
        self._list_strong(new)
        lives, self._new = self._ends > self._begins, []
        self._living, self._rising = (
            numbers[lives[numbers]] for numbers in map(np.append, (self._living, self._rising), (new, new))
        )
        terms, supports = self._columns.terms, self._columns.supports
        rank = np.empty(len(self._counts), dtype=np.int32)
        rank[np.lexsort((self._names, -self._counts))] = np.arange(1, len(rank) + 1)
        lowest = np.minimum.accumulate(rank[::-1])[::-1].copy()
        base = len(rank) + 1
        width = next(digits for digits in range(_LEADING, 0, -1) if base**digits < 2**63)
        place = (terms, self._begins, self._ends, rank, lowest, width)
        self._keys[self._rising] = leading_ranks(self._rising, np.zeros(len(self._rising), dtype=np.int64), *place)
        keys = self._keys[self._living]
        by_key = np.argsort(keys, kind="stable")  # fast where they stand nearly as in the order before
        order, keys = self._living[by_key], keys[by_key]
        places, run = _runs(keys[1:] == keys[:-1])
        while len(places):  # the leading terms do not distinguish these: by the next ones, and then by number
            tied, last = order[places], keys[places] % base
            further = leading_ranks(tied, np.where(last, last, base), *place)  # base: there are no more
            by_run = np.lexsort((tied, further, run))
            order[places], keys[places] = tied[by_run], further[by_run]
            more = (run[1:] == run[:-1]) & (keys[places][1:] == keys[places][:-1]) & (keys[places][1:] % base > 0)
            within, run = _runs(more)
            places = places[within]
        self._living = order
        columns = (terms, supports, self._begins, self._ends, self._strong, self._n_strong)
        return order, may_share(order, *columns, self._k, self._most, self._after, self._known)


def _runs(equal: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """The places in runs of equal neighbours, and the number of the run of each; equal : of each and the next."""
    equal_before, equal_behind = np.append(False, equal), np.append(equal, False)
    places = np.flatnonzero(equal_before | equal_behind)
    return places, np.cumsum(~equal_before[places])
