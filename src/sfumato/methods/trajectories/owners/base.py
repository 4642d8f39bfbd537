"""What the methods against owners of places have in common: parameters, promise, bookkeeping, and what they say."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Trajectories
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.trajectories.owners.projections import Projections
from sfumato.methods.trajectories.owners.unifications import Unifications
from sfumato.params import param
from sfumato.privacy import ProjectionSafety
from sfumato.privacy.checks.place_owners import COLLUDE_HELP, Adversaries, coalitions

__all__ = ["AgainstOwners", "Changes"]

_OFTEN = 0.05  # from this share of changes on, a fall-back is explained


@dataclass
class Changes:
    """How many changes were made, how many of them by a fall-back, and after how many it was first needed."""

    total: int = 0
    split_points: int = 0
    fallback: str = ""
    fallback_after: int = 0
    by_fallback: int = 0
    reason: str = ""

    def note_fallback(self, fallback: str, reason: str) -> None:
        """Remember that a fall-back is needed, why, and after how many changes."""
        if not self.fallback:
            self.fallback, self.reason, self.fallback_after = fallback, reason, self.total

    def counts(self) -> dict[str, int]:
        counts = {"split_points": self.split_points, "changes": self.total}
        if self.fallback:
            counts |= {"fallback_changes": self.by_fallback, "fallback_after_changes": self.fallback_after}
        return counts

    def note(self, who: str) -> str:
        """Why a fall-back made more than a few of the changes; empty if it did not."""
        if self.by_fallback <= _OFTEN * self.total:
            return ""
        return (
            f"{who}: {self.fallback} made {self.by_fallback:,} of {self.total:,} changes "
            f"({self.by_fallback / self.total:.0%}), {self.reason}"
        )


@dataclass(frozen=True, kw_only=True)
class AgainstOwners(Method[Trajectories]):
    """A method that changes trajectories until no owner of places can infer visits to places of others."""

    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Terrovitis et al., IEEE TKDE 29(7), 2017"
    promises: ClassVar[tuple[str, ...]] = ("projection",)
    record_changes: ClassVar[tuple[str, ...]] = ("suppressed", "split")
    needs: ClassVar[tuple[str, ...]] = ("owners",)

    threshold: float = param(
        0.5,
        above=0,
        at_most=1,
        help="largest share of matching trajectories that may visit one place; the paper's P_br",
    )
    batch: int = param(10, at_least=1, help="changes made before gains are compared again; the paper's m")
    collude: str | None = param(None, help=COLLUDE_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        coalitions(self.collude, self.name)

    @property
    def guarantees(self) -> tuple[ProjectionSafety, ...]:
        return (ProjectionSafety(threshold=self.threshold, collude=self.collude),)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        owners = Adversaries.of(data, self.collude, who=self.name)
        with run.phase("projecting"):
            work = Projections(data, owners.of_label, self.threshold)
        return self.changed(work, owners.nothing_to_protect(data), run)

    def changed(self, work: Projections, nothing_to_protect: str, run: Run) -> Outcome[Trajectories]:
        """The trajectories after all changes; nothing_to_protect : why there is nothing to change, if so."""
        changes = Changes()
        notes = [nothing_to_protect]
        if work.problems:
            with run.phase("changing"):
                self._change(work, changes, run)
            notes.append(changes.note(self.name))
        elif not notes[0]:
            notes.append("no owner can infer visits to places of others: everything is published unchanged")
        return work.outcome(changes.counts(), tuple(filter(None, notes)))

    @abstractmethod
    def _change(self, work: Projections, changes: Changes, run: Run) -> None:
        """Make changes until there is no problem left."""

    def _unify(self, work: Projections, changes: Changes, run: Run) -> None:
        """Algorithm GSUP, until there is no problem left."""
        unifications = Unifications(work, batch=self.batch)
        unifications.run(run)
        changes.total += unifications.changes
