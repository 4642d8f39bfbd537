"""Relative errors of the supports of pairs of items (re, re-a), and the share of items lost (tlost)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks, Transactions
from sfumato.data.base import Ints
from sfumato.data.queries import Query
from sfumato.errors import DataError
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.estimates import EstimatedCounts
from sfumato.utility.patterns.top_itemsets import require_chunks

__all__ = ["RelativeError", "RelativeErrorCertain", "TermsLost", "pair_supports"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class _PairSupports(Measure):
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)

    first: int = param(200, at_least=0, help="number of most frequent items to skip; fewer where there are few items")
    number: int = param(20, at_least=2, help="number of items after these, of which all pairs are taken")

    def items(self, names: tuple[str, ...], counts: Ints) -> list[str]:
        """The items of the given ranks by falling support, ties by name; the last ranks where there are too few."""
        order = np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]
        begin = max(0, min(self.first, len(order) - self.number))
        return [names[code] for code in order[begin : begin + self.number].tolist()]

    def of_supports(self, true: Floats, published: Floats) -> Score:
        """The value: the mean over the pairs that occur in the original or in the release; 0 where there are none."""
        occurs = true + published > 0
        mean = (true + published)[occurs] / 2
        errors = np.abs(true - published)[occurs] / mean
        return Score(float(errors.mean()) if len(errors) else 0.0)


@dataclass(frozen=True, kw_only=True)
class RelativeError(EstimatedCounts, _PairSupports):
    """re: the mean relative error of the supports of pairs, ``|original - published| / mean of both``.

    Chunks are read through random reconstructions, and published supports are means over these; with none, and
    in other releases, they are expectations: the number of records or, where persons are known, of persons with a
    record that holds the pair, records being independent.  A pair that occurs neither in the original nor in the
    release (its published support is 0) is left out; without any pair the error is 0.  Equation 3 of Terrovitis et al.,
    PVLDB 5(10), 2012.

    Examples
    --------
    >>> from sfumato import Disassociate
    >>> baskets = Transactions.from_lists([["ale", "bread"]] * 6 + [["tea"]] * 4)
    >>> RelativeError()(baskets, Disassociate(k=2, m=2).anonymize(baskets)).value
    0.0
    """

    name: ClassVar[str] = "re"
    title: ClassVar[str] = "re, the relative error of pairs"
    meaning: ClassVar[str] = "mean relative error of the supports of pairs of items, from 0 to 2"
    formula: ClassVar[str] = (
        "mean over the pairs with original + published > 0 of |original - published| / mean of both"
    )
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Eq. 3"

    reconstructions: int = param(1, at_least=0, help="number of reconstructions to average over; 0 uses expectations")
    seed: int = param(0, at_least=0, help="seed of the reconstructions")

    def score(self, original: Transactions, release: Released[Transactions | Chunks]) -> Score:
        original = _counted_alike(original, release.data)
        items = self.items(original.names, _supports(original))
        if isinstance(release.data, Chunks) and self.reconstructions:
            reconstructions = release.data.reconstruct(self.reconstructions, seed=self.seed)
            published = np.mean([_pair_supports(reconstruction, items) for reconstruction in reconstructions], axis=0)
        elif isinstance(release.data, Chunks):
            published = _expected_pair_supports(release.data, items, self.estimate)
        else:
            published = pair_supports(release.data, items, self.estimate)
        return self.of_supports(_pair_supports(original, items), published)


@dataclass(frozen=True, kw_only=True)
class RelativeErrorCertain(_PairSupports):
    """re-a: the same, counting only pairs within published subrecords, which every possible original contains.

    A pair that occurs neither in the original nor within a subrecord is left out.
    """

    name: ClassVar[str] = "re-a"
    shapes: ClassVar[tuple[str, ...]] = ("chunks",)
    title: ClassVar[str] = "re-a, the relative error of certain pairs"
    meaning: ClassVar[str] = "mean relative error of the supports of pairs within published subrecords, from 0 to 2"
    formula: ClassVar[str] = "mean over the pairs with original + certain > 0 of |original - certain| / mean of both"
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Section 7.1"

    def score(self, original: Transactions, release: Released[Transactions | Chunks]) -> Score:
        original = _counted_alike(original, release.data)
        items = self.items(original.names, _supports(original))
        certain = require_chunks(self, release).certain()
        return self.of_supports(_pair_supports(original, items), _pair_supports(certain, items))


@dataclass(frozen=True, kw_only=True)
class TermsLost(Measure):
    """tlost: the share of items with a support of more than k that are in term chunks only.

    Without `k`, the k of the release is used.
    """

    name: ClassVar[str] = "tlost"
    title: ClassVar[str] = "tlost, the terms lost"
    meaning: ClassVar[str] = "share of the items with a support above k that are published in term chunks only"
    formula: ClassVar[str] = "items with a support above k in term chunks only / items with a support above k"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012, Section 7.1"
    kinds: ClassVar[tuple[str, ...]] = ("transactions",)
    shapes: ClassVar[tuple[str, ...]] = ("chunks",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    k: int | None = param(
        None, at_least=1, help="support above which an item counts; if not given, the k of the release"
    )

    def score(self, original: Transactions, release: Released[Transactions | Chunks]) -> Score:
        chunks = require_chunks(self, release)
        k = self.k or getattr(release, "k", None) or getattr(getattr(release, "method", None), "k", None)
        if k is None:
            raise DataError(f"{self.name}: wanted the k of the release, found none; give k")
        counts = _supports(original)
        frequent = {original.names[code] for code in np.flatnonzero(counts > k).tolist()}
        in_subrecords = {chunks.names[code] for code in np.unique(chunks.codes).tolist()}
        return Score(len(frequent - in_subrecords) / len(frequent) if frequent else 0.0)


def _counted_alike(original: Transactions, published: Transactions | Chunks) -> Transactions:
    """The original in records, unless the release knows its persons too: unchanged data have no error."""
    return original if published.persons is not None else original.with_persons(None)


def _supports(data: Transactions) -> Ints:
    """The support of each item, in persons (in records where persons are unknown)."""
    n = max(1, len(data.names))
    keys = np.unique(data.units[data.record_of_element()].astype(np.int64) * n + data.codes)
    return np.bincount(keys % n, minlength=len(data.names))


def pair_supports(data: Transactions, items: list[str], estimate: str) -> Floats:
    """The support of each pair of these items, expected where labels stand for several items."""
    return _expected_pair_supports(data, items, estimate) if data.members else _pair_supports(data, items)


def _pair_supports(data: Transactions, items: list[str]) -> Floats:
    """The support of each pair of these items, in persons or records."""
    column = {name: index for index, name in enumerate(items)}
    lookup = np.array([column.get(name, -1) for name in data.names], dtype=np.int64)
    codes = lookup[data.codes] if len(lookup) else data.codes
    selected = codes >= 0
    rows, record = np.unique(data.record_of_element()[selected], return_inverse=True)
    holds = np.zeros((len(rows), len(items)), dtype=bool)
    holds[record, codes[selected]] = True
    first, second = np.triu_indices(len(items), k=1)
    if data.persons is None:
        return (holds.astype(np.float32).T @ holds.astype(np.float32))[first, second].astype(np.float64)
    units = data.units[rows]
    return np.array(
        [len(np.unique(units[holds[:, left] & holds[:, right]])) for left, right in zip(first, second, strict=True)],
        float,
    )


def _expected_pair_supports(data: Transactions | Chunks, items: list[str], estimate: str) -> Floats:
    """The expected number of records, or of persons where they are known, with each pair of these items."""
    queries = [Query(items=pair) for pair in combinations(items, 2)]
    if data.persons is None:
        return data.expected_counts(queries, estimate)
    n_persons = int(data.units.max(initial=-1)) + 1
    supports = []
    for query in queries:
        without = np.ones(n_persons)  # the probability that no record of a person holds the pair
        np.multiply.at(without, data.units, 1 - data.chances(query, estimate))
        supports.append((1 - without).sum())
    return np.array(supports, dtype=np.float64)
