"""Sorting clusters, chunks and subrecords by their published content alone (soundness rule 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sfumato.data.base import Ints, read_only
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.preorder import preorder_of_parents
from sfumato.data.ragged import row_order
from sfumato.data.rows.sorting import distinct

__all__ = ["cluster_heights", "in_order"]


def in_order(chunks: Chunks) -> Chunks:
    """The same chunks, sorted by content on every level, each joint cluster before its children.

    >>> two = Chunks.of([{"size": 2, "chunks": [[["b"], ["a"]]]}, {"size": 2, "chunks": [[["a"], ["a"]]]}])
    >>> in_order(two).to_polars()["item"].to_list()
    ['a', 'a', 'a', 'b']
    """
    from sfumato.kernels.items.record_gathering import gathered_records, order_within

    subrecord_order = row_order(chunks.offsets, chunks.codes)
    subrecords = _ranks_in(subrecord_order, chunks.offsets, chunks.codes)
    by_content = order_within(chunks.chunk_offsets, chunks.chunk_of_subrecord, subrecord_order)
    chunk_ranks = _ranks(chunks.chunk_offsets, subrecords[by_content])
    keys = _cluster_ranks(chunks, chunk_ranks)
    clusters = preorder_of_parents(chunks.parents, np.argsort(keys, kind="stable"))
    number = np.empty(len(clusters), dtype=np.int64)
    number[clusters] = np.arange(len(clusters))

    chunk_order = np.lexsort((chunk_ranks, number[chunks.chunk_clusters]))
    order, chunk_offsets = gathered_records(by_content, chunks.chunk_offsets, chunk_order)
    codes, offsets = gathered_records(chunks.codes, chunks.offsets, order)
    term_codes, term_offsets = gathered_records(chunks.term_codes, chunks.term_offsets, clusters)
    parents = chunks.parents[clusters]
    return replace(
        chunks,
        sizes=chunks.sizes[clusters],
        parents=np.where(parents >= 0, number[parents], -1),
        chunk_clusters=number[chunks.chunk_clusters[chunk_order]],
        chunk_offsets=read_only(chunk_offsets),
        offsets=read_only(offsets),
        codes=read_only(codes),
        term_offsets=read_only(term_offsets),
        term_codes=read_only(term_codes),
    ).with_used_names()


def _cluster_ranks(chunks: Chunks, chunk_ranks: Ints) -> Ints:
    """Equal for clusters of equal content: simple ones first, joint ones above all of their children."""
    heights = cluster_heights(chunks)
    keys = np.zeros(len(chunks.sizes), dtype=np.int64)
    own = np.lexsort((chunk_ranks, chunks.chunk_clusters))
    own_starts = _starts(np.bincount(chunks.chunk_clusters, minlength=len(keys)))
    for height in range(int(heights.max(initial=-1)) + 1):
        clusters = np.flatnonzero(heights == height)
        children = np.flatnonzero((chunks.parents >= 0) & (heights[chunks.parents] == height))
        children = children[np.lexsort((keys[children], chunks.parents[children]))]
        child_starts = _starts(np.bincount(chunks.parents[children], minlength=len(keys)))
        counts = [np.diff(starts)[clusters] for starts in (own_starts, child_starts, chunks.term_offsets)]
        rows = [np.arange(len(clusters)).repeat(count) for count in counts[:2]]
        values = [
            chunk_ranks[own[_elements(own_starts, clusters)]],
            keys[children[_elements(child_starts, clusters)]],
        ]
        heads = [chunks.sizes[clusters], *counts]
        row = np.concatenate([*(np.arange(len(clusters)) for _ in heads), *rows])
        value = np.concatenate([*heads, *values])
        by_row = np.argsort(row, kind="stable")  # stable: values keep their order within a row
        offsets = _starts(np.bincount(row, minlength=len(clusters)))
        ranks = _ranks(offsets, value[by_row])
        keys[clusters] = _ranked_by_terms(chunks, clusters, ranks) + int(keys.max(initial=0)) + 1
    return keys


def _ranked_by_terms(chunks: Chunks, clusters: Ints, ranks: Ints) -> Ints:
    """The ranks of clusters by these ranks and then by their term chunks; of equal rank are only few."""
    tied = np.flatnonzero(np.bincount(ranks)[ranks] > 1)
    lengths = np.diff(chunks.term_offsets)[clusters[tied]]
    by_terms = np.zeros(len(ranks), dtype=np.int64)
    by_terms[tied] = _ranks(_starts(lengths), chunks.term_codes[_elements(chunks.term_offsets, clusters[tied])])
    keys = ranks * (len(ranks) + 1) + by_terms
    return np.searchsorted(distinct(keys), keys)


def cluster_heights(chunks: Chunks) -> Ints:
    """0 for simple clusters; a joint one is one above its highest child."""
    heights = np.zeros(len(chunks.sizes), dtype=np.int64)
    for cluster in np.argsort(-chunks.depths, kind="stable"):
        parent = chunks.parents[cluster]
        if parent >= 0:
            heights[parent] = max(heights[parent], heights[cluster] + 1)
    return heights


def _ranks(offsets: Ints, codes: Ints) -> Ints:
    """The rank of each row in the order of contents; equal rows have equal ranks."""
    return _ranks_in(row_order(offsets, codes), offsets, codes)


def _ranks_in(order: Ints, offsets: Ints, codes: Ints) -> Ints:
    """The same, where the order of contents is known."""
    from sfumato.kernels.items.record_gathering import differs_from_before

    starts = differs_from_before(codes, offsets, order)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(starts) - 1
    return ranks


def _elements(offsets: Ints, rows: Ints) -> Ints:
    """The positions of these rows' elements, row by row."""
    lengths = np.diff(offsets)[rows]
    ends = np.cumsum(lengths)
    shift = np.repeat(offsets[:-1][rows] - (ends - lengths), lengths)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0, dtype=np.int64) + shift)


def _starts(lengths: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
