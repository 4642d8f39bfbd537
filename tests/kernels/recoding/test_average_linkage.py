"""Average linkage without a matrix: the nearest label is the nearest, whatever was merged before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Places, Trajectories
from sfumato.methods.trajectories.seqanon import label_linkage as module
from sfumato.methods.trajectories.seqanon.location_recoding import Recoding


def a_recoding(places: Places) -> Recoding:
    names = places.frame["location"].to_list()
    recoding = Recoding(Trajectories.from_lists([[name] for name in names], places=places))
    recoding.count(1, 1)
    return recoding


def by_hand(recoding: Recoding, between: np.ndarray, label: int) -> dict[int, float]:
    groups = {int(n): np.flatnonzero(recoding.current == n) for n in recoding.active}
    return {other: between[np.ix_(groups[label], groups[other])].mean() for other in groups if other != label}


@pytest.mark.parametrize("globe", [False, True])
@pytest.mark.parametrize("rows", [1, 256], ids=["few rows", "many rows"])
@settings(max_examples=15, deadline=None)
@given(draw=st.data())
def test_the_nearest_label_is_the_nearest(globe: bool, rows: int, draw: Any) -> None:
    seed = draw.draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    n = 36
    where = rng.integers(-4, 5, (n, 2)) * (10.0 if globe else 1.0)
    axes = ("lat", "lon") if globe else ("x", "y")
    places = Places.from_frame({"location": [f"p{i:02}" for i in range(n)], axes[0]: where[:, 0], axes[1]: where[:, 1]})
    names = places.frame["location"].to_list()
    between = np.array([[places.distance(a, b) for b in names] for a in names])
    before = module._ROWS
    module._ROWS = rows
    try:
        recoding = a_recoding(places)
    finally:
        module._ROWS = before
    while len(recoding.active) > 1:
        label = int(rng.choice(recoding.active))
        distances = by_hand(recoding, between, label)
        nearest = recoding.nearest(label)
        assert nearest is not None
        found = nearest.label
        best = min(distances.values())
        ties = [other for other, away in distances.items() if away <= best * (1 + 1e-9)]
        assert found == min(ties, key=lambda other: (recoding.support[other], recoding.rank[other]))
        recoding.merge(label, found)
    assert recoding.nearest(int(recoding.active[0])) is None


def test_a_factor_weighs_and_excludes() -> None:
    recoding = a_recoding(Places.planar({"a": (0, 0), "b": (1, 0), "c": (3, 0)}))
    assert recoding.nearest(0) == (1, 1.0)
    assert recoding.nearest(0, np.array([1.0, 4.0, 1.0])) == (2, 3.0)
    assert recoding.nearest(0, np.array([1.0, np.inf, 1.0])) == (2, 3.0)
    assert recoding.nearest(0, np.full(3, np.inf)) is None


def test_places_on_top_of_each_other_find_each_other() -> None:
    """Centroids are rounded, so that the bound can exceed a distance of a few billionths of a metre."""
    rng = np.random.default_rng(1)
    spots = np.repeat(np.column_stack((40 + rng.random(12), -74 + rng.random(12))), 5, axis=0)
    spots += rng.integers(-2, 3, spots.shape) * np.spacing(spots)
    names = [f"p{i:02}" for i in range(60)]
    places = Places.from_frame({"location": names, "lat": spots[:, 0], "lon": spots[:, 1]})
    recoding = a_recoding(places)
    while len(recoding.active) > 12:
        label = int(min(recoding.active, key=lambda one: np.count_nonzero(recoding.current == one)))
        nearest = recoding.nearest(label)
        assert nearest is not None
        found = nearest.label
        assert places.distance(names[label], names[found]) < 1e-6
        recoding.merge(label, found)
