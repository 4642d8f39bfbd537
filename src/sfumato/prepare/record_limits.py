"""Limiting the number of records of a person, so that no person dominates counts of records."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data.base import Dataset, Ints
from sfumato.data.mixed import Mixed
from sfumato.errors import DataError, MissingKnowledge, either
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared

__all__ = ["LimitRecords"]

_KINDS = ("trajectories", "roads", "transactions", "table", "mixed")


@dataclass(frozen=True, kw_only=True)
class LimitRecords(Preparation):
    """Keep at most a number of records of each person.

    The records are drawn uniformly and independently of their content, so that the choice discloses nothing.  They keep
    their order.  The counts are the numbers of persons with more records, and of records left out.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["d"]], persons=["ann", "ann", "ann", "bob"])
    >>> limited = LimitRecords(records_per_person=1, seed=1).apply(walks)
    >>> len(limited.data), limited.counts
    (2, {'persons_cut': 1, 'records_cut': 2})
    """

    name: ClassVar[str] = "limit-records"

    records_per_person: int = param(at_least=1, help="largest number of records of a person")
    seed: int | None = param(None, at_least=0, help="seed of the random choice")

    def apply(self, data: Any) -> Prepared:
        owner = type(self).__name__
        if not isinstance(data, Dataset) or data.kind not in _KINDS:
            raise DataError(f"{owner}: wanted {either(_KINDS)}, found {type(data).__name__}")
        labelled = data.items if isinstance(data, Mixed) else data
        if getattr(labelled, "members", None):
            noun = f"{getattr(labelled, 'attribute', 'value')}s"
            raise DataError(f"{owner}: wanted original {noun}, found generalized ones; prepare data before anonymizing")
        return self.change(data)

    def change(self, data: Any) -> Prepared:
        if data.persons is None:
            raise MissingKnowledge(
                "LimitRecords: needs the person of each record, these data name none",
                remedy="name-person-column",
            )
        kept_records = self.kept_records(data.persons.codes)
        return Prepared(data.take(kept_records), self.counts(data.persons.codes))

    def kept_records(self, persons: Ints) -> Ints:
        """The records to keep, in rising order; persons : the number of each record's person."""
        rng = np.random.default_rng(secrets.randbits(128) if self.seed is None else self.seed)
        drawn = np.lexsort((rng.permutation(len(persons)), persons))
        first = np.searchsorted(persons[drawn], persons[drawn])
        return np.sort(drawn[np.arange(len(persons)) - first < self.records_per_person])

    def counts(self, persons: Ints) -> dict[str, int]:
        """The number of persons with too many records, and the number of records to leave out."""
        excess = np.maximum(np.bincount(persons) - self.records_per_person, 0)
        return {"persons_cut": int(np.count_nonzero(excess)), "records_cut": int(excess.sum())}
