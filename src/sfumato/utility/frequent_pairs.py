"""AREL: the average relative error of the counts of the most frequent ordered pairs of places.

M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for privacy
preserving publication of trajectories", IEEE TKDE 29(7), 2017, Section 9.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.queries import Query
from sfumato.kernels.recoding.pattern_counts import count_patterns
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.workload import Workload

__all__ = ["Arel", "count_pairs", "frequent_pairs", "pair_estimates"]


@dataclass(frozen=True, kw_only=True)
class Arel(Measure):
    """The average relative error of counting visits to one place and later to another, for frequent pairs of places.

    The queries are the original's most frequent ordered pairs (the two places may be equal); each asks how
    many trajectories contain the two in this order, with other visits between them or not.  The parts of a split
    trajectory are trajectories of their own.  The error is ``|true - estimate| / true``, and estimates are exact
    expectations.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> walks = Trajectories.from_lists([["a", "b", "c"], ["a", "b"], ["b", "c"]])
    >>> published = Trajectories.from_lists([["a", "b", "c"], ["a"], ["b"], ["b", "c"]])
    >>> Arel(pairs=2)(walks, SimpleNamespace(data=published, origin=None)).value  # ab: 2 and 1; bc: 2 and 2
    0.25
    """

    name: ClassVar[str] = "arel"
    title: ClassVar[str] = "AREL, the average relative error on frequent pairs"
    meaning: ClassVar[str] = "average relative error of the counts of the most frequent ordered pairs"
    formula: ClassVar[str] = "mean over the most frequent pairs of |true - estimate| / true"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Terrovitis et al., IEEE TKDE 29(7), 2017, Section 9.1"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    pairs: int = param(200, at_least=1, help="number of most frequent ordered pairs to count")

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        pairs, true = frequent_pairs(original, self.pairs)
        return self.of_counts(true, pair_estimates(release.data, pairs, original.names))

    def of_counts(self, true: Ints, estimates: npt.NDArray[np.float64]) -> Score:
        """The value, given the number of trajectories with each of the most frequent pairs."""
        return Score(float(np.mean(np.abs(true - estimates) / true)) if len(true) else 0.0)


def frequent_pairs(data: Trajectories, number: int) -> tuple[Ints, Ints]:
    """The most frequent ordered pairs of codes, ties in name order, and the number of trajectories with each."""
    pairs, counts = count_pairs(data)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -counts))[:number]
    return pairs[order], counts[order]


def pair_estimates(data: Trajectories, pairs: Ints, names: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """The expected number of trajectories with each pair; pairs are in codes of the original's names."""
    if data.members:
        queries = tuple(Query(locations=(names[first], names[second])) for first, second in pairs.tolist())
        return Workload(queries).counts(data)
    return _supports(data, pairs, names).astype(np.float64)


def count_pairs(data: Trajectories) -> tuple[Ints, Ints]:
    """Every ordered pair of codes that occurs, and the number of trajectories with it."""
    one_per_record = np.arange(len(data) + 1, dtype=np.int64)
    pairs, counts = count_patterns(data.codes, data.offsets, one_per_record, len(data.names), 2, 2)
    return pairs.astype(np.int64), counts.astype(np.int64)


def _supports(data: Trajectories, pairs: Ints, names: tuple[str, ...]) -> Ints:
    """The number of trajectories with each pair in data without generalized locations, counted at once."""
    published_pairs, counts = count_pairs(data)
    code_of = {name: code for code, name in enumerate(names)}
    code = np.array([code_of.get(name, len(names)) for name in data.names], dtype=np.int64)
    width = len(names) + 1
    keys = code[published_pairs[:, 0]] * width + code[published_pairs[:, 1]]
    order = np.argsort(keys)
    requested = pairs[:, 0] * width + pairs[:, 1]
    position = np.searchsorted(keys[order], requested)
    occurs = np.append(keys[order], -1)[position] == requested
    return np.where(occurs, np.append(counts[order], 0)[position], 0)
