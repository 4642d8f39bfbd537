"""Shares of visits and of pairs of visits that are published (Terrovitis et al., IEEE TKDE 29(7), 2017)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.utility.base import Better, Measure, Released, Score

__all__ = ["LocationAppearance", "PairsLost", "VisitsKept", "expected_visits", "number_of_pairs"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LocationAppearance(Measure):
    """The number of published visits to a location, relative to the original: the mean over all original locations.

    Every visit counts.  A generalized location stands for each of its members with equal probability.  Suppression
    makes it smaller than 100%, invented visits can make it larger.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> walks = Trajectories.from_lists([["a", "b", "a"], ["b", "c"]])
    >>> published = Trajectories.from_lists([["a"], ["b"], ["b"]])  # a once of twice, b twice, c never
    >>> str(LocationAppearance()(walks, SimpleNamespace(data=published, origin=None)))
    '50 %'
    """

    name: ClassVar[str] = "appearance"
    title: ClassVar[str] = "average location appearance ratio"
    meaning: ClassVar[str] = "share of a location's visits that are published, averaged over the locations"
    formula: ClassVar[str] = "100 x mean over original locations of (expected published visits / original visits)"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Terrovitis et al., IEEE TKDE 29(7), 2017, Section 9.1"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Better] = "closer to 100"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before, after = (
            expected_visits(data, np.bincount(data.codes, minlength=len(data.names)), original.names)
            for data in (original, release.data)
        )
        return self.of_counts(before, after)

    def of_counts(self, before: Floats, after: Floats) -> Score:
        """The value, given the (expected) number of visits to each original location."""
        used = before > 0
        return Score(100.0 * float(np.mean(after[used] / before[used])) if used.any() else 100.0, "%")


@dataclass(frozen=True, kw_only=True)
class VisitsKept(Measure):
    """The share of the original visits that are published, under any label.

    Errors are measured on what is published, so this share belongs beside each of them.  Invented visits do not count.
    Where the run is not known, they cannot be distinguished: every published visit counts, up to the original number.

    Examples
    --------
    >>> walks = Trajectories.from_lists([["a", "b", "a"], ["b", "c"]])
    >>> str(VisitsKept()(walks, Trajectories.from_lists([["a"], ["b"], ["b"]])))
    '60 %'
    """

    name: ClassVar[str] = "visits-kept"
    title: ClassVar[str] = "visits kept"
    meaning: ClassVar[str] = "share of the original visits that are published"
    formula: ClassVar[str] = "100 x |original visits that are published| / |original visits|"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    paper: ClassVar[str] = "our own"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Better] = "higher"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before = len(original.codes)
        if release.origin is None:
            kept = min(before, len(release.data.codes))
        else:
            kept = len(np.unique(release.origin[release.origin >= 0]))
        return self.of_counts(before, kept)

    def of_counts(self, before: int, kept: int) -> Score:
        """The value, given the number of original visits and of those that are published."""
        return Score(100.0 * kept / before if before else 100.0, "%")


@dataclass(frozen=True, kw_only=True)
class PairsLost(Measure):
    """The share of pairs of visits of one trajectory that are lost: 1 - published / original, over all trajectories.

    A trajectory of n visits has n (n - 1) / 2 pairs, so that splitting loses many and suppression fewer.  Invented
    visits can make it negative.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> walks = Trajectories.from_lists([["a", "b", "c", "d"], ["a"]])  # 6 pairs
    >>> halves = Trajectories.from_lists([["a", "b"], ["c", "d"], ["a"]])  # 2 pairs
    >>> str(PairsLost()(walks, SimpleNamespace(data=halves, origin=None)))
    '66.67 %'
    """

    name: ClassVar[str] = "pairs-lost"
    title: ClassVar[str] = "ploss, the pairs lost"
    meaning: ClassVar[str] = "share of the pairs of visits within trajectories that are not published"
    formula: ClassVar[str] = "100 x (1 - published pairs / original pairs), where n visits have n(n - 1) / 2 pairs"
    unit: ClassVar[str] = "%"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, 100.0)
    paper: ClassVar[str] = "Terrovitis et al., IEEE TKDE 29(7), 2017, Section 9.1"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    better: ClassVar[Better] = "closer to 0"

    def score(self, original: Trajectories, release: Released[Trajectories]) -> Score:
        before, after = (number_of_pairs(data) for data in (original, release.data))
        return self.of_counts(before, after)

    def of_counts(self, before: int, after: int) -> Score:
        """The value, given the number of pairs."""
        return Score(100.0 * (1 - after / before) if before else 0.0, "%")


def expected_visits(data: Trajectories, visits: Ints, names: tuple[str, ...]) -> Floats:
    """The expected number of visits to each of these locations; visits : how many each label of the data has."""
    number = {name: index for index, name in enumerate(names)}
    counts = np.zeros(len(names))
    for name, count in zip(data.names, visits.tolist(), strict=True):
        members = data.members.get(name, (name,))
        for member in members:
            if member in number:
                counts[number[member]] += count / len(members)
    return counts


def number_of_pairs(data: Trajectories) -> int:
    """The number of pairs of visits of one trajectory."""
    lengths = data.lengths.astype(np.int64)
    return int(np.sum(lengths * (lengths - 1)) // 2)
