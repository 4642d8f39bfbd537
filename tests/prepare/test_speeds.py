"""Impossible speeds."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import reachable
from sfumato import Positions, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare import DropFastTracks, DropImpossibleSpeeds
from twins.segmentation import Fix, Twin, never

POINTS = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 9), st.integers(0, 9))


@given(st.lists(POINTS, min_size=1, max_size=20), st.sampled_from([1.0, 2.5]))
def test_agrees_with_the_twin(rows: list[tuple[int, int, int, int]], fastest: float) -> None:
    names = ("trajectory", "time", "x", "y")
    frame = pl.DataFrame(rows, schema=names, orient="row").cast({"trajectory": pl.String})
    data = Positions.from_frame(frame)
    done = DropImpossibleSpeeds(fastest_mps=fastest).apply(data)
    wanted = []
    for first, end in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        kept = reachable(data.where[first:end].tolist(), data.times[first:end].tolist(), fastest)
        wanted.append([int(first) + at for at in kept])
    assert done.data.lengths.tolist() == [len(kept) for kept in wanted]
    assert done.data.where.tolist() == data.where[[at for kept in wanted for at in kept]].tolist()
    assert done.counts == {"impossible": len(rows) - sum(len(kept) for kept in wanted)}


def test_degrees_are_metres_along_the_globe() -> None:
    # one degree of latitude is about 111.2 km
    data = Positions(offsets=[0, 3], times=[0, 1000, 1600], where=[[0, 50], [0, 51], [0, 52]], geographic=True)
    done = DropImpossibleSpeeds(fastest_mps=111.3).apply(data)
    assert done.data.times.tolist() == [0.0, 1000.0]
    assert DropImpossibleSpeeds(fastest_mps=111.1).apply(data).data.times.tolist() == [0.0]
    assert len(data.times) == 3  # the input is untouched


def test_visits_to_places_are_cleaned_too() -> None:
    walks = Trajectories.from_frame(
        {"trajectory": [1] * 3, "location": ["a", "far", "b"], "time": [0, 1, 2], "x": [0, 900, 1], "y": [0, 0, 0]}
    )
    cleaned = DropImpossibleSpeeds(fastest_mps=5).apply(walks).data
    assert cleaned.to_lists() == [["a", "b"]]
    assert cleaned.names == ("a", "b")
    assert cleaned.times.tolist() == [0.0, 2.0]


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"^DropImpossibleSpeeds: fastest_mps must be a number above 0, got 0$"):
        DropImpossibleSpeeds(fastest_mps=0)
    with pytest.raises(
        MissingKnowledge, match=r"^DropImpossibleSpeeds: wanted coordinates \(x and y, or lat and lon\)"
    ):
        DropImpossibleSpeeds().apply(Trajectories.from_lists([["a"]]))
    backwards = Trajectories(
        offsets=[0, 2], codes=[0, 0], names=("a",), times=np.array([1.0, 0.0]), places=Trajectories.from_lists(
            [["a"]], places={"a": (0, 0)}
        ).places,
    )  # fmt: skip
    with pytest.raises(DataError, match=r"^DropImpossibleSpeeds: wanted the visits of a trajectory in the order of"):
        DropImpossibleSpeeds().apply(backwards)


@pytest.mark.parametrize("fastest", [1.0, 2.5, 9.0])
def test_fast_tracks_agree_with_the_twin(fastest: float) -> None:
    draw = np.random.default_rng(4)
    size = 80 * 5
    begin = draw.integers(0, 12, size)
    frame = {
        "trajectory": draw.integers(0, 80, size).astype(str),
        "time": begin,
        "end": begin + draw.integers(0, 2, size),
        "x": draw.integers(0, 9, size),
        "y": draw.integers(0, 9, size),
    }
    data = Positions.from_frame(pl.DataFrame(frame))
    done = DropFastTracks(fastest_kmh=fastest * 3.6).apply(data)
    fixes = [Fix(name, time, end, x, y) for name, time, x, y, end in data.to_polars().rows()]
    twin = Twin(fastest_mps=fastest, cuts=never)
    kept = []
    for name in data.ids.to_list():
        track = twin.without_ties([fix for fix in fixes if fix.person == name])
        kept += [] if twin.too_fast(track) else [name]
    assert done.data.ids.to_list() == kept
    assert done.counts["fast_tracks"] == twin.dropped > 0
    assert done.counts["fast_positions"] == len(data.times) - len(done.data.times)


def test_a_step_of_exactly_the_highest_speed_is_possible() -> None:
    data = Positions(offsets=[0, 2], times=[0, 3600], where=[[0, 0], [500_000, 0]], geographic=False)
    assert len(DropFastTracks(fastest_kmh=500).apply(data).data) == 1
    assert len(DropFastTracks(fastest_kmh=499.999).apply(data).data) == 0
    with pytest.raises(ParameterError, match=r"^DropFastTracks: fastest_kmh must be a number above 0, got 0$"):
        DropFastTracks(fastest_kmh=0)
