"""What SEQANON and its variants share: a promise, and labels that are merged until it holds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import Trajectories
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels
from sfumato.methods.trajectories.seqanon.published_labels import PublishedLabels
from sfumato.methods.trajectories.seqanon.rounds import DatasetCounts, Rounds
from sfumato.params import param
from sfumato.privacy import KmAnonymity

__all__ = ["LocationMerging"]


@dataclass(frozen=True, kw_only=True)
class LocationMerging(Method[Trajectories]):
    """A method that publishes each location under one label, wherever it is visited."""

    kind: ClassVar[str] = "trajectories"
    promises: ClassVar[tuple[str, ...]] = ("km",)
    recodes_globally: ClassVar[bool] = True

    k: int = param(at_least=2, help="how many persons must share any m visits; the paper's k")
    m: int = param(at_least=1, help="how many visits an attacker may know; the paper's m")
    rounds: bool = param(
        False,
        help="merge many locations between two counts of patterns, as Spark does where visits do not fit its driver",
    )

    @property
    def guarantees(self) -> tuple[KmAnonymity, ...]:
        return (KmAnonymity(k=self.k, m=self.m),)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        require_units(self, self.k, data)
        begin = (lambda: Rounds(data, DatasetCounts(data))) if self.rounds else (lambda: Recoding(data))
        return self.labels(begin, run).outcome(data)

    @abstractmethod
    def labels(self, begin: Callable[[], MergedLabels], run: Run) -> PublishedLabels:
        """The labels that keep the promise; begin : gives each location its own label."""
