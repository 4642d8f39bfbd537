"""The layout of chunks: an order of simple clusters in which every joint cluster is one contiguous stretch.

A subrecord of a shared chunk cannot belong to a simple cluster that has one of its items in a record chunk, or in a
shared chunk further down: the item would occur twice.  Such clusters are blocked for it.
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
    record_starts : int64[leaves + 1].  capacity : float64[subrecords], the number of records that each may belong to.
    blocked : the blocked stretches of each subrecord that has any; they do not overlap.
    """

    leaves: Ints
    low: Ints
    high: Ints
    record_starts: Ints
    capacity: npt.NDArray[np.float64]
    blocked: dict[int, list[Stretch]]

    def records(self, stretch: Stretch) -> int:
        """The number of records in a stretch."""
        return int(self.record_starts[stretch[1]] - self.record_starts[stretch[0]])


def layout_of(chunks: Chunks) -> Layout:
    """The layout of chunks, computed once and cached."""
    layout: Layout | None = chunks.__dict__.get("_layout")
    if layout is None:
        layout = chunks.__dict__["_layout"] = _compute_layout(chunks)
    return layout


def _compute_layout(chunks: Chunks) -> Layout:
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
    layout = Layout(leaves, low, high, record_starts, capacity, {})
    _add_blocked_stretches(chunks, layout)
    return layout


def _add_blocked_stretches(chunks: Chunks, layout: Layout) -> None:
    """Add the blocked stretches of every shared subrecord to the layout, and reduce its capacity."""
    by_pair = _blocked_by_item(chunks, layout)
    if not by_pair:
        return
    n_names = max(1, len(chunks.names))
    chunk = chunks.chunk_of_subrecord
    of_code = np.repeat(np.arange(len(chunk)), chunks.lengths)
    pair = chunk[of_code].astype(np.int64) * n_names + chunks.codes
    conflicts = np.isin(pair, np.fromiter(by_pair, dtype=np.int64))
    computed: dict[tuple[int, ...], tuple[list[Stretch], int]] = {}
    for subrecord in np.unique(of_code[conflicts]).tolist():
        span = slice(chunks.offsets[subrecord], chunks.offsets[subrecord + 1])
        keys = tuple(pair[span][conflicts[span]].tolist())
        if keys not in computed:
            stretches = _union([stretch for key in keys for stretch in by_pair[key]])
            computed[keys] = stretches, sum(map(layout.records, stretches))
        layout.blocked[subrecord] = computed[keys][0]
        layout.capacity[subrecord] -= computed[keys][1]


def _blocked_by_item(chunks: Chunks, layout: Layout) -> dict[int, list[Stretch]]:
    """The stretches below a shared chunk that hold an item elsewhere, by chunk * names + item."""
    n_names = max(1, len(chunks.names))
    chunk = np.repeat(chunks.chunk_of_subrecord, chunks.lengths).astype(np.int64)
    term, chunk = np.divmod(np.unique(chunks.codes.astype(np.int64) * len(chunks.chunk_clusters) + chunk),
                            max(1, len(chunks.chunk_clusters)))  # fmt: skip
    cluster = chunks.chunk_clusters[chunk]
    low, high = layout.low[cluster], layout.high[cluster]
    order = np.lexsort((-high, low, term))
    term, chunk, low, high = term[order], chunk[order], low[order], high[order]
    shared = np.flatnonzero(chunks.joint[cluster[order]])
    stretches_of: dict[int, list[Stretch]] = {}
    for outer in shared.tolist():
        stretches, end, inner = [], -1, outer + 1
        while inner < len(term) and term[inner] == term[outer] and low[inner] < high[outer]:
            if low[inner] >= end and (low[inner], high[inner]) != (low[outer], high[outer]):
                stretches.append((int(low[inner]), int(high[inner])))
                end = int(high[inner])
            inner += 1
        if stretches:
            stretches_of[int(chunk[outer]) * n_names + int(term[outer])] = stretches
    return stretches_of


def _union(stretches: list[Stretch]) -> list[Stretch]:
    """The union of stretches as stretches that do not overlap.

    >>> _union([(4, 6), (0, 2), (1, 3)])
    [(0, 3), (4, 6)]
    """
    merged: list[Stretch] = []
    for low, high in sorted(stretches):
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return merged
