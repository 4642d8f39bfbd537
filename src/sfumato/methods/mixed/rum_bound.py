"""Rum-BOUND: (k,k^m)-anonymity with a bound on what the table loses and as little as possible lost of the items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.errors import Infeasible
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.base import Job
from sfumato.methods.mixed.bounding import Bounded
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.merge_candidates import NOISE, Merging, make_viable
from sfumato.methods.mixed.recoded_clusters import RecodedClusters
from sfumato.methods.mixed.row_losses import ROW_LOSSES
from sfumato.params import param

__all__ = ["RumBound"]


@dataclass(frozen=True, kw_only=True)
class RumBound(Bounded):
    """Merge clusters of rows as long as the table loses no more than delta, so that items lose little.

    Notes
    -----
    Three phases [1]_: the relational method forms k-anonymous clusters; clusters are merged, always the one that has
    lost least with a partner that `merge` chooses: the most similar rows (RMERGE_R), the most similar items (RMERGE_T),
    or the least sum of both ranks (RMERGE_RT); the transaction method recodes the items of each cluster.  The loss of
    rows is NCP, after a merge computed from what changes.  Items are compared by BTD, which is small for few items with
    many in common, or with ``btd=False`` by recoding them for every candidate, which is slow.  Merging ends when the
    seed has no partner within the bound.

    Every measure that no merge lowers can take the place of NCP, says Section 2 of [1]_; `row_loss` has those that it
    names.  They lie between 0 and 1, as delta does: Minkowski norms of the NCP of rows (the one of order 1 is NCP),
    divided by that of rows that are all lost; discernibility over the square of the number of rows; the average size of
    equivalence classes over the number of rows (the normalized one of the literature times k).  Clusters under equal
    labels are one equivalence class.

    Where some but fewer than k of a cluster have items, those items are suppressed.  With `l` above 1, a cluster in
    which a sensitive item belongs to more than one in l is merged first.

    References
    ----------
    .. [1] G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and
       transaction attributes", Proc. ECML PKDD, 2013.

    Examples
    --------
    >>> from sfumato import Taxonomy
    >>> ills = Taxonomy({"any": None, "lung": "any", "flu": "lung", "cough": "lung", "gout": "any"})
    >>> people = {"age": [31, 32, 35, 36], "ills": ["flu", "cough", "flu", "cough"]}
    >>> patients = Mixed.from_frame(people, items="ills", taxonomy=ills)
    >>> RumBound(k=2, m=2, delta=0.6).anonymize(patients).to_polars().rows()
    [('[31:32]', 'lung'), ('[31:32]', 'lung'), ('[35:36]', 'lung'), ('[35:36]', 'lung')]
    >>> RumBound(k=2, m=2, delta=1).anonymize(patients).to_polars().rows()
    [('[31:36]', 'cough'), ('[31:36]', 'cough'), ('[31:36]', 'flu'), ('[31:36]', 'flu')]
    """

    name: ClassVar[str] = "rum-bound"
    title: ClassVar[str] = "Rum-BOUND (bounded loss of rows, little loss of items)"

    delta: float = param(
        at_least=0,
        at_most=1,
        grid=(0.25, 0.5, 0.75),
        help="how much the rows may lose, as NCP or as row_loss says; the paper's delta",
    )

    def transform(self, data: Mixed, run: Run) -> Outcome[Mixed]:
        job = self.job(data)
        clusters = self.formed(job, run)  # steps 1 and 2
        items = RecodedClusters(job, clusters)
        with run.phase("merging clusters"):  # steps 3 and 4
            most = len(clusters)
            for _ in self.merging_steps(job, clusters, items):
                run.advance(clusters.merges, most)
        with run.phase("recoding items"):  # steps 5 to 7
            parts = items.parts(run)
        return job.outcome(clusters, parts)

    def merging_steps(self, job: Job, clusters: Clusters, items: RecodedClusters) -> Iterator[None]:  # noqa: ARG002
        self._require_bound(clusters)
        merging = Merging(clusters, job.data.items, job.recoder, self.merge, self.btd)
        while (pair := merging.next(self.delta)) is not None:
            merging.merge(*pair)
            yield
        merges = clusters.merges
        make_viable(clusters, job.recoder, self.name)
        self._require_bound(clusters)
        if clusters.merges > merges:
            yield

    def _require_bound(self, clusters: Clusters) -> None:
        if clusters.total > self.delta + NOISE:
            raise Infeasible(
                f"{self.name}: delta={self.delta:g} cannot be met, the best loss reached is {clusters.total:.4g} "
                f"({ROW_LOSSES[self.row_loss].title} of the clusters that {self.relational} forms); raise delta or "
                "lower k"
            )
