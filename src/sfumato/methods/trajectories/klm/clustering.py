"""Clusters of neighbours, as many as wanted, each anonymized on its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.data.base import Ints
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.lm_anon import Floats, Recoded, Visits, lm_anon
from sfumato.threads import side_by_side

__all__ = ["Clustered", "Ground", "anonymized_spans", "in_clusters"]

Group = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Ground:
    """What clusters are made of: visits with their units in Gray order, where the locations are, and the promise."""

    visits: Visits
    points: Floats
    radius: float
    k: int
    l: int  # noqa: E741
    m: int

    def anonymized(self, start: int, end: int) -> Recoded:
        """The units from start to end as one cluster."""
        return lm_anon(self.visits.part(start, end), self.points, self.radius, self.k, self.l, self.m)


@dataclass(frozen=True, eq=False)
class Clustered:
    """Clusters and their recodings.  bounds : where each cluster begins among the units, and their end.

    safe : whether every cluster is; if not, there is one cluster, with one label.
    """

    bounds: Ints
    recoded: tuple[Recoded, ...]
    safe: bool


def in_clusters(ground: Ground, number: int, run: Run) -> Clustered:
    """Cut the units into clusters of equal size, and anonymize them side by side.

    A cluster that cannot be made safe is joined with its neighbour, the next one, or the one before where there is no
    next; joined clusters that fail again are joined with as many as they already are, so that a stubborn one is not
    tried over and over.  The result does not depend on the number of threads.
    """
    cuts = np.arange(number + 1) * len(ground.visits) // number
    groups: list[Group] = [(index, index + 1) for index in range(number)]
    done: dict[Group, Recoded] = {}
    while True:
        waiting = [group for group in groups if group not in done]
        spans = [(int(cuts[start]), int(cuts[end])) for start, end in waiting]
        done |= dict(zip(waiting, anonymized_spans(ground, spans, run), strict=True))
        unsafe = {group for group in groups if not done[group].safe}
        if len(groups) == 1 or not unsafe:
            bounds = cuts[[start for start, _ in groups] + [number]]
            return Clustered(bounds, tuple(done[group] for group in groups), not unsafe)
        groups = _joined(groups, unsafe)


def anonymized_spans(ground: Ground, spans: list[Group], run: Run) -> list[Recoded]:
    """Every span of units as a cluster of its own; the kernels let other threads run."""
    groups = []
    for recoded in side_by_side(lambda span: ground.anonymized(*span), spans):
        groups.append(recoded)
        run.advance(len(groups), len(spans))
    return groups


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
