"""The uniform grid: the papers' setting, borders, the globe, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Places, Positions, SeqAnon, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare import Grid

BOX = {"west": 0, "south": 0, "east": 1000, "north": 1000}


def drive(*points: tuple[float, float], geographic: bool = False) -> Positions:
    where = np.array(points, dtype=float).reshape(-1, 2)
    return Positions(offsets=[0, len(where)], times=np.arange(len(where)), where=where, geographic=geographic)


def test_the_papers_setting() -> None:
    """A 10 x 10 grid over a map of 1000 x 1000 whose centroids are the locations."""
    made = Grid(unvisited=True, **BOX).apply(drive((0, 0), (99.9, 50), (100, 50), (250, 150), (1000, 1000))).data
    assert made.to_lists() == [["x01y01", "x02y01", "x03y02", "x10y10"]]
    assert made.times.tolist() == [0.0, 2.0, 3.0, 4.0]
    assert len(made.places) == 100
    centres = made.places.coordinates(made.places.frame["location"])
    assert centres.tolist() == [[50.0 + 100 * x, 50.0 + 100 * y] for x in range(10) for y in range(10)]
    twins = Trajectories(
        offsets=[0, 4, 8], codes=np.tile(made.codes, 2), names=made.names, places=made.places
    )  # what comes out can be anonymized
    assert SeqAnon(k=2, m=2).anonymize(twins).holds


@given(st.lists(st.tuples(st.integers(-5, 25), st.integers(-5, 25)), min_size=1, max_size=20), st.integers(1, 7))
def test_every_position_lies_in_its_cell(points: list[tuple[int, int]], cells: int) -> None:
    if all(not (0 <= x <= 20 and 0 <= y <= 20) for x, y in points):
        return
    done = Grid(cells=cells, west=0, south=0, east=20, north=20, keep_repeats=True).apply(drive(*points))
    inside = [(x, y) for x, y in points if 0 <= x <= 20 and 0 <= y <= 20]
    assert done.counts == {"outside": len(points) - len(inside), "nowhere": 0}
    centres = done.data.places.coordinates(done.data.names)[done.data.codes]
    half = 20 / cells / 2
    assert np.all(np.abs(centres - np.array(inside)) <= half + 1e-9)
    for name, (x, y) in zip(done.data.to_lists()[0], inside, strict=True):
        # a border belongs to the cell north and east of it, the outer one to the last cell
        column, row = min(x * cells // 20, cells - 1) + 1, min(y * cells // 20, cells - 1) + 1
        assert name == f"x{column}y{row}"


def test_repeats_collapse_within_a_trajectory_only() -> None:
    where = [[1, 1], [2, 2], [9, 9], [1, 1], [2, 1], [2, 2]]
    data = Positions(offsets=[0, 4, 6], times=[0, 1, 2, 3, 0, 1], where=where, geographic=False)
    done = Grid(cells=2).apply(data)
    assert done.data.to_lists() == [["x1y1", "x2y2", "x1y1"], ["x1y1"]]
    assert done.counts == {"outside": 0, "repeats": 2, "nowhere": 0}
    assert Grid(cells=2, keep_repeats=True).apply(data).data.lengths.tolist() == [4, 2]


def test_what_lies_outside_is_left_out_and_counted() -> None:
    data = Positions.from_frame(
        {"person": ["ann", "ann", "bob"], "time": [0, 1, 0], "x": [500, 5000, -1], "y": [500, 5, 0]}
    )
    done = Grid(**BOX).apply(data)
    assert done.data.to_lists() == [["x06y06"]]
    assert done.data.persons.names.to_list() == ["ann"]
    assert done.counts == {"outside": 2, "repeats": 0, "nowhere": 1}


def test_cells_of_a_size() -> None:
    made = Grid(cell_m=100).apply(drive((0, 0), (250, 100), (301, 99))).data
    # 301 wide: four columns; 100 high: one row, and its upper border belongs to it
    assert made.names == ("x1y1", "x3y1", "x4y1")
    assert made.places.coordinates(["x1y1", "x4y1"]).tolist() == [[50.0, 50.0], [350.0, 50.0]]


def test_cells_on_the_globe_have_their_size_in_metres() -> None:
    data = drive((10.0, 59.9), (10.2, 60.1), (10.1, 60.0), geographic=True)
    made = Grid(cell_m=1000, keep_repeats=True).apply(data).data
    lattice = Grid(cell_m=1000, unvisited=True).apply(data).data.places
    across, up = lattice.distance("x01y12", "x02y12"), lattice.distance("x01y01", "x01y02")
    assert across == pytest.approx(1000, rel=2e-3)  # in the middle of the box
    assert up == pytest.approx(1000, rel=1e-9)
    centres = made.places.coordinates(made.names)[made.codes]
    assert np.all(np.abs(centres[:, 1] - data.where[:, 1]) * 111_195 <= 501)


def test_a_box_across_the_date_line() -> None:
    data = drive((179.0, 0.0), (-179.0, 1.0), (-180.0, 0.6), geographic=True)
    made = Grid(cells=2).apply(data).data
    assert made.to_lists() == [["x1y1", "x2y2"]]
    assert made.places.coordinates(["x1y1", "x2y2"]).tolist() == [[179.5, 0.25], [-179.5, 0.75]]
    told = Grid(cells=2, west=179, south=0, east=-179, north=1).apply(data).data
    assert told.to_lists() == made.to_lists()
    # around the whole world there is no narrower box
    wide = Grid(cells=2).apply(drive((-170.0, 0.0), (0.0, 0.0), (170.0, 0.0), (90.0, 1.0), geographic=True)).data
    assert wide.places.coordinates(wide.names)[:, 0].tolist() == [-85.0, 85.0, 85.0]


def test_cells_around_the_whole_globe_do_not_overlap() -> None:
    # cells of 7,000 km are 63 degrees wide: five fit around the equator, and share what is left
    world = drive((-179.0, 0.0), (0.0, 0.0), (179.0, 0.0), (90.0, 0.0), geographic=True)
    made = Grid(cell_m=7_000_000, unvisited=True).apply(world).data
    assert np.diff(np.sort(made.places.coordinates(made.places.frame["location"])[:, 0])).tolist() == [72.0] * 4
    pole = Grid(cell_m=1000).apply(drive((-120.0, 90.0), (10.0, 90.0), (60.0, 90.0), geographic=True)).data
    assert pole.to_lists() == [["x1y1"]]
    assert pole.places.coordinates(["x1y1"])[0, 1] == pytest.approx(90 - 500 / 111_195, abs=1e-6)
    tall = Grid(cell_m=15_000_000, unvisited=True).apply(drive((0.0, -80.0), (1.0, 85.0), geographic=True)).data
    assert tall.places.frame["lat"].to_list() == [0.0]
    assert tall.to_lists() == [["x1y1"]]


@pytest.mark.parametrize("options", [{}, {"cell_m": 3}], ids=str)
@pytest.mark.parametrize("geographic", [False, True])
def test_all_in_one_point(options: dict[str, Any], geographic: bool) -> None:
    done = Grid(**options).apply(drive((5.0, 5.0), (5.0, 5.0), geographic=geographic))
    assert len(done.data.codes) == 1
    assert done.counts["repeats"] == 1


def test_trajectories_of_places_become_cells() -> None:
    towns = {"a": (0, 0), "b": (10, 10), "c": (2, 2)}
    walks = Trajectories.from_lists([["a", "c", "b"], [], ["b"]], places=towns, persons=["u", "v", "u"])
    done = Grid(cells=2).apply(walks)
    assert done.data.to_lists() == [["x1y1", "x2y2"], ["x2y2"]]
    assert done.data.times is None
    assert done.data.persons.codes.tolist() == [0, 0]
    assert done.counts == {"outside": 0, "repeats": 1, "nowhere": 1}
    assert walks.to_lists() == [["a", "c", "b"], [], ["b"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cells": 3, "cell_m": 5}, "Grid: wanted cells or cell_m, found both"),
        ({"cells": 0}, "Grid: cells must be a whole number of at least 1, or None, got 0"),
        ({"west": 3}, "Grid: wanted all of west, south, east, north, or none, found west"),
        ({**BOX, "north": 0}, "Grid: south must be below north, got 0 and 0"),
    ],
)
def test_strange_parameters(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Grid(**options)
    assert str(refusal.value) == said


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"^Grid: west must be below east, got 9 and 1$"):
        Grid(west=9, south=0, east=1, north=1).apply(drive((0, 0)))
    with pytest.raises(ParameterError, match=r"^Grid: wanted a box in degrees for latitude and longitude"):
        Grid(**BOX).apply(drive((0, 0), geographic=True))
    with pytest.raises(DataError, match=r"^Grid: wanted at least one position"):
        Grid().apply(drive())
    with pytest.raises(DataError, match=r"^Grid: wanted a position inside the box"):
        Grid(**BOX).apply(drive((-5, 0)))
    with pytest.raises(DataError, match=r"^Grid: wanted at most 10,000,000 cells to list, found 25,000,000"):
        Grid(cells=5000, unvisited=True).apply(drive((0, 0), (1, 1)))
    with pytest.raises(DataError, match=r"^Grid: wanted at most 2\^53 cells"):
        Grid(cell_m=1e-9).apply(drive((0, 0), (1, 1)))
    unplaced = Trajectories.from_lists([["a"]], places=Places.from_frame({"location": ["a"], "category": ["bar"]}))
    with pytest.raises(MissingKnowledge, match=r"^Grid: wanted coordinates \(x and y, or lat and lon\), found"):
        Grid().apply(unplaced)
