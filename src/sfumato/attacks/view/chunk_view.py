"""Chunks as an attacker reads them: which clusters may contain a person, and how many of their records."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from sfumato.attacks.view.published_view import Knowledge, PublishedView, in_both
from sfumato.data import Chunks
from sfumato.data.base import Ints

__all__ = ["ChunkView"]


class _Listing(NamedTuple):
    """The simple clusters that list an item, its chunk there (-1: of any), and how many records may hold it."""

    clusters: Ints
    places: Ints
    counts: Ints


class ChunkView(PublishedView):
    """No person is behind a subrecord; a person is in one of the simple clusters that may hold all that is known.

    The anonymity set of some items counts the records that may hold them all: in each simple cluster as many as the
    chunk of its own and of the joint clusters around it that lists the known items most rarely; an item of a term
    chunk may be of any record of its cluster.

    >>> from sfumato import Transactions
    >>> pair = [["ale", "bread"], ["ale", "bread"], ["ale"]]
    >>> chunks = Chunks.of([{"size": 3, "chunks": [pair, [["tea"], ["tea"]]], "terms": ["oil"]}])
    >>> baskets = Transactions.from_lists([["ale", "bread", "tea"], ["ale", "bread"], ["ale", "oil", "tea"]])
    >>> seen = ChunkView(chunks, baskets)
    >>> seen.may_hold((0, 1)), seen.may_hold((0, 2)), seen.may_hold((1, 3))
    (2, 3, 2)
    """

    def __init__(self, data: Chunks, original: Any) -> None:
        self.data, self.original = data, original
        self.unit, self.labels, self.rows = "record", None, None
        self._code = {name: code for code, name in enumerate(data.names)}
        self._leaf = [self._code.get(name, -1) for name in original.names]
        self._sizes = data.sizes.tolist()
        self._simple = np.flatnonzero(~data.joint).tolist()
        self.units = np.arange(len(data), dtype=np.int64)
        parents = data.parents.tolist()
        self._around: dict[int, list[int]] = {}
        for cluster in self._simple:
            chain = [cluster]
            while parents[chain[-1]] >= 0:
                chain.append(parents[chain[-1]])
            self._around[cluster] = chain
        chunks_of: dict[int, list[int]] = {}
        for chunk, cluster in enumerate(data.chunk_clusters.tolist()):
            chunks_of.setdefault(cluster, []).append(chunk)
        self._chunks = {
            cluster: [chunk for parent in chain for chunk in chunks_of.get(parent, ())]
            for cluster, chain in self._around.items()
        }
        self._terms = [
            frozenset(data.term_codes[data.term_offsets[c] : data.term_offsets[c + 1]].tolist())
            for c in range(len(data.sizes))
        ]
        self._holders = [_holders(data, chunk) for chunk in range(len(data.chunk_clusters))]
        self._clusters_with: dict[int, set[int]] = {}
        self._place: dict[int, dict[int, int]] = {}  # cluster, item: its chunk, -1 where it may come from several
        for cluster in self._simple:
            place: dict[int, int] = {}
            for chunk in self._chunks[cluster]:
                for item in self._holders[chunk]:
                    place[item] = -1 if item in place else chunk
            for parent in self._around[cluster]:
                place |= dict.fromkeys(self._terms[parent], -1)
            self._place[cluster] = place
            for item in place:
                self._clusters_with.setdefault(item, set()).add(cluster)
        self._listings: dict[int, _Listing] = {}

    def clusters(self, elements: tuple[int, ...]) -> list[int]:
        """The simple clusters that list all of these items, themselves or in a joint cluster around them."""
        codes = [self._leaf[element] for element in elements]
        if not codes:
            return list(self._simple)
        possible = [self._clusters_with.get(code, set()) for code in codes]
        return sorted(set.intersection(*possible))

    def may_hold(self, elements: tuple[int, ...]) -> int:
        """How many records may hold all of these items."""
        codes = sorted({self._leaf[element] for element in elements})
        if not codes:
            return sum(self._sizes[cluster] for cluster in self._simple)
        listings = [self._listing(code) for code in codes]
        common = reduce(in_both, (listing.clusters for listing in listings))
        rows = [np.searchsorted(listing.clusters, common) for listing in listings]
        counts = np.min([listing.counts[row] for listing, row in zip(listings, rows, strict=True)], axis=0)
        places = np.stack([listing.places[row] for listing, row in zip(listings, rows, strict=True)], axis=1)
        ordered = np.sort(places, axis=1)
        shared = np.flatnonzero(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1))
        if len(shared):  # items that are in one chunk are counted together
            kinds, kind = np.unique(places[shared], axis=0, return_inverse=True)
            together = np.array([self._fewest(codes, chunks) for chunks in kinds.tolist()])
            counts[shared] = np.minimum(counts[shared], together[kind.reshape(-1)])
        return int(counts.sum())

    def _listing(self, code: int) -> _Listing:
        """Where an item is listed."""
        if code not in self._listings:
            clusters = sorted(self._clusters_with.get(code, ()))
            places = [self._place[cluster][code] for cluster in clusters]
            counts = [
                self._sizes[cluster] if chunk < 0 else min(self._sizes[cluster], self._holders[chunk][code].bit_count())
                for cluster, chunk in zip(clusters, places, strict=True)
            ]
            self._listings[code] = _Listing(*(np.array(part, dtype=np.int64) for part in (clusters, places, counts)))
        return self._listings[code]

    def _fewest(self, codes: list[int], chunks: list[int]) -> int:
        """Of the chunks of these items, the fewest subrecords that hold all items of theirs."""
        subrecords: dict[int, int] = {}
        for code, chunk in zip(codes, chunks, strict=True):
            if chunk >= 0:
                subrecords[chunk] = subrecords.get(chunk, -1) & self._holders[chunk][code]
        return min(held.bit_count() for held in subrecords.values())

    def fitting(self, known: Knowledge) -> Ints:
        """Places for as many records as may hold the items; which records they are is not known."""
        return np.arange(self.may_hold(known.elements), dtype=np.int64)

    def set_size(self, records: Ints) -> int:
        return len(records)


def _holders(data: Chunks, chunk: int) -> dict[int, int]:
    """Of each item of a chunk, the subrecords that hold it, one bit each."""
    first, end = int(data.chunk_offsets[chunk]), int(data.chunk_offsets[chunk + 1])
    holders: dict[int, int] = {}
    for subrecord in range(first, end):
        for code in data.codes[data.offsets[subrecord] : data.offsets[subrecord + 1]].tolist():
            holders[code] = holders.get(code, 0) | 1 << (subrecord - first)
    return holders
