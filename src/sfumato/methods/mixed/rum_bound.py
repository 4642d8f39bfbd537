"""Rum-BOUND: (k,k^m)-anonymity with a bound on what the table loses and as little as possible lost of the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.errors import Infeasible
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.bounding import Bounded
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.merge_candidates import NOISE, Merging, make_viable
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
        at_least=0, at_most=1, grid=(0.25, 0.5, 0.75), help="how much the rows may lose, as NCP; the paper's delta"
    )

    def transform(self, data: Mixed, run: Run) -> Outcome[Mixed]:
        job = self.job(data)
        clusters = self.formed(job, run)  # steps 1 and 2
        self._require_bound(clusters)  # step 3
        with run.phase("merging clusters"):  # step 4
            merging = Merging(clusters, job.data.items, job.recoder, self.merge, self.btd)
            most = len(clusters)
            while (pair := merging.next(self.delta)) is not None:
                merging.merge(*pair)
                run.advance(clusters.merges, most)
            make_viable(clusters, job.recoder, self.name)
            self._require_bound(clusters)
        with run.phase("recoding items"):  # steps 5 to 7
            parts = job.recoded(clusters, run)
        return job.outcome(clusters, parts)

    def _require_bound(self, clusters: Clusters) -> None:
        if clusters.total > self.delta + NOISE:
            raise Infeasible(
                f"{self.name}: delta={self.delta:g} cannot be met, the best loss reached is {clusters.total:.4g} (NCP "
                f"of the clusters that {self.relational} forms); raise delta or lower k"
            )
