"""Flocks: persons who move together, near each other for some time."""

from __future__ import annotations

import math
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

__all__ = ["Flock"]


@dataclass(frozen=True, kw_only=True)
class Flock(Pattern):
    """Moves of several persons that stay within a distance of one of them, while this one travels.

    Notes
    -----
    Moves are sampled at whole multiples of step_s, between positions along a straight line.  A window is a run of
    samples that lasts at least the given minutes.  The segments that are near one of them at every sample of a window
    are a flock, if they are of enough persons; of sets of segments that contain each other the largest stays.
    """

    type: ClassVar[str] = "FLOCK"

    persons: int = param(3, at_least=2, help="fewest persons")
    radius_m: float = param(100.0, above=0, help="largest distance from the one in the middle, in metres")
    minutes: float = param(15.0, above=0, help="shortest time together")
    travelled_m: float = param(100.0, at_least=0, help="how far the one in the middle travels at least in this time")
    step_s: float = param(60.0, above=0, help="seconds between samples")

    def find(self, movement: Movement) -> Found:
        """Every largest set of moves that stay together, with the time from its first window to its last."""
        samples = _samples(movement, self.step_s)
        windows = self._windows(samples, movement.geographic)
        person = movement.objects["person"].rank("dense").gather(movement.segments["object"]).to_numpy()
        windows = windows.with_columns(person=person[windows["segment"].to_numpy()])
        groups = windows.group_by("middle", "tick").agg(
            pl.col("segment").sort().alias("members"), pl.col("person").n_unique().alias("persons")
        )
        groups = groups.filter(pl.col("persons") >= self.persons)
        sets = groups.group_by("members").agg(pl.col("tick").min().alias("from"), pl.col("tick").max().alias("to"))
        sets = _largest(sets.sort("from", pl.col("members").list.len(), pl.col("members").list.first()))
        number = pl.Series(range(len(sets)), dtype=pl.Int64)
        times = pl.DataFrame(
            {
                "set": number,
                "begin": sets["from"] * self.step_s,
                "end": (sets["to"] + self._length - 1) * self.step_s,
            }
        )
        members = pl.DataFrame({"set": number, "segment": sets["members"]}).explode("segment").drop_nulls()
        notes = pl.DataFrame({"target": number}).with_columns(
            property=pl.lit(BQ + "hasBehavior"), kind=pl.lit("resource"), value=pl.lit(BQ + "Flock")
        )
        return Found(times, members.cast(pl.Int64), notes)

    @property
    def _length(self) -> int:
        """Samples of a window."""
        return math.ceil(60 * self.minutes / self.step_s - 1e-9) + 1

    def _windows(self, samples: pl.DataFrame, geographic: bool) -> pl.DataFrame:
        """middle, tick, segment: what is near the middle at each of the samples that begin at the tick."""
        points = samples.select("x", "y", "z").to_numpy()
        tick, segment = samples["tick"].to_numpy(), samples["segment"].to_numpy()
        middle, other, _ = near_pairs(points, tick, points, tick, self.radius_m, geographic=geographic)
        pairs = pl.DataFrame({"middle": segment[middle], "segment": segment[other], "tick": tick[middle]})
        pairs = pairs.sort("middle", "segment", "tick")
        run = (pl.col("tick") - pl.int_range(pl.len()).over("middle", "segment")).alias("run")
        runs = (
            pairs.with_columns(run)
            .group_by("middle", "segment", "run")
            .agg(pl.col("tick").min().alias("from"), pl.len().cast(pl.Int64).alias("ticks"))
        )
        runs = runs.filter(pl.col("ticks") >= self._length)
        starts = pl.int_ranges(pl.col("from"), pl.col("from") + pl.col("ticks") - self._length + 1)
        windows = runs.select("middle", "segment", starts.alias("tick")).explode("tick")
        return windows.join(self._travelling(samples), on=["middle", "tick"], how="semi")

    def _travelling(self, samples: pl.DataFrame) -> pl.DataFrame:
        """middle, tick: windows in which the one in the middle travels far enough."""
        step = sum((pl.col(axis) - pl.col(axis).shift(1)) ** 2 for axis in "xyz") ** 0.5
        paths = samples.sort("segment", "tick").with_columns(
            step.over("segment").fill_null(0.0).cum_sum().over("segment").alias("path")
        )
        ahead = pl.col("path").shift(-(self._length - 1)).over("segment")
        return paths.filter(ahead - pl.col("path") >= self.travelled_m).select(
            pl.col("segment").alias("middle"), "tick"
        )


def _samples(movement: Movement, step_s: float) -> pl.DataFrame:
    """segment, tick, x, y, z: where each move is at whole multiples of the step, in metres in space."""
    moves = movement.of_type("MOVE").filter(pl.col("first").is_not_null())
    row, first, last = (moves[name].to_numpy() for name in ("row", "first", "last"))
    begin, end = (movement.positions[name].to_numpy() for name in ("begin", "end"))
    low = np.ceil(begin[first] / step_s).astype(np.int64)
    count = np.maximum(np.floor(end[last] / step_s).astype(np.int64) - low + 1, 0)
    owner = np.repeat(np.arange(len(row)), count)
    tick = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + low[owner]
    points = in_space(
        movement.positions["x"].to_numpy(), movement.positions["y"].to_numpy(), geographic=movement.geographic
    )
    before = _latest(movement, owner, tick * step_s, first, last)
    after = np.minimum(before + 1, last[owner])
    gap = begin[after] - end[before]
    share = np.where(gap > 0, np.clip((tick * step_s - end[before]) / np.where(gap > 0, gap, 1), 0, 1), 0)
    place = points[before] + share[:, None] * (points[after] - points[before])
    return pl.DataFrame(
        {"segment": row[owner].astype(np.int64), "tick": tick, "x": place[:, 0], "y": place[:, 1], "z": place[:, 2]}
    )


def _latest(movement: Movement, owner: np.ndarray, time: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The latest position of each sample's move that has begun."""
    positions = movement.positions
    keys = pl.DataFrame({"object": positions["object"], "begin": positions["begin"]}).with_row_index("position")
    owners = positions["object"].gather(first[owner])
    asked = pl.DataFrame({"object": owners, "begin": time}).with_row_index("sample")
    joined = asked.sort("begin").join_asof(keys.sort("begin"), on="begin", by="object", check_sortedness=False)
    position = joined.sort("sample")["position"].to_numpy().astype(np.int64)
    return np.asarray(np.clip(position, first[owner], last[owner]))


def _largest(sets: pl.DataFrame) -> pl.DataFrame:
    """Sets that no other set contains."""
    groups = [frozenset(members) for members in sets["members"].to_list()]
    holders: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        for segment in group:
            holders.setdefault(segment, []).append(number)
    kept = [
        not any(group < groups[other] for other in holders[min(group, key=lambda segment: len(holders[segment]))])
        for group in groups
    ]
    return sets.filter(pl.Series(kept, dtype=pl.Boolean))
