"""Splitting by region: a literal twin, levels, positions outside, refusals."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from sfumato import Positions, Trajectories
from sfumato.data.areas.regions import Regions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.prepare import SplitByRegion

BOXES = {"west": (0, 0, 4, 9), "east": (5, 0, 9, 9), "park": (1, 1, 3, 3)}
REGIONS = Regions.from_frame(
    {
        "region": list(BOXES),
        **dict(zip(("west", "south", "east", "north"), map(list, zip(*BOXES.values(), strict=True)), strict=True)),
        "level": ["town", "town", "place"],
    }
)


def holder(point: list[float], level: str) -> str | None:
    names = ["west", "east"] if level == "town" else ["park"]
    inside = [
        name
        for name in names
        for west, south, east, north in [BOXES[name]]
        if west <= point[0] <= east and south <= point[1] <= north
    ]
    return inside[0] if inside else None


@pytest.mark.parametrize("level", ["town", "place"])
@pytest.mark.parametrize("outside", [True, False])
def test_agrees_with_the_twin(level: str, outside: bool) -> None:
    draw = np.random.default_rng(2)
    where = draw.integers(0, 11, (400, 2)).astype(float)
    data = Positions(offsets=np.arange(21) * 20, times=np.tile(np.arange(20.0), 20), where=where, geographic=False)
    done = SplitByRegion(level=level, outside=outside).apply(data.with_regions(REGIONS))
    wanted = []
    for track in range(20):
        points = where[20 * track : 20 * track + 20].tolist()
        runs = groupby(points, key=lambda point: holder(point, level))
        wanted += [list(run) for region, run in runs if outside or region is not None]
    bounds = zip(done.data.offsets[:-1], done.data.offsets[1:], strict=True)
    assert [done.data.where[first:end].tolist() for first, end in bounds] == wanted
    assert done.counts["outside"] == sum(holder(point, level) is None for point in where.tolist())
    assert done.counts["parts"] == len(wanted)


def test_the_coarsest_level_is_the_default_and_persons_stay() -> None:
    trip = Positions.from_frame({"person": ["ann"] * 3, "time": range(3), "x": [1, 2, 8], "y": [1, 2, 1]})
    done = SplitByRegion().apply(trip.with_regions(REGIONS)).data
    assert done.ids.to_list() == ["ann/1", "ann/2"]
    assert done.lengths.tolist() == [2, 1]
    assert done.persons.codes.tolist() == [0, 0]


def test_refusals() -> None:
    data = Positions(offsets=[0, 1], times=[0], where=[[1.0, 2.0]], geographic=False)
    with pytest.raises(MissingKnowledge, match=r"^SplitByRegion: wanted regions with outlines, found none$"):
        SplitByRegion().apply(data)
    with pytest.raises(DataError, match=r"^no level of the regions is called 'towns'; did you mean 'town'\?$"):
        SplitByRegion(level="towns").apply(data.with_regions(REGIONS))
    with pytest.raises(DataError, match=r"^SplitByRegion: wanted positions, found Trajectories$"):
        SplitByRegion().apply(Trajectories.from_lists([["a"]], places={"a": (0, 0)}))
