"""From positions to a movement: histories, trails by a rule, stops and moves, on several levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.positions import Positions
from sfumato.errors import DataError, ParameterError
from sfumato.params import Declared, param
from sfumato.prepare.base import Located
from sfumato.prepare.compression import needed_positions
from sfumato.prepare.region_splits import regions_of
from sfumato.prepare.repeats import starts_of_runs
from sfumato.prepare.speeds import DropFastTracks
from sfumato.prepare.splitting import (
    Split,
    SplitByDay,
    SplitByDistance,
    SplitByGap,
    SplitByTravelledDistance,
    SplitByWeek,
)
from sfumato.prepare.stops import SpeedClusters, StayPoints, StaysAtPlaces, StopFinder
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.segmentation.episodes import Division, region_stays
from sfumato.semantics.segmentation.frames import Segments, movement_frames
from sfumato.semantics.segmentation.observations import Observations
from sfumato.semantics.segmentation.trails import Mask, Trails, roots_of

__all__ = ["Segmentation", "Segmented", "segment"]


@dataclass(frozen=True)
class Segmented:
    """A movement, and counts of its parts and of what was merged or left out."""

    movement: Movement
    counts: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Segmentation(Declared):
    """Segment the positions of moving objects into a movement with trails, stops and moves.

    The positions of an object are its history.  A rule divides it into trails.  Where the positions have regions, each
    level of them divides the parts above into stops inside a region and moves; then the rule of stops does so once
    more.  A part without stops is not divided.

    Notes
    -----
    Definitions 1 to 3 of [1]_.  Positions that share an instant are one: the first is kept and has the tags, texts and
    place names of all.  A stop ends at its last position, so that it shares no time with the move after it.  A trail
    with a step above `fastest_kmh` is left out; with ``drop="object"`` all positions of such an object are.
    Compression keeps the ends of all segments, and positions with annotations, with a duration or with a geometry.
    Linear time, but for sorting.

    References
    ----------
    .. [1] R. Fileto, C. May, C. Renso, N. Pelekis, D. Klein, Y. Theodoridis, "The Baquara2 knowledge-based framework
       for semantic enrichment and analysis of movement data", Data & Knowledge Engineering 98, 2015.

    Examples
    --------
    >>> from sfumato import Positions
    >>> day = Positions.from_frame({
    ...     "person": ["ann"] * 4, "time": [0, 1000, 2000, 3000], "x": [0, 40, 80, 9000], "y": [0, 0, 0, 0],
    ... })
    >>> done = Segmentation().apply(day)
    >>> done.movement.segments.select("name", "type", "begin", "end").rows()[2:]
    [('ann/1970-01-01/1', 'STOP', 0.0, 2000.0), ('ann/1970-01-01/2', 'MOVE', 3000.0, 3000.0)]
    >>> done.counts["trails"], done.counts["stops"], done.counts["ties_merged"]
    (1, 1, 0)
    """

    trails: str = param(
        "day",
        choices=("day", "week", "gap", "jump", "travel", "region", "whole"),
        help="what divides the positions of an object into trails: the calendar, a time without positions, a jump, the "
        "travelled distance, a region of the coarsest level, or nothing",
    )
    offset_h: float = param(
        0.0,
        at_least=-14,
        at_most=14,
        help="hours that local time is ahead of the times in the data, for days and weeks",
    )
    gap_minutes: float = param(480.0, above=0, help="longest time between two positions of a trail, for trails by gap")
    distance_m: float | None = param(
        None, above=0, help="longest step (jump) or longest way (travel) of a trail, in metres"
    )
    fastest_kmh: float | str = param(
        500.0, above=0, or_word="any", help="highest speed of a step, in kilometres an hour"
    )
    drop: str = param(
        "trail", choices=("trail", "object"), help="what a step above the highest speed leaves out: its trail or object"
    )
    stops: str = param(
        "stay",
        choices=("stay", "place", "slow", "none"),
        help="how stops are found: positions near the first one, circles around places, slow movement, or not at all",
    )
    stop_radius_m: float = param(
        500.0, above=0, help="largest distance of the positions of a stop from its first one, or from its place"
    )
    stop_minutes: float = param(30.0, at_least=0, help="shortest time from the first to the last position of a stop")
    compress_m: float | None = param(
        None, above=0, help="leave out positions that lie within this distance of the line between kept ones"
    )
    objects: str = param(
        "object",
        choices=("object", "person", "trajectory"),
        help="whose positions belong together: those of a moving object (the column object, or else a person with a "
        "means), of a person, or of a trajectory",
    )
    tree: str = param("", help="name of this segmentation, where a movement has several")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.trails in ("jump", "travel") and self.distance_m is None:
            raise ParameterError(f"Segmentation: trails={self.trails!r} needs distance_m, got None")

    def apply(self, positions: Any) -> Segmented:
        """The movement of positions, or of a frame of them, and its counts."""
        data = positions if isinstance(positions, Positions) else Positions.from_frame(positions)
        observations = Observations.of(data, self.objects)
        counts = {"positions_read": len(data.times), "ties_merged": observations.ties}
        if self.drop == "object":
            offsets = observations.positions.offsets
            observations, counts["objects_dropped"], _ = self._without_fast(observations, offsets)
        trails = self._trails(observations.positions)
        if self.drop == "trail":
            observations, counts["trails_dropped"], is_fast = self._without_fast(observations, trails.offsets)
            trails = trails.without(is_fast)
        counts["positions_dropped"] = len(data.times) - observations.ties - len(observations.positions.times)
        if not len(observations.positions.times):
            raise DataError(f"segment: wanted a {self.drop} without a step above {self.fastest_kmh} km/h, found none")
        return self._segmented(observations, trails, counts)

    def _without_fast(self, observations: Observations, offsets: Ints) -> tuple[Observations, int, Mask]:
        """The observations without the stretches that have a step above the highest speed, and which these are."""
        is_fast = np.zeros(len(offsets) - 1, dtype=bool)
        if self.fastest_kmh != "any":
            is_fast = DropFastTracks(fastest_kmh=float(self.fastest_kmh)).fast_tracks(observations.positions, offsets)
        remains = observations.selected(~np.repeat(is_fast, np.diff(offsets)))
        return remains, int(np.sum(is_fast)), is_fast

    def _trails(self, data: Positions) -> Trails:
        if self.trails == "whole":
            return Trails.of(data, np.zeros(len(data.times), dtype=bool), tree=self.tree)
        if self.trails == "region":
            region = regions_of(data, None, "segment")
            return Trails.of(data, starts_of_runs(region, data.offsets), region=region, tree=self.tree)
        rule = self._rule()
        return Trails.of(data, rule.trajectory_starts(data), labels=rule.labels, tree=self.tree)

    def _rule(self) -> Split:
        if self.trails == "day":
            return SplitByDay(offset_h=self.offset_h)
        if self.trails == "week":
            return SplitByWeek(offset_h=self.offset_h)
        if self.trails == "gap":
            return SplitByGap(gap_s=60 * self.gap_minutes)
        split = SplitByDistance if self.trails == "jump" else SplitByTravelledDistance
        return split.from_json({"distance_m": self.distance_m})

    def _segmented(self, observations: Observations, trails: Trails, counts: dict[str, int]) -> Segmented:
        data = observations.positions
        segments = Segments(self.tree)
        rows = np.flatnonzero(data.lengths > 0)
        histories = (roots_of(data.ids, self.tree).gather(rows) + "/history") if data.ids is not None else pl.Series([])
        segments.add(histories, "HISTORY", data.offsets[:-1][rows], data.offsets[1:][rows] - 1)
        segments.add(trails.names, "TRAIL", trails.offsets[:-1], trails.offsets[1:] - 1, trails.region)
        if trails.region is not None:
            counts["outside_regions"] = int(np.sum(np.diff(trails.offsets)[trails.region < 0]))
        division = self._episodes(data, Division.of(trails.offsets), segments, counts)
        if self.compress_m is not None:
            observations = self._compressed(observations, division, segments, counts)
        frames = movement_frames(observations, segments)
        annotations = frames.pop("annotations")
        movement = Movement.of(**frames)
        if len(annotations):
            movement = replace(movement, annotations=annotations)  # of() would look for equal ones among millions
        sizes = {"positions": len(movement.positions), "objects": len(movement.objects)}
        return Segmented(movement, {**counts, **sizes, **segments.counts()})

    def _episodes(self, data: Positions, division: Division, segments: Segments, counts: dict[str, int]) -> Division:
        """The trails divided by stops, level by level."""
        levels = () if data.regions is None else data.regions.levels
        for level in levels[1:] if self.trails == "region" else levels:
            parts = replace(data, offsets=division.offsets, ids=None)
            region = regions_of(data, level, "segment")
            counts.setdefault("outside_regions", int(np.sum(region < 0)))
            division, new = division.divided(*region_stays(parts, region, 60 * self.stop_minutes))
            segments.add_parts(new)
        finder = self._finder()
        if finder is not None:
            first, end = finder.runs(replace(data, offsets=division.offsets, ids=None))
            is_new = ~division.repeats(first, end)
            division, new = division.divided(first[is_new], end[is_new])
            segments.add_parts(new)
        return division

    def _finder(self) -> StopFinder | None:
        shortest_s = 60 * self.stop_minutes
        if self.stops == "stay":
            return StayPoints(within_m=self.stop_radius_m, shortest_s=shortest_s, ends_at="last")
        if self.stops == "place":
            return StaysAtPlaces(radius_m=self.stop_radius_m, shortest_s=shortest_s)
        return SpeedClusters(shortest_s=shortest_s) if self.stops == "slow" else None

    def _compressed(
        self, observations: Observations, division: Division, segments: Segments, counts: dict[str, int]
    ) -> Observations:
        """Fewer observations; the segments begin and end at the same ones."""
        data = observations.positions
        where = Located(data.where, data.geographic)
        fixed = observations.annotated_rows()
        keep = needed_positions(where, data.times, division.offsets, float(self.compress_m or 0), fixed)
        counts["compressed"] = int(np.sum(~keep))
        segments.renumber(np.cumsum(keep) - 1)
        return observations.selected(keep)


def segment(positions: Any, **parameters: Any) -> Movement:
    """The movement of positions (or of a frame of them): trails, stops and moves.

    parameters : of `Segmentation`, whose `apply` also counts what was merged and left out.

    >>> walk = {"person": ["ann"] * 3, "time": [0, 1800, 1860], "lon": [9.19] * 3, "lat": [45.46, 45.46, 45.5]}
    >>> segment(walk).segments["type"].to_list()
    ['HISTORY', 'TRAIL', 'STOP', 'MOVE']
    """
    return Segmentation.from_json(parameters).apply(positions).movement
