"""CLUSTER: groups of k around random rows (Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.data.base import Ints
from sfumato.data.tables.encoding import Coding
from sfumato.methods.base import Run
from sfumato.methods.relational.grouping import clusters
from sfumato.methods.relational.local_recoding import LocalRecoding

__all__ = ["Cluster"]


@dataclass(frozen=True, kw_only=True)
class Cluster(LocalRecoding):
    """Publish rows in groups of at least k, each around a random row, under the closest labels over their values.

    Fast and simple; `local` loses less.

    Notes
    -----
    Algorithm CLUSTER of [1]_, with the normalized certainty penalty (NCP) and local recoding.  A column of numbers
    without a hierarchy is published as ranges, and penalized by their length.  Seeds are drawn; ties go to what comes
    first in the order of quasi-identifiers, and between equal rows they are drawn too.  O(n^2 / k) label comparisons,
    O(n) memory.

    Departures: where persons are known, the k rows of a group belong to k persons, and further rows of the same
    persons are placed as the paper's remaining ones are.  With `l`, the nearest rows are taken as long as enough places
    are left for the sensitive values that are still wanted.  With `t`, a group that is too far from the whole table is
    merged with the one that makes both together lose least.

    References
    ----------
    .. [1] G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, "Anonymizing data with relational and
       transaction attributes", ECML PKDD, 2013.

    Examples
    --------
    >>> from sfumato import Table
    >>> people = Table({"age": [30, 52, 31, 53], "town": ["Rome", "Oslo", "Rome", "Bari"]})
    >>> Cluster(k=2).anonymize(people).data.frame.rows()
    [('[30:31]', 'Rome'), ('[30:31]', 'Rome'), ('[52:53]', '*'), ('[52:53]', '*')]
    """

    name: ClassVar[str] = "cluster"
    title: ClassVar[str] = "CLUSTER"
    paper: ClassVar[str] = "Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos 2013"

    def grouped(self, coding: Coding, run: Run) -> Ints | None:
        with run.phase("grouping"):
            return clusters(coding, self.k, run.rng, l=self.l, t=self.t)
