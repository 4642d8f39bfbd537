"""Fastest routes, against relaxing every road until nothing changes."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import quickest_times
from sfumato.data import Network
from sfumato.generate.streets import compiled
from sfumato.kernels.roads.routes import fastest_route, route_use, search_buffers, speed_on


def network(points: list[tuple[float, float]], ends: list[tuple[int, int]]) -> Network:
    names = [pl.Series([str(number) for number in range(count)]) for count in (len(points), len(ends))]
    return Network(names[0], np.array(points, dtype=float), names[1], np.array(ends))


@st.composite
def maps(draw):
    count = draw(st.integers(2, 9))
    spot = st.integers(0, 6)
    points = draw(st.lists(st.tuples(spot, spot), min_size=count, max_size=count))
    node = st.integers(0, count - 1)
    ends = draw(st.lists(st.tuples(node, node).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=20))
    town = network(points, ends)
    per_road = st.lists(st.integers(0, 12), min_size=len(ends), max_size=len(ends))
    classes, usage = np.array(draw(per_road)) % 8, np.array(draw(per_road), dtype=np.int64)
    city = compiled(town, 3.0 * (2 / 3) ** classes, classes)
    return town, city, usage, draw(st.sampled_from([0.4, 2.0, 9.0]))


@given(maps(), st.data())
def test_routes_are_as_fast_as_can_be(world, data) -> None:
    town, city, usage, top = world
    times = [length / speed_on(city, usage, road, top) for road, length in enumerate(town.lengths)]
    roads = [(int(a), int(b), time) for (a, b), time in zip(town.ends, times, strict=True)]
    buffers = search_buffers(len(town), 2 * len(town.roads))
    for search in range(1, 4):  # the buffers are used again and again
        source, target = (data.draw(st.integers(0, len(town) - 1)) for _ in range(2))
        settled = fastest_route(city, usage, top, source, target, buffers, search)
        best = quickest_times(len(town), roads, source)[target]
        if best == float("inf"):
            assert settled == 0
            continue
        assert buffers.cost[target] == pytest.approx(best)
        node, total = target, 0.0
        while node != source:
            road = city.roads[buffers.by[node]]
            assert {node, buffers.before[node]} == set(town.ends[road].tolist())
            total += times[road]
            node = buffers.before[node]
        assert total == pytest.approx(best)


def test_a_crowded_road_is_half_and_then_a_quarter_as_fast() -> None:
    town = network([(0, 0), (1, 0)], [(0, 1)])
    city = compiled(town, np.array([8.0]), np.array([7]))  # capacity 2
    assert [speed_on(city, np.array([n]), 0, 100.0) for n in (0, 2, 3, 4, 5)] == [8.0, 8.0, 4.0, 4.0, 2.0]
    assert speed_on(city, np.array([0]), 0, 3.0) == 3.0


def test_the_use_of_roads_by_routes_from_one_end_of_a_line() -> None:
    town = network([(0, 0), (1, 0), (2, 0), (2, 1)], [(0, 1), (1, 2), (2, 3)])
    city = compiled(town, np.ones(3), np.zeros(3, dtype=np.int64))
    assert route_use(city, np.array([0]), search_buffers(4, 6)).tolist() == [3, 2, 1]
    assert route_use(city, np.array([0, 3]), search_buffers(4, 6)).tolist() == [4, 4, 4]
