"""Which frequent patterns a release has kept, and which it has made up."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentItemsets, FrequentSequences
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.pattern_changes import Kept
from sfumato.utility.patterns.random_projection import projected

__all__ = ["PatternsPreserved", "PatternsSpurious"]

_MOST = 1 << 22  # labels in all patterns together: a few seconds for each projection
ByLength = dict[int, npt.NDArray[np.void]]
"""The patterns of each length, a row each, as one value."""


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
        rng = np.random.default_rng(self.seed)
        worlds = [release.data]
        if isinstance(release.data, Chunks):
            worlds = release.data.reconstruct(max(1, self.projections), seed=self.seed)
        elif self.projections and release.data.members:
            worlds = [projected(release.data, rng) for _ in range(self.projections)]
        numbers: dict[str, int] = {}
        before = self._frequent(original, numbers)
        shares = [self._share(_compared(before, self._frequent(world, numbers))) for world in worlds]
        return Score(float(np.mean(shares)), "%")

    def _frequent(self, data: Ragged, numbers: dict[str, int]) -> ByLength:
        """The frequent patterns of the data, in the numbers that names have in all of them."""
        if len(data.codes) == 0:
            return {}
        miner = FrequentSequences if data.kind == "trajectories" else FrequentItemsets
        asked = miner(support=self.support, max_length=self.largest)
        try:
            found = asked.find(data.with_persons(None), most=_MOST)
        except ParameterError:
            raise DataError(
                f"{self.name}: wanted patterns with {_MOST:,} labels together at most, found more; "
                "set a higher support, or how large they are (largest)"
            ) from None
        number = np.array([numbers.setdefault(name, len(numbers)) for name in data.names], dtype=np.int32)
        rows = {}
        for length in np.unique(found.lengths).tolist():
            same = np.flatnonzero(found.lengths == length)
            table = number[found.codes[found.offsets[same][:, None] + np.arange(length)]]
            if data.kind != "trajectories":
                table.sort(axis=1)  # an itemset has no order, and numbers are not in that of names
            rows[length] = np.ascontiguousarray(table).view(f"V{4 * length}").ravel()
        return rows

    @abstractmethod
    def _share(self, kept: Kept) -> float:
        """The percentage, for one projection."""


def _compared(before: ByLength, after: ByLength) -> Kept:
    both = sum(np.isin(before[length], after[length]).sum() for length in before.keys() & after.keys())
    return Kept(sum(map(len, before.values())), sum(map(len, after.values())), int(both))


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

    def _share(self, kept: Kept) -> float:
        return kept.preserved


@dataclass(frozen=True, kw_only=True)
class PatternsSpurious(_FrequentPatterns):
    """The percentage of the release's frequent patterns that are not frequent in the original."""

    name: ClassVar[str] = "patterns-spurious"
    title: ClassVar[str] = "spurious frequent patterns"
    meaning: ClassVar[str] = "share of the release's frequent patterns that are not frequent in the original"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def _share(self, kept: Kept) -> float:
        return kept.spurious
