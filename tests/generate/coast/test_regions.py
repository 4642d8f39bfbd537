"""The outlines of the synthetic city are nested, and those of one level share no area."""

from __future__ import annotations

from itertools import combinations

import pytest

from sfumato.generate import Posts

shapely = pytest.importorskip("shapely")


@pytest.mark.parametrize("places", [150, 2_000])
def test_regions_are_nested_and_apart(places: int) -> None:
    city = Posts(people=1, days=1, places=places).make(seed=places)
    shapes = dict(zip(city.regions["id"], shapely.from_wkt(city.regions["wkt"].to_numpy()), strict=True))
    above = dict(city.regions.select("id", "part_of").iter_rows())
    assert all(shapely.is_valid(shape) for shape in shapes.values())
    assert all(shapes[above[name]].buffer(1e-6).contains(shape) for name, shape in shapes.items() if above[name])
    for level in range(5):
        names = city.regions.filter(level=level)["id"]
        for first, second in combinations(names, 2):
            assert shapes[first].intersection(shapes[second]).area < 1e-9
    districts = city.regions.filter(level=2)["id"]
    assert sum(shapes[name].area for name in districts) == pytest.approx(shapes["city"].area, rel=1e-5)


def test_only_the_parts_of_a_place_are_inside_its_outline() -> None:
    city = Posts(people=1, days=1, places=500).make(seed=5)
    outlines = city.regions.filter(level=3)
    tree = shapely.STRtree(shapely.from_wkt(outlines["wkt"].to_numpy()))
    points = shapely.points(city.places["lon"].to_numpy(), city.places["lat"].to_numpy())
    place, outline = tree.query(points, predicate="within")
    ids, part_of = city.places["id"].to_list(), city.places["part_of"].to_list()
    pairs = {(ids[i], outlines["id"][int(j)]) for i, j in zip(place, outline, strict=True)}
    assert pairs == {(name, whole) for name, whole in zip(ids, part_of, strict=True) if whole} | {
        (name, name) for name in outlines["id"]
    }
