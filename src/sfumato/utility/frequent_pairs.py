"""How well a release answers who went from here to there, for the most frequent pairs of places.

M. Terrovitis, G. Poulis, N. Mamoulis, S. Skiadopoulos, "Local suppression and splitting techniques for privacy
preserving publication of trajectories", IEEE TKDE 29(7), 2017, Section 9.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.queries import Query
from sfumato.kernels.recoding.subsequence_supports import count_patterns
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.workload import Workload

__all__ = ["Arel", "frequent_pairs"]


@dataclass(frozen=True, kw_only=True)
class Arel(Measure):
    """The average relative error of counting who visited one place and later another, for frequent pairs of places.

    The queries are the original's most frequent ordered pairs (a place may come again after itself); each asks how
    many trajectories contain the two, other visits may lie between.  The pieces of a split trajectory are
    trajectories of their own.  The error is ``|true - estimate| / true``, and estimates are exact expectations.

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
    meaning: ClassVar[str] = "how far, relative to the truth, counts of the most frequent ordered pairs are off"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    pairs: int = param(200, at_least=1, help="how many of the most frequent ordered pairs to ask for")

    def score(self, original: Trajectories, release: Released) -> Score:
        asked, true = frequent_pairs(original, self.pairs)
        if len(asked) == 0:
            return Score(0.0)
        return Score(float(np.mean(np.abs(true - _estimates(release.data, asked, original.names)) / true)))


def frequent_pairs(data: Trajectories, number: int) -> tuple[Ints, Ints]:
    """The most frequent ordered pairs of codes, ties in name order, and how many trajectories contain each."""
    pairs, counts = _counted(data)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -counts))[:number]
    return pairs[order], counts[order]


def _estimates(data: Trajectories, asked: Ints, names: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """How many trajectories contain each pair, given in the codes of the original's names."""
    if data.members:
        queries = tuple(Query(locations=(names[a], names[b])) for a, b in asked.tolist())
        return Workload(queries).counts(data)
    return _supports(data, asked, names).astype(np.float64)


def _counted(data: Trajectories) -> tuple[Ints, Ints]:
    one_each = np.arange(len(data) + 1, dtype=np.int64)
    keys, counts, _, _ = count_patterns(data.codes, data.offsets, one_each, len(data.names), 2, 2)
    used = counts > 0
    return keys[used].astype(np.int64), counts[used].astype(np.int64)


def _supports(data: Trajectories, asked: Ints, names: tuple[str, ...]) -> Ints:
    """The same without generalized locations, by counting all pairs at once."""
    pairs, counts = _counted(data)
    code_of = {name: code for code, name in enumerate(names)}
    code = np.array([code_of.get(name, len(names)) for name in data.names], dtype=np.int64)
    width = len(names) + 1
    known = code[pairs[:, 0]] * width + code[pairs[:, 1]]
    order = np.argsort(known)
    wanted = asked[:, 0] * width + asked[:, 1]
    at = np.searchsorted(known[order], wanted)
    found = np.append(known[order], -1)[at] == wanted
    return np.where(found, np.append(counts[order], 0)[at], 0)
