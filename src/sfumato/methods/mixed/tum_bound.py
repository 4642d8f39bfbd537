"""Tum-BOUND: (k,k^m)-anonymity with a bound on what the items lose and as little as possible lost of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.errors import Infeasible, counted
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.base import Job
from sfumato.methods.mixed.bounding import Bounded
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.merge_candidates import Merging, make_viable
from sfumato.methods.mixed.recoded_clusters import RecodedClusters
from sfumato.params import param

__all__ = ["TumBound"]


@dataclass(frozen=True, kw_only=True)
class TumBound(Bounded):
    """Merge clusters of rows until the items lose no more than delta, and no further.

    Notes
    -----
    The relational method forms k-anonymous clusters, and the transaction method recodes the items of each [1]_.  While
    they lose more than delta (UL, in which a record whose items are all suppressed counts 1), clusters are merged as
    in `RumBound`, and the items of the merged cluster are recoded anew.  At the end, which is at the latest one cluster
    of all records, a loss above delta makes it infeasible.  The formula of UL in [1]_ also charges an item that is
    published as it is; with ``intact="printed"`` delta bounds that.

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
    >>> TumBound(k=2, m=2, delta=0.1).anonymize(patients).to_polars().rows()
    [('[31:36]', 'cough'), ('[31:36]', 'cough'), ('[31:36]', 'flu'), ('[31:36]', 'flu')]
    """

    name: ClassVar[str] = "tum-bound"
    title: ClassVar[str] = "Tum-BOUND (bounded loss of items, little loss of rows)"

    delta: float = param(
        at_least=0, at_most=1, grid=(0.25, 0.5, 0.75), help="how much the items may lose, as UL; the paper's delta"
    )

    def transform(self, data: Mixed, run: Run) -> Outcome[Mixed]:
        job = self.job(data)
        clusters = self.formed(job, run)  # steps 1 and 2
        items = RecodedClusters(job, clusters)
        with run.phase("recoding items"):
            items.parts(run)
        best = items.loss
        if best > self.delta:  # step 3: otherwise T(D)
            with run.phase("merging clusters"):  # step 4
                most = len(clusters)
                for _ in self.merging_steps(job, clusters, items):
                    best = min(best, items.loss)
                    run.advance(clusters.merges, most)
        if items.loss > self.delta:  # step 7
            raise Infeasible(
                f"{self.name}: delta={self.delta:g} cannot be met, the best loss reached is {best:.4g} (UL of the "
                f"items, down to {counted(len(clusters), 'cluster')}); raise delta or lower k"
            )
        return job.outcome(clusters, items.parts())

    def merging_steps(self, job: Job, clusters: Clusters, items: RecodedClusters) -> Iterator[None]:
        merges = -1
        while items.loss > self.delta and clusters.merges > merges:  # until the promise demands no further merge
            merges = clusters.merges
            merging = Merging(clusters, job.data.items, job.recoder, self.merge, self.btd)
            while items.loss > self.delta and (pair := merging.next()) is not None:
                merging.merge(*pair)
                yield
            before = clusters.merges
            make_viable(clusters, job.recoder, self.name)
            if clusters.merges > before:
                yield
