"""What the promises about road trajectories share: whom they count, and that every published trajectory is a path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.kernels.verify.roads import broken_paths
from sfumato.privacy.base import Verdict
from sfumato.privacy.not_covered import Limit

__all__ = ["DUMMIES", "PIECES", "checked_by_persons", "interval_of", "paths_broken"]

DUMMIES = Limit(
    "dummies",
    "dummies: a published trajectory may be invented (records.added counts them), so fewer than k persons may have "
    "travelled it, and an attacker with other traffic data may notice this",
    rank=2,
)
PIECES = Limit(
    "parts-of-a-trip",
    "trajectories that are parts of one trip: an attacker who joins them, across intervals or around a suppressed "
    "road, may follow fewer than k persons",
    rank=3,
)
_PERSONS_UNKNOWN = (
    "counted in records, the promise holds; it counts persons, and a published trajectory belongs to no single "
    "person, so the original does not show the persons behind it"
)


def interval_of(data: RoadTrajectories) -> Ints:
    """The number of the interval of each record; all are in one where the data know of none."""
    return np.zeros(len(data), dtype=np.int32) if data.intervals is None else data.intervals


def paths_broken(data: RoadTrajectories) -> Ints:
    """The records that are no paths on the network: each road must begin at the node where the one before it ends."""
    return np.flatnonzero(broken_paths(data.codes, data.offsets, data.tails, data.heads))


def checked_by_persons(
    check: Callable[[RoadTrajectories], Verdict], published: RoadTrajectories, original: RoadTrajectories | None
) -> Verdict:
    """A check that counts persons where `published` knows them; an original does not show whose record is whose."""
    verdict = check(published)
    if published.persons is not None or original is None or original.persons is None or verdict.holds is False:
        return verdict
    return replace(verdict, holds="not checkable", reason=_PERSONS_UNKNOWN)
