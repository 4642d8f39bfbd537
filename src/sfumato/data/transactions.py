"""Transactions: for each record a set of items (a basket, a person's diagnoses)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sfumato.data import frames
from sfumato.data.base import Frame, Ints, Persons
from sfumato.data.policy import Policy
from sfumato.data.queries import Query
from sfumato.data.query_index import indexed_counts
from sfumato.data.ragged import Ragged, encode, from_sequences, id_texts
from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import Bug, DataError
from sfumato.kernels.items.query_probabilities import itemset_probabilities

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
        record, order, offsets = frames.grouped(tidy["record"], sort_by=codes)
        persons = None
        if "person" in tidy.columns:
            persons = frames.persons_of(tidy["person"], record, "record", source)
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
        """Published records name only published sensitive items: the others would disclose what was suppressed."""
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

    def chances(self, query: Query) -> npt.NDArray[np.float64]:
        """A generalized item stands for each non-empty subset of its members with equal probability, independently."""
        return self._chances(query, self.codes, self.offsets, range(len(self.names)))

    def expected_counts(self, queries: Iterable[Query]) -> npt.NDArray[np.float64]:
        return indexed_counts(self, queries, lambda query: query.items, self._chances)

    def _chances(self, query: Query, codes: Ints, offsets: Ints, labels: Iterable[int]) -> npt.NDArray[np.float64]:
        """The probability of each of these records; `labels` holds all labels that may stand for an item asked for."""
        n_wanted = np.zeros(len(self.names), dtype=np.int64)
        factors = np.ones(len(self.names))
        for code in labels:
            members = self.members.get(self.names[code], (self.names[code],))
            n_wanted[code] = sum(item in members for item in query.items)
            if n_wanted[code]:  # of the 2^n - 1 subsets of n members, 2^(n - n_wanted) hold the items of the query
                factors[code] = 0.5 ** n_wanted[code] / (1 - 0.5 ** len(members))
        chances: npt.NDArray[np.float64] = itemset_probabilities(codes, offsets, n_wanted, factors, len(query.items))
        return chances
