"""Cleaning of impossible speeds: a receiver that errs jumps farther than anybody can go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.kernels.space.tracks import reachable
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, kept, located, times_of

__all__ = ["DropImpossibleSpeeds"]


@dataclass(frozen=True, kw_only=True)
class DropImpossibleSpeeds(Preparation):
    """Positions that could only be reached faster than possible from the last one kept are left out and counted.

    Notes
    -----
    The first position of a track is believed.  Of several positions at one time, the first is believed.  Straight
    distances are used, along the great circle for latitude and longitude.  Linear time.

    Examples
    --------
    >>> from sfumato import Positions
    >>> drive = Positions.from_frame(
    ...     {"person": ["ann"] * 4, "time": [0, 10, 20, 30], "x": [0, 100, 9000, 300], "y": [0, 0, 0, 0]}
    ... )
    >>> cleaned = DropImpossibleSpeeds(fastest_mps=50).apply(drive)
    >>> cleaned.data.where[:, 0].tolist(), cleaned.counts
    ([0.0, 100.0, 300.0], {'impossible': 1})
    """

    name: ClassVar[str] = "drop-impossible-speeds"

    fastest_mps: float = param(70.0, above=0, help="highest possible speed, in metres a second")

    def change(self, data: Any) -> Prepared:
        where = located(data, "DropImpossibleSpeeds")
        times = times_of(data, "DropImpossibleSpeeds")
        keep = reachable(where.points(), where.radius, times, data.offsets, self.fastest_mps)
        return Prepared(kept(data, keep), {"impossible": int(np.sum(~keep))})
