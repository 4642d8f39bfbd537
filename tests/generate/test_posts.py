"""The generator of posts: the posts agree with the private truth, and the truth with the city."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato.generate import Posts
from sfumato.generate.coast.city_data import CityPosts

EARTH_RADIUS_M = 6_371_008.8


@pytest.fixture(scope="module")
def city() -> CityPosts:
    return Posts(people=300, days=7, places=300).make(seed=3)


def instants(frame: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return frame.with_columns(pl.col(columns).str.to_datetime(time_zone="UTC").dt.epoch("s"))


def test_a_seed_repeats_and_another_differs() -> None:
    small = Posts(people=20, days=3, places=120)
    first, again, other = (small.make(seed=seed) for seed in (1, 1, 2))
    for name in vars(first):
        assert getattr(first, name).equals(getattr(again, name)), name
    assert not first.posts.equals(other.posts)


def test_posts_are_in_order_of_account_and_time_with_ties(city: CityPosts) -> None:
    posts = instants(city.posts, "time")
    assert posts.sort("object", "time", maintain_order=True)["time"].equals(posts["time"])
    ties = posts.select((pl.struct("object", "time").is_duplicated()).mean()).item()
    assert 0.02 < ties < 0.12
    assert city.truth.select("object", "time").equals(city.posts.select("object", "time"))


def test_the_kinds_of_people(city: CityPosts) -> None:
    people = city.posts.group_by("person").agg(pl.col("object").n_unique(), pl.col("person_class").n_unique())
    assert people["object"].max() == 2
    assert people["person_class"].max() == 1
    assert 0.01 < (people["object"] == 2).mean() < 0.2  # type: ignore[operator]
    by_group = city.people.group_by("country").len()
    assert {"Germany", "Japan", "Litorânia"} <= set(by_group["country"])
    assert city.people["hotel"].is_null().equals(city.people["work"].is_not_null())


def test_a_post_is_near_its_place_and_within_its_stop(city: CityPosts) -> None:
    homes = city.people.select(id="home", lon="home_lon", lat="home_lat")
    spots = pl.concat([city.places.select("id", "lon", "lat"), homes])
    stops = instants(city.stops, "begin", "end")
    finest = pl.coalesce("finer_stop", "stop").alias("finest")
    posts = instants(city.posts, "time").select("time", "lon", "lat")
    joined = (
        pl.concat([posts, city.truth.drop("object", "time")], how="horizontal")
        .with_columns(finest)
        .filter(pl.col("stop").is_not_null())
        .join(stops.select("begin", "end", finest="stop", stop_place="place"), on="finest", how="left")
        .join(spots, left_on="place", right_on="id", how="left", suffix="_place")
    )  # fmt: skip
    assert joined.null_count()[["begin", "stop_place", "lon_place"]].sum_horizontal().item() == 0
    assert (joined["place"] == joined["stop_place"]).all()
    assert ((joined["time"] >= joined["begin"]) & (joined["time"] <= joined["end"])).all()
    east = np.radians(joined["lon"] - joined["lon_place"]) * np.cos(np.radians(joined["lat"]))
    north = np.radians(joined["lat"] - joined["lat_place"])
    metres = EARTH_RADIUS_M * np.hypot(east.to_numpy(), north.to_numpy())
    assert np.mean(metres < 45) > 0.6
    assert np.mean(metres > 300) < 0.02


def test_stops_of_a_person_do_not_overlap_and_are_at_open_places(city: CityPosts) -> None:
    stops = instants(city.stops, "begin", "end")
    whole = stops.filter(pl.col("within").is_null()).sort("person", "begin")
    later = whole["begin"].shift(-1)[:-1]
    same = (whole["person"] == whole["person"].shift(-1))[:-1]
    assert ((whole["end"][:-1] < later) | ~same).all()
    finer = stops.filter(pl.col("within").is_not_null()).join(whole, left_on="within", right_on="stop", suffix="_whole")
    assert len(finer) > 20
    assert ((finer["begin"] >= finer["begin_whole"]) & (finer["end"] <= finer["end_whole"])).all()
    inside = dict(city.places.select("id", "part_of").iter_rows())
    assert all(inside[part] == place for part, place in finer.select("place", "place_whole").iter_rows())
    ordered = finer.sort("within", "begin")
    same = (ordered["within"] == ordered["within"].shift(-1))[:-1]
    assert ((ordered["end"][:-1] < ordered["begin"].shift(-1)[:-1]) | ~same).all()
    hours = dict(city.places.select("id", "opening_hours").iter_rows())
    for place, begin, end in whole.select("place", "begin", "end").iter_rows():
        text = hours.get(place, "24/7")
        if text != "24/7":
            opens, closes = (int(clock[:2]) + int(clock[3:]) / 60 for clock in text.removeprefix("Mo-Su ").split("-"))
            closes += 24 * (closes <= opens)
            assert opens * 3_600 - 1_200 <= begin % 86_400  # for an event people may come a little earlier
            assert end - begin // 86_400 * 86_400 <= closes * 3_600


def test_an_event_is_attended_exactly_where_place_and_time_agree(city: CityPosts) -> None:
    inside = dict(city.places.select("id", "part_of").iter_rows())
    events = list(instants(city.events, "begin", "end").select("id", "place", "begin", "end").iter_rows())
    assert len(events) > 5
    attended = 0
    for place, begin, end, event in (
        instants(city.stops, "begin", "end").select("place", "begin", "end", "event").iter_rows()
    ):
        shared = {
            name for name, where, first, last in events
            if where in (place, inside.get(place)) and min(end, last) > max(begin, first)
        }  # fmt: skip
        assert (event in shared) if shared else event is None
        attended += bool(shared)
    assert attended > 50


def test_the_posts_name_their_place_with_some_mistakes(city: CityPosts) -> None:
    names = city.places.select(place="id", own="name", english="name:en")
    table = pl.concat([city.posts.select("tags", "text", "name"), city.truth.select("place")], how="horizontal")
    named = table.filter(pl.col("name").is_not_null()).join(names, on="place", how="left")
    assert named["own"].null_count() == 0
    assert 0.7 < (named["name"] == named["own"]).mean() < 0.9
    assert named["text"].str.starts_with("I'm at").all()
    tags = table["tags"].drop_nulls().str.split(";")
    assert 2 < tags.list.len().mean() < 5
    assert tags.list.n_unique().equals(tags.list.len())
    assert table["tags"].null_count() > 0
    assert table["text"].null_count() > 0
