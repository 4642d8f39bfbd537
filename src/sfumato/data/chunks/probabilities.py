"""How likely a record of each cluster holds some items, when subrecords are dealt evenly."""

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
    """For each simple cluster, in the order of the layout: the chance that one of its records holds all items.

    In a simple cluster an item has one place at most: a record chunk, the term chunk, or the lowest shared chunk
    around it.  Items in one chunk must come in one subrecord; chunks are independent.
    """
    layout = layout_of(chunks)
    sizes = np.diff(layout.record_starts).astype(np.float64)
    wanted = tuple(dict.fromkeys(items))
    codes = [bisect_left(chunks.names, item) for item in wanted]
    if any(code == len(chunks.names) or chunks.names[code] != item for code, item in zip(codes, wanted, strict=True)):
        return np.zeros(len(sizes))
    if len(codes) == 1:
        return _single_chances(chunks, codes[0], sizes)
    places = np.array([_places(chunks, code) for code in codes]).reshape(len(codes), len(sizes))
    everywhere = np.all(places != _NOWHERE, axis=0)
    chances: Floats = np.asarray(everywhere, dtype=np.float64)
    for at in range(len(codes)):
        in_terms = places[at] == _TERM
        chances[in_terms] /= sizes[in_terms]
        mates = (places == places[at]) & ~in_terms
        first = everywhere & ~in_terms & ~mates[:at].any(axis=0)
        together = (mates * (1 << np.arange(len(codes)))[:, None]).sum(axis=0)
        for mask in np.unique(together[first]).tolist():
            here = first & (together == mask)
            group = [codes[other] for other in range(len(codes)) if mask >> other & 1]
            chances[here] *= _share_with(chunks, group)[here]
    return chances


def _single_chances(chunks: Chunks, code: int, sizes: Floats) -> Floats:
    """The same for one item: most of many queries ask for one."""
    places = _places(chunks, code)
    found = np.where(places >= 0, _share_with(chunks, [code]), 0.0) if (places >= 0).any() else np.zeros(len(sizes))
    in_terms = places == _TERM
    found[in_terms] = 1.0 / sizes[in_terms]
    return found


def _places(chunks: Chunks, code: int) -> Ints:
    """The chunk in which each simple cluster has an item, _TERM or _NOWHERE."""
    layout = layout_of(chunks)
    places = np.full(len(layout.leaves), _NOWHERE, dtype=np.int64)
    holding = np.unique(chunks.chunk_of_subrecord[_subrecords(chunks, code)])
    cluster = chunks.chunk_clusters[holding]
    low, high = layout.low[cluster], layout.high[cluster]
    simple = ~chunks.joint[cluster]
    outer_first = np.argsort(low - high, kind="stable")
    for at in outer_first[~simple[outer_first]].tolist():
        places[low[at] : high[at]] = holding[at]
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
    """Where the holders of each item begin, and the holders."""
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


def _share_with(chunks: Chunks, group: list[int]) -> Floats:
    """For each simple cluster the chance that a record has a subrecord with all of these items."""
    layout = layout_of(chunks)
    found = _subrecords(chunks, group[0])
    for code in group[1:]:
        found = np.intersect1d(found, _subrecords(chunks, code), assume_unique=True)
    cluster = chunks.chunk_clusters[chunks.chunk_of_subrecord[found]]
    weights = 1.0 / np.maximum(layout.capacity[found], 1.0)
    steps = np.zeros(len(layout.leaves) + 1)
    np.add.at(steps, layout.low[cluster], weights)
    np.add.at(steps, layout.high[cluster], -weights)
    for subrecord, weight in zip(found.tolist(), weights.tolist(), strict=True):
        for low, high in layout.blocked.get(subrecord, ()):
            steps[low] -= weight
            steps[high] += weight
    return np.cumsum(steps)[:-1]
