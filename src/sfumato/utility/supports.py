"""The KL divergence of the supports of patterns, and the number of distinct subtrajectories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Dataset, Trajectories
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError
from sfumato.kernels.recoding.pattern_counts import count_patterns
from sfumato.params import param
from sfumato.utility.base import Better, Measure, Released, Score
from sfumato.utility.counterparts import counterpart_supports
from sfumato.utility.workload import Workload, require_no_rule

__all__ = ["KlDivergence", "Subtrajectories", "distinct_subsequences", "supports_of"]


@dataclass(frozen=True, kw_only=True)
class KlDivergence(Measure):
    """The KL divergence between the supports of patterns in the original and in the release.

    The support of a pattern in the release is that of its generalized counterpart: the number of records with a label
    for each of its locations, in their order (or for each of its items).  Every pattern under a label has the support
    of the whole label.  In chunks it is the expected number of records.  Both distributions are normalized to sum to 1,
    after 0.5 is added to each support.  The patterns are all locations (or items), drawn by the rule of
    `Workload.of`, or the queries of a workload file.

    Examples
    --------
    >>> from sfumato import SeqAnon
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac", "a"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0)})
    >>> release = SeqAnon(k=2, m=1).anonymize(walks)  # b and c become one label, with a support of 3
    >>> print(KlDivergence()(walks, release))  # 4.5, 2.5, 1.5 against 4.5, 3.5, 3.5
    0.0538 nats
    """

    name: ClassVar[str] = "kl"
    title: ClassVar[str] = "KL divergence of supports"
    meaning: ClassVar[str] = "KL divergence of the published distribution of supports from the original one, in nats"
    formula: ClassVar[str] = (
        "sum over patterns of P ln(P / Q): P is (original support + 0.5), Q (published support of the generalized "
        "counterpart + 0.5), each divided by its sum"
    )
    unit: ClassVar[str] = "nats"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5 and Footnote 2"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions")
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    patterns: int | None = param(
        None, at_least=1, help="number of patterns to draw; if not given, all single locations or items"
    )
    largest: int = param(1, at_least=1, help="largest number of labels in a drawn pattern")
    seed: int = param(0, at_least=0, help="seed of the patterns")
    workload: str | None = param(None, help="a workload file whose queries are the patterns, instead of drawing")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.workload is not None:
            require_no_rule(self, ("patterns", "largest", "seed"))

    def require_kind(self, kind: str) -> None:
        super().require_kind(kind)
        if self.workload is not None:
            Workload.load(self.workload).require_kind(kind)

    def score(self, original: Ragged, release: Released[Dataset]) -> Score:
        workload = self.workload_for(original)
        return self.of_supports(*(supports_of(data, workload) for data in (original, release.data)))

    def workload_for(self, original: Ragged) -> Workload:
        """The patterns, which only a drawn workload takes from the records."""
        if self.workload is not None:
            workload = Workload.load(self.workload)
            workload.require(original)
            return workload
        if self.patterns is None:
            return Workload.every_name(original)
        return Workload.of(original, number=self.patterns, largest=self.largest, seed=self.seed)

    def of_supports(self, original: npt.NDArray[np.float64], published: npt.NDArray[np.float64]) -> Score:
        """The value, given the support of each pattern."""
        if len(original) == 0:
            return Score(0.0, "nats")
        true, published = original + 0.5, published + 0.5
        p, q = true / true.sum(), published / published.sum()
        return Score(float(np.sum(p * np.log(p / q))), "nats")


def supports_of(data: Dataset, workload: Workload) -> npt.NDArray[np.float64]:
    """The support of the generalized counterpart of each query; in chunks its expected number of records."""
    if not isinstance(data, Ragged):
        return workload.counts(data)
    return counterpart_supports(data, [query.locations or query.items for query in workload]).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Subtrajectories(Measure):
    """The number of distinct published subtrajectories of a size, in percent of the original's.

    Of NGRAMS, the noisy n-grams that its tree keeps are counted, as in the paper: a subtrajectory of a synthetic
    trajectory may be one that no noisy count supports.  They are known during the run only.

    Examples
    --------
    >>> from sfumato import NGrams
    >>> walks = Trajectories.from_lists(["ab"] * 500 + ["cb"] * 300, places={name: (0, 0) for name in "abcd"})
    >>> release = NGrams(epsilon=5.0, l_max=3, n_max=3).anonymize(walks, seed=1)
    >>> release.counts["grams_of_size_2"]  # (a, b), (c, b) and three that noise has lifted above the threshold
    5
    >>> print(Subtrajectories(size=2)(walks, release))
    250 %
    """

    name: ClassVar[str] = "subtrajectories"
    needs_run_for: ClassVar[str] = "of releases by ngrams"
    title: ClassVar[str] = "distinct subtrajectories"
    meaning: ClassVar[str] = "distinct published subtrajectories of a size, in percent of the original ones"
    formula: ClassVar[str] = (
        "100 x |distinct published subtrajectories of the size| / |distinct original ones|; of ngrams, the grams that "
        "its tree keeps in place of published subtrajectories"
    )
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Poulis et al., Trans. Data Privacy 7(2), 2014, Section 5, Figure 10"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Better] = "closer to 100"

    size: int = param(2, at_least=1, help="number of visits of a subtrajectory")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        return self.of_counts(len(distinct_subsequences(original, self.size)), self._published(release))

    def of_counts(self, before: int, after: int) -> Score:
        """The value, given the number of distinct subtrajectories."""
        return Score(100.0 * after / before if before else 100.0, "%")

    def _published(self, release: Released[Trajectories]) -> int:
        counts: dict[str, int] = getattr(release, "counts", {})
        if "grams" in counts:
            return counts.get(f"grams_of_size_{self.size}", 0)
        if getattr(release, "noisy", False):
            raise DataError(f"{self.name}: needs the run itself", remedy="measure-the-run", measure=self.name)
        return len(distinct_subsequences(release.data, self.size))


def distinct_subsequences(data: Ragged, size: int) -> npt.NDArray[np.integer[Any]]:
    """The distinct subsequences of so many labels, a row each."""
    one_per_record = np.arange(len(data) + 1, dtype=np.int64)
    patterns, _ = count_patterns(data.codes, data.offsets, one_per_record, len(data.names), size, size)
    return np.asarray(patterns)
