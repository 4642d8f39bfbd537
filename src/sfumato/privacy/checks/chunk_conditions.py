"""The conditions of reconstruction anonymity, and where published chunks break them.

Every condition but those about persons concerns one cluster and the joint clusters around it.  So clusters can be
checked elsewhere, those that lie in each other together, and the violations put together here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks
from sfumato.data.base import Ints
from sfumato.data.chunks.layout import layout_of
from sfumato.data.rows.sorting import distinct
from sfumato.kernels.verify.chunks import rarest_sets
from sfumato.params import JsonObject

__all__ = ["PERSONS", "Violation", "broken_conditions", "first_witnesses", "rarest_in_chunks"]

_WITNESSES = 5
_ONCE = (3, 4, 7)  # conditions of which one violation is shown
_SHAPES, _TREES = range(3, 9), range(9, 12)  # the second are asked only where clusters have the shape of a tree
PERSONS = 14
"""The number of the first condition about persons; they follow those of `broken_conditions`."""

_Found = Iterator[tuple[tuple[Any, ...], JsonObject]]


class Violation(NamedTuple):
    """A broken condition: its number, by what the violations of a condition are sorted, and the witness."""

    condition: int
    order: tuple[Any, ...]
    witness: JsonObject


def rarest_in_chunks(data: Chunks, m: int) -> tuple[Ints, Ints]:
    """The smallest support of a set of up to m items in each chunk, and such a set."""
    largest = max(1, min(m, int(data.lengths.max(initial=0))))  # larger sets do not occur
    lowest, example = rarest_sets(data.codes, data.offsets, data.chunk_offsets, max(1, len(data.names)), largest)
    return lowest, example


def broken_conditions(
    data: Chunks,
    rarest: tuple[Ints, Ints],
    k: int,
    m: int,
    l: int,  # noqa: E741
    numbers: Ints | None = None,
) -> list[Violation]:
    """The first violations of every condition.

    rarest : of `rarest_in_chunks`.  numbers : the published number of each cluster, rising; from 1 without it.
    """
    of_clusters = np.arange(1, len(data.sizes) + 1) if numbers is None else numbers
    found: list[Violation] = []
    for number, condition in enumerate(_Conditions(data, *rarest, k, m, l, of_clusters).all()):
        if number not in _TREES or not any(violation.condition in _SHAPES for violation in found):
            found += [Violation(number, order, witness) for order, witness in islice(condition(), _WITNESSES)]
    return found


def first_witnesses(violations: Iterable[Violation]) -> tuple[JsonObject, ...]:
    """The witnesses of the first violations of all clusters."""
    found = sorted(violations, key=lambda violation: violation[:2])
    asked = {violation.condition for violation in found}
    if not asked.isdisjoint(_SHAPES):
        asked -= set(_TREES)
    witnesses: dict[str, JsonObject] = {}
    for condition, _, witness in found:
        if condition in asked:
            witnesses.setdefault(str(condition) if condition in _ONCE else str(witness), witness)
    return tuple(witnesses.values())[:_WITNESSES]


@dataclass
class _Conditions:
    """Everything that is not as it must be; of each violation, by what it is sorted and the witness."""

    data: Chunks
    lowest: Ints
    example: Ints
    k: int
    m: int
    l: int  # noqa: E741
    numbers: Ints

    def all(self) -> list[Callable[[], _Found]]:
        counted = [self._sizes, self._joint_sizes, self._supports]
        shapes = [self._repeated, self._empty, self._too_many, self._two_places, self._joint_terms, self._shared_terms]
        return [*counted, *shapes, self._lemma_2, self._property_1, self._room, self._sensitive, self._few_sensitive]

    def _clusters(self, what: str, clusters: npt.NDArray[Any], *, sized: bool = False) -> _Found:
        for cluster in clusters.tolist():
            size = {"size": int(self.data.sizes[cluster])} if sized else {}
            number = int(self.numbers[cluster])
            yield (number,), {"broken": what, "cluster": number, **size}

    def _chunk(self, what: str, chunk: int, **more: Any) -> tuple[tuple[Any, ...], JsonObject]:
        cluster = int(self.data.chunk_clusters[chunk])
        within = chunk + 1 - int(np.searchsorted(self.data.chunk_clusters, cluster))
        number = int(self.numbers[cluster])
        return (number, within), {"broken": what, "cluster": number, "chunk": within, **more}

    def _pairs(self, what: str, keys: Ints, *before: int) -> _Found:
        n = max(1, len(self.data.names))
        for key in keys[:_WITNESSES].tolist():
            number, item = int(self.numbers[key // n]), self.data.names[key % n]
            yield (*before, number, item), {"broken": what, "cluster": number, "item": item}

    def _sizes(self) -> _Found:
        few = np.flatnonzero(~self.data.joint & (self.data.sizes < self.k))
        yield from self._clusters("too few records in a cluster", few, sized=True)

    def _joint_sizes(self) -> _Found:
        layout = layout_of(self.data)
        within = layout.record_starts[layout.high] - layout.record_starts[layout.low]
        others = np.flatnonzero(within != self.data.sizes)
        yield from self._clusters("a joint cluster has not the size of its children", others)

    def _supports(self) -> _Found:
        for chunk in np.flatnonzero(self.lowest < self.k).tolist():
            items = [self.data.names[code] for code in self.example[chunk].tolist() if code >= 0]
            support = int(self.lowest[chunk])
            yield self._chunk("a rare set of items in a chunk", chunk, items=items, support=support)

    @property
    def _subrecord_of_code(self) -> Ints:
        return np.repeat(np.arange(len(self.data.offsets) - 1), self.data.lengths)

    def _repeated(self) -> _Found:
        of_code, codes = self._subrecord_of_code, self.data.codes
        for place in np.flatnonzero((np.diff(codes) <= 0) & (np.diff(of_code) == 0))[:1].tolist():
            cluster = self.data.chunk_clusters[self.data.chunk_of_subrecord[of_code[place]]]
            item = self.data.names[codes[place]]
            yield (int(self.numbers[cluster]),), {"broken": "an item twice in a subrecord", "item": item}

    def _empty(self) -> _Found:
        if np.any(self.data.lengths == 0):
            yield (), {"broken": "a subrecord without items"}

    def _too_many(self) -> _Found:
        counts = np.diff(self.data.chunk_offsets)
        for chunk in np.flatnonzero(counts > self.data.sizes[self.data.chunk_clusters]).tolist():
            yield self._chunk("more subrecords in a chunk than records", chunk)

    @property
    def _listed(self) -> Ints:
        """The pairs cluster * names + item of all record and shared chunks, once for each chunk."""
        data, n = self.data, max(1, len(self.data.names))
        pairs = distinct(data.chunk_of_subrecord[self._subrecord_of_code].astype(np.int64) * n + data.codes)
        return data.chunk_clusters[pairs // n].astype(np.int64) * n + pairs % n

    @property
    def _of_term(self) -> Ints:
        return np.repeat(np.arange(len(self.data.sizes)), np.diff(self.data.term_offsets))

    def _two_places(self) -> _Found:
        in_terms = self._of_term.astype(np.int64) * max(1, len(self.data.names)) + self.data.term_codes
        keys, times = np.unique(np.concatenate((self._listed, in_terms)), return_counts=True)
        yield from self._pairs("an item in two chunks of a cluster", keys[times > 1])

    def _joint_terms(self) -> _Found:
        of_term = self._of_term
        yield from self._clusters("a term chunk in a joint cluster", np.unique(of_term[self.data.joint[of_term]])[:1])

    def _shared_terms(self) -> _Found:
        data, n, listed = self.data, max(1, len(self.data.names)), np.sort(self._listed)
        around, codes, level = data.parents[self._of_term].astype(np.int64), data.term_codes, 0
        while len(listed) and np.any(around >= 0):
            around, codes = around[around >= 0], codes[around >= 0]
            key = around * n + codes
            place = np.minimum(np.searchsorted(listed, key), len(listed) - 1)
            double = np.unique(key[listed[place] == key])
            yield from self._pairs("a shared item in a term chunk below", double, level)
            around, level = data.parents[around].astype(np.int64), level + 1

    def _lemma_2(self) -> _Found:
        data = self.data
        n_clusters = len(data.sizes)
        v = np.bincount(data.chunk_clusters, minlength=n_clusters)
        subrecords = np.bincount(data.chunk_clusters, weights=np.diff(data.chunk_offsets), minlength=n_clusters)
        few = (subrecords < data.sizes + self.k * (np.minimum(self.m, v) - 1)) | (v == 0)
        no_terms = np.diff(data.term_offsets) == 0
        empty = (v == 0) & no_terms & (data.parents < 0)  # only empty records, and published as such
        what = "too few subrecords for a cluster without a term chunk (Lemma 2)"
        yield from self._clusters(what, np.flatnonzero(~data.joint & no_terms & few & ~empty), sized=True)

    def _property_1(self) -> _Found:
        data = self.data
        shared = np.zeros(len(data.chunk_clusters), dtype=bool)
        shared[data.chunk_of_subrecord[layout_of(data).blocked]] = True
        what = "a rare subrecord in a shared chunk with items from below (Property 1)"
        for chunk in np.flatnonzero(shared & self._with_short_runs()).tolist():
            first, end = data.chunk_offsets[chunk : chunk + 2].tolist()
            rows = Counter(
                tuple(data.codes[data.offsets[index] : data.offsets[index + 1]].tolist()) for index in range(first, end)
            )
            rarest, times = min(rows.items(), key=lambda row: (row[1], row[0]))
            if times < self.k:
                yield self._chunk(what, chunk, items=[data.names[code] for code in rarest], support=times)

    def _with_short_runs(self) -> npt.NDArray[np.bool_]:
        """The chunks with fewer than k equal subrecords in a row; in all others every subrecord occurs k times."""
        starts = np.flatnonzero(self.data.run_starts)
        short = np.diff(np.append(starts, len(self.data.run_starts))) < self.k
        found = np.zeros(len(self.data.chunk_clusters), dtype=bool)
        found[self.data.chunk_of_subrecord[starts[short]]] = True
        return found

    def _room(self) -> _Found:
        layout, chunk_of = layout_of(self.data), self.data.chunk_of_subrecord
        restricted = np.bincount(chunk_of[layout.blocked], minlength=len(self.data.chunk_clusters))
        room = np.full(len(restricted), np.inf)
        np.minimum.at(room, chunk_of[layout.blocked], layout.capacity[layout.blocked])
        for chunk in np.flatnonzero(restricted + self.k > room).tolist():
            yield self._chunk("too little room for the subrecords of a shared chunk", chunk)

    @property
    def _flagged(self) -> npt.NDArray[np.bool_]:
        return np.array([name in self.data.sensitive for name in self.data.names], dtype=bool)

    def _sensitive(self) -> _Found:
        for code in np.unique(self.data.codes[self._flagged[self.data.codes]]).tolist():
            item = self.data.names[code]
            yield (item,), {"broken": "a sensitive item outside the term chunks", "item": item}

    def _few_sensitive(self) -> _Found:
        with_one = np.unique(self._of_term[self._flagged[self.data.term_codes]])
        few = with_one[self.data.sizes[with_one] < self.l]
        yield from self._clusters("fewer than l records with a sensitive item", few)
