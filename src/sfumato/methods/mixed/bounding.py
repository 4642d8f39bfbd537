"""Merging clusters of rows for the sake of their items, within a bound: what the two bounding methods share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.data import Mixed
from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.mixed.base import Job
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.recoded_clusters import RecodedClusters
from sfumato.methods.mixed.row_losses import ROW_LOSSES
from sfumato.methods.mixed.rows_first import RowsFirst
from sfumato.params import param
from sfumato.utility.items import INTACT

__all__ = ["Bounded"]


@dataclass(frozen=True, kw_only=True)
class Bounded(RowsFirst):
    """A method that merges k-anonymous clusters of rows; `merge` and `btd` say by what they are compared."""

    merge: str = param(
        "rt", choices=("r", "t", "rt"), grid=("rt", "t"), help="merge clusters with similar rows, items, or both"
    )
    btd: bool = param(True, help="compare items by their bit-vector distance, not by recoding every candidate")
    row_loss: str = param(
        "ncp",
        choices=tuple(ROW_LOSSES),
        help=(
            "measure of the loss of rows: the mean, quadratic mean (norm-2) or largest (norm-max) NCP of a row, or "
            "discernibility or average class size, each as a share of its largest value"
        ),
    )
    intact: str = param(
        "free", choices=INTACT, help="what an unchanged item costs in UL: nothing, or what the printed formula charges"
    )

    @property
    def _charges_intact(self) -> bool:
        return self.intact == "printed"

    def _clusters(self, job: Job, groups: list[Ints]) -> Clusters:
        return job.clusters(groups, self.row_loss)

    @abstractmethod
    def merging_steps(self, job: Job, clusters: Clusters, items: RecodedClusters) -> Iterator[None]:
        """Merge clusters as far as the bound wants or allows, one merge a step."""

    def losses_by_merge(self, data: Mixed, *, seed: int | None = None) -> list[float]:
        """UL of the items of the first clusters, and after each merge, as in Figures 7g and 7h of the paper.

        Private, as the data are.  Merges that only `l` demands are one step.
        """
        self._require(data)
        job = self.job(data)
        clusters = self.formed(job, Run(seed))
        items = RecodedClusters(job, clusters)
        return [items.loss, *(items.loss for _ in self.merging_steps(job, clusters, items))]
