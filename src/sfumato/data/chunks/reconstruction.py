"""Drawing a possible original: subrecords and terms of term chunks are assigned to records at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.chunks.layout import Layout, layout_of
from sfumato.data.transactions import Transactions
from sfumato.errors import DataError
from sfumato.kernels.items.subrecord_assignment import draw_slots, draw_slots_outside

__all__ = ["draw_original"]

_TRIES = 16  # random records that are tried before all records are searched


def draw_original(chunks: Chunks, rng: np.random.Generator) -> Transactions:
    """Draw one possible original, its records cluster by cluster.

    >>> chunks = Chunks.of([{"size": 2, "chunks": [[["a"], ["a", "b"]]], "terms": ["c"]}])
    >>> sorted(len(items) for items in draw_original(chunks, np.random.default_rng(1)).to_lists())
    [1, 3]
    """
    layout = layout_of(chunks)
    record = _assign_subrecords(chunks, layout, rng)
    terms, holders = _assign_terms(chunks, layout, rng)
    _fill_empty_records(chunks, layout, record, terms, holders, rng)
    term_record, term_code = np.concatenate(holders), np.concatenate(terms)
    n_names = max(1, len(chunks.names))
    of_item = np.repeat(record, chunks.lengths)
    keys = np.unique(
        np.concatenate((of_item * n_names + chunks.codes, term_record * n_names + term_code)).astype(np.int64)
    )
    row, codes = np.divmod(keys, n_names)
    lengths = np.bincount(row, minlength=len(chunks))
    return Transactions(
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=codes,
        names=chunks.names,
        ids=pl.Series("record", np.arange(1, len(chunks) + 1)),
    )


def _assign_subrecords(chunks: Chunks, layout: Layout, rng: np.random.Generator) -> Ints:
    """The record of each subrecord."""
    starts = layout.record_starts[layout.low[chunks.chunk_clusters]]
    sizes = layout.record_starts[layout.high[chunks.chunk_clusters]] - starts
    counts = np.diff(chunks.chunk_offsets)
    if np.any(counts > sizes):
        raise DataError("chunks: wanted at most as many subrecords in a chunk as its cluster has records, found more")
    slots = draw_slots(sizes, counts, rng.random(len(chunks.offsets) - 1))
    record: Ints = starts[chunks.chunk_of_subrecord] + slots
    strict = np.unique(chunks.chunk_of_subrecord[layout.blocked])
    for chunk in strict.tolist():
        span = np.arange(*chunks.chunk_offsets[chunk : chunk + 2])
        record[span] = _assign_restricted(layout, span, int(starts[chunk]), int(sizes[chunk]), rng)
    return record


def _assign_restricted(layout: Layout, span: Ints, start: int, size: int, rng: np.random.Generator) -> Ints:
    """Records for the subrecords of a chunk: first for those with blocked stretches, the smallest capacity first."""
    restricted = np.flatnonzero(layout.blocked_list[span] >= 0)
    restricted = rng.permutation(restricted)
    restricted = restricted[np.argsort(layout.capacity[span[restricted]], kind="stable")]
    starts, first, end = layout.stretches_of(span[restricted])
    low, high = layout.record_starts[first] - start, layout.record_starts[end] - start
    attempts, uniforms = rng.random((len(restricted), _TRIES)), rng.random(len(span))
    slots = draw_slots_outside(size, len(span), restricted, starts, low, high, attempts, uniforms)
    if np.any(slots < 0):
        raise DataError(
            "chunks: wanted at most as many subrecords in a shared chunk as records that may hold them, found more"
        )
    return np.asarray(slots + start)


def _assign_terms(chunks: Chunks, layout: Layout, rng: np.random.Generator) -> tuple[list[Ints], list[Ints]]:
    """The terms of term chunks, each with one record of its cluster."""
    cluster = np.repeat(np.arange(len(chunks.sizes)), np.diff(chunks.term_offsets))
    leaf = layout.low[cluster]
    size = np.diff(layout.record_starts)[leaf]
    holder = layout.record_starts[leaf] + (rng.random(len(cluster)) * size).astype(np.int64)
    return [chunks.term_codes.astype(np.int64)], [holder]


def _fill_empty_records(
    chunks: Chunks, layout: Layout, record: Ints, terms: list[Ints], holders: list[Ints], rng: np.random.Generator
) -> None:
    """Give each empty record a term, or a subrecord of a record with several; changes its arguments."""
    n_parts = np.bincount(record, minlength=len(chunks)) + np.bincount(holders[0], minlength=len(chunks))
    empty = np.flatnonzero(n_parts == 0)
    leaf = np.searchsorted(layout.record_starts, empty, side="right") - 1
    cluster = layout.leaves[leaf]
    n_terms = np.diff(chunks.term_offsets)[cluster]
    has_terms = n_terms > 0
    drawn = (rng.random(int(has_terms.sum())) * n_terms[has_terms]).astype(np.int64)
    terms.append(chunks.term_codes[chunks.term_offsets[cluster[has_terms]] + drawn].astype(np.int64))
    holders.append(empty[has_terms])
    if not has_terms.all():
        _move_subrecords(chunks, record, n_parts, empty[~has_terms], cluster[~has_terms], rng)


def _move_subrecords(
    chunks: Chunks,
    record: Ints,
    n_parts: npt.NDArray[np.int64],
    empty: Ints,
    clusters: Ints,
    rng: np.random.Generator,
) -> None:
    """Move subrecords of record chunks to empty records from records that have several."""
    by_cluster = np.argsort(chunks.chunk_clusters, kind="stable")
    starts = np.searchsorted(chunks.chunk_clusters[by_cluster], np.arange(len(chunks.sizes) + 1))
    for target, cluster in zip(empty.tolist(), clusters.tolist(), strict=True):
        own = by_cluster[starts[cluster] : starts[cluster + 1]]
        spans = [np.arange(*chunks.chunk_offsets[chunk : chunk + 2]) for chunk in own.tolist()]
        if not spans:
            continue
        subrecords = np.concatenate(spans)
        movable = subrecords[n_parts[record[subrecords]] > 1]
        if len(movable):
            moved = rng.choice(movable)
            n_parts[record[moved]] -= 1
            record[moved] = target
            n_parts[target] = 1
