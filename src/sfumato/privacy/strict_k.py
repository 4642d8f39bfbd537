"""Strict k-anonymity: every published road trajectory is published at least k times in its interval.

S. Gurung, D. Lin, W. Jiang, A. Hurson, R. Zhang, "Traffic information publication with privacy preservation", ACM
Transactions on Embedded Computing Systems 13(3s), 2014, Definition 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import RoadTrajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import row_order
from sfumato.kernels.verify.roads import distinct_units
from sfumato.params import JsonObject, param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.road_supports import DUMMIES, PIECES, checked_by_persons, interval_of, paths_broken
from sfumato.privacy.not_covered import COMPOSITION, MINIMALITY, OTHERS, PRESENCE, TIMES, Limit

__all__ = ["StrictKAnonymity"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class StrictKAnonymity(PrivacyModel):
    """Every published trajectory occurs, as a whole, at least k times in its interval, and is a path on the network.

    Notes
    -----
    Definition 4 of the paper: trajectories are compared as wholes, road by road and with their directions.  Occurrences
    count distinct persons where they are known, otherwise records; a dummy counts as one more, because no one who sees
    the release can tell it from a person's.  That each road begins at the node where the one before it ends is checked
    road by road on the published network.

    Examples
    --------
    >>> from sfumato import Network
    >>> town = Network.from_frames(
    ...     {"node": ["a", "b", "c"], "x": [0, 1, 2], "y": [0, 0, 0]},
    ...     {"road": ["ab", "bc"], "from": ["a", "b"], "to": ["b", "c"]},
    ... )
    >>> drives = RoadTrajectories.from_lists([["ab+", "bc+"], ["ab+", "bc+"], ["ab+"]], network=town)
    >>> verdict = StrictKAnonymity(k=2).check(drives)
    >>> verdict.holds, verdict.witnesses
    (False, ({'interval': 'all', 'trajectory': ['ab+'], 'occurrences': 1},))
    """

    name: ClassVar[str] = "strict-k"
    title: ClassVar[str] = "strict k-anonymity"
    kinds: ClassVar[tuple[str, ...]] = ("roads",)
    context: ClassVar[tuple[str, ...]] = ("network",)
    persons_from_original: ClassVar[bool] = False
    not_covered: ClassVar[tuple[Limit, ...]] = (
        DUMMIES,
        Limit(
            "trajectory-in-common",
            "attribute disclosure: all persons in the anonymity set of a trajectory travelled it, so an attacker who "
            "knows that a person is in the set knows where the person was",
            rank=3,
        ),
        PIECES,
        Limit(
            "unpublished-road",
            "absent roads: if a road is not published in an interval, fewer than k persons, or none, travelled it",
        ),
        OTHERS,
        MINIMALITY,
        COMPOSITION,
        PRESENCE,
        TIMES,
    )

    k: int = param(
        at_least=2,
        stronger="higher",
        help="smallest number of occurrences of a trajectory in its interval; the paper's k",
    )

    def check(self, published: RoadTrajectories, original: RoadTrajectories | None = None) -> Verdict:
        self._require_kind(published)
        return checked_by_persons(self._checked, published, original)

    def _checked(self, data: RoadTrajectories) -> Verdict:
        source: CheckedFrom = "files" if data.persons is None else "original"
        order, starts = _runs(data)
        n_units = len(data) if data.persons is None else len(data.persons)
        supports = distinct_units(order, starts, data.units, n_units)
        rare = np.flatnonzero(supports < self.k)
        broken = paths_broken(data)
        measured = {
            "unit": data.unit,
            "trajectories": len(supports),
            "smallest_support": int(supports.min()) if len(supports) else None,
            "rare_trajectories": len(rare),
            "broken_paths": len(broken),
        }
        rarest = rare[np.argsort(supports[rare], kind="stable")][:_WITNESSES]
        witnesses = [_witness(data, int(order[starts[run]]), int(supports[run])) for run in rarest]
        return Verdict(len(rare) == 0 and len(broken) == 0, source, measured, tuple(witnesses))


def _runs(data: RoadTrajectories) -> tuple[Ints, Ints]:
    """The records that are not empty, equal ones of one interval next to each other, and where each run begins."""
    intervals = interval_of(data)
    order = row_order(data.offsets, data.codes)
    order = order[np.argsort(intervals[order], kind="stable")]
    order = order[data.lengths[order] > 0]
    begins = np.flatnonzero(data.take(order).run_starts())
    return order, np.append(begins, len(order)).astype(np.int64)


def _witness(data: RoadTrajectories, record: int, occurrences: int) -> JsonObject:
    name = data.interval_names[data.intervals[record]] if data.intervals is not None else "all"
    return {"interval": name, "trajectory": list(data.labels(record)), "occurrences": occurrences}
