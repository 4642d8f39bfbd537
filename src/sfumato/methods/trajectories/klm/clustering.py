"""Clusters of neighbours, as many as wanted, each anonymized on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.space.displacement import mean_distances
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.lm_anon import Floats, Recoded, Visits, lm_anon
from sfumato.threads import side_by_side

__all__ = ["Clustered", "Ground", "Group", "UnitsInOrder", "in_clusters"]

Group = tuple[int, int]


class UnitsInOrder(Protocol):
    """Units in Gray order, of which any span can be made a cluster."""

    @property
    def k(self) -> int:
        """The smallest number of units of a cluster."""

    def __len__(self) -> int: ...

    def anonymized(self, spans: list[Group], run: Run) -> list[Recoded]:
        """Every span of units as a cluster of its own."""

    def displaced(self, spans: list[Group], run: Run) -> list[tuple[Recoded, float]]:
        """Every span as a cluster of its own, and how far it displaces its visits; infinity where it is unsafe."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The units of one machine, where the locations are, and the promise.

    weights : of each visit, one over the number of visits in its record, so that the total displacement is D of
    Definition 4 times the number of records.
    """

    visits: Visits
    weights: Floats
    points: Floats
    radius: float
    k: int
    l: int  # noqa: E741
    m: int

    def __len__(self) -> int:
        return len(self.visits)

    def cluster(self, start: int, end: int) -> Recoded:
        """The units from start to end as one cluster."""
        return lm_anon(self.visits.part(start, end), self.points, self.radius, self.k, self.l, self.m)

    def anonymized(self, spans: list[Group], run: Run) -> list[Recoded]:
        """Every span of units as a cluster of its own; the kernels let other threads run."""
        groups = []
        for recoded in side_by_side(lambda span: self.cluster(*span), spans):
            groups.append(recoded)
            run.advance(len(groups), len(spans))
        return groups

    def displaced(self, spans: list[Group], run: Run) -> list[tuple[Recoded, float]]:
        """Every span as a cluster of its own, and how far it displaces its visits; infinity where it is unsafe."""
        clusters = self.anonymized(spans, run)
        return [(recoded, self.displacement(span, recoded)) for span, recoded in zip(spans, clusters, strict=True)]

    def displacement(self, span: Group, recoded: Recoded) -> float:
        """The weighted sum over the visits of the mean distance between a location and the members of its label."""
        if not recoded.safe:
            return np.inf
        start, end = self.visits.offsets[self.visits.unit_offsets[list(span)]]
        order = np.argsort(recoded.first, kind="stable")
        _, label = np.unique(recoded.first, return_inverse=True)
        starts = np.searchsorted(label[order], np.arange(label.max(initial=-1) + 2))
        by_location = np.zeros(len(self.points))
        by_location[recoded.locations] = mean_distances(
            self.points, self.radius, recoded.locations, label, starts, recoded.locations[order]
        )
        # not as a product of vectors, whose last digit depends on the number of threads
        return float(np.sum(by_location[self.visits.codes[start:end]] * self.weights[start:end]))


@dataclass(frozen=True, eq=False)
class Clustered:
    """Clusters and their recodings.  bounds : where each cluster begins among the units, and their end.

    safe : whether every cluster is; if not, there is one cluster, with one label.
    """

    bounds: Ints
    recoded: tuple[Recoded, ...]
    safe: bool


def in_clusters(ground: UnitsInOrder, number: int, run: Run) -> Clustered:
    """Cut the units into clusters of equal size, and anonymize them side by side.

    A cluster that cannot be made safe is joined with its neighbour, the next one, or the one before where there is no
    next; joined clusters that fail again are joined with as many as they already are, so that a stubborn one is not
    tried over and over.  The result does not depend on the number of threads.
    """
    cuts = np.arange(number + 1) * len(ground) // number
    groups: list[Group] = [(index, index + 1) for index in range(number)]
    done: dict[Group, Recoded] = {}
    while True:
        waiting = [group for group in groups if group not in done]
        spans = [(int(cuts[start]), int(cuts[end])) for start, end in waiting]
        done |= dict(zip(waiting, ground.anonymized(spans, run), strict=True))
        unsafe = {group for group in groups if not done[group].safe}
        if len(groups) == 1 or not unsafe:
            bounds = cuts[[start for start, _ in groups] + [number]]
            return Clustered(bounds, tuple(done[group] for group in groups), not unsafe)
        groups = _joined(groups, unsafe)


def _joined(groups: list[Group], unsafe: set[Group]) -> list[Group]:
    """Every unsafe group with its neighbours, until it has doubled or nothing is left to join."""
    joined: list[Group] = []
    waiting = groups[::-1]
    while waiting:
        start, end = group = waiting.pop()
        wanted = 2 * (end - start) if group in unsafe else 0
        while end - start < wanted and waiting:
            end = waiting.pop()[1]
        while end - start < wanted and joined:
            start = joined.pop()[0]
        joined.append((start, end))
    return joined
