"""GSUP: make what an owner sees of different trajectories the same (Terrovitis et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.base import AgainstOwners, Changes
from sfumato.methods.trajectories.owners.projections import Projections

__all__ = ["Gsup"]


@dataclass(frozen=True, kw_only=True)
class Gsup(AgainstOwners):
    """Suppress visits in all trajectories that look alike to an owner, until no owner can infer visits to other places.

    Every company that runs shops sees the visits to its own shops.  If too large a share of the trajectories with
    what it saw went to some other place, some places are suppressed in all of them, so that they look like others.

    Notes
    -----
    Algorithm GSUP of [1]_.  A projection can be unified with what is left of it when *all* visits to some of its
    places are suppressed, if that is the projection of other trajectories, or empty, and if it is no problem
    afterwards; this is checked again when a unification of a batch is carried out.  The empty projection is never a
    problem, so there is always a way.  The gain is ``(N - N') / N`` over the summed shares of pairs lost, as in the
    paper.  Ties go to the smaller anonymity set, then to the name order of the projection, then to the longer of the
    projections that it can be unified with.

    Where persons are known, shares of trajectories and shares of distinct persons must both stay below the
    threshold; N counts problems of both kinds.  A place without an owner is sensitive to every owner.

    Unifications only ever take problems away.  So those that can be of use are found once, and after each one only
    the gains of projections that share a trajectory with a change are computed anew.

    References
    ----------
    .. [1] M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for
       privacy preserving publication of trajectories", IEEE TKDE 29(7), 2017.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.from_frame({"location": ["a1", "a2", "b1", "b2"], "owner": ["A", "A", "B", "B"]})
    >>> walks = [["a1", "a2", "b1"], ["a1", "b2"], ["a1"], ["a2", "b2"], ["a2"]]
    >>> release = Gsup(threshold=0.5).anonymize(Trajectories.from_lists(walks, places=places))
    >>> release.holds
    True
    >>> release.data.to_lists()
    [['a1'], ['a1', 'a2'], ['a1', 'b2'], ['a2'], ['a2', 'b2']]
    """

    name: ClassVar[str] = "gsup"
    title: ClassVar[str] = "GSUP"

    def _change(self, work: Projections, changes: Changes, run: Run) -> None:
        self._unify(work, changes, run)
