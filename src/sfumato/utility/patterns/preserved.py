"""Percentages of frequent patterns that a release preserves, and of spurious ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks
from sfumato.data.chunks.reconstruction import draw_original
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, ParameterError
from sfumato.mining import FrequentItemsets, FrequentSequences
from sfumato.params import param
from sfumato.threads import side_by_side
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.pattern_changes import PatternCounts
from sfumato.utility.patterns.random_projection import projected
from sfumato.utility.patterns.smallest_support import smallest_support

__all__ = ["PatternsPreserved", "PatternsSpurious"]

_MOST = 1 << 22  # limit of the labels in all patterns together: a few seconds for each projection
_STATISTICS: dict[str, Callable[[list[float]], Any]] = {"mean": np.mean, "median": np.median, "sd": np.std}
_NUMBERING = Lock()  # projections share the numbers of names
ByLength = dict[int, npt.NDArray[np.void]]
"""The patterns of each length, each as one value."""


@dataclass(frozen=True, kw_only=True)
class _FrequentPatterns(Measure):
    """Mines the frequent patterns of the original once, and those of each possible original; support counts records.

    Generalized data are replaced by random projections, chunks by as many reconstructions.  A projection is a possible
    original: a generalized location becomes one of its members, a generalized item a non-empty subset of its members.
    """

    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")

    support: float = param(
        0.01, above=0, help="smallest support: a number of records, or below 1 a share of the original's records"
    )
    largest: int | None = param(None, at_least=1, help="largest number of labels in a pattern")
    projections: int = param(
        20, at_least=0, help="number of random projections; 0 takes labels as opaque symbols; the papers draw 2,000"
    )
    statistic: str = param(
        "mean", choices=tuple(_STATISTICS), help="mean, median or standard deviation (sd) over the projections"
    )
    seed: int = param(0, at_least=0, help="seed of the projections")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.statistic == "sd":  # the spread over projections has a direction of its own
            object.__setattr__(self, "better", "lower")

    def score(self, original: Ragged, release: Released[Ragged | Chunks]) -> Score:
        least = smallest_support(self.support, original)
        numbers: dict[str, int] = {}
        before = self._frequent(original, least, numbers)
        shares = side_by_side(
            lambda world: self._share(_compare(before, self._frequent(world, least, numbers))),
            self._worlds(release.data),
        )
        return Score(float(_STATISTICS[self.statistic](list(shares))), "%")

    def _worlds(self, published: Ragged | Chunks) -> Iterator[Ragged]:
        """Possible originals, drawn one at a time; the release itself if it is neither generalized nor in chunks."""
        if isinstance(published, Chunks):
            for stream in np.random.SeedSequence(self.seed).spawn(max(1, self.projections)):
                yield draw_original(published, np.random.default_rng(stream))
        elif not (self.projections and published.members):
            yield published
        else:
            rng = np.random.default_rng(self.seed)
            for _ in range(self.projections):
                yield projected(published, rng)

    def _frequent(self, data: Ragged, least: int, numbers: dict[str, int]) -> ByLength:
        """The frequent patterns of the data, in numbers of names that all datasets share."""
        if len(data.codes) == 0:
            return {}
        miner_class = FrequentSequences if data.kind == "trajectories" else FrequentItemsets
        miner = miner_class(support=least, max_length=self.largest)
        try:
            mined = miner.find(data.with_persons(None), most=_MOST)
        except ParameterError:
            raise DataError(
                f"{self.name}: wanted patterns with at most {_MOST:,} labels together, found more; "
                "set a higher support, or the largest size of a pattern (largest)"
            ) from None
        with _NUMBERING:
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
    >>> walks = Trajectories.from_lists(["ab"] * 10)
    >>> parts = Trajectories.from_lists(["a", "b"] * 10)  # every visit is published, and only (a, b) is lost
    >>> str(PatternsPreserved(support=0.6)(walks, parts))  # frequent is what 6 records contain, before and after
    '66.67 %'
    """

    name: ClassVar[str] = "patterns-preserved"
    title: ClassVar[str] = "frequent patterns preserved"
    meaning: ClassVar[str] = "share of the original's frequent patterns that are frequent in the release"
    formula: ClassVar[str] = "100 x |F(original) and F(release)| / |F(original)|, with one smallest support for both"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    def _share(self, counts: PatternCounts) -> float:
        return counts.preserved


@dataclass(frozen=True, kw_only=True)
class PatternsSpurious(_FrequentPatterns):
    """The percentage of the release's frequent patterns that are not frequent in the original."""

    name: ClassVar[str] = "patterns-spurious"
    title: ClassVar[str] = "spurious frequent patterns"
    meaning: ClassVar[str] = "share of the release's frequent patterns that are not frequent in the original"
    formula: ClassVar[str] = "100 x |F(release) without F(original)| / |F(release)|, with one smallest support for both"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5"
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def _share(self, counts: PatternCounts) -> float:
        return counts.spurious
