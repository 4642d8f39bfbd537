"""Limiting how many records a person has, so that nobody dominates what is counted in records."""

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
    """Of a person with more than so many records, only so many stay.

    Which ones is drawn, each with the same probability and whatever is in it, so that the choice tells nothing.  The
    records that stay keep their order.  The counts say how many persons had more, and how many records were left out.

    Examples
    --------
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a"], ["b"], ["c"], ["d"]], persons=["ann", "ann", "ann", "bob"])
    >>> done = LimitRecords(records_per_person=1, seed=1).apply(walks)
    >>> len(done.data), done.counts
    (2, {'persons_cut': 1, 'records_cut': 2})
    """

    name: ClassVar[str] = "limit-records"

    records_per_person: int = param(at_least=1, help="how many records of a person stay, at most")
    seed: int | None = param(None, at_least=0, help="repeat a run exactly")

    def apply(self, data: Any) -> Prepared:
        who = type(self).__name__
        if not isinstance(data, Dataset) or data.kind not in _KINDS:
            raise DataError(f"{who}: fits {either(_KINDS)}, got {type(data).__name__}")
        labelled = data.items if isinstance(data, Mixed) else data
        if getattr(labelled, "members", None):
            what = f"{getattr(labelled, 'attribute', 'value')}s"
            raise DataError(f"{who}: wanted original {what}, found generalized ones; prepare data before anonymizing")
        return self.change(data)

    def change(self, data: Any) -> Prepared:
        if data.persons is None:
            raise MissingKnowledge(
                "LimitRecords: needs to know who is behind each record, these data do not say; name the column of "
                "persons (--person COLUMN)"
            )
        staying = self.staying(data.persons.codes)
        return Prepared(data.take(staying), self.counted(data.persons.codes))

    def staying(self, persons: Ints) -> Ints:
        """The records that stay, rising; persons : the number of the person behind each record."""
        rng = np.random.default_rng(secrets.randbits(128) if self.seed is None else self.seed)
        drawn = np.lexsort((rng.permutation(len(persons)), persons))
        first = np.searchsorted(persons[drawn], persons[drawn])
        return np.sort(drawn[np.arange(len(persons)) - first < self.records_per_person])

    def counted(self, persons: Ints) -> dict[str, int]:
        """How many persons have more records than may stay, and how many records those are too many."""
        beyond = np.maximum(np.bincount(persons) - self.records_per_person, 0)
        return {"persons_cut": int(np.count_nonzero(beyond)), "records_cut": int(beyond.sum())}
