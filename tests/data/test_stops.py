"""Stops as a noun: frames, trajectories, arrays that do not fit."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from sfumato import Persons, Places, Stops
from sfumato.errors import Bug, DataError

DAY = Stops(
    offsets=[0, 2, 3],
    times=[0, 5000, 100],
    departures=[1800, 9000, 2000],
    where=[[9.0, 45.0], [9.1, 45.1], [9.2, 45.2]],
    fixes=[3, 4, 5],
    geographic=True,
    ids=pl.Series("trajectory", ["t1", "t2"]),
    persons=Persons.of(["ann", "bob"]),
    places=Places.from_frame({"location": ["home"], "lat": [45.0], "lon": [9.0]}),
    locations=pl.Series(["home", None, "home"]),
)


def test_a_frame_with_arrival_departure_centre_and_place() -> None:
    assert DAY.to_polars().rows(named=True)[0] == {
        "trajectory": "t1", "person": "ann", "arrival": 0.0, "departure": 1800.0, "lon": 9.0, "lat": 45.0,
        "fixes": 3, "location": "home",
    }  # fmt: skip
    assert "location" not in replace(DAY, locations=None).to_polars().columns
    assert DAY.durations.tolist() == [1800.0, 4000.0, 1900.0]
    assert repr(DAY) == "<Stops: 3 stops in 2 tracks of 2 persons, geographic>"
    assert list(DAY.to_geopandas().columns) == [
        "trajectory", "person", "arrival", "departure", "fixes", "location", "geometry",
    ]  # fmt: skip


def test_named_stops_become_visits() -> None:
    walks = DAY.to_trajectories()
    assert walks.to_lists() == [["home"], ["home"]]
    assert walks.times.tolist() == [0.0, 100.0]
    assert walks.ids.to_list() == ["t1", "t2"]
    assert walks.persons is DAY.persons
    assert walks.places is DAY.places
    with pytest.raises(DataError) as refusal:
        replace(DAY, locations=None).to_trajectories()
    assert str(refusal.value) == (
        "Stops.to_trajectories: wanted stops with places, found none; give places, or apply a Grid to the stops"
    )


def test_arrays_that_do_not_fit() -> None:
    for wrong in ({"departures": [1]}, {"fixes": [1]}, {"locations": pl.Series(["home"])}):
        with pytest.raises(Bug, match=r"^Stops: arrivals, departures, fixes and locations have different lengths"):
            replace(DAY, **wrong)
