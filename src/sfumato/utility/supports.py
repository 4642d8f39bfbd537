"""The KL divergence of the supports of patterns, and the number of distinct subtrajectories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sfumato.data import Dataset, Trajectories
from sfumato.data.ragged import Ragged
from sfumato.kernels.recoding.subsequence_supports import count_patterns
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.workload import Workload

__all__ = ["KlDivergence", "Subtrajectories"]


@dataclass(frozen=True, kw_only=True)
class KlDivergence(Measure):
    """The KL divergence between the supports of patterns in the original and in the release.

    Both are normalized to sum to 1, after 0.5 is added to each support; supports in the release are expectations.
    The patterns are all locations (or items), or drawn by the rule of `Workload.of`.
    """

    name: ClassVar[str] = "kl"
    title: ClassVar[str] = "KL divergence of supports"
    meaning: ClassVar[str] = "KL divergence of the published distribution of supports from the original one, in nats"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    patterns: int | None = param(
        None, at_least=1, help="number of patterns to draw; if not given, all single locations or items"
    )
    largest: int = param(1, at_least=1, help="largest number of labels in a drawn pattern")
    seed: int = param(0, at_least=0, help="seed of the patterns")

    def score(self, original: Ragged, release: Released[Dataset]) -> Score:
        if self.patterns is None:
            workload = Workload.every_name(original)
        else:
            workload = Workload.of(original, number=self.patterns, largest=self.largest, seed=self.seed)
        if len(workload) == 0:
            return Score(0.0, "nats")
        true, published = (workload.counts(data) + 0.5 for data in (original, release.data))
        p, q = true / true.sum(), published / published.sum()
        return Score(float(np.sum(p * np.log(p / q))), "nats")


@dataclass(frozen=True, kw_only=True)
class Subtrajectories(Measure):
    """The number of distinct published subtrajectories of a size, in percent of the original's."""

    name: ClassVar[str] = "subtrajectories"
    title: ClassVar[str] = "distinct subtrajectories"
    meaning: ClassVar[str] = "distinct published subtrajectories of a size, in percent of the original ones"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "higher"

    size: int = param(2, at_least=1, help="number of visits of a subtrajectory")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before, after = (_distinct(data, self.size) for data in (original, release.data))
        return Score(100.0 * after / before if before else 100.0, "%")


def _distinct(data: Ragged, size: int) -> int:
    one_per_record = np.arange(len(data) + 1, dtype=np.int64)
    _, counts, _, _ = count_patterns(data.codes, data.offsets, one_per_record, len(data.names), size, size)
    return int(np.count_nonzero(counts))
