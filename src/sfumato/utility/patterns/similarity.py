"""SIM1 and SIM2: the similarity of frequent patterns in support and in number.

R. G. Pensa, A. Monreale, F. Pinelli, D. Pedreschi, "Pattern-preserving k-anonymization of sequences and its application
to mobility data mining", Proc. PiLBA, 2008, Section 5.2.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.kernels.mining.pattern_counts import count_containing
from sfumato.kernels.recoding.subsequence_supports import holders_of_labels
from sfumato.mining import FrequentSequences, Patterns
from sfumato.params import param
from sfumato.threads import side_by_side
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.patterns.random_projection import projected
from sfumato.utility.patterns.smallest_support import smallest_support

__all__ = ["Sim1", "Sim2"]


@dataclass(frozen=True, kw_only=True)
class _Similarity(Measure):
    """Mines the frequent sequences of both datasets; generalized data are replaced by random projections."""

    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    support: float = param(
        0.01, above=0, help="smallest support: a number of records, or below 1 a share of the original's records"
    )
    at_k: bool = param(False, help="use the k of the release as the smallest support, as in the paper")
    largest: int | None = param(None, at_least=1, help="largest number of visits in a pattern")
    projections: int = param(
        20, at_least=0, help="number of random projections to average over; 0 takes labels as opaque symbols"
    )
    seed: int = param(0, at_least=0, help="seed of the projections")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        support = smallest_support(self._support(release), original)
        before = _Mined.of(original, support, self.largest)
        similarities = side_by_side(
            lambda world: self._similarity(before, _Mined.of(world, support, self.largest)), self._worlds(release.data)
        )
        return Score(float(np.mean(list(similarities))))

    def _worlds(self, published: Trajectories) -> Iterator[Trajectories]:
        """Possible originals, drawn one at a time; the release itself if it is not generalized."""
        if not (self.projections and published.members):
            yield published
            return
        rng = np.random.default_rng(self.seed)
        for _ in range(self.projections):
            yield projected(published, rng)

    def _support(self, release: Released[Trajectories]) -> float:
        if not self.at_k:
            return self.support
        k: int | None = getattr(release, "k", None)
        if k is None:
            raise DataError(f"{self.name}: wanted the k of the release for at_k, found none; give a support")
        return k

    @abstractmethod
    def _similarity(self, before: _Mined, after: _Mined) -> float:
        """The similarity, for one projection."""


@dataclass(frozen=True, kw_only=True)
class Sim1(_Similarity):
    """SIM1, the support similarity: the mean over the release's frequent patterns of the ratio of their frequencies.

    Each ratio is the smaller of the relative frequencies in the release and in the original by the larger one; 1 if
    neither has a frequent pattern, 0 if only the original has.

    Examples
    --------
    >>> from sfumato import BfP2ka, Trajectories
    >>> walks = Trajectories.from_lists(["abc", "abc", "adc", "bxc"])
    >>> release = BfP2ka(k=2).anonymize(walks)  # four times a, b, c
    >>> print(Sim1(at_k=True)(walks, release))  # the mean of 3/4, 3/4, 1, 2/4, 3/4, 3/4 and 2/4
    0.7143
    """

    name: ClassVar[str] = "sim1"
    title: ClassVar[str] = "SIM1, similarity of pattern supports"
    meaning: ClassVar[str] = "mean ratio of the published to the original frequencies of frequent patterns, from 0 to 1"
    formula: ClassVar[str] = "mean over s in F(release) of min(freq(s), freq'(s)) / max(freq(s), freq'(s))"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Pensa et al., PiLBA, 2008, Section 5.2"

    def _similarity(self, before: _Mined, after: _Mined) -> float:
        if len(after.patterns) == 0:
            return float(len(before.patterns) == 0)
        ratios = _ratios(before.frequencies(after), after.patterns.supports / len(after.data))
        return float(np.mean(ratios))


@dataclass(frozen=True, kw_only=True)
class Sim2(_Similarity):
    """SIM2, the similarity of collection sizes: the smaller number of frequent patterns by the larger.

    Examples
    --------
    >>> from sfumato import BfP2ka, Trajectories
    >>> walks = Trajectories.from_lists(["abc", "abc", "adc", "bxc", "bxc"])
    >>> release = BfP2ka(k=2).anonymize(walks)
    >>> print(Sim2(support=3)(walks, release))  # before: a, b, c, ac, bc; after: a, b, c, ab, ac, bc, abc
    0.7143
    """

    name: ClassVar[str] = "sim2"
    title: ClassVar[str] = "SIM2, similarity of the number of patterns"
    meaning: ClassVar[str] = "ratio of the numbers of frequent patterns in the release and in the original, from 0 to 1"
    formula: ClassVar[str] = "min(|F(release)|, |F(original)|) / max(|F(release)|, |F(original)|)"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Pensa et al., PiLBA, 2008, Section 5.2"

    def _similarity(self, before: _Mined, after: _Mined) -> float:
        fewer, more = sorted((len(before.patterns), len(after.patterns)))
        return fewer / more if more else 1.0


@dataclass(frozen=True, eq=False)
class _Mined:
    """A dataset with its frequent sequences."""

    data: Ragged
    patterns: Patterns

    @classmethod
    def of(cls, data: Trajectories, support: int, largest: int | None) -> _Mined:
        records = data.with_persons(None)
        if len(records.codes) == 0:
            no_codes = np.empty(0, dtype=np.int32)
            return cls(records, Patterns(np.zeros(1, dtype=np.int64), no_codes, no_codes))
        return cls(records, FrequentSequences(support=support, max_length=largest).find(records))

    def frequencies(self, other: _Mined) -> npt.NDArray[np.float64]:
        """The share of these records that contain each of the other's frequent patterns."""
        counts = np.zeros(len(other.patterns), dtype=np.int64)
        code_of = {name: code for code, name in enumerate(self.data.names)}
        code_here = np.array([code_of.get(name, -1) for name in other.data.names], dtype=np.int32)
        codes = code_here[other.patterns.codes]
        support_of = dict(zip(_keys(self.patterns.codes, self.patterns.offsets), self.patterns.supports, strict=True))
        uncounted_rows = []
        for row, key in enumerate(_keys(codes, other.patterns.offsets)):
            if key in support_of:
                counts[row] = support_of[key]
            else:
                uncounted_rows.append(row)
        uncounted = Patterns(other.patterns.offsets, codes, counts).take(np.array(uncounted_rows, dtype=np.int64))
        counts[uncounted_rows] = self._count(uncounted)
        return np.asarray(counts / max(1, len(self.data)))

    def _count(self, patterns: Patterns) -> Ints:
        """The number of these records that contain each pattern; code -1 is a location that none contains."""
        one_per_record = np.arange(len(self.data) + 1, dtype=np.int64)
        n_labels = len(self.data.names) + 1  # the last stands for all unknown locations; no record holds it
        starts, holders = holders_of_labels(self.data.codes, self.data.offsets, one_per_record, n_labels)
        codes = np.where(patterns.codes < 0, n_labels - 1, patterns.codes).astype(np.int32)
        counts: Ints = count_containing(self.data.codes, self.data.offsets, starts, holders, codes, patterns.offsets)
        return counts


def _keys(codes: Ints, offsets: Ints) -> list[bytes]:
    """A key of each pattern; keys are equal only for equal patterns."""
    content = np.ascontiguousarray(codes, dtype=np.int32).tobytes()
    bounds = (offsets * 4).tolist()
    return [content[first:end] for first, end in pairwise(bounds)]


def _ratios(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.minimum(first, second) / np.maximum(first, second))
