"""Regions of interest."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import regions_of_interest
from sfumato import Positions, Trajectories
from sfumato.errors import DataError, Infeasible, ParameterError
from sfumato.prepare import RegionsOfInterest

SIDE = 5
BOX = {"west": 0, "south": 0, "east": SIDE, "north": SIDE}
POINTS = st.tuples(st.integers(0, 6), st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))


def drives(rows: list[tuple[int, float, float]]) -> Positions:
    """Positions in the order of the rows, in the middle of their cells."""
    columns = {"trajectory": [f"t{row[0]}" for row in rows], "time": list(range(len(rows)))}
    return Positions.from_frame({**columns, "x": [row[1] + 0.5 for row in rows], "y": [row[2] + 0.5 for row in rows]})


@given(st.lists(POINTS, min_size=1, max_size=60), st.sampled_from([0.2, 0.3, 0.5, 0.8]))
def test_agrees_with_the_twin(rows: list[tuple[int, int, int]], share: float) -> None:
    data = drives(rows)
    who: dict[tuple[int, int], set[int]] = {}
    for trajectory, x, y in rows:
        who.setdefault((x, y), set()).add(trajectory)
    twin = regions_of_interest({cell: len(crossed) for cell, crossed in who.items()}, SIDE, share * len(data))
    step = RegionsOfInterest(cells=SIDE, density=share, **BOX)
    if not twin:
        with pytest.raises(Infeasible, match=r"^RegionsOfInterest: wanted a cell that"):
            step.apply(data)
        return
    found = step.regions(data)
    cells = [
        {(x, y) for x in range(round(west), round(east)) for y in range(round(south), round(north))}
        for west, south, east, north in found.select("west", "south", "east", "north").rows()
    ]
    assert cells == twin
    assert found["cells"].to_list() == [len(region) for region in twin]
    means = [sum(len(who.get(cell, ())) for cell in region) / len(region) / len(data) for region in twin]
    assert found["density"].to_list() == pytest.approx(means)
    assert all(mean >= share - 1e-9 for mean in means)

    done = step.apply(data)
    number = {cell: f"r{at:0{len(str(len(twin)))}}" for at, region in enumerate(twin, 1) for cell in region}
    wanted = []
    for name in data.ids:
        passed = [number.get((x, y)) for trajectory, x, y in rows if f"t{trajectory}" == name]
        wanted.append([one for at, one in enumerate(passed) if one and (at == 0 or passed[at - 1] != one)])
    assert done.data.to_lists() == [walk for walk in wanted if walk]
    assert done.counts["nowhere"] == sum(not walk for walk in wanted)
    assert done.data.ids.to_list() == [name for name, walk in zip(data.ids, wanted, strict=True) if walk]
    assert done.counts["outside"] == sum((x, y) not in number for _, x, y in rows)
    assert done.counts["outside"] + done.counts["repeats"] + len(done.data.codes) == len(rows)


def test_a_rectangle_grows_only_where_that_adds_dense_cells() -> None:
    # densities, from the north: 1 0 0 / 3 2 1 / 0 0 0; dense from 2
    rows = [(t, 0, 1) for t in range(3)] + [(t, 1, 1) for t in range(2)] + [(0, 2, 1), (3, 0, 2)]
    found = RegionsOfInterest(cells=3, density=0.5, west=0, south=0, east=3, north=3).regions(drives(rows))
    # with (2, 1) the mean would be 2, still enough, but (2, 1) is not dense
    assert found.rows() == [("r1", 0.0, 1.0, 2.0, 2.0, 2, 0.625)]


def test_a_rectangle_takes_cells_that_are_not_dense_along() -> None:
    # densities 4 0 / 4 4 (from the north): the mean of all is 3
    rows = [(t, x, y) for t in range(4) for x, y in [(0, 0), (1, 0), (0, 1)]]
    found = RegionsOfInterest(cells=2, density=0.75, west=0, south=0, east=2, north=2).regions(drives(rows))
    assert found.select("region", "cells", "density").rows() == [("r1", 4, 0.75)]
    found = RegionsOfInterest(cells=2, density=0.76, west=0, south=0, east=2, north=2).regions(drives(rows))
    assert found.select("region", "cells").rows() == [("r1", 2), ("r2", 1)]


def test_equal_sides_are_taken_from_the_west_on() -> None:
    # densities 3 5 / 0 3 (from the north), dense from 3: west or south leave the mean at 4, both would leave 2.75
    rows = [(t, 1, 1) for t in range(5)] + [(t, x, y) for t in range(3) for x, y in [(0, 1), (1, 0)]]
    found = RegionsOfInterest(cells=2, density=0.6, west=0, south=0, east=2, north=2).regions(drives(rows))
    assert found.select("region", "west", "south", "cells").rows() == [("r1", 0.0, 1.0, 2), ("r2", 1.0, 0.0, 1)]


def test_centres_of_regions_are_places_and_persons_and_times_stay() -> None:
    frame = pl.DataFrame(
        {
            "trajectory": ["1", "1", "1", "2", "3"],
            "person": ["ann", "ann", "ann", "bob", "cid"],
            "time": [0, 10, 20, 0, 0],
            "x": [0.5, 1.5, 9.5, 1.5, 5.5],
            "y": [0.5, 0.5, 9.5, 0.5, 5.5],
        }
    )
    step = RegionsOfInterest(cells=10, density=0.3, west=0, south=0, east=10, north=10)
    done = step.apply(Positions.from_frame(frame))
    # the densest cell first, then in name order
    assert done.data.to_lists() == [["r1", "r3"], ["r1"], ["r2"]]
    assert done.data.times.tolist() == [0.0, 20.0, 0.0, 0.0]
    assert done.data.places.coordinates(["r1", "r2", "r3"]).tolist() == [[1.0, 0.5], [5.5, 5.5], [9.5, 9.5]]
    lonely = RegionsOfInterest(cells=10, density=0.5, west=0, south=0, east=10, north=10)
    left = lonely.apply(Positions.from_frame(frame))
    assert left.data.persons.names.to_list() == ["ann", "bob"]
    assert left.counts == {"regions": 1, "outside": 3, "nowhere": 1, "repeats": 0}


def test_coming_back_is_a_visit_again() -> None:
    rows = [(0, 0, 0), (0, 3, 3), (0, 0, 0), (1, 0, 0)]
    done = RegionsOfInterest(cells=SIDE, density=1.0, **BOX).apply(drives(rows))
    assert done.data.to_lists() == [["r1", "r1"], ["r1"]]


def test_a_share_of_many_is_a_whole_number() -> None:
    rows = [(t, 0, 0) for t in range(7)] + [(t, 4, 4) for t in range(7, 100)]
    assert 0.07 * 100 > 7  # the rounding error that must not matter
    found = RegionsOfInterest(cells=SIDE, density=0.07, **BOX).regions(drives(rows))
    assert found["density"].to_list() == [0.93, 0.07]


def test_refusals() -> None:
    with pytest.raises(
        ParameterError, match=r"^RegionsOfInterest: density must be a number above 0 and at most 1, got 2"
    ):
        RegionsOfInterest(density=2)
    with pytest.raises(Infeasible) as refusal:
        RegionsOfInterest(cells=SIDE, density=0.9, **BOX).apply(drives([(0, 0, 0), (1, 3, 3)]))
    assert str(refusal.value) == (
        "RegionsOfInterest: wanted a cell that a share of 0.9 of the trajectories crosses, found at most 0.5; "
        "choose larger cells or a lower density"
    )
    with pytest.raises(DataError, match=r"^RegionsOfInterest: wanted at most 50,000,000 cells, found 100,000,000"):
        RegionsOfInterest(cells=10_000, density=0.9).apply(drives([(0, 0, 0), (1, 3, 3)]))
    with pytest.raises(DataError, match=r"^RegionsOfInterest: wanted at least one position"):
        RegionsOfInterest(density=0.9).apply(Trajectories.from_lists([[]], places={"a": (0, 0)}))
