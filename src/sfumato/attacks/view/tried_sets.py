"""Anonymity sets by looking up one choice of background knowledge after the other: in chunks, and in samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sfumato.attacks.view.background import SetsOfTargets, choices_of, own_units
from sfumato.attacks.view.published_view import Knowledge, PublishedView
from sfumato.attacks.view.targets import known_elements, known_points
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints, Progress

__all__ = ["CountedChunks", "TriedSets"]

_LOOK = 10_000  # visits or items that may be read instead of looking up one set of items in chunks
_PASS = 100  # and instead of passing over one that was looked up before


@dataclass(frozen=True, eq=False)
class _Lookup:
    """What both have in common: the records of a target, and the set of one choice."""

    original: Dataset
    seen: PublishedView
    known: int
    ordered: bool
    own_only: bool = True
    without: frozenset[int] = frozenset()

    def _records(self, targets: Ints) -> Iterator[tuple[int, Ints]]:
        """The unit of each target, and its records."""
        units = own_units(self.original, self.seen)
        present, inverse = np.unique(units, return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        starts = np.searchsorted(inverse[order], np.arange(len(present) + 1))
        for target in targets.tolist():
            yield int(present[target]), order[starts[target] : starts[target + 1]]

    def _set_size(self, known: Knowledge, unit: int) -> tuple[int, bool]:
        """The size of the anonymity set, and whether the target may be in it."""
        matching = self.seen.fitting(known)
        inside = not self.own_only or bool(np.any(self.seen.units[matching] == unit))
        return self.seen.set_size(matching), inside


@dataclass(frozen=True, eq=False)
class CountedChunks(_Lookup):
    """As `BackgroundSets`, in chunks: every set of up to `known` items of every target is looked up.

    >>> from sfumato import Transactions
    >>> from sfumato.attacks.view.chunk_view import ChunkView
    >>> from sfumato.data import Chunks
    >>> pair = [["ale", "bread"], ["ale", "bread"], ["ale"]]
    >>> chunks = Chunks.of([{"size": 3, "chunks": [pair, [["tea"], ["tea"]]], "terms": ["oil"]}])
    >>> baskets = Transactions.from_lists([["ale", "bread", "tea"], ["ale", "bread"], ["ale", "oil", "tea"]])
    >>> sets = CountedChunks(baskets, ChunkView(chunks, baskets), 2, False, False)
    >>> sets.count(np.arange(3), budget=1_000_000).set_sizes.tolist()
    [2, 2, 2]
    """

    def count(self, targets: Ints, budget: int) -> SetsOfTargets | None:
        """The sets of some targets; None where these are more than the budget allows."""
        choices = [
            (
                unit,
                [sorted(set(known_elements(self.original, int(record), self.without).tolist())) for record in records],
            )
            for unit, records in self._records(targets)
        ]
        lengths = np.array([len(items) for _, lists in choices for items in lists], dtype=np.int64)
        total = sum(choices_of(lengths, np.minimum(lengths, size)).sum() for size in range(1, self.known + 1))
        if total * _PASS > budget:
            return None
        looked_up: dict[tuple[int, ...], int] = {}  # people share most of their sets
        set_sizes, chances, smallest = np.zeros(len(targets), dtype=np.int64), np.zeros(len(targets)), 0
        for row, (unit, lists) in enumerate(choices):
            for items in filter(None, lists):
                longest = min(self.known, len(items))
                for n_known in range(1, longest + 1):
                    sets = []
                    for known in combinations(items, n_known):
                        if known not in looked_up:
                            looked_up[known] = self._set_size(Knowledge(known), unit)[0]
                            if len(looked_up) * _LOOK > budget:
                                return None
                        sets.append(looked_up[known])
                    own = [size for size in sets if size]
                    smallest = _least(smallest, *own)
                    set_sizes[row] = _least(int(set_sizes[row]), *own)
                    if n_known == longest:
                        chances[row] += sum(1 / size for size in own) / len(sets)
            chances[row] /= max(1, sum(map(bool, lists)))
        return SetsOfTargets(set_sizes, chances, smallest or None)


@dataclass(frozen=True, eq=False)
class TriedSets(_Lookup):
    """The sets of the rarest points of each target, and of `tries` random choices: the smallest may be smaller."""

    tries: int = 10

    def count(self, targets: Ints, rng: np.random.Generator, progress: Progress | None = None) -> SetsOfTargets:
        """The sets that were found; a smaller one is possible."""
        set_sizes, chances, smallest = np.zeros(len(targets), dtype=np.int64), np.zeros(len(targets)), 0
        for row, (unit, records) in enumerate(self._records(targets)):
            if progress is not None and row % 100 == 0:
                progress("reidentify", row, len(targets))
            rarest = self._rarest(int(rng.choice(records)))
            drawn = [
                known_points(
                    self.original, int(rng.choice(records)), self.known, rng, ordered=self.ordered, without=self.without
                )
                for _ in range(self.tries)
            ]
            tried = [self._set_size(known, unit) for known in (rarest, *drawn) if known is not None]
            smallest = _least(smallest, *(size for size, _ in tried))
            set_sizes[row] = _least(0, *(size for size, inside in tried if inside))
            random = tried[rarest is not None :]
            chances[row] = sum(1 / size for size, inside in random if inside and size) / max(1, len(random))
        return SetsOfTargets(set_sizes, chances, smallest or None)

    def _rarest(self, record: int) -> Knowledge | None:
        """The visits or items of a record that fewest published records have, of those that any has."""
        row = record if isinstance(self.original, Table | Mixed) else -1
        nothing = Knowledge(row=row) if row >= 0 else None
        elements = known_elements(self.original, record, self.without)
        if len(elements) == 0 or self.seen.labels is None:
            return nothing
        support = np.array([len(self.seen.labels.records_with(int(leaf))) for leaf in elements])
        published = np.flatnonzero(support > 0)
        if len(published) == 0:
            return nothing
        positions = np.sort(published[np.argsort(support[published], kind="stable")[: self.known]])
        in_order = self.ordered and self.original.kind == "trajectories"
        points = elements[positions].tolist()
        return Knowledge(tuple(points) if in_order else tuple(sorted(set(points))), in_order, row)


def _least(*sizes: int) -> int:
    """The smallest size above 0; 0 where all are 0."""
    return min((size for size in sizes if size), default=0)
