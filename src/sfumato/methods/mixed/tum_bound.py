"""Tum-BOUND: (k,k^m)-anonymity with a bound on what the items lose and as little as possible lost of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.errors import Infeasible
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.base import Job
from sfumato.methods.mixed.bounding import Bounded
from sfumato.methods.mixed.clusters import Clusters
from sfumato.methods.mixed.item_recoding import Recoded
from sfumato.methods.mixed.merge_candidates import Merging, make_viable
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
    of all records, a loss above delta makes it infeasible.

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
        with run.phase("recoding items"):
            parts = dict(zip(clusters.numbers.tolist(), job.recoded(clusters, run), strict=True))
        records = max(1, int(clusters.sizes[clusters.alive].sum()))
        best = lost = sum(part.lost for part in parts.values()) / records
        if lost <= self.delta:  # step 3: T(D)
            return job.outcome(clusters, list(parts.values()))
        with run.phase("merging clusters"):  # step 4
            most, merges = len(clusters), -1
            recoded = dict(enumerate(clusters.sizes.tolist()))
            while clusters.merges > merges:  # until neither for the sake of the loss nor of the promise
                merges = clusters.merges
                merging = Merging(clusters, job.data.items, job.recoder, self.merge, self.btd)
                while lost > self.delta and (pair := merging.next()) is not None:
                    merging.merge(*pair)
                    lost = _lost_after(job, clusters, parts, recoded) / records
                    best = min(best, lost)
                    run.advance(clusters.merges, most)
                make_viable(clusters, job.recoder, self.name)
                lost = _lost_after(job, clusters, parts, recoded) / records
        if lost > self.delta:  # step 7
            raise Infeasible(
                f"{self.name}: delta={self.delta:g} cannot be met, the best loss reached is {best:.4g} (UL of the "
                f"items, down to {len(clusters)} clusters); raise delta or lower k"
            )
        return job.outcome(clusters, list(parts.values()))


def _lost_after(job: Job, clusters: Clusters, parts: dict[int, Recoded], recoded: dict[int, int]) -> float:
    """What the items lose now; clusters that have grown are recoded anew.

    parts, recoded : of each cluster its items and how many records they are of; brought up to date.
    """
    for number in [cluster for cluster in parts if not clusters.alive[cluster]]:
        del parts[number]
    for number, size in zip(clusters.numbers.tolist(), clusters.sizes[clusters.alive].tolist(), strict=True):
        if recoded[number] != size:
            parts[number], recoded[number] = job.recoder.recoded(clusters.rows[number]), size
    return sum(part.lost for part in parts.values())
