"""What the methods against owners of places have in common: parameters, promise, bookkeeping, and what they say."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Trajectories
from sfumato.kernels.owners.local_changes import problematic_fragments, split_by_owner
from sfumato.kernels.owners.projections import LENGTH
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
    """How many changes were made, and which of them by a fall-back after how many of the others."""

    total: int = 0
    split_points: int = 0
    fallback: str = ""
    fallback_after: int = 0

    @property
    def by_fallback(self) -> int:
        return self.total - self.fallback_after if self.fallback else 0

    def counts(self) -> dict[str, int]:
        counts = {"split_points": self.split_points, "changes": self.total}
        if self.fallback:
            counts |= {"fallback_changes": self.by_fallback, "fallback_after_changes": self.fallback_after}
        return counts

    def note(self, who: str) -> str:
        """Why a fall-back made more than a few of the changes; None if it did not."""
        if self.by_fallback <= _OFTEN * self.total:
            return ""
        return (
            f"{who}: after {self.fallback_after:,} changes, every further change would cause as many problems as it "
            f"solves, so {self.fallback} made the other {self.by_fallback:,} ({self.by_fallback / self.total:.0%})"
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
        changes = Changes()
        notes = [owners.nothing_to_protect(data)]
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
        """Algorithm GSUP, on what is left."""
        unifications = Unifications(work, batch=self.batch)
        unifications.run(run)
        changes.total += unifications.changes

    def _fall_back(self, work: Projections, changes: Changes, run: Run, by: str) -> None:
        """What takes over where no single change gains anything."""
        changes.fallback_after = changes.total
        changes.fallback = "GSUP" if by == "gsup" else "the naive split"
        if by == "gsup":
            self._unify(work, changes, run)
            return
        while work.problems:
            for fragment in problematic_fragments(work.state):
                work.reserve(int(work.state.fragments[LENGTH, fragment]))
                changes.split_points += int(split_by_owner(work.state, fragment))
                changes.total += 1
