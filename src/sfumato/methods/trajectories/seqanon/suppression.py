"""Suppressing a rare location instead of merging it with a distant one, within a share of the visits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories
from sfumato.methods.base import Outcome
from sfumato.methods.trajectories.seqanon.location_recoding import TIE, Recoding

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

    def takes(self, recoding: Recoding, label: int, distance: float) -> bool:
        """Suppress the label, or find that it must be merged over this distance."""
        if distance > self.limit * TIE:
            visits = int(recoding.visits[label])
            if visits <= self.visits_left:
                self.visits_left -= visits
                self.locations += recoding.suppress(label)
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

    recoding: Recoding
    visits_allowed: int | None
    weights: Callable[[Recoding], npt.NDArray[np.float64] | None]

    def displacement(self, outcome: Outcome[Trajectories], data: Trajectories) -> float:
        """The mean distance, times its weight, between the location of a published visit and those of its label."""
        means = self.recoding.displacements()
        weights = self.weights(self.recoding)
        if weights is not None:
            means *= weights[self.recoding.current]
        assert outcome.origin is not None
        return float(means[data.codes[outcome.origin]].mean()) if len(outcome.origin) else math.inf


def least_displaced(
    recode: Callable[[Suppression], Recoded], data: Trajectories, share: Fraction
) -> Outcome[Trajectories]:
    """The outcome with the smallest displacement over several limits of distance; the larger limit where two are equal.

    The first run has no limit, so that it suppresses nothing by choice.  The limit is then halved, beginning at the
    largest distance of a merge, until no merge is left, or the share is used up and the displacement grows.
    """
    rule = Suppression()
    recoded = recode(rule)
    outcome = recoded.recoding.outcome(recoded.visits_allowed)
    if share == 0:
        return outcome
    allowed, locations = int(share * len(data.codes)), 0
    smallest, better = recoded.displacement(outcome, data), True
    while rule.farthest > 0 and (better or not rule.refused):
        rule = Suppression(limit=min(rule.limit, rule.farthest) / 2, visits_left=allowed)
        recoded = recode(rule)
        tried = recoded.recoding.outcome(recoded.visits_allowed)
        displacement = recoded.displacement(tried, data)
        better = displacement < smallest and tried.counts["suppressed_visits"] <= allowed
        if better:
            smallest, outcome, locations = displacement, tried, rule.locations
    return replace(outcome, counts={**outcome.counts, "suppressed_locations": locations})
