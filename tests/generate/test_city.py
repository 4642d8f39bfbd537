"""City traffic: the published figures, the conversion, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sfumato.data import Positions, Trajectories
from sfumato.data.globe import in_space, on_globe
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.generate import City
from sfumato.io import write_network
from sfumato.privacy import KmAnonymity

SMALL = City(nodes=400, objects=200)


def test_the_defaults_have_the_figures_of_the_paper() -> None:
    data = City().make(seed=1)
    assert len(data) == 18_143
    assert len(data.names) == 100
    assert data.lengths.mean() == pytest.approx(4.72, abs=0.15)
    patterns = KmAnonymity(k=2, m=2).check(data).measured["patterns"]
    assert patterns - 100 == pytest.approx(6_955, rel=0.05)


def test_a_seed_repeats_and_another_differs() -> None:
    assert SMALL.make(seed=1).to_lists() == SMALL.make(seed=1).to_lists()
    assert SMALL.make(seed=1).to_lists() != SMALL.make(seed=2).to_lists()
    assert np.array_equal(SMALL.streets(seed=1).points, SMALL.streets(seed=1).points)
    assert not np.array_equal(SMALL.streets(seed=1).points, SMALL.streets(seed=2).points)
    assert np.array_equal(SMALL.positions(seed=4).where, SMALL.positions(seed=4).where)


def test_visits_are_the_cells_of_the_reports() -> None:
    """The conversion, visit by visit: stretched to 1000 x 1000, ten by ten cells, a stay is one visit."""
    reports, visits, town = SMALL.positions(seed=1), SMALL.trajectories(seed=1), SMALL.streets(seed=1)
    low, size = town.points.min(axis=0), np.ptp(town.points, axis=0)
    for record in range(len(reports)):
        rows = slice(reports.offsets[record], reports.offsets[record + 1])
        wanted: list[tuple[str, float]] = []
        for (x, y), time in zip(reports.where[rows], reports.times[rows], strict=True):
            cell = [
                min(9, int((at - origin) / wide * 1000 // 100))
                for at, origin, wide in zip((x, y), low, size, strict=True)
            ]
            if not wanted or wanted[-1][0] != f"x{cell[0]}y{cell[1]}":
                wanted.append((f"x{cell[0]}y{cell[1]}", float(time)))
        own = slice(visits.offsets[record], visits.offsets[record + 1])
        assert list(zip(visits.labels(record), visits.times[own].tolist(), strict=True)) == wanted
    assert visits.places.coordinates(["x0y0", "x3y9"]).tolist() == [[50.0, 50.0], [350.0, 950.0]]


def test_reports_come_once_a_time_unit_and_end_on_the_map() -> None:
    reports, town = SMALL.positions(seed=1), SMALL.streets(seed=1)
    assert len(reports) == 200
    for record in range(len(reports)):
        times = reports.times[reports.offsets[record] : reports.offsets[record + 1]]
        assert times[:-1].tolist() == list(range(len(times) - 1))
        assert len(times) - 2 < times[-1] <= min(25, len(times) - 1)
    assert (reports.where >= town.points.min(axis=0)).all()
    assert (reports.where <= town.points.max(axis=0)).all()


def test_objects_appear_evenly() -> None:
    reports = City(nodes=400, objects=100, at_start=20, time_units=40).positions(seed=1)
    first = reports.times[reports.offsets[:-1]]
    assert (first == 0).sum() == 20
    assert np.bincount(first.astype(int))[1:].tolist() == [2] * 40
    everybody = City(nodes=400, objects=10, at_start=50).positions(seed=1)
    assert everybody.times[everybody.offsets[:-1]].tolist() == [0] * 10


def test_the_output_is_chosen() -> None:
    assert isinstance(SMALL.make(seed=1), Trajectories)
    assert isinstance(City(nodes=400, objects=20, output="positions").make(seed=1), Positions)


@pytest.mark.parametrize("values", [{"objects": 1}, {"nodes": 4}, {"time_units": 1}, {"cells": 1}, {"starts": "space"}])
def test_the_smallest_cities(values: dict[str, object]) -> None:
    data = City.from_json({"nodes": 30, "objects": 12, **values}).make(seed=1)
    assert len(data) == values.get("objects", 12)
    assert data.lengths.min() >= 1


def test_slower_objects_get_less_far() -> None:
    fast, slow = (City(nodes=900, objects=300, speed_divisor=div).make(seed=1).lengths.mean() for div in (10.0, 250.0))
    assert slow < 0.5 * fast


def test_any_network_file(tmp_path: Path) -> None:
    write_network(SMALL.streets(seed=5), tmp_path / "town")
    data = City(network=str(tmp_path / "town"), objects=50).make(seed=1)
    assert len(data) == 50


def test_positions_on_a_network_in_degrees_are_in_degrees(tmp_path: Path) -> None:
    flat = SMALL.streets(seed=5)
    around = np.array([[179.99, 60.0]])
    globe = replace(flat, points=on_globe(flat.points - flat.points.mean(axis=0), around[0]), geographic=True)
    write_network(globe, tmp_path / "town")
    city = City(network=str(tmp_path / "town"), objects=50, output="positions")
    reports = city.make(seed=1)
    assert isinstance(reports, Positions)
    assert reports.to_polars().columns == ["trajectory", "time", "lon", "lat"]
    high, low = globe.points[:, 1].max(), globe.points[:, 1].min()
    assert ((reports.where[:, 1] <= high + 1e-9) & (reports.where[:, 1] >= low - 1e-9)).all()
    away = np.linalg.norm(reports.points()[:, None] - in_space(globe.points, geographic=True)[None], axis=2).min(axis=1)
    assert (away <= globe.lengths.max()).all()  # also across the date line
    assert city.streets(seed=1).geographic is True  # what --streets writes has the coordinates of the positions


def test_a_network_in_pieces_is_refused_unless_the_largest_is_enough(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("node,x,y\na,0,0\nb,1,0\nc,2,0\nd,3,0\ne,0,5\nf,1,5\ng,9,9\n")
    (tmp_path / "roads.csv").write_text("road,from,to\n1,a,b\n2,b,c\n3,c,d\n4,e,f\n")
    with pytest.raises(DataError) as refused:
        City(network=str(tmp_path)).make(seed=1)
    assert str(refused.value) == (
        f"{tmp_path}: wanted a connected network, found 3 components, the largest with 4 of 7 nodes; keep the largest"
    )
    assert len(City(network=str(tmp_path), largest=True, objects=5).make(seed=1)) == 5


def test_networks_that_cannot_be_driven_on(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file or directory"):
        City(network=str(tmp_path / "nowhere")).make(seed=1)
    (tmp_path / "nodes.csv").write_text("node,x,y\na,5,5\nb,5,5\n")
    (tmp_path / "roads.csv").write_text("road,from,to\n1,a,b\n")
    with pytest.raises(DataError, match="wanted nodes at different points"):
        City(network=str(tmp_path)).make(seed=1)


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="City: starts must be one of 'network', 'space', got 'here'"):
        City(starts="here")
    with pytest.raises(ParameterError, match=r"roads between 5 nodes, found 14 for a mean degree of 5\.5"):
        City(nodes=5, degree=5.5).make(seed=1)


def test_roads_are_those_that_the_reports_lie_on() -> None:
    """At the time of a report, the object is on the straight line of the road that it entered last."""
    town = City(nodes=400, objects=200, at_start=80, time_units=30, speed_divisor=40)
    drives, reports = town.roads(seed=3), town.positions(seed=3)
    network = drives.network
    assert drives.ids.to_list() == [str(one) for one in reports.ids]
    assert len(drives) == len(reports) == 200
    for record in range(len(drives)):
        steps = slice(drives.offsets[record], drives.offsets[record + 1])
        entered, codes = drives.times[steps], drives.codes[steps]
        rows = slice(reports.offsets[record], reports.offsets[record + 1])
        assert entered[0] == reports.times[rows][0]
        for time, where in zip(reports.times[rows], reports.where[rows], strict=True):
            code = codes[np.searchsorted(entered, time + 1e-9, side="right") - 1]
            tail, head = network.points[drives.tails[code]], network.points[drives.heads[code]]
            detour = np.hypot(*(where - tail)) + np.hypot(*(head - where)) - np.hypot(*(head - tail))
            assert detour < 1e-6
    assert town.make(seed=3).kind == "trajectories"
    assert City(**{**town.to_json(), "output": "roads"}).make(seed=3).to_polars().equals(drives.to_polars())
