"""Chunks as an attacker reads them: which clusters may contain a person, and how many of their records."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.attacks.view.published_view import Knowledge, PublishedView
from sfumato.data import Chunks
from sfumato.data.base import Ints

__all__ = ["ChunkView"]


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
        items: list[frozenset[int]] = []
        for chunk in range(len(data.chunk_clusters)):
            first, end = data.offsets[data.chunk_offsets[chunk]], data.offsets[data.chunk_offsets[chunk + 1]]
            items.append(frozenset(data.codes[first:end].tolist()))
        self._clusters_with: dict[int, set[int]] = {}
        self._place: dict[int, dict[int, int]] = {}  # cluster, item: its chunk, -1 where it may come from several
        for cluster in self._simple:
            place: dict[int, int] = {}
            for chunk in self._chunks[cluster]:
                for item in items[chunk]:
                    place[item] = -1 if item in place else chunk
            for parent in self._around[cluster]:
                place |= dict.fromkeys(self._terms[parent], -1)
            self._place[cluster] = place
            for item in place:
                self._clusters_with.setdefault(item, set()).add(cluster)
        self._counts: dict[tuple[int, frozenset[int]], int] = {}

    def clusters(self, elements: tuple[int, ...]) -> list[int]:
        """The simple clusters that list all of these items, themselves or in a joint cluster around them."""
        codes = [self._leaf[element] for element in elements]
        if not codes:
            return list(self._simple)
        possible = [self._clusters_with.get(code, set()) for code in codes]
        return sorted(set.intersection(*possible))

    def may_hold(self, elements: tuple[int, ...]) -> int:
        """How many records may hold all of these items."""
        codes = {self._leaf[element] for element in elements}
        return sum(self._in_cluster(cluster, codes) for cluster in self.clusters(elements))

    def _in_cluster(self, cluster: int, codes: set[int]) -> int:
        together: dict[int, set[int]] = {}
        for code in codes:
            together.setdefault(self._place[cluster][code], set()).add(code)
        counts = [self._subrecords(chunk, frozenset(here)) for chunk, here in together.items() if chunk >= 0]
        return min([int(self.data.sizes[cluster]), *counts])

    def _subrecords(self, chunk: int, wanted: frozenset[int]) -> int:
        """How many subrecords of a chunk hold all of these items."""
        if (chunk, wanted) not in self._counts:
            data = self.data
            first, end = int(data.chunk_offsets[chunk]), int(data.chunk_offsets[chunk + 1])
            codes = data.codes[data.offsets[first] : data.offsets[end]]
            inside = np.isin(codes, list(wanted)).astype(np.int64)
            owner = np.repeat(np.arange(end - first), np.diff(data.offsets[first : end + 1]))
            held = np.bincount(owner, weights=inside, minlength=end - first)
            self._counts[chunk, wanted] = int(np.count_nonzero(held == len(wanted)))
        return self._counts[chunk, wanted]

    def fitting(self, known: Knowledge) -> Ints:
        """Places for as many records as may hold the items; which records they are is not known."""
        return np.arange(self.may_hold(known.elements), dtype=np.int64)

    def set_size(self, records: Ints) -> int:
        return len(records)
