"""Regions: which one holds a point, levels given or by containment, outlines of every form, refusals."""

from __future__ import annotations

from typing import Any

import geopandas
import numpy as np
import pytest
import shapely

from sfumato.data.areas.regions import Regions
from sfumato.errors import DataError

SQUARE = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))"
INNER = "POLYGON ((2 2, 6 2, 6 6, 2 6, 2 2))"
INMOST = "POLYGON ((3 3, 4 3, 4 4, 3 4, 3 3))"


def regions(names: list[str], wkt: list[Any], **more: Any) -> Regions:
    return Regions.from_frame({"region": names, "wkt": wkt, **more})


def test_the_smallest_region_that_holds_a_point_brute_force() -> None:
    draw = np.random.default_rng(7)
    corners = draw.integers(0, 12, (25, 2)) * 1.0
    sizes = draw.integers(1, 6, (25, 2)) * 1.0
    boxes = np.column_stack((corners, corners + sizes))
    frame = {"region": [f"r{row}" for row in range(25)], "level": draw.choice(["a", "b"], 25)}
    rows = Regions.from_frame(frame | dict(zip(("west", "south", "east", "north"), boxes.T, strict=True)))
    points = draw.integers(0, 18, (300, 2)) * 1.0
    for level in rows.levels:
        wanted = []
        for x, y in points:
            inside = [
                (float(np.prod(sizes[row])), row)
                for row, (west, south, east, north) in enumerate(boxes)
                if frame["level"][row] == level and west <= x <= east and south <= y <= north
            ]
            wanted.append(min(inside)[1] if inside else -1)
        assert rows.holding(points, level).tolist() == wanted


def test_levels_by_containment() -> None:
    nested = regions(["city", "part", "place", "other"], [SQUARE, INMOST, INNER, "POLYGON ((20 0, 21 0, 21 1, 20 0))"])
    assert nested.levels == ("0", "1", "2")
    assert nested.level_of.tolist() == [0, 2, 1, 0]
    assert repr(nested) == "<Regions: 4 regions on 3 levels>"
    twice = regions(["city", "same"], [SQUARE, SQUARE])
    assert twice.level_of.tolist() == [0, 1]


def test_levels_that_are_given() -> None:
    named = regions(["a", "b", "c"], [SQUARE] * 3, level=["place", "city", "place"])
    assert named.levels == ("place", "city")  # by first row
    numbers = regions(["a", "b", "c"], [SQUARE] * 3, level=["10", "2", "10"])
    assert numbers.levels == ("2", "10")
    assert numbers.level_of.tolist() == [1, 0, 1]


def test_equal_outlines_hold_by_the_earlier_row() -> None:
    twice = regions(["first", "second"], [SQUARE, SQUARE], level=["x", "x"])
    assert twice.holding(np.array([[5.0, 5.0]])).tolist() == [0]


def test_geopandas_and_outlines_that_cross_themselves() -> None:
    frame = geopandas.GeoDataFrame({"region": ["a"]}, geometry=[shapely.box(0, 0, 2, 2)], crs="EPSG:4326")
    assert Regions.from_frame(frame).holding(np.array([[1.0, 1.0], [3.0, 3.0]])).tolist() == [0, -1]
    bow = regions(["bow"], ["POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"])
    assert bow.holding(np.array([[1.0, 2.0], [2.0, 0.5]])).tolist() == [0, -1]


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        ({"name": ["a"]}, r"wanted a column 'region', found name$"),
        ({"region": [], "wkt": []}, r"wanted at least one region, found none$"),
        ({"region": [None], "wkt": [SQUARE]}, r"row 1: wanted a region, found nothing"),
        (
            {"region": ["a"], "wkt": ["POINT (1 1)"]},
            r"row 1: wanted a polygon as WKT, such as .*, found something else$",
        ),
        ({"region": ["a"], "wkt": ["rubbish"]}, r"row 1: wanted a polygon as WKT"),
        ({"region": ["a"], "wkt": ["POLYGON EMPTY"]}, r"row 1: wanted a polygon as WKT"),
        ({"region": ["a", "b"], "wkt": [SQUARE, None]}, r"row 2: wanted a polygon as WKT, found nothing"),
        ({"region": ["a"], "lat": [1]}, r"wanted a column wkt, or west, south, east and north, found region, lat$"),
        (
            {"region": ["a"], "west": [2], "south": [0], "east": [1], "north": [1]},
            r"row 1: wanted west below east and south below north, found another order$",
        ),
        ({"region": ["a"], "west": ["x"], "south": [0], "east": [1], "north": [1]}, r"row 1: wanted west as a number"),
        ({"region": ["a"], "wkt": [SQUARE], "level": [None]}, r"row 1: wanted a level, found nothing"),
    ],
)
def test_refusals(frame: Any, problem: str) -> None:
    with pytest.raises(DataError, match=f"^the regions.*{problem}"):
        Regions.from_frame(frame)
