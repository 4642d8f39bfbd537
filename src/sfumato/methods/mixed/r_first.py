"""RFIRST: k-anonymous clusters of rows, then the items of each cluster by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Mixed
from sfumato.methods.base import Outcome, Run
from sfumato.methods.mixed.rows_first import RowsFirst

__all__ = ["RFirst"]


@dataclass(frozen=True, kw_only=True)
class RFirst(RowsFirst):
    """Lose as little as possible of the table, at any cost to the items.

    Notes
    -----
    The relational method forms k-anonymous clusters, in each of which the transaction method recodes the items [1]_.
    Where some but fewer than k of a cluster have items, those items are suppressed.  With `l` above 1, a cluster in
    which a sensitive item belongs to more than one in l is merged with the cluster whose rows are most similar.

    References
    ----------
    .. [1] G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and
       transaction attributes", Proc. ECML PKDD, 2013, Section 3.

    Examples
    --------
    >>> from sfumato import Taxonomy
    >>> ills = Taxonomy({"any": None, "lung": "any", "flu": "lung", "cough": "lung", "gout": "any"})
    >>> people = {"age": [31, 32, 71, 72], "ills": ["flu", "cough", "gout flu", "gout"]}
    >>> patients = Mixed.from_frame(people, items="ills", taxonomy=ills)
    >>> RFirst(k=2, m=2).anonymize(patients).to_polars().rows()
    [('[31:32]', 'lung'), ('[31:32]', 'lung'), ('[71:72]', 'any'), ('[71:72]', 'any')]
    """

    name: ClassVar[str] = "r-first"
    title: ClassVar[str] = "RFIRST (rows first, then items)"

    def transform(self, data: Mixed, run: Run) -> Outcome[Mixed]:
        job = self.job(data)
        clusters = self.formed(job, run)
        with run.phase("recoding items"):
            parts = job.recoded(clusters, run)
        return job.outcome(clusters, parts)
