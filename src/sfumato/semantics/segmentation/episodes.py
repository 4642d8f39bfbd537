"""Stops and the moves between them, on several levels: each level divides the parts of the level above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.positions import Positions
from sfumato.prepare.repeats import starts_of_runs

__all__ = ["Division", "Parts", "region_stays"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Parts:
    """Stretches of positions: the rows ``first[i]`` to ``last[i]``; whether each is a stop; its region, or -1."""

    first: Ints
    last: Ints
    is_stop: Mask
    region: Ints


@dataclass(frozen=True)
class Division:
    """Positions divided into adjacent parts; part p holds the rows ``offsets[p]`` to ``offsets[p + 1] - 1``."""

    offsets: Ints
    is_stop: Mask

    @classmethod
    def of(cls, offsets: Ints) -> Self:
        """A division into parts of which none is a stop."""
        return cls(np.asarray(offsets, dtype=np.int64), np.zeros(len(offsets) - 1, dtype=bool))

    def repeats(self, first: Ints, end: Ints) -> Mask:
        """Which stops, from row first to row end - 1, are exactly a stop of this division."""
        part = self.part_of(first)
        same = (self.offsets[part] == first) & (self.offsets[part + 1] == end)
        return np.asarray(same & self.is_stop[part])

    def part_of(self, rows: Ints) -> Ints:
        """The part that holds each row."""
        return np.asarray(np.searchsorted(self.offsets, rows, side="right") - 1)

    def divided(self, first: Ints, end: Ints, region: Ints | None = None) -> tuple[Division, Parts]:
        """The parts with stops, from row first to row end - 1, divided into these and the moves around them.

        Stops rise, and each lies inside a part.  A part without stops stays whole.  Returns the new division, and the
        parts that are new.
        """
        borders = np.unique(np.concatenate((self.offsets, first, end)))
        start, last = borders[:-1], borders[1:] - 1
        above = self.part_of(start)
        has_stops = np.zeros(len(self.is_stop), dtype=bool)
        has_stops[self.part_of(first)] = True
        is_new = has_stops[above]
        is_stop = np.zeros(len(start), dtype=bool)
        stop_piece = np.searchsorted(start, first)
        is_stop[stop_piece] = True
        region_of = np.full(len(start), -1, dtype=np.int64)
        if region is not None:
            region_of[stop_piece] = region
        division = Division(borders, np.where(is_new, is_stop, self.is_stop[above]))
        return division, Parts(start[is_new], last[is_new], is_stop[is_new], region_of[is_new])


def region_stays(data: Positions, region: Ints, shortest_s: float) -> tuple[Ints, Ints, Ints]:
    """Stretches inside one region that last at least `shortest_s`: first row, row after the last, region.

    Of the stretches of a track, which is a part of a division here.
    """
    first = np.flatnonzero(starts_of_runs(region, data.offsets))
    end = np.append(first[1:], len(region)) if len(first) else first
    lasting: Any = data.ends[end - 1] - data.times[first]
    stays = (region[first] >= 0) & (lasting >= shortest_s)
    return first[stays], end[stays], region[first[stays]]
