"""Labels of locations in the making: which are merged, how far they are apart, and what is published of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.data.base import Ints, Members
from sfumato.methods.base import Run
from sfumato.methods.trajectories.seqanon.label_linkage import Linkage
from sfumato.methods.trajectories.seqanon.published_labels import PublishedLabels

__all__ = ["TIE", "MergedLabels", "Nearest", "Widen"]

TIE = 1 + 1e-9  # distances this close are equal: sums of the same numbers differ in their last digits


class Nearest(NamedTuple):
    """The nearest label, and its mean distance (times a factor)."""

    label: int
    distance: float


class MergedLabels(ABC):
    """Every visited location under its current label; a subclass knows the supports of patterns.

    A label is a number, that of one of its locations; `rank` is the smallest location under it, so that
    ranks order labels by name.  `support` counts the units that hold a label, `visits` the visits under it.
    """

    def __init__(self, side: Trajectories, support: Ints, visits: Ints) -> None:
        """side : names and places; its records are not read here."""
        n_labels = len(side.names)
        self.side = side
        self.support, self.visits = support, visits
        self.rank = np.arange(n_labels)
        self.current = np.arange(n_labels, dtype=np.int32)
        self._linkage = Linkage(side, np.flatnonzero(support > 0))

    @property
    @abstractmethod
    def longest(self) -> int:
        """The number of visits of the longest record: no pattern is longer."""

    @abstractmethod
    def protect(self, smallest: int, largest: int, k: int, run: Run, widen: Widen) -> bool:
        """Widen labels until every subsequence of these sizes has a support of 0 or at least k.

        Returns whether that was possible; if not, one label is left.
        """

    @abstractmethod
    def longest_of_units(self) -> Ints:
        """How many units have a longest record of 0, 1, 2, ... visits that are not suppressed."""

    @abstractmethod
    def published_visits(self, visits_allowed: int | None) -> Ints:
        """The visits of each location that are published, where a record keeps at most so many."""

    @property
    def active(self) -> Ints:
        """The labels in use, in no particular order."""
        return self._linkage.active

    def rarest_label(self, pattern: npt.NDArray[np.int32]) -> int:
        """The label of a pattern with the smallest support, ties by name."""
        labels = np.unique(self.current[pattern[pattern >= 0]])
        return int(labels[np.lexsort((self.rank[labels], self.support[labels]))[0]])

    def nearest(self, label: int, factor: npt.NDArray[np.float64] | None = None) -> Nearest | None:
        """The active label with the smallest mean distance (times a factor): ties by support, then name."""
        distances = self._linkage.distances(label, factor)
        best = distances.min(initial=np.inf)
        if best == np.inf:
            return None
        close = self.active[distances <= best * TIE]
        return Nearest(int(close[np.lexsort((self.rank[close], self.support[close]))[0]]), float(best))

    def postpones(self, partner: int) -> bool:  # noqa: ARG002
        """Whether nothing can be merged with this label before patterns are counted again."""
        return False

    def merge(self, first: int, second: int) -> None:
        """Make two labels one."""
        kept, gone = (first, second) if self.support[first] >= self.support[second] else (second, first)
        self._join(kept, gone)
        self.support[gone] = 0
        self.visits[kept] += self.visits[gone]
        self.rank[kept] = min(self.rank[kept], self.rank[gone])
        self._linkage.join(kept, gone, self.current)

    @abstractmethod
    def _join(self, kept: int, gone: int) -> None:
        """Let supports follow a merge."""

    def suppress(self, label: int) -> int:
        """Take a label out of every record; returns how many locations it stood for."""
        gone = self.current == label
        self.current[gone] = -1
        self.support[label] = 0
        self._linkage.leave(label)
        return int(np.count_nonzero(gone))

    def visits_allowed(self, k: int, m: int) -> int:
        """How many visits a record may keep when one label is left: enough units must have as many."""
        units = self.longest_of_units()
        for size in range(1, min(m, len(units) - 1) + 1):
            if 0 < units[size:].sum() < k:
                return size - 1
        return int(np.flatnonzero(units).max(initial=0))

    def displacements(self) -> npt.NDArray[np.float64]:
        """For each location the mean distance to the locations under its label; 0 where it is suppressed."""
        means = np.zeros(len(self.current))
        locations = np.flatnonzero(np.isin(self.current, self.active))
        members = locations[np.argsort(self.current[locations], kind="stable")]
        _, position, sizes = np.unique(self.current[members], return_inverse=True, return_counts=True)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        means[members] = self._linkage.mean_distances(members, position, starts)
        return means

    def published(self, visits_allowed: int | None = None) -> PublishedLabels:
        """Short labels for merged locations, numbered in name order; others keep their names."""
        below: dict[int, list[str]] = {int(label): [] for label in self.active}
        visited = np.flatnonzero(np.isin(self.current, self.active))
        for location in visited:
            below[int(self.current[location])].append(self.side.names[location])
        prefix = "g"
        while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in self.side.names):
            prefix += "g"
        merged = sorted((label for label in below if len(below[label]) > 1), key=lambda label: self.rank[label])
        label_names = {label: f"{prefix}{number}" for number, label in enumerate(merged, start=1)}
        members: Members = {label_names[label]: tuple(below[label]) for label in merged}
        final = {label: label_names.get(label, group[0]) for label, group in below.items()}
        names = tuple(sorted(final.values()))
        position = {name: code for code, name in enumerate(names)}
        code_of = np.full(len(self.current), -1, dtype=np.int32)
        code_of[visited] = [position[final[int(label)]] for label in self.current[visited]]
        return PublishedLabels(names, members, code_of, visits_allowed)


Widen = Callable[[MergedLabels, int], bool]
"""Makes a label less rare, or gives up."""
