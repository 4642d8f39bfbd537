"""Clusters by the quasi-identifiers first: what three of the methods for mixed data begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.mixed.base import Job, MixedMethod, classes_of
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.component_methods import TablePart
from sfumato.methods.mixed.merge_candidates import make_viable
from sfumato.params import param

__all__ = ["RowsFirst"]


@dataclass(frozen=True, kw_only=True)
class RowsFirst(MixedMethod):
    """A method that begins with k-anonymous clusters of rows."""

    relational: TablePart = param("cluster", help="the method that forms the first clusters of rows")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._table_method  # noqa: B018 - refuses what does not fit
        object.__setattr__(self, "relational", self.relational.bare())

    @property
    def _table_method(self) -> Any:
        return self.relational.build(type(self).__name__, k=self.k, allow_keys=self.allow_keys)

    def formed(self, job: Job, run: Run) -> Clusters:
        """The classes of the table as the relational method would publish it, viable as far as their items go.

        Each is recoded locally, by the lowest nodes over its own values, which lose no more than the method's labels.
        With `l`, all records of a person are in one cluster, where the first of them is: the values of an attacker's
        target may fit several clusters, and clusters that are safe, each by itself, are safe together if no person is
        in two of them.
        """
        if not job.recoder.shares_persons:
            release = self._table_method.transform(job.data.table, run)
            groups = classes_of(release.data, release.origin)
        else:
            _, first, person = np.unique(job.data.units, return_index=True, return_inverse=True)
            release = self._table_method.transform(job.data.table.take(first), run)
            theirs = np.split(np.argsort(person, kind="stable"), np.cumsum(np.bincount(person))[:-1])
            persons = classes_of(release.data, release.origin)
            groups = [np.concatenate([theirs[one] for one in some]) for some in persons]
        clusters = self._clusters(job, groups)
        make_viable(clusters, job.recoder, self.name)
        return clusters

    def _clusters(self, job: Job, groups: list[Ints]) -> Clusters:
        return job.clusters(groups)
