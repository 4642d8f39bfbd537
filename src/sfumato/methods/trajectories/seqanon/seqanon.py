"""SEQANON: merge nearby locations until every short subsequence is shared by k (Poulis et al., 2014)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Trajectories
from sfumato.errors import Bug
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from sfumato.params import param
from sfumato.privacy import KmAnonymity

__all__ = ["SeqAnon", "Widen", "protect", "with_nearest"]

Widen = Callable[[Recoding, int], bool]
"""Makes a label less rare, or gives up (steps 7 and 8)."""


@dataclass(frozen=True, kw_only=True)
class SeqAnon(Method[Trajectories]):
    """Publish trajectories in which any m visits of a person are shared by at least k persons.

    Locations that are close to each other are published as one generalized location; every visit stays in
    its place in the sequence, and every published label is true.

    Notes
    -----
    Algorithm SEQANON of [1]_.  A generalized location stands for exactly one of its members; the distance
    of two generalized locations is the mean over all pairs of members.  Ties go to the smaller support, then to
    the earlier name.  Every subtrajectory is read through the current recoding before it is tested.

    Where one label is left and fewer than k persons have i visits, merging cannot help: the visits beyond
    the first i - 1 of every trajectory are suppressed and counted.  A trajectory left empty is not
    published.

    Supports are kept up to date: a merge visits only those persons who hold the rarer of the two labels.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> walks = Trajectories.from_lists(
    ...     ["dace", "baec", "ade", "bdec", "dc", "de"],
    ...     places={"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)},
    ... )
    >>> release = SeqAnon(k=2, m=2).anonymize(walks)
    >>> release.data.members
    {'g1': ('a', 'b', 'c')}
    >>> release.holds
    True
    """

    name: ClassVar[str] = "seqanon"
    title: ClassVar[str] = "SEQANON"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Poulis et al., Transactions on Data Privacy 7(2), 2014"
    promises: ClassVar[tuple[str, ...]] = ("km",)
    recodes_globally: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("places",)

    k: int = param(at_least=2, help="how many persons must share any m visits; the paper's k")
    m: int = param(at_least=1, help="how many visits an attacker may know; the paper's m")

    @property
    def guarantees(self) -> tuple[KmAnonymity, ...]:
        return (KmAnonymity(k=self.k, m=self.m),)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        require_units(self, self.k, data)
        recoding, widen = Recoding(data), self.widening(data)
        for size in range(1, min(self.m, recoding.longest) + 1):  # steps 2 and 3
            if not protect(recoding, size, size, self.k, run, widen):
                return recoding.outcome(recoding.visits_allowed(self.k, self.m))
        return recoding.outcome()

    def widening(self, data: Trajectories) -> Widen:  # noqa: ARG002
        """How a label is made less rare (steps 7 and 8)."""
        return with_nearest


def with_nearest(recoding: Recoding, label: int) -> bool:
    """Merge a label with the nearest one; False where no other is left."""
    partner = recoding.nearest(label)  # step 7
    if partner is None:
        if len(recoding.active) > 1:
            raise Bug(f"no label is nearest among {len(recoding.active)}")
        return False
    recoding.merge(label, partner)  # step 8
    return True


def protect(recoding: Recoding, smallest: int, largest: int, k: int, run: Run, widen: Widen = with_nearest) -> bool:
    """Widen labels until every subsequence of these sizes has a support of 0 or at least k (steps 3 to 8).

    Returns whether that was possible; if not, one label is left.
    """
    with run.phase(f"counting patterns of size {largest}"):
        recoding.count(smallest, largest)
        rare = recoding.rare(k)
    with run.phase(f"merging at size {largest}"):
        row = recoding.next_rare(rare, 0, k)
        while row < len(rare):
            run.advance(row, len(rare))
            if not widen(recoding, recoding.rarest_label(rare[row])):  # step 6
                return False
            row = recoding.next_rare(rare, row, k)
    return True
