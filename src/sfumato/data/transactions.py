"""Transactions: for each record a set of items (a basket, a person's diagnoses)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sfumato.data import frames
from sfumato.data.base import Frame, Ints, Persons
from sfumato.data.policy import Policy
from sfumato.data.queries import Query, require_estimate
from sfumato.data.query_index import indexed_counts, labels_of
from sfumato.data.ragged import Ragged, encode, from_sequences, id_texts
from sfumato.data.rows.records import grouped, persons_of
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import Bug, DataError
from sfumato.kernels.items.query_probabilities import itemset_probabilities, share_probabilities, subset_probabilities

__all__ = ["Transactions"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Transactions(Ragged):
    """Sets of items: the codes of a record rise, and no item occurs twice in it.

    >>> baskets = Transactions.from_lists([["milk", "bread", "milk"], ["beer"]])
    >>> baskets.to_lists()
    [['bread', 'milk'], ['beer']]
    """

    kind: ClassVar[str] = "transactions"
    element: ClassVar[str] = "item"
    attribute: ClassVar[str] = "item"
    record: ClassVar[str] = "record"

    taxonomy: Taxonomy | None = None
    privacy_policy: Policy | None = None
    utility_policy: Policy | None = None
    sensitive: frozenset[str] = frozenset()  # items that must not be linked to a person; context, not data
    sensitive_named: bool = False  # whether sensitive items were named, although none of them occurs

    def __post_init__(self) -> None:
        super().__post_init__()
        rising = np.diff(self.codes) > 0
        borders = self.offsets[1:-1] - 1
        rising[borders[(borders >= 0) & (borders < len(rising))]] = True
        if not rising.all():
            raise Bug("Transactions: the items of a record must be distinct and in order")

    @classmethod
    def from_lists(
        cls,
        baskets: Sequence[Sequence[str]],
        *,
        persons: Sequence[Any] | None = None,
        ids: Sequence[Any] | None = None,
        taxonomy: Taxonomy | None = None,
        sensitive: Iterable[str] = (),
    ) -> Self:
        """One list of item names per record."""
        offsets, codes, names = from_sequences([sorted({str(item) for item in basket}) for basket in baskets])
        return cls(
            offsets=offsets,
            codes=codes,
            names=names,
            ids=id_texts(cls.record, ids, len(baskets)),
            persons=None if persons is None else Persons.of(persons),
            taxonomy=taxonomy,
        ).with_sensitive(sensitive)

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        columns: Mapping[str, str] | None = None,
        taxonomy: Taxonomy | None = None,
        source: frames.Source | None = None,
    ) -> Self:
        """A tidy frame, one row an item: columns `record`, `item` and optionally `person`."""
        source = source or frames.Source()
        tidy = frames.tidy(
            frame, required=("record", "item"), optional=("person",), columns=columns or {}, source=source
        )
        codes, names = encode(tidy["item"])
        record, order, offsets = grouped(tidy["record"], sort_by=codes)
        persons = None
        if "person" in tidy.columns:
            persons = persons_of(tidy["person"], record, "record", source)
        codes, record = codes[order], record[order]
        is_first = np.ones(len(codes), dtype=bool)
        is_first[1:] = (np.diff(codes) != 0) | (np.diff(record) != 0)
        return cls(
            offsets=np.concatenate(([0], np.cumsum(np.bincount(record[is_first])))),
            codes=codes[is_first],
            names=names,
            ids=tidy["record"].gather(order[offsets[:-1]]),
            persons=persons,
            taxonomy=taxonomy,
        )

    def with_public_knowledge(self) -> Self:
        """Published records name only published sensitive items: the others would disclose what was suppressed.

        A policy or a taxonomy that was computed from the data is left out.
        """
        privacy, utility = (
            None if policy is None else policy.named() for policy in (self.privacy_policy, self.utility_policy)
        )
        named = self.sensitive & self.published_members() if self.sensitive else self.sensitive
        return replace(
            self,
            sensitive=named,
            sensitive_named=self.flags_sensitive,
            privacy_policy=privacy,
            utility_policy=utility,
            taxonomy=None if self.taxonomy is not None and self.taxonomy.rule else self.taxonomy,
        )

    @property
    def flags_sensitive(self) -> bool:
        """Whether sensitive items were named, even where none of them occurs."""
        return self.sensitive_named or bool(self.sensitive)

    def sensitive_among(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these items that are sensitive, whether they occur in the data or not."""
        return self.sensitive & frozenset(names)

    def with_policies(self, privacy: Policy | None, utility: Policy | None = None) -> Self:
        """The same records with other policies: the itemsets to protect, and the items that may share a label."""
        return replace(self, privacy_policy=privacy, utility_policy=utility)

    def with_sensitive(self, items: Iterable[str]) -> Self:
        """The same records with these items, and no others, named sensitive."""
        named = frozenset(items)
        unknown = sorted(named - set(self.names))
        if unknown:
            raise DataError(f"sensitive items: wanted items of the data, found {unknown[0]!r}")
        return replace(self, sensitive=named)

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """The probability that each record holds all items of a query.

        Labels of a record are independent of each other.  With ``share``, a label of n members holds each of them with
        probability 1/n, independently: j wanted items count n^-j.  This divides the support of a label among its
        members; it is an estimator, and a label may turn out to hold nothing.  With ``subsets``, a label stands for
        each non-empty subset of its members with equal probability.  An item under several labels of a record is held
        if at least one of them holds it; both probabilities are exact for that, too.  The time with ``subsets``
        doubles with each wanted item that several labels of one record may stand for.

        >>> baskets = replace(Transactions.from_lists([["drinks"]]), members={"drinks": ("ale", "tea", "wine")})
        >>> [round(baskets.expected_count(Query(items=("ale", "tea")), rule), 3) for rule in ("share", "subsets")]
        [0.111, 0.286]
        """
        require_estimate(estimate)
        return self._chances(labels_of(self, _distinct(query)), self.codes, self.offsets, estimate)

    def expected_counts(self, queries: Iterable[Query], estimate: str = "share") -> npt.NDArray[np.float64]:
        require_estimate(estimate)
        return indexed_counts(self, [*map(_distinct, queries)], partial(self._chances, estimate=estimate))

    def _chances(
        self, labels: Sequence[Iterable[int]], codes: Ints, offsets: Ints, estimate: str
    ) -> npt.NDArray[np.float64]:
        """The probability of each of these records, given the labels that may stand for each item."""
        used = sorted({code for holders in labels for code in holders})
        sizes = np.array([len(self.members.get(self.names[code], (code,))) for code in used], dtype=np.int64)
        rows = np.full(len(self.names), -1, dtype=np.int64)
        rows[used] = np.arange(len(used))
        holds = np.zeros((len(used), len(labels)), dtype=np.bool_)
        for position, holders in enumerate(labels):
            holds[rows[list(holders)], position] = True
        chances: npt.NDArray[np.float64]
        if (holds.sum(axis=0) > 1).any():
            kernel = share_probabilities if estimate == "share" else subset_probabilities
            chances = kernel(codes, offsets, rows, holds, sizes)
            return chances
        wanted, factors = np.zeros(len(self.names), dtype=np.int64), np.ones(len(self.names))
        wanted[used] = n_held = holds.sum(axis=1)
        # of the 2^n - 1 subsets of n members, 2^(n - n_held) hold the wanted items
        factors[used] = (1 / sizes) ** n_held if estimate == "share" else 0.5**n_held / (1 - 0.5**sizes)
        chances = itemset_probabilities(codes, offsets, wanted, factors, len(labels))
        return chances


def _distinct(query: Query) -> tuple[str, ...]:
    return tuple(dict.fromkeys(query.items))
