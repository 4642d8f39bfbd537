"""LSUP: suppress places in single trajectories (Terrovitis et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.base import AgainstOwners, Changes
from sfumato.methods.trajectories.owners.local_changes import LocalChanges
from sfumato.methods.trajectories.owners.projections import Projections

__all__ = ["Lsup"]


@dataclass(frozen=True, kw_only=True)
class Lsup(AgainstOwners):
    """Suppress places in single trajectories, until no owner can infer visits to places of others.

    Notes
    -----
    Algorithm LSUP of [1]_: of every trajectory with a problem the place is found whose suppression takes most problems
    away for the pairs of visits it costs, and the best `batch` of these are carried out, each if it still gains when
    its turn comes.  Suppressing a place takes all visits to it out of that trajectory.  Ties go to the earlier place
    in name order, then to the trajectory whose original content comes first.  Where no suppression gains anything
    and problems are left, GSUP takes over; the report states when and for how many changes.

    Persons and places without an owner are treated as by `Gsup`.

    References
    ----------
    .. [1] M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for
       privacy preserving publication of trajectories", IEEE TKDE 29(7), 2017.

    Examples
    --------
    >>> from sfumato import Places, Trajectories
    >>> places = Places.from_frame({"location": ["a1", "a2", "b1", "b2"], "owner": ["A", "A", "B", "B"]})
    >>> walks = [["a1", "a2", "b1"], ["a1", "b2"], ["a1"], ["a2", "b2"], ["a2"]]
    >>> release = Lsup(threshold=0.5).anonymize(Trajectories.from_lists(walks, places=places))
    >>> release.holds, release.counts["suppressed_visits"]
    (True, 1)
    """

    name: ClassVar[str] = "lsup"
    title: ClassVar[str] = "LSUP"

    def _change(self, work: Projections, changes: Changes, run: Run) -> None:
        local = LocalChanges(work, batch=self.batch)
        local.run(run)
        changes.total = local.changes
        if work.problems:
            changes.note_fallback("GSUP", "since no suppression of a single place would remove a problem")
            self._unify(work, changes, run)
            changes.by_fallback = changes.total - changes.fallback_after
