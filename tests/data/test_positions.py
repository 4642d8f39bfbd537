"""Positions: from frames of any make, in order, and every way to get them wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from sfumato import Persons, Places, Positions
from sfumato.data.frames import Source
from sfumato.errors import Bug, DataError, FileError

WALK: dict[str, list[Any]] = {
    "trajectory": ["b", "a", "b", "a"],
    "person": ["ann", "ann", "ann", "ann"],
    "time": [30, 20, 10, 40],
    "lat": [45.0, 46.0, 47.0, 48.0],
    "lon": [9.0, 10.0, 11.0, 12.0],
}


@pytest.mark.parametrize(
    "frame",
    [
        WALK,
        pl.DataFrame(WALK),
        pl.DataFrame(WALK).lazy(),
        pd.DataFrame(WALK, index=[9, 9, 1, 0]),
        pa.table(WALK),
        pl.DataFrame(WALK).cast(pl.String),
        geopandas.GeoDataFrame(
            {name: WALK[name] for name in ("trajectory", "person", "time")},
            geometry=[Point(x, y) for x, y in zip(WALK["lon"], WALK["lat"], strict=True)],
            crs="EPSG:4326",
        ),
    ],
    ids=["mapping", "polars", "lazy", "pandas", "arrow", "texts", "geopandas"],
)
def test_frames_of_every_make(frame: Any) -> None:
    walk = Positions.from_frame(frame)
    assert walk.ids.to_list() == ["b", "a"]
    assert walk.times.tolist() == [10.0, 30.0, 20.0, 40.0]
    assert walk.where.tolist() == [[11.0, 47.0], [9.0, 45.0], [10.0, 46.0], [12.0, 48.0]]
    assert walk.geographic
    assert walk.persons.codes.tolist() == [0, 0]
    assert walk.lengths.tolist() == [2, 2]
    assert repr(walk) == "<Positions: 4 positions in 2 tracks of 1 person, geographic>"


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=20))
def test_tracks_are_in_the_order_of_time(rows: list[tuple[int, int, int]]) -> None:
    frame = pl.DataFrame(rows, schema=["person", "time", "x"], orient="row").with_columns(y=pl.lit(1))
    walk = Positions.from_frame(frame)
    wanted = []
    for person in dict.fromkeys(row[0] for row in rows):
        track = sorted((row for row in rows if row[0] == person), key=lambda row: row[1])
        wanted += [(str(person), str(person), float(time), float(x), 1.0) for _, time, x in track]
    assert walk.to_polars().rows() == wanted
    assert Positions.from_frame(walk.to_polars()).to_polars().rows() == wanted
    assert not walk.geographic


def test_other_names_of_columns() -> None:
    frame = {"tracker": [7], "t": [5], "X": [1.0], "Y": [2.0]}
    walk = Positions.from_frame(frame, columns={"person": "tracker", "time": "t", "lon": "X", "lat": "Y"})
    assert walk.to_polars().to_dicts() == [{"trajectory": "7", "person": "7", "time": 5.0, "lon": 1.0, "lat": 2.0}]


def test_latitude_and_longitude_come_before_x_and_y() -> None:
    walk = Positions.from_frame({**WALK, "x": [0.0] * 4, "y": [0.0] * 4})
    assert walk.geographic


@pytest.mark.parametrize(
    "times",
    [
        ["1970-01-01T00:00:10Z", "1970-01-01 00:00:20+00"],
        ["1970-01-01T00:00:10+00:00", "1970-01-01T00:00:20.000+0000"],
        ["1970-01-01T02:00:10+02:00", "1970-01-01T02:00:20+02"],
        ["1970-01-01T00:00:10", "1970-01-01 00:00:20"],
        ["10", "20.0"],
        [datetime(1970, 1, 1, 0, 0, 10, tzinfo=UTC), datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC)],
    ],
    ids=["zulu", "zero", "two", "none", "numbers", "dates"],
)
def test_times_of_one_zone(times: list[Any]) -> None:
    walk = Positions.from_frame({"person": ["a", "a"], "time": times, "x": [0, 1], "y": [0, 1]})
    assert walk.times.tolist() == [10.0, 20.0]


SWAPPED = "wanted lat between -90 and 90, found a number outside; if lat and lon are swapped, exchange the two columns"
UNREADABLE = "wanted a time as a number of seconds or as YYYY-MM-DDTHH:MM:SS, found another text"
TWO_PERSONS = "wanted one person for each trajectory, found a second person"


def zones(before: str, here: str) -> str:
    return f"wanted every time in one time zone, found {before} before and {here} here; convert all times to one zone"


def bad(**columns: Any) -> dict[str, Any]:
    return {"person": ["a", "a"], "time": [0, 1], "lat": [45.0, 46.0], "lon": [9.0, 10.0], **columns}


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (bad(lat=[9.0, 116.0], lon=[45.0, 39.0]), f", row 2: {SWAPPED}"),
        (bad(lat=[9.0, 116.0], lon=[120.0, 39.0]), ", row 2: wanted lat between -90 and 90, found a number outside"),
        (bad(lon=[9.0, -181.0]), ", row 2: wanted lon between -180 and 180, found a number outside"),
        (bad(lat=[45.0, None]), ", row 2: wanted a lat, found nothing (is the file cut off?)"),
        (bad(lon=[float("nan"), 9.0]), ", row 1: wanted a lon, found nothing (is the file cut off?)"),
        (bad(lat=["45", "north"]), ", row 2: wanted lat as a number, found something else"),
        (bad(lat=[45.0, float("inf")]), ", row 2: wanted lat as a number, found something else"),
        (bad(time=[0, -1]), ", row 2: wanted a time of 0 or later, found a negative or unreadable one"),
        (bad(time=["0", "-1"]), ", row 2: wanted a time of 0 or later, found a negative or unreadable one"),
        (bad(time=[0, None]), ", row 2: wanted a time, found nothing (is the file cut off?)"),
        (bad(time=["2026-05-01T10:00:00", "noon"]), f", row 2: {UNREADABLE}"),
        (bad(time=["2026-05-01T10:00Z", "2026-05-01T10:00+02:00"]), f", row 2: {zones('UTC+00:00', 'UTC+02:00')}"),
        (bad(time=["2026-05-01T10:00:00-05:30", "2026-05-01T10:00:00"]), f", row 2: {zones('UTC-05:30', 'none')}"),
        (bad(time=["2026-05-01T10:00", "2026-05-01T10:00+01"]), f", row 2: {zones('none', 'UTC+01:00')}"),
        (bad(person=["a", None]), ", row 2: wanted a person, found nothing (is the file cut off?)"),
        (bad(person=["a", "b"], trajectory=["t", "t"]), f", row 2: {TWO_PERSONS}"),
        ({"person": ["a"], "time": [0], "lat": [4.0]}, ": wanted the columns lat and lon, or x and y, found lat alone"),
        ({"person": ["a"], "time": [0]}, ": wanted the columns lat and lon, or x and y, found time, person"),
        ({"who": ["a"], "time": [0]}, ": wanted a column trajectory or person, found who, time"),
        ({"person": [], "time": [], "x": [], "y": []}, ": wanted at least one row, found none"),
    ],
)  # fmt: skip
def test_bad_input(frame: Any, said: str) -> None:
    with pytest.raises(DataError) as refusal:
        Positions.from_frame(frame)
    assert str(refusal.value) == "the frame" + said
    with pytest.raises(FileError) as refusal:
        Positions.from_frame(frame, source=Source("gps.csv", file=True, first_line=2))
    assert str(refusal.value) == "gps.csv" + said.replace("row 1", "line 2").replace("row 2", "line 3")


def test_a_strange_column_is_refused() -> None:
    with pytest.raises(
        DataError, match=r"^the frame: wanted a column 'traker' for person, found none; did you mean 'tracker'\?$"
    ):
        Positions.from_frame({"tracker": ["a"], "time": [0]}, columns={"person": "traker"})
    with pytest.raises(DataError, match=r"^the frame: wanted the columns time, trajectory, found trajectory, lat"):
        Positions.from_frame({"trajectory": ["a"], "lat": [0]})


def test_arrays_that_do_not_fit() -> None:
    fine = {"offsets": [0, 2], "times": [0, 1], "where": [[0, 0], [1, 1]], "geographic": False}
    assert Positions(**fine).ids is None
    for wrong in ({"offsets": [0, 1]}, {"offsets": []}, {"offsets": [0, 2, 1, 2]}, {"where": [[0, 0]]}):
        with pytest.raises(Bug):
            Positions(**{**fine, **wrong})
    with pytest.raises(DataError, match=r"^Positions: wanted the positions of a track in the order of time, found"):
        Positions(**{**fine, "times": [1, 0]})
    assert len(Positions(**{**fine, "times": [1, 0], "offsets": [0, 1, 1, 2]})) == 3  # tracks of their own
    with pytest.raises(DataError, match=r"^Positions: 1 tracks, but 2 ids or persons$"):
        Positions(**fine, persons=Persons.of(["a", "b"]))


def test_arrays_are_copied_and_locked() -> None:
    times = np.array([0.0, 1.0])
    walk = Positions(offsets=[0, 2], times=times, where=[[0, 0], [1, 1]], geographic=False)
    times[0] = 9
    assert walk.times.tolist() == [0.0, 1.0]
    with pytest.raises(ValueError):
        walk.times[0] = 5


def test_points_in_space_and_places() -> None:
    globe = Positions(offsets=[0, 2], times=[0, 1], where=[[0, 0], [90, 0]], geographic=True)
    np.testing.assert_allclose(globe.points() / globe.radius, [[1, 0, 0], [0, 1, 0]], atol=1e-15)
    plane = Positions(offsets=[0, 1], times=[0], where=[[3, 4]], geographic=False)
    assert plane.points().tolist() == [[3.0, 4.0, 0.0]]
    assert plane.radius == 0
    places = Places.planar({"a": (0, 0)})
    assert plane.with_places(places).places is places
    assert plane.places is None


def test_frames_go_out() -> None:
    walk = Positions.from_frame(WALK)
    assert pl.from_pandas(walk.to_pandas()).equals(walk.to_polars())
    assert pl.DataFrame(walk.to_arrow()).equals(walk.to_polars())
    points = walk.to_geopandas()
    assert list(points.columns) == ["trajectory", "person", "time", "geometry"]
    assert points.crs == "EPSG:4326"
    assert Positions.from_frame(points).to_polars().equals(walk.to_polars())
