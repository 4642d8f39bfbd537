"""SPLIT: cut trajectories into fragments that cannot be linked (Terrovitis et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.base import AgainstOwners, Changes
from sfumato.methods.trajectories.owners.local_changes import LocalChanges
from sfumato.methods.trajectories.owners.projections import Projections
from sfumato.params import param

__all__ = ["Split", "Splitting"]


@dataclass(frozen=True, kw_only=True)
class Splitting(AgainstOwners):
    """What SPLIT and MIX have in common."""

    candidates: int = param(
        2,
        at_least=1,
        grid=(2, 8),
        help="how many of the best splits are compared by information loss; the paper's s",
    )
    fallback: str = param(
        "naive",
        choices=("naive", "gsup"),
        grid=("naive", "gsup"),
        help="what to do where no split helps: split wherever the owner changes, or suppress by GSUP",
    )

    mixed: ClassVar[bool] = False

    def _change(self, work: Projections, changes: Changes, run: Run) -> None:
        local = LocalChanges(work, batch=self.batch, splits=True, mixed=self.mixed, candidates=self.candidates)
        local.run(run)
        changes.total, changes.split_points = local.changes, local.splittings
        if work.problems:
            self._fall_back(work, changes, run, self.fallback)


@dataclass(frozen=True, kw_only=True)
class Split(Splitting):
    """Split trajectories, until no owner can infer visits to places of others; every visit stays.

    The fragments are published as trajectories of their own, and nothing shows which of them belong together.

    Notes
    -----
    Algorithm SPLIT of [1]_: of every trajectory with a problem the cut is found that takes most problems away (ties:
    the fewer pairs of visits are lost, then the earlier cut).  Of the best ``candidates * batch`` trajectories (ties:
    by original content) the `batch` that lose the smallest share of their pairs are cut, each if that still gains
    when its turn comes.  Where no cut gains anything and problems are left, trajectories with a problem are cut
    wherever the owner changes, until none exists; by ``fallback="gsup"`` places are suppressed instead.  The
    report states when and for how many changes.

    Persons and places without an owner are treated as by `Gsup`; all fragments of a person's trajectories are that
    person's.

    References
    ----------
    .. [1] M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for
       privacy preserving publication of trajectories", IEEE TKDE 29(7), 2017.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.from_frame({"location": ["a1", "a2", "b1", "b2"], "owner": ["A", "A", "B", "B"]})
    >>> walks = [["a1", "a2", "b1"], ["a1", "b2"], ["a1"], ["a2", "b2"], ["a2"]]
    >>> release = Split(threshold=0.5).anonymize(Trajectories.from_lists(walks, places=places))
    >>> release.holds, release.counts["suppressed_visits"], release.counts["split_points"]
    (True, 0, 1)
    """

    name: ClassVar[str] = "split"
    title: ClassVar[str] = "SPLIT"
