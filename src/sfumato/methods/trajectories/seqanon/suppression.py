"""Suppressing a rare location instead of merging it with a distant one, within a share of the visits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.methods.trajectories.seqanon.merged_labels import TIE, MergedLabels
from sfumato.methods.trajectories.seqanon.published_labels import PublishedLabels

__all__ = ["Recoded", "Suppression", "least_displaced"]


@dataclass
class Suppression:
    """Which labels are suppressed: those that are farther than a limit from every other, while visits are left.

    limit : a distance (times the factor of the method).  visits_left : how many visits may still be suppressed.
    farthest : the largest distance of a merge so far.  refused : whether a label had too many visits for what was left.
    """

    limit: float = math.inf
    visits_left: int = 0
    locations: int = 0
    farthest: float = 0.0
    refused: bool = False

    def takes(self, labels: MergedLabels, label: int, distance: float) -> bool:
        """Suppress the label, or find that it must be merged over this distance."""
        if distance > self.limit * TIE:
            visits = int(labels.visits[label])
            if visits <= self.visits_left:
                self.visits_left -= visits
                self.locations += labels.suppress(label)
                return True
            self.refused = True
        self.farthest = max(self.farthest, distance)
        return False


@dataclass(frozen=True)
class Recoded:
    """A recoding that keeps the promise.

    visits_allowed : how many visits of a record are published; None for all.
    weights : of a recoding, what a distance counts under each label; None for 1.
    """

    labels: MergedLabels
    visits_allowed: int | None
    weights: Callable[[MergedLabels], npt.NDArray[np.float64] | None]

    def published(self) -> PublishedLabels:
        """The labels that are published."""
        return self.labels.published(self.visits_allowed)

    def displacement(self, visits: npt.NDArray[np.integer[Any]]) -> float:
        """The mean distance, times its weight, between the location of a published visit and those of its label.

        visits : of each location that are published.
        """
        means = self.labels.displacements()
        weights = self.weights(self.labels)
        if weights is not None:
            means *= weights[self.labels.current]
        return float(means @ visits / visits.sum()) if visits.any() else math.inf


def least_displaced(recode: Callable[[Suppression], Recoded], share: Fraction) -> PublishedLabels:
    """The labels with the smallest displacement over several limits of distance; the larger limit where two are equal.

    The first run has no limit, so that it suppresses nothing by choice.  The limit is then halved, beginning at the
    largest distance of a merge, until no merge is left, or the share is used up and the displacement grows.
    """
    rule = Suppression()
    recoded = recode(rule)
    published = recoded.published()
    if share == 0:
        return published
    total = int(recoded.labels.published_visits(None).sum())
    allowed, locations = int(share * total), 0
    smallest, better = recoded.displacement(recoded.labels.published_visits(recoded.visits_allowed)), True
    while rule.farthest > 0 and (better or not rule.refused):
        rule = Suppression(limit=min(rule.limit, rule.farthest) / 2, visits_left=allowed)
        recoded = recode(rule)
        visits = recoded.labels.published_visits(recoded.visits_allowed)
        displacement = recoded.displacement(visits)
        better = displacement < smallest and total - int(visits.sum()) <= allowed
        if better:
            smallest, published, locations = displacement, recoded.published(), rule.locations
    return replace(published, counts={"suppressed_locations": locations})
