"""Trajectories from lists and frames, and back."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
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

from sfumato.data import Places, Taxonomy, Trajectories
from sfumato.errors import DataError

VISITS: dict[str, list[Any]] = {
    "trajectory": ["t2", "t1", "t2", "t1", "t2"],
    "person": ["u", "v", "u", "v", "u"],
    "location": ["c", "a", "b", "b", "c"],
    "time": [30, 10, 20, 10, 40],
    "x": [0.0, 1.0, 2.0, 2.0, 0.0],
    "y": [5.0, 6.0, 7.0, 7.0, 5.0],
}


def people(data: Trajectories) -> list[Any]:
    assert data.persons is not None
    return data.persons.names.gather(data.persons.codes).to_list()


def check(data: Trajectories) -> None:
    """What VISITS says: sorted by time, ties as in the frame, records by first appearance."""
    assert data.to_lists() == [["b", "c", "c"], ["a", "b"]]
    assert data.ids is not None
    assert data.ids.to_list() == ["t2", "t1"]
    assert people(data) == ["u", "v"]
    assert data.times is not None
    assert data.times.tolist() == [20, 30, 40, 10, 10]
    assert data.places is not None
    assert data.places.coordinates(["a", "b", "c"]).tolist() == [[1, 6], [2, 7], [0, 5]]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(VISITS),
        pd.DataFrame(VISITS),
        pd.DataFrame(VISITS, index=[3, 0, 4, 1, 2]),
        pa.table(VISITS),
        VISITS,
        geopandas.GeoDataFrame(
            {name: VISITS[name] for name in ("trajectory", "person", "location", "time")},
            geometry=[Point(x, y) for x, y in zip(VISITS["x"], VISITS["y"], strict=True)],
            index=[9, 9, 9, 9, 9],
        ),
    ],
    ids=["polars", "pandas", "shuffled index", "arrow", "mapping", "geopandas"],
)
def test_every_frame_gives_the_same_trajectories(frame: Any) -> None:
    check(Trajectories.from_frame(frame))


def test_a_filtered_and_sorted_pandas_frame_is_read_by_position() -> None:
    more = pd.concat([pd.DataFrame({"trajectory": ["t9"], "location": ["z"]}), pd.DataFrame(VISITS)])
    frame = more[more["trajectory"] != "t9"].sort_values("y", kind="stable")
    data = Trajectories.from_frame(frame[["trajectory", "location"]])
    assert data.to_lists() == [["c", "c", "b"], ["a", "b"]]


def test_geographic_points_are_latitude_and_longitude() -> None:
    points = geopandas.GeoDataFrame(
        {"trajectory": [1, 1], "location": ["Athens", "Rome"]},
        geometry=geopandas.points_from_xy([23.7, 12.5], [38.0, 41.9]),
        crs="EPSG:4326",
    )
    data = Trajectories.from_frame(points)
    assert data.places is not None
    assert data.places.geographic
    assert data.places.coordinates(["Rome"]).tolist() == [[12.5, 41.9]]
    again = data.to_geopandas()
    assert again.crs == "EPSG:4326"
    assert [(p.x, p.y) for p in again.geometry] == [(23.7, 38.0), (12.5, 41.9)]
    assert Trajectories.from_frame(again).to_lists() == data.to_lists()


def test_planar_points_go_out_and_come_back() -> None:
    data = Trajectories.from_frame(VISITS)
    again = data.to_geopandas()
    assert again.crs is None
    check(Trajectories.from_frame(again))


def test_a_generalized_location_stands_in_the_middle_of_its_members() -> None:
    places = Places.planar({"a": (0, 0), "b": (2, 4), "c": (9, 9)})
    data = replace(Trajectories.from_lists([["g1", "c"]], places=places), members={"g1": ("a", "b")})
    assert [(p.x, p.y) for p in data.to_geopandas().geometry] == [(1, 2), (9, 9)]
    islands = Places.from_frame({"location": ["e", "w"], "lat": [0.0, 0.0], "lon": [179.0, -177.0]})
    data = replace(Trajectories.from_lists([["g1"]], places=islands), members={"g1": ("e", "w")})
    (point,) = data.to_geopandas().geometry
    assert (point.x % 360, point.y) == pytest.approx((181, 0))


def test_points_need_places() -> None:
    with pytest.raises(DataError, match=r"^Trajectories.to_geopandas: wanted places with coordinates"):
        Trajectories.from_lists([["a"]]).to_geopandas()


def test_without_time_the_order_of_the_frame_counts() -> None:
    data = Trajectories.from_frame({"trajectory": [2, 1, 2, 1], "location": ["d", "c", "b", "a"]})
    assert data.to_lists() == [["d", "b"], ["c", "a"]]
    assert data.times is None
    assert data.ids is not None
    assert data.ids.to_list() == [2, 1]


def test_repeated_visits_stay() -> None:
    data = Trajectories.from_frame({"trajectory": [1, 1, 1], "location": ["a", "a", "a"], "time": [1, 1, 1]})
    assert data.to_lists() == [["a", "a", "a"]]


@pytest.mark.parametrize(
    "times",
    [
        ["2026-01-03", "2026-01-01", "2026-01-02"],
        ["2026-01-03T09:00", "2026-01-02 23:00:00.5", "2026-01-03"],
        [dt.date(2026, 1, 3), dt.date(2026, 1, 1), dt.date(2026, 1, 2)],
        [3, 1, 2],
        [3.5, 1.25, 2.0],
        ["10", "8", "9"],
    ],
)
def test_visits_sort_by_whatever_time_there_is(times: list[Any]) -> None:
    data = Trajectories.from_frame({"trajectory": [1, 1, 1], "location": ["c", "a", "b"], "time": times})
    assert data.to_lists() == [["a", "b", "c"]]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from("abc")), min_size=1))
def test_a_frame_is_grouped_and_sorted_like_a_dictionary(rows: list[tuple[int, int, str]]) -> None:
    expected: dict[int, list[tuple[int, str]]] = {}
    for trajectory, time, location in rows:
        expected.setdefault(trajectory, []).append((time, location))
    frame = pl.DataFrame(rows, schema=["trajectory", "time", "location"], orient="row")
    data = Trajectories.from_frame(frame)
    assert data.to_lists() == [
        [location for _, location in sorted(visits, key=lambda visit: visit[0])] for visits in expected.values()
    ]
    assert data.ids is not None
    assert data.ids.to_list() == list(expected)
    again = Trajectories.from_frame(data.to_polars())
    assert again.to_lists() == data.to_lists()
    assert np.array_equal(again.times, data.times)  # type: ignore[arg-type]


def test_a_person_with_several_trajectories() -> None:
    frame = {"trajectory": [1, 2, 3], "person": ["u", "v", "u"], "location": ["a", "b", "c"]}
    data = Trajectories.from_frame(frame)
    assert data.units.tolist() == [0, 1, 0]
    assert repr(data) == "<Trajectories: 3 records of 2 persons, 3 visits, 3 distinct>"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"person": ["u", "v", "zelda", "v", "u"]},
            "the frame, row 3: wanted one person for each trajectory, found a second person",
        ),
        (
            {"location": ["c", "a", "b", "", "c"]},
            "the frame, row 4: wanted a location, found nothing (is the file cut off?)",
        ),
        (
            {"time": [30, 10, -20, 10, 40]},
            "the frame, row 3: wanted a time of 0 or later, found a negative or unreadable one",
        ),
        ({"x": [0.0, 1.0, None, 2.0, 0.0]}, "the frame, row 3: wanted x as a number, found something else"),
    ],
)
def test_refusals(changed: dict[str, list[Any]], sentence: str) -> None:
    with pytest.raises(DataError) as refusal:
        Trajectories.from_frame(VISITS | changed)
    assert str(refusal.value) == sentence


def test_half_a_pair_of_coordinates_is_refused() -> None:
    frame = {"trajectory": [1], "location": ["a"], "lat": [1.0]}
    with pytest.raises(DataError, match=r"^the frame: wanted both lat and lon"):
        Trajectories.from_frame(frame)
    Trajectories.from_frame(frame, places=Places.planar({"a": (0, 0)}))  # not needed then


def test_side_knowledge_is_kept() -> None:
    places, tree = Places.planar({"a": (0, 0)}), Taxonomy({"*": None, "a": "*"})
    data = Trajectories.from_frame({"trajectory": [1], "location": ["a"]}, places=places, taxonomy=tree)
    assert data.places is places
    assert data.taxonomy is tree
    assert data.published()[0].places is places
    assert Trajectories.from_lists([["a"]], places={"a": (3, 4)}).places is not None


def test_times_must_fit_the_visits_and_are_not_published() -> None:
    data = Trajectories.from_frame(VISITS)
    with pytest.raises(DataError, match=r"^Trajectories: 5 visits, but 2 times$"):
        replace(data, times=np.zeros(2))
    public, order = data.published()
    assert public.times is None
    assert order.tolist() == [1, 0]
    assert data.with_used_names().times is not None
    assert "time" not in public.to_polars().columns


def test_the_input_is_untouched() -> None:
    frame = pl.DataFrame(VISITS)
    before = frame.clone()
    Trajectories.from_frame(frame)
    assert frame.equals(before)


def test_owners_and_sensitive_locations_come_from_the_side_knowledge() -> None:
    places = Places.from_frame(
        {"location": ["a", "b", "c"], "owner": ["A", "", None], "sensitive": [False, True, True]}
    )
    tree = Taxonomy({"all": None, "a": "all", "b": "all"}, sensitive=["a"])
    walks = Trajectories.from_lists([["a", "b"]], places=places, taxonomy=tree)
    assert walks.owners == {"a": "A"}
    assert walks.sensitive == {"b"}
    assert Trajectories.from_lists([["a", "b"]], taxonomy=tree).sensitive == {"a"}
    assert Trajectories.from_lists([["a"]]).owners == {}
    assert Trajectories.from_lists([["a"]]).sensitive == frozenset()
