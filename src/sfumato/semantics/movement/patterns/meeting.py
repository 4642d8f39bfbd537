"""Meetings: stops of two persons that are near each other and share some time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from sfumato.params import param
from sfumato.semantics.movement.patterns.base import Found, Pattern
from sfumato.semantics.movement.patterns.nearness import in_space, near_pairs
from sfumato.semantics.vocabulary import BQ

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["Meeting"]

_SLOT_S = 6 * 3600.0  # a stop is compared with those that are not over in the slot in which it begins


@dataclass(frozen=True, kw_only=True)
class Meeting(Pattern):
    """Two stops of different persons within a distance, which share a time.

    Notes
    -----
    The paper names the pattern and gives no numbers.  Two moving objects of one person do not meet.  The place of a
    stop is its centroid.
    """

    type: ClassVar[str] = "MEETING"

    within_m: float = param(100.0, above=0, help="largest distance between the stops, in metres")
    minutes: float = param(15.0, at_least=0, help="shortest time that they share")

    def find(self, movement: Movement) -> Found:
        """Every pair of stops that meet, with the time that they share."""
        centres = movement.centres()
        stops = movement.stops().with_columns(
            centres["x"].gather(movement.stops()["row"]), centres["y"].gather(movement.stops()["row"])
        )
        stops = stops.filter(pl.col("x").is_not_null())
        person = movement.objects["person"].rank("dense").gather(stops["object"]).to_numpy()
        begin, end, row = (stops[name].to_numpy() for name in ("begin", "end", "row"))
        points = in_space(stops["x"].to_numpy(), stops["y"].to_numpy(), geographic=movement.geographic)
        first_slot, last_slot = (np.floor(time / _SLOT_S).astype(np.int64) for time in (begin, end))
        slots = last_slot - first_slot + 1
        lasting = np.repeat(np.arange(len(row)), slots)
        slot = np.arange(len(lasting)) - np.repeat(np.cumsum(slots) - slots, slots) + first_slot[lasting]
        left, second, metres = near_pairs(
            points[lasting], slot, points, first_slot, self.within_m, geographic=movement.geographic
        )
        first = lasting[left]
        earlier = (begin[first] < begin[second]) | ((begin[first] == begin[second]) & (row[first] < row[second]))
        shared = np.minimum(end[first], end[second]) - np.maximum(begin[first], begin[second])
        meets = earlier & (person[first] != person[second]) & (shared >= 60 * self.minutes)
        first, second, metres = first[meets], second[meets], metres[meets]
        order = np.lexsort((row[second], row[first], begin[second]))
        first, second, metres = first[order], second[order], metres[order]
        return _found(row[first], row[second], begin[second], np.minimum(end[first], end[second]), metres)


def _found(first: np.ndarray, second: np.ndarray, begin: np.ndarray, end: np.ndarray, metres: np.ndarray) -> Found:
    number = np.arange(len(first))
    members = pl.DataFrame(
        {"set": np.repeat(number, 2), "segment": np.column_stack([first, second]).astype(np.int64).ravel()}
    )
    annotations = pl.DataFrame({"target": number, "metres": metres}).with_columns(
        property=pl.lit(BQ + "takesPartIn"), kind=pl.lit("resource"), value=pl.lit(BQ + "Meeting")
    )
    return Found(pl.DataFrame({"set": number, "begin": begin, "end": end}), members, annotations)
