"""SEQANON: merge nearby locations until every short subsequence is shared by k (Poulis et al., 2014)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.errors import Bug
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.location_merging import LocationMerging
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels
from sfumato.methods.trajectories.seqanon.published_labels import PublishedLabels
from sfumato.methods.trajectories.seqanon.suppression import Recoded, Suppression, least_displaced
from sfumato.params import exact, param

__all__ = ["MergeNearest", "SeqAnon"]


@dataclass(frozen=True, kw_only=True)
class SeqAnon(LocationMerging):
    """Publish trajectories in which any m visits of a person are shared by at least k persons.

    Locations that are close to each other are published as one generalized location; every visit stays in
    its place in the sequence, and every published label is true.

    Notes
    -----
    Algorithm SEQANON of [1]_, published first in [2]_.  A generalized location stands for exactly one of its
    members; the distance of two generalized locations is the mean over all pairs of members.  Ties go to the smaller
    support, then to the earlier name.  Every subtrajectory is read through the current recoding before it is tested.

    Where one label is left and fewer than k persons have i visits, merging cannot help: the visits beyond
    the first i - 1 of every trajectory are suppressed and counted.  A trajectory left empty is not
    published.

    With a `suppression` above 0, which [1]_ does not have, a label whose nearest one is farther away than a limit is
    suppressed instead of merged, while the share of the visits allows it.  The limit is halved, beginning at the
    largest distance of a merge, while that helps; the run with the smallest mean displacement of a visit is published.
    More than the share is suppressed only if that is so without `suppression` as well.

    Supports are kept up to date: a merge visits only those persons who hold the rarer of the two labels.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.
    .. [2] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Distance-based k^m-anonymization
       of trajectory data", IEEE MDM 2013.

    Examples
    --------
    >>> from sfumato.data import Trajectories
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
    paper: ClassVar[str] = "Poulis et al., Transactions on Data Privacy 7(2), 2014"
    needs: ClassVar[tuple[str, ...]] = ("places",)

    suppression: float = param(
        0.0,
        at_least=0,
        below=1,
        grid=(0.0, 0.25, 0.5),
        help="largest share of the visits that may be suppressed, so that rare places are not merged with distant ones",
    )

    def labels(self, begin: Callable[[], MergedLabels], run: Run) -> PublishedLabels:
        return least_displaced(lambda rule: self.recoded(begin(), rule, run), exact(self.suppression))

    def recoded(self, labels: MergedLabels, rule: Suppression, run: Run) -> Recoded:
        """A recoding that keeps the promise, with labels suppressed by this rule."""
        widen = self.widening(labels, rule)
        for size in range(1, min(self.m, labels.longest) + 1):  # steps 2 and 3
            if not labels.protect(size, size, self.k, run, widen):
                return Recoded(labels, labels.visits_allowed(self.k, self.m), widen.weights)
        return Recoded(labels, None, widen.weights)

    def widening(self, labels: MergedLabels, rule: Suppression) -> MergeNearest:  # noqa: ARG002
        """How a label is made less rare (steps 7 and 8)."""
        return MergeNearest(rule)


class MergeNearest:
    """Merges a label with the nearest one, or suppresses it."""

    def __init__(self, rule: Suppression) -> None:
        self._rule = rule

    def __call__(self, labels: MergedLabels, label: int) -> bool:
        """Make a label less rare; False where no other is left."""
        nearest = labels.nearest(label, self.factor(labels, label))  # step 7
        if nearest is None:
            if len(labels.active) > 1:
                raise Bug(f"no label is nearest among {len(labels.active)}")
            return False
        if not labels.postpones(nearest.label) and not self._rule.takes(labels, label, nearest.distance):
            self.merge(labels, label, nearest.label)  # step 8
        return True

    def factor(self, labels: MergedLabels, label: int) -> npt.NDArray[np.float64] | None:  # noqa: ARG002
        """What the distance to each active label is multiplied by; None for 1."""
        return None

    def merge(self, labels: MergedLabels, label: int, partner: int) -> None:
        """Make two labels one."""
        labels.merge(label, partner)

    def weights(self, labels: MergedLabels) -> npt.NDArray[np.float64] | None:  # noqa: ARG002
        """What a distance counts under each label; None for 1."""
        return None
