"""Where the records of chunks lie: simple clusters in an order in which every joint cluster is one stretch.

A subrecord of a shared chunk cannot belong to a simple cluster that has one of its items in a record chunk, or in a
shared chunk further down: the item would be there twice.  Such clusters are blocked for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.preorder import preorder_of_parents

__all__ = ["Layout", "layout_of"]

Stretch = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Layout:
    """Stretches of simple clusters.

    leaves : the simple clusters in order.  low, high : int64[clusters], the stretch of each cluster, in leaves.
    record_starts : int64[leaves + 1].  capacity : float64[subrecords], among how many records each may be.
    blocked : the blocked stretches of those subrecords that have some, apart from each other.
    """

    leaves: Ints
    low: Ints
    high: Ints
    record_starts: Ints
    capacity: npt.NDArray[np.float64]
    blocked: dict[int, list[Stretch]]

    def records(self, stretch: Stretch) -> int:
        """How many records lie in a stretch."""
        return int(self.record_starts[stretch[1]] - self.record_starts[stretch[0]])


def layout_of(chunks: Chunks) -> Layout:
    """The layout of chunks; made once."""
    found = chunks.__dict__.get("_layout")
    if found is None:
        found = chunks.__dict__["_layout"] = _make(chunks)
    made: Layout = found
    return made


def _make(chunks: Chunks) -> Layout:
    order = preorder_of_parents(chunks.parents, np.arange(len(chunks.parents)))
    leaves = order[~chunks.joint[order]]
    n = len(chunks.sizes)
    low, high = np.full(n, len(leaves)), np.zeros(n, dtype=np.int64)
    low[leaves] = np.arange(len(leaves))
    high[leaves] = low[leaves] + 1
    for cluster in order[::-1]:
        parent = chunks.parents[cluster]
        if parent >= 0:
            low[parent], high[parent] = min(low[parent], low[cluster]), max(high[parent], high[cluster])
    record_starts = np.concatenate(([0], np.cumsum(chunks.sizes[leaves]))).astype(np.int64)
    cluster = chunks.chunk_clusters[chunks.chunk_of_subrecord]
    capacity = (record_starts[high[cluster]] - record_starts[low[cluster]]).astype(np.float64)
    made = Layout(leaves, low, high, record_starts, capacity, {})
    _block(chunks, made)
    return made


def _block(chunks: Chunks, made: Layout) -> None:
    """Find the blocked stretches of every shared subrecord."""
    by_pair = _blocked_by_item(chunks, made)
    if not by_pair:
        return
    n_names = max(1, len(chunks.names))
    chunk = chunks.chunk_of_subrecord
    of_code = np.repeat(np.arange(len(chunk)), chunks.lengths)
    pair = chunk[of_code].astype(np.int64) * n_names + chunks.codes
    conflicts = np.isin(pair, np.fromiter(by_pair, dtype=np.int64))
    seen: dict[tuple[int, ...], tuple[list[Stretch], int]] = {}
    for subrecord in np.unique(of_code[conflicts]).tolist():
        span = slice(chunks.offsets[subrecord], chunks.offsets[subrecord + 1])
        keys = tuple(pair[span][conflicts[span]].tolist())
        if keys not in seen:
            stretches = _union([stretch for key in keys for stretch in by_pair[key]])
            seen[keys] = stretches, sum(map(made.records, stretches))
        made.blocked[subrecord] = seen[keys][0]
        made.capacity[subrecord] -= seen[keys][1]


def _blocked_by_item(chunks: Chunks, made: Layout) -> dict[int, list[Stretch]]:
    """For chunk * names + item: the stretches below a shared chunk that have the item elsewhere."""
    n_names = max(1, len(chunks.names))
    chunk = np.repeat(chunks.chunk_of_subrecord, chunks.lengths).astype(np.int64)
    term, chunk = np.divmod(np.unique(chunks.codes.astype(np.int64) * len(chunks.chunk_clusters) + chunk),
                            max(1, len(chunks.chunk_clusters)))  # fmt: skip
    cluster = chunks.chunk_clusters[chunk]
    low, high = made.low[cluster], made.high[cluster]
    order = np.lexsort((-high, low, term))
    term, chunk, low, high = term[order], chunk[order], low[order], high[order]
    shared = np.flatnonzero(chunks.joint[cluster[order]])
    found: dict[int, list[Stretch]] = {}
    for at in shared.tolist():
        stretches, reached, inner = [], -1, at + 1
        while inner < len(term) and term[inner] == term[at] and low[inner] < high[at]:
            if low[inner] >= reached and (low[inner], high[inner]) != (low[at], high[at]):
                stretches.append((int(low[inner]), int(high[inner])))
                reached = int(high[inner])
            inner += 1
        if stretches:
            found[int(chunk[at]) * n_names + int(term[at])] = stretches
    return found


def _union(stretches: list[Stretch]) -> list[Stretch]:
    """The same stretches, apart from each other.

    >>> _union([(4, 6), (0, 2), (1, 3)])
    [(0, 3), (4, 6)]
    """
    found: list[Stretch] = []
    for low, high in sorted(stretches):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found
