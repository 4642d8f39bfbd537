"""How well the supports of pairs of items are kept: re and re-a; and which items are lost: tlost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks, Transactions
from sfumato.data.base import Ints
from sfumato.data.queries import Query
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.top_itemsets import require_chunks

__all__ = ["RelativeError", "RelativeErrorCertain", "TermsLost"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class _PairSupports(Measure):
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    first: int = param(
        200, at_least=0, help="how many of the most frequent items to pass over; fewer where there are few"
    )
    number: int = param(20, at_least=2, help="of how many items after these to take all pairs")

    def _items(self, original: Transactions) -> list[str]:
        """A stretch of the items by falling support, names settling ties; the last ones where there are too few."""
        counts = _supports(original)
        order = np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]
        begin = max(0, min(self.first, len(order) - self.number))
        return [original.names[code] for code in order[begin : begin + self.number].tolist()]

    def _error(self, true: Floats, published: Floats) -> Score:
        mean = (true + published) / 2
        errors = np.abs(true - published) / np.where(mean > 0, mean, 1.0)
        return Score(float(errors.mean()) if len(errors) else 0.0)


@dataclass(frozen=True, kw_only=True)
class RelativeError(_PairSupports):
    """re: the mean relative error of the supports of pairs, ``|original - published| / mean of both``.

    Chunks are read through random reconstructions, and published supports are means over these; with none, and
    in other releases, they are exact expectations.  A pair that occurs nowhere has no error.  Equation 3 of
    Terrovitis et al., PVLDB 5(10), 2012.

    Examples
    --------
    >>> from sfumato import Disassociate
    >>> baskets = Transactions.from_lists([["ale", "bread"]] * 6 + [["tea"]] * 4)
    >>> RelativeError()(baskets, Disassociate(k=2, m=2).anonymize(baskets)).value
    0.0
    """

    name: ClassVar[str] = "re"
    title: ClassVar[str] = "re, the relative error of pairs"
    meaning: ClassVar[str] = "how far supports of pairs of items are off, relative to the mean of both, from 0 to 2"

    reconstructions: int = param(1, at_least=0, help="how many reconstructions to average over; 0 takes expectations")
    seed: int = param(0, at_least=0, help="draws the same reconstructions again")

    def score(self, original: Any, release: Released) -> Score:
        items = self._items(original)
        if isinstance(release.data, Chunks) and self.reconstructions:
            worlds = release.data.reconstruct(self.reconstructions, seed=self.seed)
            published = np.mean([_pair_supports(world, items) for world in worlds], axis=0)
        elif isinstance(release.data, Chunks) or release.data.members:
            pairs = [Query(items=(a, b)) for at, a in enumerate(items) for b in items[at + 1 :]]
            published = np.array([release.data.expected_count(pair) for pair in pairs])
        else:
            published = _pair_supports(release.data, items)
        return self._error(_pair_supports(original, items), published)


@dataclass(frozen=True, kw_only=True)
class RelativeErrorCertain(_PairSupports):
    """re-a: the same, counting only pairs within published subrecords, which every possible original holds."""

    name: ClassVar[str] = "re-a"
    title: ClassVar[str] = "re-a, the relative error of pairs that are certain"
    meaning: ClassVar[str] = "how far supports of pairs are off where only subrecords count, from 0 to 2"

    def score(self, original: Any, release: Released) -> Score:
        items = self._items(original)
        sure = require_chunks(self, release).certain()
        return self._error(_pair_supports(original, items), _pair_supports(sure, items))


@dataclass(frozen=True, kw_only=True)
class TermsLost(Measure):
    """tlost: the share of items with a support of more than k that are in term chunks only.

    `k` is that of the release, where it is not given.
    """

    name: ClassVar[str] = "tlost"
    title: ClassVar[str] = "tlost, the terms lost"
    meaning: ClassVar[str] = "share of the items more than k records have that are published in term chunks only"
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    k: int | None = param(
        None, at_least=1, help="the support above which an item counts; that of the promise if not given"
    )

    def score(self, original: Any, release: Released) -> Score:
        chunks = require_chunks(self, release)
        k = self.k or getattr(release, "k", None) or getattr(getattr(release, "method", None), "k", None)
        if k is None:
            raise DataError(f"{self.name}: needs the k of the promise, found none; give k")
        counts = _supports(original)
        frequent = {original.names[code] for code in np.flatnonzero(counts > k).tolist()}
        kept = {chunks.names[code] for code in np.unique(chunks.codes).tolist()}
        return Score(len(frequent - kept) / len(frequent) if frequent else 0.0)


def _supports(data: Transactions) -> Ints:
    """How many persons (records where persons are unknown) have each item."""
    n = max(1, len(data.names))
    keys = np.unique(data.units[data.record_of_element()].astype(np.int64) * n + data.codes)
    return np.bincount(keys % n, minlength=len(data.names))


def _pair_supports(data: Transactions, items: list[str]) -> Floats:
    """How many persons (or records) have each pair of these items in one record, pair after pair."""
    column = {name: at for at, name in enumerate(items)}
    lookup = np.array([column.get(name, -1) for name in data.names], dtype=np.int64)
    codes = lookup[data.codes] if len(lookup) else data.codes
    chosen = codes >= 0
    rows, record = np.unique(data.record_of_element()[chosen], return_inverse=True)
    held = np.zeros((len(rows), len(items)), dtype=bool)
    held[record, codes[chosen]] = True
    one, other = np.triu_indices(len(items), k=1)
    if data.persons is None:
        return (held.astype(np.float32).T @ held.astype(np.float32))[one, other].astype(np.float64)
    units = data.units[rows]
    return np.array([len(np.unique(units[held[:, a] & held[:, b]])) for a, b in zip(one, other, strict=True)], float)
