"""Which frequent patterns a release has kept, and which it has made up."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from sfumato.data import Chunks
from sfumato.data.ragged import Ragged
from sfumato.mining import FrequentItemsets, FrequentSequences
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.projection import projected

__all__ = ["PatternsPreserved", "PatternsSpurious"]

Patterns = set[tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class _FrequentPatterns(Measure):
    """Frequent patterns before and after, in records.

    Generalized data are read through random projections, chunks through as many reconstructions.
    """

    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")

    support: float = param(0.01, above=0, help="smallest support: a number of records, below 1 a share of them")
    largest: int | None = param(None, at_least=1, help="how many labels a pattern has at most")
    projections: int = param(
        20, at_least=0, help="how many random projections to average over; 0 reads labels as they are"
    )
    seed: int = param(0, at_least=0, help="draws the same projections again")

    def score(self, original: Any, release: Released) -> Score:
        before = self._frequent(original)
        rng = np.random.default_rng(self.seed)
        worlds = [release.data]
        if isinstance(release.data, Chunks):
            worlds = release.data.reconstruct(max(1, self.projections), seed=self.seed)
        elif self.projections and release.data.members:
            worlds = [projected(release.data, rng) for _ in range(self.projections)]
        return Score(float(np.mean([self._share(before, self._frequent(world)) for world in worlds])), "%")

    def _frequent(self, data: Ragged) -> Patterns:
        if len(data.codes) == 0:
            return set()
        miner = FrequentSequences if data.kind == "trajectories" else FrequentItemsets
        found = miner(support=self.support, max_length=self.largest).mine(data.with_persons(None))
        return {tuple(pattern) for pattern in found["pattern"].to_list()}

    @abstractmethod
    def _share(self, before: Patterns, after: Patterns) -> float:
        """The percentage, for one projection."""


@dataclass(frozen=True, kw_only=True)
class PatternsPreserved(_FrequentPatterns):
    """The percentage of the original's frequent patterns that are frequent in the release.

    Examples
    --------
    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists(["ab", "ab", "cb"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})
    >>> release = SeqAnon(k=2, m=1).anonymize(walks)  # b and c become one label, so that b and (a, b) are lost
    >>> str(PatternsPreserved(support=2, projections=0)(walks, release))
    '33.33 %'
    """

    name: ClassVar[str] = "patterns-preserved"
    title: ClassVar[str] = "frequent patterns preserved"
    meaning: ClassVar[str] = "share of the original's frequent patterns that are frequent in the release"
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    def _share(self, before: Patterns, after: Patterns) -> float:
        return 100.0 * len(before & after) / len(before) if before else 100.0


@dataclass(frozen=True, kw_only=True)
class PatternsSpurious(_FrequentPatterns):
    """The percentage of the release's frequent patterns that are not frequent in the original."""

    name: ClassVar[str] = "patterns-spurious"
    title: ClassVar[str] = "spurious frequent patterns"
    meaning: ClassVar[str] = "share of the release's frequent patterns that are not frequent in the original"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def _share(self, before: Patterns, after: Patterns) -> float:
        return 100.0 * len(after - before) / len(after) if after else 0.0
