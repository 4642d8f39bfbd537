"""The nearest known place of each position."""

from __future__ import annotations

from math import dist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Places
from sfumato.prepare.base import Located
from sfumato.prepare.nearest_place import names_of, nearest_places

POINTS = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(
    st.lists(POINTS, min_size=1, max_size=25),
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-9, 9)), max_size=15),
    st.sampled_from([0.5, 1.0, 2.5, 40.0, 1e9]),
)
def test_agrees_with_looking_at_every_place(
    sites: list[tuple[int, int]], asked: list[tuple[int, int]], within: float
) -> None:
    places = Places.planar({f"p{number:02}": site for number, site in enumerate(sites)})
    found = nearest_places(Located(np.array(asked, dtype=float).reshape(-1, 2), False), places, within, "Trial")
    for point, row in zip(asked, found, strict=True):
        away, nearest = min((dist(point, site), number) for number, site in enumerate(sites))
        assert row == (nearest if away <= within else -1)


@given(
    st.lists(st.tuples(st.floats(-180, 180), st.floats(-90, 90)), min_size=1, max_size=12),
    st.lists(st.tuples(st.floats(-180, 180), st.floats(-90, 90)), min_size=1, max_size=12),
    st.sampled_from([1_000.0, 3_000_000.0, 15_000_000.0, 3e7]),
)
def test_agrees_on_the_globe(sites: list[tuple[float, float]], asked: list[tuple[float, float]], within: float) -> None:
    names = [f"p{number:02}" for number in range(len(sites))] + [f"q{number:02}" for number in range(len(asked))]
    lon, lat = zip(*sites, *asked, strict=True)
    everything = Places.from_frame({"location": names, "lon": lon, "lat": lat})
    places = Places(everything.frame.head(len(sites)))
    found = nearest_places(Located(np.array(asked), True), places, within, "Trial")
    for number, row in enumerate(found):
        away = [everything.distance(f"q{number:02}", name) for name in names[: len(sites)]]
        if row < 0:
            assert min(away) > within * (1 - 1e-9)
        else:
            assert away[row] <= min(away) * (1 + 1e-6) + 1e-3
            assert away[row] <= within * (1 + 1e-9)


def test_many_places_over_a_wide_land_and_a_small_distance() -> None:
    # a thousandth of a unit over a hundred million of them: more buckets than 64 bits could number
    rng = np.random.default_rng(3)
    sites = rng.random((2000, 2)) * 1e8
    places = Places.planar({f"p{number:04}": tuple(site) for number, site in enumerate(sites.tolist())})
    asked = sites[::7] + 4e-4
    assert nearest_places(Located(asked, False), places, 1e-3, "Trial").tolist() == list(range(0, 2000, 7))
    assert set(nearest_places(Located(asked, False), places, 5e-4, "Trial").tolist()) == {-1}


def test_of_equally_near_places_the_first_by_name_is_taken() -> None:
    middle = Located(np.array([[5.0, 0.0]]), False)
    for one, other in [((10, 0), (0, 0)), ((0, 0), (10, 0))]:
        assert nearest_places(middle, Places.planar({"a": one, "b": other}), 5, "Trial").tolist() == [0]


def test_names() -> None:
    assert names_of(Places.planar({"a": (0, 0), "b": (1, 1)}), np.array([1, -1, 0])).to_list() == ["b", None, "a"]
    assert names_of(Places.planar({"a": (0, 0)}), np.array([], dtype=np.int64)).to_list() == []


def test_a_place_exactly_as_far_as_allowed_is_near() -> None:
    places = Places.planar({"a": (0, 0)})
    assert nearest_places(Located(np.array([[3.0, 4.0], [3.0, 4.001]]), False), places, 5, "Trial").tolist() == [0, -1]
    pole = Places.from_frame({"location": ["pole"], "lat": [90.0], "lon": [0.0]})
    metres = pytest.approx(111_195, abs=1)
    assert np.pi * pole.radius / 180 == metres
    near = nearest_places(Located(np.array([[123.0, 89.0]]), True), pole, np.pi * pole.radius / 180 * (1 + 1e-9), "T")
    assert near.tolist() == [0]
