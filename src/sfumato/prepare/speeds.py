"""Cleaning of impossible speeds: positions that cannot be reached in time, or whole tracks, are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.space.tracks import reachable
from sfumato.kernels.space.trails import fast_tracks
from sfumato.params import param
from sfumato.prepare.base import Preparation, Prepared, ends_of, located, times_of, with_elements, without_empty

__all__ = ["DropFastTracks", "DropImpossibleSpeeds"]


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


@dataclass(frozen=True, kw_only=True)
class DropFastTracks(Preparation):
    """Leave out, and count, whole tracks with a step that is faster than possible.

    Notes
    -----
    After `SplitByDay` this drops the days with such a step, as [1]_ does; before, all positions of the person, as [2]_
    does.  Of positions that share an instant, the first stands for all, so that two photos of one second are no step.
    Linear time.

    References
    ----------
    .. [1] R. Fileto, M. Krüger, N. Pelekis, Y. Theodoridis, C. Renso, "Baquara: a holistic ontological framework for
       movement analysis using linked data", ER 2013.
    .. [2] R. Fileto, C. May, C. Renso, N. Pelekis, D. Klein, Y. Theodoridis, "The Baquara2 knowledge-based framework
       for semantic enrichment and analysis of movement data", Data & Knowledge Engineering 98, 2015.

    Examples
    --------
    >>> from sfumato import Positions
    >>> trips = Positions.from_frame({
    ...     "trajectory": ["walk", "walk", "jump", "jump"], "time": [0, 3600, 0, 3600],
    ...     "x": [0, 5000, 0, 900_000], "y": [0, 0, 0, 0],
    ... })
    >>> kept = DropFastTracks().apply(trips)
    >>> kept.data.ids.to_list(), kept.counts
    (['walk'], {'fast_tracks': 1, 'fast_positions': 2})
    """

    name: ClassVar[str] = "drop-fast-tracks"

    fastest_kmh: float = param(500.0, above=0, help="highest speed of a step, in kilometres an hour")

    def change(self, data: Any) -> Prepared:
        is_fast = self.fast_tracks(data, data.offsets)
        dropped = np.repeat(is_fast, data.lengths)
        kept, _ = without_empty(with_elements(data, ~dropped))
        counts = {"fast_tracks": int(np.sum(is_fast)), "fast_positions": int(np.sum(dropped))}
        return Prepared(kept, counts)

    def fast_tracks(self, data: Any, offsets: Ints) -> npt.NDArray[np.bool_]:
        """Which tracks, with these offsets of the positions, have a step that is too fast."""
        positions, times = located(data, "DropFastTracks"), times_of(data, "DropFastTracks")
        fastest_mps = self.fastest_kmh / 3.6
        is_fast = fast_tracks(positions.points(), positions.radius, times, ends_of(data), offsets, fastest_mps)
        return np.asarray(is_fast)
