"""SPLIT: cut trajectories into fragments that cannot be linked (Terrovitis et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.base import AgainstOwners, Changes
from sfumato.methods.trajectories.owners.local_changes import LocalChanges
from sfumato.methods.trajectories.owners.projections import Projections
from sfumato.methods.trajectories.owners.unifications import Unifications
from sfumato.params import param

__all__ = ["Split", "Splitting"]

_FALLBACKS = {"naive": "the naive split", "gsup": "GSUP"}


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
        help="what to do where every split adds problems: split wherever the owner changes, or suppress by GSUP",
    )

    mixed: ClassVar[bool] = False

    def _change(self, work: Projections, changes: Changes, run: Run) -> None:
        local = LocalChanges(work, batch=self.batch, splits=True, mixed=self.mixed, candidates=self.candidates)
        while work.problems:
            local.run(run)
            changes.total = local.changes + changes.by_fallback
            if work.problems:
                changes.note_fallback(_FALLBACKS[self.fallback], "where every single cut would add problems")
                changes.by_fallback += self._fall_back(work, local)
        changes.total, changes.split_points = local.changes + changes.by_fallback, local.splittings

    def _fall_back(self, work: Projections, local: LocalChanges) -> int:
        """Split one trajectory at every change of the owner, or do one loop of GSUP; returns the number of changes."""
        if self.fallback == "naive":
            local.split_by_owner()
            return 1
        unifications = Unifications(work, batch=self.batch)
        unifications.loop()
        local.evaluate_again()
        return unifications.changes


@dataclass(frozen=True, kw_only=True)
class Split(Splitting):
    """Split trajectories, until no owner can infer visits to places of others; every visit stays.

    The fragments are published as trajectories of their own, and nothing shows which of them belong together.

    Notes
    -----
    Algorithm SPLIT of [1]_: of every trajectory with a problem the cut is found that takes most problems away (ties:
    the fewer pairs of visits are lost, then the earlier cut).  Of the best ``candidates * batch`` trajectories (ties:
    by original content) the `batch` that lose the smallest share of their pairs are cut, each if that still gains
    when its turn comes.  If no cut of any trajectory gains, the same is done with cuts that leave the number of
    problems as it is: [1]_ excludes them in line 12 of the algorithm but falls back only below zero in line 11.

    If every cut adds problems, a fall-back makes one change: the trajectory whose best cut adds the fewest problems
    (ties: by original content) is cut wherever the owner changes, so that every visit stays; by ``fallback="gsup"``,
    one loop of `Gsup` suppresses places instead.  Then the search for cuts goes on, where [1]_ leaves all the rest to
    GSUP: this needs fewer fragments.  It ends, because every change adds a fragment or removes visits.  The report
    counts the changes by the fall-back.

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
