"""Clusters of disassociated data as rows of numbers, which sort as the clusters do.

A block is a cluster without a parent, with all clusters in it: first the numbers by which it is sorted, then those that
say where each of its clusters begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data import Chunks
from sfumato.data.base import Ints
from sfumato.data.chunks.content_order import cluster_heights, in_order

__all__ = ["blocks_of", "chunks_of_blocks"]

_HEAD = 5  # height, size, and how many chunks, children and terms a cluster has
_END_OF_CHUNK, _END_OF_SUBRECORD, _FIRST_CODE = 0, 1, 2  # so that what ends comes first


def blocks_of(chunks: Chunks) -> tuple[Ints, Ints]:
    """The blocks of chunks: their numbers, and where each block begins among them.

    In the lexicographic order of their blocks, clusters are in the order of `Chunks.published`.

    >>> chunks = Chunks.of([{"size": 2, "chunks": [[["b"], ["a", "b"]]], "terms": ["c"]}])
    >>> numbers, starts = blocks_of(chunks)
    >>> numbers.tolist()  # the head, ab, b, the end of the chunk, and c; lengths, parents and number of clusters
    [0, 2, 1, 0, 1, 2, 3, 1, 3, 1, 0, 2, 12, -1, 1]
    """
    code_of = {name: code for code, name in enumerate(chunks.names)}
    ordered = in_order(chunks)
    codes_of_names = np.array([code_of[name] for name in ordered.names], dtype=np.int64)
    n = len(ordered.sizes)
    tops = np.flatnonzero(ordered.parents < 0)
    block = np.cumsum(ordered.parents < 0) - 1
    n_chunks = np.bincount(ordered.chunk_clusters, minlength=n)
    n_children = np.bincount(ordered.parents[ordered.parents >= 0], minlength=n)
    n_terms = np.diff(ordered.term_offsets)
    row_lengths = ordered.lengths + 1
    chunk_lengths = np.diff(_starts(row_lengths)[ordered.chunk_offsets]) + 1
    lengths = _HEAD + np.diff(_starts(chunk_lengths)[_starts(n_chunks)]) + n_terms
    sizes = np.add.reduceat(lengths, tops) if n else lengths
    counts = np.diff(np.append(tops, n))
    starts = _starts(sizes + 2 * counts + 1)
    begin = starts[block] + _within(lengths, tops, counts)
    numbers = np.empty(starts[-1], dtype=np.int32)
    head = (cluster_heights(ordered), ordered.sizes, n_chunks, n_children, n_terms)
    for place, values in enumerate(head):
        numbers[begin + place] = values
    chunk_begin = np.repeat(begin + _HEAD, n_chunks) + _within(chunk_lengths, _starts(n_chunks)[:-1], n_chunks)
    numbers[chunk_begin + chunk_lengths - 1] = _END_OF_CHUNK
    rows = np.diff(ordered.chunk_offsets)
    row_begin = np.repeat(chunk_begin, rows) + _within(row_lengths, ordered.chunk_offsets[:-1], rows)
    numbers[row_begin + row_lengths - 1] = _END_OF_SUBRECORD
    numbers[_ranges(row_begin, ordered.lengths)] = codes_of_names[ordered.codes] + _FIRST_CODE
    numbers[_ranges(begin + lengths - n_terms, n_terms)] = codes_of_names[ordered.term_codes]
    tail = np.repeat(starts[:-1] + sizes, counts) + 2 * (np.arange(n) - tops[block])
    numbers[tail], numbers[starts[1:] - 1] = lengths, counts
    numbers[tail + 1] = np.where(ordered.parents >= 0, ordered.parents - tops[block], -1)
    return numbers, starts


def chunks_of_blocks(numbers: Ints, starts: Ints, side: Chunks) -> Chunks:
    """The chunks that blocks describe, clusters in the order of the blocks.

    side : the names of the items, and the sensitive ones.
    """
    numbers = np.asarray(numbers, dtype=np.int64)
    counts = numbers[starts[1:] - 1] if len(starts) > 1 else starts[:0]
    block_starts = _starts(counts)
    tail = _ranges(starts[1:] - 1 - 2 * counts, 2 * counts)
    lengths, parents = numbers[tail[::2]], numbers[tail[1::2]]
    begin = np.repeat(starts[:-1], counts) + _within(lengths, block_starts[:-1], counts)
    _, sizes, _, _, n_terms = (numbers[begin + place] for place in range(_HEAD))
    in_chunks = lengths - _HEAD - n_terms
    listed = numbers[_ranges(begin + _HEAD, in_chunks)]
    cluster = np.repeat(np.arange(len(begin)), in_chunks)
    is_row_end, is_chunk_end = listed == _END_OF_SUBRECORD, listed == _END_OF_CHUNK
    is_code = listed >= _FIRST_CODE
    values: dict[str, Any] = {
        "sizes": sizes,
        "parents": np.where(parents >= 0, parents + np.repeat(block_starts[:-1], counts), -1),
        "chunk_clusters": cluster[is_chunk_end],
        "chunk_offsets": np.append(0, np.cumsum(is_row_end)[is_chunk_end]),
        "offsets": np.append(0, np.cumsum(is_code)[is_row_end]),
        "codes": listed[is_code] - _FIRST_CODE,
        "term_offsets": _starts(n_terms),
        "term_codes": numbers[_ranges(begin + lengths - n_terms, n_terms)],
    }
    return Chunks(**values, names=side.names, sensitive=side.sensitive)


def _starts(lengths: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


def _within(lengths: Ints, firsts: Ints, counts: Ints) -> Ints:
    """Where each part of a group begins in its group; the groups begin at the parts `firsts`."""
    begins = _starts(lengths)
    return begins[:-1] - np.repeat(begins[firsts], counts)


def _ranges(begins: Ints, lengths: Ints) -> Ints:
    """The numbers from each of these on, as many as its length."""
    return np.arange(int(lengths.sum())) + np.repeat(begins - _starts(lengths)[:-1], lengths)
