"""The layout of chunks: an order of simple clusters in which every joint cluster is one contiguous stretch.

A subrecord of a shared chunk cannot belong to a simple cluster that has one of its items in a record chunk, or in a
shared chunk further down: the item would occur twice.  Such clusters are blocked for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.preorder import preorder_of_parents
from sfumato.data.rows.sorting import distinct

__all__ = ["Layout", "layout_of"]


@dataclass(frozen=True, eq=False)
class Layout:
    """Stretches of simple clusters.

    leaves : the simple clusters in order.  low, high : int64[clusters], the stretch of each cluster, in leaves.
    record_starts : int64[leaves + 1].  capacity : float64[subrecords], the number of records that each may belong to.
    blocked_list : int64[subrecords], the list of blocked stretches of each, -1 for none; equal subrecords of a chunk
    share a list.
    list_starts : int64[lists + 1], over blocked_low and blocked_high: stretches that rise and do not touch.
    """

    leaves: Ints
    low: Ints
    high: Ints
    record_starts: Ints
    capacity: npt.NDArray[np.float64]
    blocked_list: Ints
    list_starts: Ints
    blocked_low: Ints
    blocked_high: Ints

    @property
    def blocked(self) -> Ints:
        """The subrecords that have blocked stretches, rising."""
        return np.flatnonzero(self.blocked_list >= 0)

    def stretches_of(self, subrecords: Ints) -> tuple[Ints, Ints, Ints]:
        """Of subrecords that have blocked stretches: where those of each begin, and their ends, low and high."""
        lists = self.blocked_list[subrecords]
        starts = np.concatenate(([0], np.cumsum(np.diff(self.list_starts)[lists])))
        places = _ranges(self.list_starts[lists], starts)
        return starts, self.blocked_low[places], self.blocked_high[places]


def layout_of(chunks: Chunks) -> Layout:
    """The layout of chunks, computed once and cached."""
    layout: Layout | None = chunks.__dict__.get("_layout")
    if layout is None:
        layout = chunks.__dict__["_layout"] = _compute_layout(chunks)
    return layout


def _compute_layout(chunks: Chunks) -> Layout:
    leaves, low, high = _stretches(chunks)
    record_starts = np.concatenate(([0], np.cumsum(chunks.sizes[leaves]))).astype(np.int64)
    cluster = chunks.chunk_clusters[chunks.chunk_of_subrecord]
    capacity = (record_starts[high[cluster]] - record_starts[low[cluster]]).astype(np.float64)
    runs = np.cumsum(chunks.run_starts) - 1
    run, blocked_low, blocked_high = _blocked_stretches(chunks, low, high, len(leaves))
    with_some = distinct(run)
    numbers = np.full(int(runs.max(initial=-1)) + 1, -1, dtype=np.int64)
    numbers[with_some] = np.arange(len(with_some))
    list_starts = np.searchsorted(run, np.append(with_some, len(numbers)))
    closed = np.bincount(run, record_starts[blocked_high] - record_starts[blocked_low], len(numbers))
    capacity -= closed[runs]
    return Layout(leaves, low, high, record_starts, capacity, numbers[runs], list_starts, blocked_low, blocked_high)


def _stretches(chunks: Chunks) -> tuple[Ints, Ints, Ints]:
    """The simple clusters in order, and the stretch of each cluster."""
    order = preorder_of_parents(chunks.parents, np.arange(len(chunks.parents)))
    leaves = order[~chunks.joint[order]]
    low, high = np.full(len(order), len(leaves)), np.zeros(len(order), dtype=np.int64)
    low[leaves] = np.arange(len(leaves))
    high[leaves] = low[leaves] + 1
    by_depth = np.argsort(chunks.depths, kind="stable")
    bounds = np.searchsorted(chunks.depths[by_depth], np.arange(1, int(chunks.depths.max(initial=0)) + 2))
    for first, end in pairwise(bounds[::-1].tolist()):
        clusters = by_depth[end:first]
        np.minimum.at(low, chunks.parents[clusters], low[clusters])
        np.maximum.at(high, chunks.parents[clusters], high[clusters])
    return leaves, low, high


def _blocked_stretches(chunks: Chunks, low: Ints, high: Ints, n_leaves: int) -> tuple[Ints, Ints, Ints]:
    """The blocked stretches of each run of equal subrecords: the run, which rises, and the ends of the stretch."""
    starts, n = chunks.run_starts, max(1, len(chunks.names))
    lengths = chunks.lengths[starts]
    run_of_code = np.repeat(np.arange(len(lengths)), lengths)
    cluster = np.repeat(chunks.chunk_clusters[chunks.chunk_of_subrecord[starts]].astype(np.int64), lengths)
    shared, keys = chunks.joint[cluster], cluster * n + chunks.codes[np.repeat(starts, chunks.lengths)]
    pairs, starts_of_pair, inner = _clusters_below(chunks, low, high, distinct(keys))
    keys, run_of_code = keys[shared], run_of_code[shared]
    place = np.searchsorted(pairs, keys)
    known = place < len(pairs)
    known[known] = pairs[place[known]] == keys[known]
    place, run_of_code = place[known], run_of_code[known]
    lengths = np.diff(starts_of_pair)[place]
    run = np.repeat(run_of_code, lengths)
    inner = inner[_ranges(starts_of_pair[place], np.concatenate(([0], np.cumsum(lengths))))]
    return _united(run, low[inner], high[inner], n_leaves + 1)


def _clusters_below(chunks: Chunks, low: Ints, high: Ints, keys: Ints) -> tuple[Ints, Ints, Ints]:
    """The pairs of a joint cluster and an item that clusters below it have in chunks, too, and those clusters.

    keys : the pairs cluster * names + item of all chunks, rising.  Returns such pairs, rising, where the clusters of
    each begin, and the clusters.
    """
    cluster, item = np.divmod(keys, max(1, len(chunks.names)))
    held = keys[chunks.joint[cluster]]
    outer, inner, around = [], [], chunks.parents[cluster].astype(np.int64)
    while len(held) and np.any(around >= 0):
        cluster, item, around = cluster[around >= 0], item[around >= 0], around[around >= 0]
        pair = around * max(1, len(chunks.names)) + item
        place = np.minimum(np.searchsorted(held, pair), len(held) - 1)
        both = (held[place] == pair) & (high[around] - low[around] > high[cluster] - low[cluster])
        outer.append(pair[both])
        inner.append(cluster[both])
        around = chunks.parents[around].astype(np.int64)
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *outer])
    order = np.argsort(pairs, kind="stable")
    known = distinct(pairs)
    starts = np.append(np.searchsorted(pairs[order], known), len(pairs))
    return known, starts, np.concatenate([np.empty(0, dtype=np.int64), *inner])[order]


def _united(of: Ints, low: Ints, high: Ints, width: int) -> tuple[Ints, Ints, Ints]:
    """The union of the stretches of each owner, as stretches that rise and do not touch; `width` is above all ends.

    >>> [values.tolist() for values in _united(np.array([7, 7, 7]), np.array([4, 0, 1]), np.array([6, 2, 3]), 9)]
    [[7, 7], [0, 4], [3, 6]]
    """
    order = np.argsort(of * width + low, kind="stable")
    begin, end = (of * width + low)[order], np.maximum.accumulate((of * width + high)[order])
    fresh = np.ones(len(begin), dtype=bool)
    fresh[1:] = begin[1:] > end[:-1]
    last = np.append(np.flatnonzero(fresh)[1:] - 1, len(begin) - 1)[: np.count_nonzero(fresh)]
    return begin[fresh] // width, begin[fresh] % width, end[last] % width


def _ranges(firsts: Ints, starts: Ints) -> Ints:
    """The numbers from each first on, as many as lie between its start and the next."""
    return np.arange(starts[-1], dtype=np.int64) + np.repeat(firsts - starts[:-1], np.diff(starts))
