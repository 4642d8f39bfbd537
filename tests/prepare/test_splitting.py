"""Splitting by day, week, gap and distance."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Positions, Stops, Trajectories
from sfumato.errors import MissingKnowledge, ParameterError
from sfumato.prepare import SplitByDay, SplitByDistance, SplitByGap, SplitByTravelledDistance, SplitByWeek
from twins.segmentation import Fix, Twin, by_gap, by_travel, globe, plane

HOUR = 3600.0


@st.composite
def logs(draw: Any) -> list[tuple[str, str, float, float]]:
    """trajectory, person, time, x; a trajectory belongs to one person."""
    rows = draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4000), st.integers(0, 9)), min_size=1, max_size=25)
    )
    owner = draw(st.lists(st.sampled_from(["ann", "bob"]), min_size=4, max_size=4))
    return [(f"t{which}", owner[which], time * HOUR, float(x)) for which, time, x in rows]


def split_slowly(
    rows: list[tuple[str, str, float, float]],
    known: bool,
    apart: Callable[[tuple[float, float], tuple[float, float]], bool],
) -> set[tuple[str, tuple[tuple[float, float], ...]]]:
    """The parts of what each person (or trajectory) did, as (who, what)."""
    found = []
    for who in {row[known] for row in rows}:
        visits = [row for row in rows if row[known] == who]
        if known:  # ties in the order of the trajectories, then of the frame
            first = {name: at for at, name in reversed(list(enumerate(row[0] for row in rows)))}
            visits.sort(key=lambda row: first[row[0]])
        visits.sort(key=lambda row: row[2])
        part: list[tuple[float, float]] = []
        for _, _, time, x in visits:
            if part and apart(part[-1], (time, x)):
                found.append((who, tuple(part)))
                part = []
            part.append((time, x))
        found.append((who, tuple(part)))
    return found


def local(time: float, offset: float) -> datetime:
    return datetime.fromtimestamp(time, UTC) + timedelta(hours=offset)


OFFSET = 5.5
STEPS: dict[str, tuple[Any, Any]] = {
    "day": (SplitByDay(offset_h=OFFSET), lambda a, b: local(a[0], OFFSET).date() != local(b[0], OFFSET).date()),
    "week": (
        SplitByWeek(offset_h=-OFFSET),
        lambda a, b: local(a[0], -OFFSET).isocalendar()[:2] != local(b[0], -OFFSET).isocalendar()[:2],
    ),
    "gap": (SplitByGap(gap_s=100 * HOUR), lambda a, b: b[0] - a[0] > 100 * HOUR),
    "distance": (SplitByDistance(distance_m=4), lambda a, b: abs(b[1] - a[1]) > 4),
}


@pytest.mark.parametrize("how", STEPS)
@pytest.mark.parametrize("known", [False, True], ids=["records", "persons"])
@settings(max_examples=40)
@given(rows=logs())
def test_agrees_with_splitting_by_hand(how: str, known: bool, rows: list[tuple[str, str, float, float]]) -> None:
    step, apart = STEPS[how]
    frame = pl.DataFrame(rows, schema=["trajectory", "person", "time", "x"], orient="row")
    frame = frame.with_columns(y=pl.lit(0.0), location=pl.col("x").cast(pl.Int64).cast(pl.String))
    if not known:
        frame = frame.drop("person")
    wanted = sorted(split_slowly(rows, known, apart))

    points = step.apply(Positions.from_frame(frame)).data
    assert parts_of(points, known, [(t, x) for t, x in zip(points.times, points.where[:, 0], strict=True)]) == wanted
    assert points.ids.n_unique() == len(points)

    walks = step.apply(Trajectories.from_frame(frame)).data
    visited = [float(walks.names[code]) for code in walks.codes]
    assert parts_of(walks, known, list(zip(walks.times, visited, strict=True))) == wanted


def parts_of(data: Any, known: bool, visits: list[tuple[float, float]]) -> list[Any]:
    if known:
        who = data.persons.names.gather(data.persons.codes).to_list()
    else:
        who = [text.rpartition("/")[0] for text in data.ids]
    bounds = zip(data.offsets[:-1].tolist(), data.offsets[1:].tolist(), strict=True)
    return sorted((one, tuple(visits[low:high])) for one, (low, high) in zip(who, bounds, strict=True))


def test_trajectories_of_one_person_are_put_together_first() -> None:
    walks = Trajectories.from_frame(
        {
            "trajectory": ["t1", "t2", "t3", "t1"],
            "person": ["ann", "ann", "bob", "ann"],
            "location": ["a", "b", "c", "d"],
            "time": ["2026-05-01T08:00", "2026-05-01T12:00", "2026-05-01T09:00", "2026-05-02T08:00"],
        }
    )
    done = SplitByDay().apply(walks)
    assert done.data.to_lists() == [["a", "b"], ["d"], ["c"]]
    assert done.data.ids.to_list() == ["ann/2026-05-01", "ann/2026-05-02", "bob/2026-05-01"]
    assert done.data.persons.codes.tolist() == [0, 0, 1]
    assert done.counts == {"parts": 3, "empty": 0}
    assert walks.to_lists() == [["a", "d"], ["b"], ["c"]]


def test_weeks_begin_on_monday() -> None:
    days = [f"2026-01-{day:02}T12:00" for day in range(1, 15)]  # 2026-01-05 is a Monday
    walks = Trajectories.from_frame({"trajectory": [1] * 14, "location": ["a"] * 14, "time": days})
    made = SplitByWeek().apply(walks).data
    assert made.lengths.tolist() == [4, 7, 3]
    assert made.ids.to_list() == ["1/2026-W01", "1/2026-W02", "1/2026-W03"]


def test_stops_can_be_split() -> None:
    stops = Stops(
        offsets=[0, 2],
        times=[0, 90_000],
        departures=[10, 90_010],
        where=[[0, 0], [1, 1]],
        fixes=[3, 4],
        locations=pl.Series(["a", None]),
        geographic=False,
    )
    made = SplitByDay().apply(stops).data
    assert made.ids.to_list() == ["1/1970-01-01", "1/1970-01-02"]
    assert made.departures.tolist() == [10.0, 90_010.0]
    assert made.locations.to_list() == ["a", None]


def test_empty_records_have_no_parts() -> None:
    empty = Trajectories(offsets=[0, 0, 1, 1], codes=[0], names=("a",), times=np.array([5.0]))
    done = SplitByGap(gap_s=1).apply(empty)
    assert done.data.ids.to_list() == ["2/1"]
    assert done.counts == {"parts": 1, "empty": 2}
    nothing = Trajectories(offsets=[0], codes=[], names=(), times=np.empty(0))
    for step in (SplitByDay(), SplitByWeek(), SplitByGap(gap_s=1)):
        assert len(step.apply(nothing).data) == 0


def test_distances_are_along_the_globe() -> None:
    data = Positions(offsets=[0, 3], times=[0, 1, 2], where=[[0, 0], [1, 0], [3, 0]], geographic=True)
    assert SplitByDistance(distance_m=112_000).apply(data).data.lengths.tolist() == [2, 1]


@pytest.mark.parametrize("geographic", [False, True], ids=["plane", "globe"])
def test_travelled_distance_agrees_with_the_twin(geographic: bool) -> None:
    draw = np.random.default_rng(8)
    where = draw.integers(0, 9, (600, 2)) * (0.001 if geographic else 1.0)
    times = np.tile(np.arange(20.0), 30)
    data = Positions(offsets=np.arange(31) * 20, times=times, where=where, geographic=geographic)
    longest, metric = (900.5, globe) if geographic else (12.0, plane)
    done = SplitByTravelledDistance(distance_m=longest).apply(data).data
    twin = Twin(cuts=by_travel(longest, metric))
    wanted = []
    for track in range(30):
        rows = range(20 * track, 20 * track + 20)
        wanted += [len(trail) for trail in twin.trails([Fix("", times[row], times[row], *where[row]) for row in rows])]
    assert done.lengths.tolist() == wanted
    assert 30 < len(wanted) < 600


def test_a_gap_begins_when_the_last_position_is_over() -> None:
    visits = Positions.from_frame(
        {"person": ["a"] * 3, "time": [0, 100, 200], "end": [60, 101, 200], "x": [0] * 3, "y": [0] * 3}
    )
    assert SplitByGap(gap_s=40).apply(visits).data.lengths.tolist() == [2, 1]
    fixes = [Fix("a", 0.0, 60.0, 0.0, 0.0), Fix("a", 100.0, 101.0, 0.0, 0.0), Fix("a", 200.0, 200.0, 0.0, 0.0)]
    assert [len(trail) for trail in Twin(cuts=by_gap(40)).trails(fixes)] == [2, 1]


def test_refusals() -> None:
    timeless = Trajectories.from_lists([["a"]])
    for step in (SplitByDay(), SplitByWeek(), SplitByGap(gap_s=1)):
        with pytest.raises(MissingKnowledge) as refusal:
            step.apply(timeless)
        assert str(refusal.value) == f"{type(step).__name__}: wanted the time of each visit, found none"
    shared = Trajectories.from_lists([["a"], ["a"]], persons=["ann", "ann"], places={"a": (0, 0)})
    with pytest.raises(MissingKnowledge, match=r"^SplitByDistance: wanted the time of each visit"):
        SplitByDistance(distance_m=1).apply(shared)
    with pytest.raises(ParameterError, match=r"^SplitByDay: offset_h must be a number of at least -14 and at most 14"):
        SplitByDay(offset_h=15)
    with pytest.raises(ParameterError, match=r"^SplitByGap: gap_s must be a number above 0, got 0$"):
        SplitByGap(gap_s=0)
