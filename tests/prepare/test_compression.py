"""Compression: what is left out lies near the line, stops and ends stay, and so does everything with details."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato import Positions
from sfumato.errors import ParameterError
from sfumato.prepare import Compress, StayPoints
from twins.segmentation import Fix, globe, off_the_line, plane


def walks(seed: int, *, geographic: bool, ties: bool = False) -> Positions:
    """Walks with rests and turns; on the globe far in the north, and across the date line."""
    draw = np.random.default_rng(seed)
    size, people = 60, 12
    times = np.cumsum(draw.integers(0 if ties else 1, 4, (people, size)), axis=1).astype(float)
    legs = draw.normal(0, 5, (people, size // 10, 2)) * (draw.random((people, size // 10, 1)) < 0.6)  # others are rests
    turns = np.repeat(legs, 10, axis=1)
    where = np.cumsum(turns + draw.normal(0, 0.5, (people, size, 2)), axis=1)
    if geographic:
        where = np.column_stack((np.full(people * size, 179.99), np.full(people * size, 70.0))).reshape(where.shape) + (
            where / 5000
        )
        where[..., 0] = (where[..., 0] + 180) % 360 - 180
    offsets = np.arange(people + 1) * size
    return Positions(offsets=offsets, times=times.ravel(), where=where.reshape(-1, 2), geographic=geographic)


@pytest.mark.parametrize("within", [1.0, 4.0, 30.0])
@pytest.mark.parametrize("geographic", [False, True], ids=["plane", "globe"])
@pytest.mark.parametrize("ties", [False, True])
def test_what_is_left_out_lies_near_the_line(within: float, geographic: bool, ties: bool) -> None:
    data = walks(3, geographic=geographic, ties=ties)
    done = Compress(within_m=within, stop_minutes=9).apply(data)
    metric = globe if geographic else plane
    assert done.counts["compressed"] == len(data.times) - len(done.data.times) > 0
    for track in range(len(data)):
        every, kept = (
            [
                Fix("", time, time, x, y)
                for time, (x, y) in zip(part.times[rows], _unwrapped(part.where[rows]), strict=True)
            ]
            for part in (data, done.data)
            for rows in [slice(part.offsets[track], part.offsets[track + 1])]
        )
        assert (every[0], every[-1]) == (kept[0], kept[-1])
        assert set(kept) <= set(every)
        assert max(off_the_line(kept, fix, metric) for fix in every) <= within


def _unwrapped(where: np.ndarray) -> np.ndarray:
    """Longitudes east of the date line as numbers above 180, so that lines can cross it."""
    return np.column_stack((np.where(where[:, 0] < -90, where[:, 0] + 360, where[:, 0]), where[:, 1]))


def test_stops_begin_and_end_at_kept_positions() -> None:
    data = walks(5, geographic=False)
    stops = StayPoints(within_m=6, shortest_s=15, ends_at="last").apply(data).data
    done = Compress(within_m=200, stop_radius_m=6, stop_minutes=0.25).apply(data)
    assert len(stops.times) > 5
    assert set(stops.times) | set(stops.departures) <= set(done.data.times)


def test_a_straight_walk_is_two_positions() -> None:
    data = Positions.from_frame({"person": ["a"] * 5, "time": range(5), "x": [0, 10, 20, 30, 40], "y": [0] * 5})
    assert Compress(within_m=0.01, stop_minutes=9).apply(data).data.times.tolist() == [0.0, 4.0]
    slower = Positions.from_frame({"person": ["a"] * 3, "time": [0, 1, 10], "x": [0, 10, 20], "y": [0] * 3})
    assert len(Compress(within_m=7.9, stop_minutes=9).apply(slower).data.times) == 3  # 8 from where it would be


def test_positions_with_details_are_kept() -> None:
    frame = {"person": ["a"] * 6, "time": range(6), "x": [0] * 6, "y": [0] * 6}
    details = pl.DataFrame(
        {
            "end": [0.0, 1.0, 2.5, 3.0, 4.0, 5.0],
            "tags": [[], ["sea"], [], [], [], []],
            "text": [None, None, None, "hello", None, None],
        },
        schema_overrides={"tags": pl.List(pl.String)},
    )
    data = Positions.from_frame(pl.DataFrame(frame).hstack(details))
    done = Compress(within_m=5, stop_minutes=9).apply(data)
    assert done.data.times.tolist() == [0.0, 1.0, 2.0, 3.0, 5.0]
    assert done.data.details["tags"].to_list()[1] == ["sea"]
    assert len(data.times) == 6  # the input is untouched


def test_corner_cases_and_refusals() -> None:
    nothing = Positions(offsets=[0, 0, 1], times=[3], where=[[1.0, 2.0]], geographic=False)
    assert Compress(within_m=1).apply(nothing).data.lengths.tolist() == [0, 1]
    same = Positions(offsets=[0, 4], times=[0, 0, 0, 0], where=[[0, 0], [1, 0], [9, 0], [9, 0]], geographic=False)
    kept = Compress(within_m=2, stop_minutes=9).apply(same).data.where[:, 0].tolist()
    assert kept == [0.0, 1.0, 9.0, 9.0]
    pole = Positions(offsets=[0, 3], times=[0, 1, 2], where=[[0, 90], [180, 90], [90, 90]], geographic=True)
    assert len(Compress(within_m=2, stop_minutes=9).apply(pole).data.times) >= 2
    with pytest.raises(ParameterError, match=r"^Compress: within_m must be a number above 0, got 0$"):
        Compress(within_m=0)
