"""The places of the synthetic city: names, popularity and the second source."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sfumato.generate import Posts
from sfumato.generate.coast.places import draw_places
from sfumato.generate.coast.vocabulary import KINDS


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
def test_about_as_many_places_as_wanted_of_every_kind(count: int) -> None:
    places = draw_places(count, 1.0, np.random.default_rng(1))
    assert abs(len(places) - count) < 0.1 * count + 60
    assert set(places.kind) == set(KINDS)
    assert len(places.numbers("market")) >= 2


def test_popularity_follows_zipf() -> None:
    places = draw_places(2_000, 1.2, np.random.default_rng(1))
    for kind in ("restaurant", "bar", "museum"):
        chance = np.sort(places.chance[places.numbers(kind)])[::-1]
        assert chance.sum() == pytest.approx(1)
        np.testing.assert_allclose(chance / chance[0], np.arange(1, len(chance) + 1) ** -1.2)


def test_only_branches_share_a_name() -> None:
    places = Posts(people=1, days=1, places=1_500).make(seed=1).places
    for language in ("name", "name:en", "name:de"):
        repeated = places.filter(pl.struct("class", language).is_duplicated())["class"].unique().to_list()
        assert repeated == ["http://linkedgeodata.org/ontology/FastFood"]


def test_the_second_source_knows_the_same_things_nearby_except_branches() -> None:
    city = Posts(people=1, days=1, places=1_500).make(seed=1)
    pairs = city.gazetteer.join(city.places.drop_nulls("same_as"), on="same_as", suffix="_first")
    far = (pl.col("lon") - pl.col("lon_first")).abs() + (pl.col("lat") - pl.col("lat_first")).abs() > 0.005
    assert len(city.gazetteer) > 400
    assert set(city.gazetteer["same_as"]) <= set(city.places["same_as"])
    assert pairs.filter(far)["class"].unique().to_list() == ["http://linkedgeodata.org/ontology/FastFood"]
