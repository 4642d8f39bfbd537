"""U-SEQANON: merge locations only inside utility constraints, suppress where that fails (Poulis et al., 2014)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.errors import Infeasible
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.location_merging import LocationMerging
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels
from sfumato.methods.trajectories.seqanon.published_labels import PublishedLabels
from sfumato.params import exact, param

__all__ = ["USeqAnon"]


@dataclass(frozen=True, kw_only=True)
class USeqAnon(LocationMerging):
    """Publish trajectories in which any m visits of a person are shared by k, merging only inside constraints.

    Utility constraints are a partition of the locations.  None of them is published together with one of another
    constraint, so that visits to a constraint can be counted.  Where merging a whole constraint is not enough, its
    locations are suppressed in every trajectory.  If more than delta percent of the locations would have to be
    suppressed, nothing is published.

    Notes
    -----
    Algorithm U-SEQANON of [1]_ with step 5 read as "while 0 < sup(s) < k", every subtrajectory read through the
    current recoding, and support counted in persons where they are known.  Distance and ties are as in SEQANON.
    Delta counts the distinct visited locations: a suppressed generalized location counts with all its members.  A
    trajectory left without a visit is not published, and is counted.  A run that passes delta is followed to its end
    nevertheless, so that the refusal can say which delta would have been enough; a run that would suppress every
    location is refused for any delta.  There is no `suppression` as in SEQANON: the constraints already state how far a
    label may reach, and delta what may be suppressed for it.

    Merging never lowers the support of what a subtrajectory has become, and suppressing leaves those without the
    suppressed location as they are; so what one pass over a size has repaired stays repaired.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> from sfumato.data import Constraints, Trajectories
    >>> walks = Trajectories.from_lists(
    ...     ["dace", "baec", "ade", "bdec", "dc", "de"],
    ...     places={"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)},
    ... )
    >>> allowed = Constraints({"b": "1", "c": "1", "a": "2", "d": "2", "e": "2"})
    >>> release = USeqAnon(k=2, m=2, delta=5).anonymize(replace(walks, constraints=allowed))
    >>> release.data.members
    {'g1': ('a', 'd'), 'g2': ('b', 'c')}
    >>> release.holds
    True
    """

    name: ClassVar[str] = "u-seqanon"
    title: ClassVar[str] = "U-SEQANON"
    paper: ClassVar[str] = "Poulis et al., Transactions on Data Privacy 7(2), 2014"
    needs: ClassVar[tuple[str, ...]] = ("places", "constraints")

    delta: float = param(
        at_least=0,
        at_most=100,
        grid=(5.0, 10.0, 25.0),
        help="largest percentage of the locations that may be suppressed; the paper's delta",
    )

    def labels(self, begin: Callable[[], MergedLabels], run: Run) -> PublishedLabels:
        labels = begin()
        allowed = _Allowed(labels)
        for size in range(1, min(self.m, labels.longest) + 1):  # steps 2 and 3
            labels.protect(size, size, self.k, run, allowed.widen)
        self._require_little_suppressed(allowed.suppressed, allowed.visited)
        return replace(labels.published(), counts={"suppressed_locations": allowed.suppressed})

    def _require_little_suppressed(self, suppressed: int, visited: int) -> None:
        """Steps 11 and 12."""
        if 100 * suppressed > exact(self.delta) * visited:
            percent = -(-10_000 * suppressed // visited) / 100  # rounded up, so that it would be enough
            raise Infeasible(
                f"{self.name}: {percent:g} percent of the locations ({suppressed} of {visited}) would have to be "
                f"suppressed, delta={self.delta:g} allows fewer; raise delta, lower k or m, or give larger constraints"
            )
        if suppressed == visited:
            raise Infeasible(
                f"{self.name}: all {visited} locations would have to be suppressed, which leaves nothing to publish; "
                "lower k or m, or give larger constraints"
            )


class _Allowed:
    """Which locations may be merged, and what had to be suppressed."""

    def __init__(self, labels: MergedLabels) -> None:
        constraints, visited = labels.side.constraints, np.sort(labels.active)
        assert constraints is not None
        names = [labels.side.names[code] for code in visited]
        constraints.require(names)
        number = {constraint: index for index, constraint in enumerate(constraints.groups)}
        self._constraint = np.full(len(labels.side.names), -1, dtype=np.int64)
        self._constraint[visited] = [number[constraints[name]] for name in names]
        self.visited = len(visited)
        self.suppressed = 0

    def widen(self, labels: MergedLabels, label: int) -> bool:
        """Merge a label with the nearest of its constraint, or suppress it where it is the only one (steps 7 to 14)."""
        same = self._constraint[labels.active] == self._constraint[label]
        nearest = labels.nearest(label, np.where(same, 1.0, np.inf))
        if nearest is None:
            self.suppressed += labels.suppress(label)
        elif not labels.postpones(nearest.label):
            labels.merge(label, nearest.label)
        return True
