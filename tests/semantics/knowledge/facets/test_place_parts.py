"""Places inside larger places: agreement with a comparison of all pairs."""

from __future__ import annotations

import random

import polars as pl
import pytest

from sfumato.semantics.knowledge.facets.place_parts import contained_places

shapely = pytest.importorskip("shapely")


def random_places(chance: random.Random) -> pl.DataFrame:
    rows = []
    for number in range(25):
        x, y, side = chance.randint(0, 20), chance.randint(0, 20), chance.choice([0, 0, 1, 4, 8, 20])
        shape = shapely.box(x, y, x + side, y + side) if side else shapely.Point(x + 0.5, y + 0.5)
        rows.append((f"p{number % 22:02}", shape.wkt))
    return pl.DataFrame(rows, schema=["resource", "wkt"], orient="row")


@pytest.mark.parametrize("seed", range(10))
def test_pairs_agree_with_a_comparison_of_all(seed: int) -> None:
    places = random_places(random.Random(seed))
    shapes = {}
    for name, text in places.rows():
        shape = shapely.from_wkt(text)
        if name not in shapes or shape.area > shapes[name].area:
            shapes[name] = shape
    covers = {
        (inner, outer)
        for inner in shapes
        for outer in shapes
        if shapes[outer].area > shapes[inner].area and shapes[outer].covers(shapes[inner])
    }
    direct = {(a, c) for a, c in covers if not any((a, b) in covers and (b, c) in covers for b in shapes)}
    assert set(contained_places(places).rows()) == direct


def test_no_places_and_only_points_have_no_pairs() -> None:
    empty = pl.DataFrame({"resource": [], "wkt": []}, schema={"resource": pl.String, "wkt": pl.String})
    assert contained_places(empty).height == 0
    points = pl.DataFrame({"resource": ["a", "b"], "wkt": ["POINT(1 1)", "POINT(1 1)"]})
    assert contained_places(points).height == 0
