"""Probabilities that a record of each cluster holds given items, when subrecords are assigned uniformly."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.chunks.chunks import Chunks
from sfumato.data.chunks.layout import layout_of

__all__ = ["itemset_chances_of"]

Floats = npt.NDArray[np.float64]

_TERM, _NOWHERE = -2, -1


def itemset_chances_of(chunks: Chunks, items: tuple[str, ...]) -> Floats:
    """For each simple cluster, in the order of the layout: the probability that a record holds all items.

    In a simple cluster an item is in at most one place: a record chunk, the term chunk, or the lowest shared chunk
    around it.  Items in one chunk must be in one subrecord; chunks are independent.
    """
    layout = layout_of(chunks)
    sizes = np.diff(layout.record_starts).astype(np.float64)
    distinct_items = tuple(dict.fromkeys(items))
    codes = [bisect_left(chunks.names, item) for item in distinct_items]
    if any(
        code == len(chunks.names) or chunks.names[code] != item
        for code, item in zip(codes, distinct_items, strict=True)
    ):
        return np.zeros(len(sizes))
    if len(codes) == 1:
        return _single_chances(chunks, codes[0], sizes)
    places = np.array([_places(chunks, code) for code in codes]).reshape(len(codes), len(sizes))
    everywhere = np.all(places != _NOWHERE, axis=0)
    chances: Floats = np.asarray(everywhere, dtype=np.float64)
    for index in range(len(codes)):
        in_terms = places[index] == _TERM
        chances[in_terms] /= sizes[in_terms]
        mates = (places == places[index]) & ~in_terms
        is_first = everywhere & ~in_terms & ~mates[:index].any(axis=0)
        chunk_masks = (mates * (1 << np.arange(len(codes)))[:, None]).sum(axis=0)
        for mask in np.unique(chunk_masks[is_first]).tolist():
            selected = is_first & (chunk_masks == mask)
            group = [codes[mate] for mate in range(len(codes)) if mask >> mate & 1]
            chances[selected] *= _chances_of_group(chunks, group)[selected]
    return chances


def _single_chances(chunks: Chunks, code: int, sizes: Floats) -> Floats:
    """The same for one item, as most queries ask for."""
    places = _places(chunks, code)
    chances = (
        np.where(places >= 0, _chances_of_group(chunks, [code]), 0.0) if (places >= 0).any() else np.zeros(len(sizes))
    )
    in_terms = places == _TERM
    chances[in_terms] = 1.0 / sizes[in_terms]
    return chances


def _places(chunks: Chunks, code: int) -> Ints:
    """The chunk in which each simple cluster has an item, _TERM or _NOWHERE."""
    layout = layout_of(chunks)
    places = np.full(len(layout.leaves), _NOWHERE, dtype=np.int64)
    holding = np.unique(chunks.chunk_of_subrecord[_subrecords(chunks, code)])
    cluster = chunks.chunk_clusters[holding]
    low, high = layout.low[cluster], layout.high[cluster]
    simple = ~chunks.joint[cluster]
    outer_first = np.argsort(low - high, kind="stable")
    for position in outer_first[~simple[outer_first]].tolist():
        places[low[position] : high[position]] = holding[position]
    places[low[simple]] = holding[simple]
    places[layout.low[_clusters_with_term(chunks, code)]] = _TERM
    return places


def _clusters_with_term(chunks: Chunks, code: int) -> Ints:
    """The simple clusters whose term chunk lists an item."""
    index = chunks.__dict__.get("_term_postings")
    if index is None:
        cluster = np.repeat(np.arange(len(chunks.sizes)), np.diff(chunks.term_offsets))
        index = chunks.__dict__["_term_postings"] = _postings(chunks, chunks.term_codes, cluster)
    starts, holders = index
    return np.asarray(holders[starts[code] : starts[code + 1]])


def _postings(chunks: Chunks, codes: Ints, holder: Ints) -> tuple[Ints, Ints]:
    """The offsets of the holders of each item, and the holders."""
    order = np.argsort(codes, kind="stable")
    return np.searchsorted(codes[order], np.arange(len(chunks.names) + 1)), holder[order]


def _subrecords(chunks: Chunks, code: int) -> Ints:
    """The subrecords that hold an item, rising."""
    index = chunks.__dict__.get("_postings")
    if index is None:
        subrecord = np.repeat(np.arange(len(chunks.offsets) - 1), chunks.lengths)
        index = chunks.__dict__["_postings"] = _postings(chunks, chunks.codes, subrecord)
    starts, holders = index
    return np.asarray(holders[starts[code] : starts[code + 1]])


def _chances_of_group(chunks: Chunks, group: list[int]) -> Floats:
    """For each simple cluster the probability that a record has a subrecord with all of these items."""
    layout = layout_of(chunks)
    subrecords = _subrecords(chunks, group[0])
    for code in group[1:]:
        subrecords = np.intersect1d(subrecords, _subrecords(chunks, code), assume_unique=True)
    cluster = chunks.chunk_clusters[chunks.chunk_of_subrecord[subrecords]]
    weights = 1.0 / np.maximum(layout.capacity[subrecords], 1.0)
    steps = np.zeros(len(layout.leaves) + 1)
    np.add.at(steps, layout.low[cluster], weights)
    np.add.at(steps, layout.high[cluster], -weights)
    restricted = np.flatnonzero(layout.blocked_list[subrecords] >= 0)
    starts, low, high = layout.stretches_of(subrecords[restricted])
    closed = np.repeat(weights[restricted], np.diff(starts))
    np.add.at(steps, low, -closed)
    np.add.at(steps, high, closed)
    return np.cumsum(steps)[:-1]
