"""Places: coordinates, medians, distances, facts, time slots."""

from __future__ import annotations

import math
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Places
from sfumato.data.frames import Source
from sfumato.data.places import EARTH_RADIUS_M
from sfumato.errors import DataError, FileError, MissingKnowledge


def refused(columns: Any) -> str:
    with pytest.raises(DataError) as refusal:
        Places.from_frame(columns)
    return str(refusal.value)


def test_places_are_sorted_by_name_and_keep_what_is_known() -> None:
    places = Places.from_frame(
        {
            "owner": ["cafe ltd", "city"],
            "location": ["b", "a"],
            "x": [1, 2],
            "y": [3.5, 4.5],
            "sensitive": ["yes", None],
            "category": ["food", "park"],
            "colour": ["red", "green"],
        }
    )
    assert places.frame.columns == ["location", "x", "y", "category", "owner", "sensitive"]
    assert places.frame.rows() == [("a", 2.0, 4.5, "park", "city", False), ("b", 1.0, 3.5, "food", "cafe ltd", True)]
    assert len(places) == 2
    assert places.located
    assert not places.geographic
    assert places.radius == 0


def test_numbers_as_names_become_texts() -> None:
    assert Places.from_frame({"location": [10, 9], "x": [0, 1], "y": [0, 1]}).coordinates(["9"]).tolist() == [[1, 1]]


def test_pandas_and_geopandas() -> None:
    frame = pd.DataFrame({"location": ["a", "b"], "lat": [1.0, 2.0], "lon": [3.0, 4.0]}, index=[1, 0])
    assert Places.from_frame(frame).coordinates(["b"]).tolist() == [[4, 2]]
    points = geopandas.GeoDataFrame(
        {"location": ["a"]}, geometry=geopandas.points_from_xy([3.0], [1.0]), crs="EPSG:4326"
    )
    assert Places.from_frame(points).geographic


def test_latitude_and_longitude_win_over_x_and_y() -> None:
    places = Places.from_frame({"location": ["a"], "x": [9], "y": [9], "lat": [1], "lon": [2]})
    assert places.geographic
    assert places.coordinates(["a"]).tolist() == [[2, 1]]


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-60, 60)), min_size=1, max_size=6))
def test_several_coordinates_give_their_median(pairs: list[tuple[float, float]]) -> None:
    frame = {
        "location": ["a"] * len(pairs) + ["b"],
        "lat": [*(p[0] for p in pairs), 0.0],
        "lon": [*(p[1] for p in pairs), 0.0],
    }
    lon, lat = Places.from_frame(frame).coordinates(["a"])[0]
    assert lon == pytest.approx(np.median([p[1] for p in pairs]), rel=1e-12)
    assert lat == pytest.approx(np.median([p[0] for p in pairs]), rel=1e-12)


@pytest.mark.parametrize(
    ("lons", "middle"),
    [
        ([179.0, -179.0], 180.0),
        ([-179.0, 179.0], 180.0),
        ([179.5, -178.5, 178.0], 179.5),
        ([-178.0, 179.0, -179.0], -179.0),
        ([170.0, 172.0], 171.0),
        ([-10.0, 10.0], 0.0),
    ],
)
def test_the_median_across_the_date_line(lons: list[float], middle: float) -> None:
    places = Places.from_frame({"location": ["a"] * len(lons), "lat": [0.0] * len(lons), "lon": lons})
    found = places.coordinates(["a"])[0, 0]
    assert -180 <= found <= 180
    assert found % 360 == middle % 360


def test_visits_at_one_point_keep_it_to_the_last_digit() -> None:
    visits = pl.DataFrame({"location": ["a", "a", "b"], "lat": [41.9, 41.9, 0.1], "lon": [2.35, 2.35, 12.3]})
    places = Places.from_visits(visits, Source())
    assert places is not None
    assert places.coordinates(["a", "b"]).tolist() == [[2.35, 41.9], [12.3, 0.1]]
    assert Places.from_visits(visits.select("location"), Source()) is None


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"place": ["a"]}, "the places: wanted a column 'location', found place"),
        ({"location": []}, "the places: wanted at least one place, found none"),
        ({"location": ["a", ""]}, "the places, row 2: wanted a location, found nothing"),
        ({"location": ["a", None]}, "the places, row 2: wanted a location, found nothing"),
        ({"location": ["a"], "x": [1]}, "the places: wanted both x and y, found only one of them"),
        ({"location": ["a"], "lon": [1]}, "the places: wanted both lat and lon, found only one of them"),
        (
            {"location": ["a", "b"], "x": [0, 0], "y": ["1", "up"]},
            "the places, row 2: wanted y as a number, found something else",
        ),
        (
            {"location": ["a", "b"], "x": [0, None], "y": [1, 2]},
            "the places, row 2: wanted x as a number, found something else",
        ),
        (
            {"location": ["a", "b"], "x": [0.0, math.inf], "y": [1, 2]},
            "the places, row 2: wanted x as a number, found something else",
        ),
        (
            {"location": ["a", "b"], "lat": [0.0, math.nan], "lon": [1, 2]},
            "the places, row 2: wanted lat as a number between -90 and 90, found something else",
        ),
        (
            {"location": ["a"], "lat": [90.5], "lon": [1]},
            "the places, row 1: wanted lat as a number between -90 and 90, found something else; "
            "if lat and lon are swapped, exchange the two columns of the places",
        ),
        (
            {"location": ["a"], "lat": [0], "lon": [-181]},
            "the places, row 1: wanted lon as a number between -180 and 180, found something else",
        ),
        (
            {"location": ["a", "b"], "sensitive": ["no", "maybe"]},
            "the places, row 2: wanted sensitive as true or false, found something else",
        ),
        (
            {"location": ["a", "b", "a"], "owner": ["x", "y", "z"]},
            "the places, row 3: wanted one owner for each location, found a second one",
        ),
        (
            {"location": ["a", "a"], "category": ["x", None]},
            "the places, row 2: wanted one category for each location, found a second one",
        ),
    ],
)
def test_refusals(columns: dict[str, Any], sentence: str) -> None:
    assert refused(columns) == sentence


@pytest.mark.parametrize(
    ("given_", "flags"),
    [
        (["true", "FALSE", "Yes", "no", "1", "0", "", None], [True, False, True, False, True, False, False, False]),
        ([True, False, None], [True, False, False]),
        ([1, 0, 1], [True, False, True]),
    ],
)
def test_sensitive_in_many_words(given_: list[Any], flags: list[bool]) -> None:
    names = [f"{number}" for number in range(len(given_))]
    assert Places.from_frame({"location": names, "sensitive": given_}).frame["sensitive"].to_list() == flags


def test_a_time_slot_is_found_under_its_place() -> None:
    places = Places.planar({"a": (1, 2), "b@home": (3, 4), "c": (5, 6), "c@7": (7, 8)})
    names = ["a@14", "b@home", "b@home@9", "c@7", "c@8", "a"]
    assert places.coordinates(names).tolist() == [[1, 2], [3, 4], [3, 4], [7, 8], [5, 6], [1, 2]]
    assert places.rows(["a@", "@14", "b", "a@1@2", "zz"]).tolist() == [0, -1, -1, -1, -1]


def test_a_location_without_a_place() -> None:
    places = Places.planar({"a": (1, 2)})
    with pytest.raises(DataError) as refusal:
        places.coordinates(["a", "b", "c"])
    assert str(refusal.value) == ("the places: wanted a place for every location, found none for 2 of 3")
    from_file = Places.from_frame({"location": ["a"]}, Source("places.csv", file=True, first_line=2))
    with pytest.raises(FileError, match=r"^places.csv: wanted a place for every location, found none for 1 of 1"):
        from_file.require(["b"])


def test_places_without_coordinates() -> None:
    places = Places.from_frame({"location": ["a"], "owner": ["x"]})
    assert not places.located
    with pytest.raises(MissingKnowledge, match=r"^places: wanted coordinates \(x and y, or lat and lon\)"):
        places.coordinates(["a"])


def test_planar_distance_is_euclidean() -> None:
    places = Places.planar({"a": (0, 0), "b": (3, 4)})
    assert places.distance("a", "b") == 5
    assert places.points(["b"]).tolist() == [[3, 4, 0]]
    assert places.along_surface(np.array([2.0])).tolist() == [2.0]
    assert places.centre(["a", "b"]).tolist() == [1.5, 2]


ON_EARTH = st.tuples(st.floats(-89, 89), st.floats(-180, 180))


@given(ON_EARTH, ON_EARTH)
def test_distance_on_the_globe_is_the_haversine_formula(one: tuple[float, float], other: tuple[float, float]) -> None:
    places = Places.from_frame({"location": ["a", "b"], "lat": [one[0], other[0]], "lon": [one[1], other[1]]})
    (lat1, lon1), (lat2, lon2) = np.radians(one), np.radians(other)
    half = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    assert places.distance("a", "b") == pytest.approx(2 * EARTH_RADIUS_M * math.asin(min(1, math.sqrt(half))), abs=0.5)
    assert places.radius == EARTH_RADIUS_M


def test_opposite_ends_of_the_globe_and_the_centre_across_the_date_line() -> None:
    places = Places.from_frame({"location": ["n", "s", "e", "w"], "lat": [90, -90, 0, 0], "lon": [0, 0, 179, -179]})
    assert places.distance("n", "s") == pytest.approx(math.pi * EARTH_RADIUS_M)
    assert places.distance("e", "w") == pytest.approx(math.radians(2) * EARTH_RADIUS_M)
    lon, lat = places.centre(["e", "w"])
    assert (lon % 360, lat) == pytest.approx((180, 0))
    assert places.centre(["e"]).tolist() == [179, 0]


def test_facts_are_found_under_time_slots_and_left_out_where_unknown() -> None:
    shops = Places.from_frame({"location": ["a", "b", "c"], "owner": ["A", None, "C"], "sensitive": ["no", "yes", ""]})
    assert shops.facts(["a@14", "b", "c", "x"], "owner") == {"a@14": "A", "c": "C"}
    assert shops.facts(["a@14", "b"], "sensitive") == {"a@14": False, "b": True}
    assert shops.facts(["a"], "category") == {}


def test_named_places_are_the_sensitive_ones() -> None:
    towns = Places.planar({"a": (0, 0), "b": (1, 0)}).with_sensitive(["b"])
    assert towns.facts("ab", "sensitive") == {"a": False, "b": True}
    with pytest.raises(DataError, match=r"wanted sensitive locations that are places, found 'bb'$"):
        towns.with_sensitive(["bb"])
