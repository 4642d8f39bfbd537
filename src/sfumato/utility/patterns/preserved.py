"""Percentages of frequent patterns that a release preserves, and of spurious ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentItemsets, FrequentSequences
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.pattern_changes import PatternCounts
from sfumato.utility.patterns.random_projection import projected

__all__ = ["PatternsPreserved", "PatternsSpurious"]

_MOST = 1 << 22  # limit of the labels in all patterns together: a few seconds for each projection
ByLength = dict[int, npt.NDArray[np.void]]
"""The patterns of each length, each as one value."""


@dataclass(frozen=True, kw_only=True)
class _FrequentPatterns(Measure):
    """Mines the frequent patterns of the original and of the release; support counts records.

    Generalized data are replaced by random projections, chunks by as many reconstructions.
    """

    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")

    support: float = param(0.01, above=0, help="smallest support: a number of records, or below 1 a share of them")
    largest: int | None = param(None, at_least=1, help="largest number of labels in a pattern")
    projections: int = param(
        20, at_least=0, help="number of random projections to average over; 0 takes labels as opaque symbols"
    )
    seed: int = param(0, at_least=0, help="seed of the projections")

    def score(self, original: Ragged, release: Released[Ragged | Chunks]) -> Score:
        rng = np.random.default_rng(self.seed)
        if isinstance(release.data, Chunks):
            projections: Sequence[Ragged] = release.data.reconstruct(max(1, self.projections), seed=self.seed)
        elif not (self.projections and release.data.members):
            projections = [release.data]
        else:
            projections = [projected(release.data, rng) for _ in range(self.projections)]
        numbers: dict[str, int] = {}
        before = self._frequent(original, numbers)
        shares = [self._share(_compare(before, self._frequent(projection, numbers))) for projection in projections]
        return Score(float(np.mean(shares)), "%")

    def _frequent(self, data: Ragged, numbers: dict[str, int]) -> ByLength:
        """The frequent patterns of the data, in numbers of names that all datasets share."""
        if len(data.codes) == 0:
            return {}
        miner_class = FrequentSequences if data.kind == "trajectories" else FrequentItemsets
        miner = miner_class(support=self.support, max_length=self.largest)
        try:
            mined = miner.find(data.with_persons(None), most=_MOST)
        except ParameterError:
            raise DataError(
                f"{self.name}: wanted patterns with at most {_MOST:,} labels together, found more; "
                "set a higher support, or the largest size of a pattern (largest)"
            ) from None
        number = np.array([numbers.setdefault(name, len(numbers)) for name in data.names], dtype=np.int32)
        rows = {}
        for length in np.unique(mined.lengths).tolist():
            of_length = np.flatnonzero(mined.lengths == length)
            table = number[mined.codes[mined.offsets[of_length][:, None] + np.arange(length)]]
            if data.kind != "trajectories":
                table.sort(axis=1)  # an itemset has no order, and numbers are not in name order
            rows[length] = np.ascontiguousarray(table).view(f"V{4 * length}").ravel()
        return rows

    @abstractmethod
    def _share(self, counts: PatternCounts) -> float:
        """The percentage, for one projection."""


def _compare(before: ByLength, after: ByLength) -> PatternCounts:
    both = sum(np.isin(before[length], after[length]).sum() for length in before.keys() & after.keys())
    return PatternCounts(sum(map(len, before.values())), sum(map(len, after.values())), int(both))


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

    def _share(self, counts: PatternCounts) -> float:
        return counts.preserved


@dataclass(frozen=True, kw_only=True)
class PatternsSpurious(_FrequentPatterns):
    """The percentage of the release's frequent patterns that are not frequent in the original."""

    name: ClassVar[str] = "patterns-spurious"
    title: ClassVar[str] = "spurious frequent patterns"
    meaning: ClassVar[str] = "share of the release's frequent patterns that are not frequent in the original"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def _share(self, counts: PatternCounts) -> float:
        return counts.spurious
