"""Cleaning of impossible speeds: removing positions too far from the previous one to be reached in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.kernels.space.tracks import reachable
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, located, times_of, with_elements

__all__ = ["DropImpossibleSpeeds"]


@dataclass(frozen=True, kw_only=True)
class DropImpossibleSpeeds(Preparation):
    """Leave out, and count, positions that could only be reached faster than possible from the last kept one.

    Notes
    -----
    The first position of a track is kept.  Of several positions at one time, the first is kept.  Straight
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
        positions = located(data, "DropImpossibleSpeeds")
        times = times_of(data, "DropImpossibleSpeeds")
        keep = reachable(positions.points(), positions.radius, times, data.offsets, self.fastest_mps)
        return Prepared(with_elements(data, keep), {"impossible": int(np.sum(~keep))})
