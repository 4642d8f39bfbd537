"""Clusters by the quasi-identifiers first: what three of the methods for mixed data begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
        """
        release = self._table_method.transform(job.data.table, run)
        clusters = self._clusters(job, classes_of(release.data, release.origin))
        make_viable(clusters, job.recoder, self.name)
        return clusters

    def _clusters(self, job: Job, groups: list[Ints]) -> Clusters:
        return job.clusters(groups)
