"""Map matching: known roads come back, the way found is the cheapest by the twin, and what is refused."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Network, Positions, RoadTrajectories, Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.generate import City
from sfumato.generate.random_map import SPACING_M, random_map
from sfumato.kernels.roads.map_matching import most_probable
from sfumato.kernels.roads.nearby_roads import near_roads, road_grid
from sfumato.kernels.roads.routes import search_buffers
from sfumato.prepare import MapMatching
from sfumato.prepare import map_matching as matching
from twins.map_matching import cheapest, states, way_between

# two streets of 300 m, 100 m apart, joined at both ends and in the middle
LADDER = Network.from_frames(
    {"node": list("abcdef"), "x": [0, 150, 300, 0, 150, 300], "y": [0, 0, 0, 100, 100, 100]},
    {
        "road": ["south1", "south2", "north1", "north2", "west", "middle", "east"],
        "from": list("abdeabc"),
        "to": list("bcefdef"),
    },
)


def track(*points: tuple[float, float], network: Network = LADDER, **more: Any) -> Positions:
    x, y = zip(*points, strict=True)
    times = [10.0 * at for at in range(len(points))]
    return Positions.from_frame(
        {"trajectory": ["t"] * len(points), "time": times, "x": x, "y": y, **more}, network=network
    )


def matched(*points: tuple[float, float], network: Network = LADDER, **how: Any) -> list[list[str]]:
    return MapMatching(**how).apply(track(*points, network=network)).data.to_lists()


def test_round_the_block() -> None:
    assert matched((3, -4), (80, 6), (148, 50), (100, 96), (20, 104)) == [["south1+", "middle+", "north1-"]]


def test_roads_between_sparse_positions_are_filled_in() -> None:
    done = MapMatching().apply(track((10, 2), (290, 98)))
    assert done.data.to_lists() in ([["south1+", "south2+", "east+"]], [["south1+", "middle+", "north2+"]])
    assert done.data.times[0] == 0.0
    assert np.all(np.diff(done.data.times) > 0)
    assert done.data.times[-1] < 10.0


def test_times_are_in_proportion_to_the_way() -> None:
    data = MapMatching().apply(track((50, 0), (250, 0), (300, 50))).data
    assert data.to_lists() == [["south1+", "south2+", "east+"]]
    assert data.times.tolist() == [0.0, 5.0, 15.0]


def test_jitter_turns_nobody_round() -> None:
    wobbling = [(60 + 3 * at + (12 if at % 2 else -12), (-1) ** at * 6.0) for at in range(30)]
    assert matched(*wobbling) == [["south1+"]]


def test_who_turns_round_does() -> None:
    assert matched((10, 0), (60, 0), (110, 0), (60, 0), (10, 0)) == [["south1+", "south1-"]]


def test_a_dead_end_is_left_the_way_it_was_entered() -> None:
    lane = Network.from_frames(
        {"node": list("abc"), "x": [0, 100, 200], "y": [0, 0, 0]},
        {"road": ["1", "2"], "from": ["a", "b"], "to": ["b", "c"]},
    )
    assert matched((5, 0), (150, 0), (195, 0), (50, 0), network=lane) == [["1+", "2+", "2-", "1-"]]


def test_one_way_roads_are_driven_in_their_direction() -> None:
    closed = replace(LADDER, oneway=LADDER.roads.is_in(["middle"]).to_numpy())
    assert matched((148, 98), (152, 52), (149, 3)) == [["middle-"]]
    down = matched((152, 88), (152, 52), (149, 13), network=closed)
    assert all("middle-" not in row for row in down)
    assert matched((149, 10), (152, 52), (148, 90), network=closed) == [["middle+"]]


def test_a_road_only_touched_at_an_end_is_noise() -> None:
    assert matched((-8, 10), (70, 0), (140, 4)) == [["south1+"]]
    assert matched((0, 60), (0, 20), (60, 0), (140, 4)) == [["west-", "south1+"]]


def test_positions_off_every_road_and_ways_that_break() -> None:
    island = Network.from_frames(
        {"node": list("abcd"), "x": [0, 100, 900, 1000], "y": [0, 0, 0, 0]},
        {"road": ["1", "2"], "from": ["a", "c"], "to": ["b", "d"]},
    )
    gps = track((10, 0), (90, 0), (500, 0), (910, 0), (990, 0), (50, 0), network=island, person=["ann"] * 6)
    done = MapMatching().apply(gps)
    assert done.data.to_lists() == [["1+"], ["2+"]]
    assert done.data.ids.to_list() == ["t/1", "t/2"]
    assert done.data.persons.names.to_list() == ["ann"]
    assert done.counts == {"together": 0, "off_road": 1, "broken": 2, "single": 1}


def test_positions_close_together_are_one() -> None:
    done = MapMatching().apply(track((5, 0), (20, 5), (22, -5), (24, 0), (80, 0), (140, 0)))
    assert done.data.to_lists() == [["south1+"]]
    assert done.counts["together"] == 2


def test_nobody_is_nobody() -> None:
    empty = track((10, 0)).to_polars().head(0)
    gps = replace(
        track((10, 0)), offsets=np.zeros(1), times=np.empty(0), where=np.empty((0, 2)), ids=empty["trajectory"]
    )
    assert len(MapMatching().apply(gps).data) == 0
    assert len(MapMatching().apply(track((500, 500), (510, 500))).data) == 0


def test_on_the_globe() -> None:
    metres = 180 / (math.pi * 6_371_008.8)
    town = Network.from_frames(
        {"node": LADDER.nodes, "lat": 60 + LADDER.points[:, 1] * metres, "lon": 10 + 2 * LADDER.points[:, 0] * metres},
        LADDER.to_frames()[1],
    )
    points = np.array([(3, -4), (80, 6), (148, 50), (100, 96), (20, 104)])
    gps = Positions.from_frame(
        {
            "trajectory": ["t"] * 5, "time": range(5), "lat": 60 + points[:, 1] * metres,
            "lon": 10 + 2 * points[:, 0] * metres,
        },
        network=town,
    )  # fmt: skip
    data = MapMatching().apply(gps).data
    assert data.to_lists() == [["south1+", "middle+", "north1-"]]
    assert data.network is town


def test_what_does_not_fit() -> None:
    with pytest.raises(MissingKnowledge, match="needs a road network, these positions have none; give the network"):
        MapMatching().apply(track((0, 0)).with_network(None))
    with pytest.raises(DataError, match="wanted positions, found Trajectories"):
        MapMatching().apply(Trajectories.from_lists([["a"]]))
    globe = Positions.from_frame({"trajectory": [1], "time": [0], "lat": [1.0], "lon": [1.0]}, network=LADDER)
    with pytest.raises(DataError, match="found positions in lat and lon and a network in x and y"):
        MapMatching().apply(globe)


# ---- against the slow twin


HOW = {"radius": 60.0, "most": 40, "error": 10.0, "noise": 30.0, "turn": 100.0, "beta": 10.0, "slack": 300.0}


@pytest.mark.parametrize("seed", range(12))
def test_the_way_found_is_the_cheapest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    town = random_map(12, 3.0, rng)
    town = replace(town, points=town.points / SPACING_M * 80, oneway=rng.random(len(town.roads)) < 0.3)
    points = rng.uniform(town.points.min(axis=0), town.points.max(axis=0), (6, 2))
    x, y = (np.ascontiguousarray(column) for column in points.T)
    found = MapMatching(radius_m=60, roads=40)._states(town, x, y)
    slow = [states(town, *point, HOW["radius"], 40, HOW["error"]) for point in points]
    fast = list(zip(found.directed.tolist(), found.along.tolist(), found.cost.tolist(), strict=True))
    for layer, (begin, end) in zip(slow, pairwise(found.offsets), strict=True):
        assert np.array(sorted(layer)).ravel() == pytest.approx(np.array(sorted(fast[begin:end])).ravel())
    net = matching._net(town)
    chosen, begins = most_probable(
        net, x, y, np.array([0, 6]), found, HOW["slack"], HOW["beta"], HOW["noise"], HOW["turn"],
        search_buffers(len(town), len(net.directed)),
    )  # fmt: skip
    placed = np.flatnonzero(chosen >= 0)
    starts = [*np.flatnonzero(begins[placed]).tolist(), len(placed)]
    assert placed.tolist() == [at for at, layer in enumerate(slow) if layer]
    for begin, end in pairwise(starts):
        row = placed[begin:end]
        cost = fast[chosen[row[0]]][2]
        for one, other in pairwise(row):
            way = way_between(town, fast[chosen[one]], fast[chosen[other]], HOW["noise"], HOW["turn"])
            cost += fast[chosen[other]][2] + abs(way - math.dist(points[one], points[other])) / HOW["beta"]
        assert cost == pytest.approx(cheapest(town, [tuple(points[at]) for at in row], **HOW))
        if end < len(placed):
            longer = [tuple(points[at]) for at in placed[begin : end + 1]]
            assert cheapest(town, longer, **HOW) == math.inf, "a new way begins only where none leads on"


def test_near_roads_by_looking_at_all() -> None:
    rng = np.random.default_rng(4)
    town = random_map(60, 4.0, rng)
    points = rng.uniform(-3_000, 45_000, (80, 2))
    x, y = (np.ascontiguousarray(column) for column in town.points.T)
    px, py = (np.ascontiguousarray(column) for column in points.T)
    for size in (900.0, 20_000.0):
        grid = road_grid(x, y, town.ends, size)
        counts, roads, _, gaps = near_roads(px, py, x, y, town.ends, grid, 4_000.0, 3)
        for at, point in enumerate(points):
            near = states(town, *point, 4_000.0, 3, 1.0)[::2]
            assert counts[at] == len(near)
            assert [2 * road for road in roads[at, : counts[at]]] == [way for way, _, _ in near]
            assert gaps[at, : counts[at]] == pytest.approx([math.sqrt(2 * cost) for _, _, cost in near])


# ---- known roads


def shares_right(true: RoadTrajectories, found: RoadTrajectories) -> tuple[float, float]:
    """Of the length of roads found, the share that was driven; of the length driven, the share that was found."""
    length = dict(zip(true.network.roads, true.network.lengths.tolist(), strict=True))
    both = got = want = 0.0
    pieces: dict[str, Counter[str]] = {}
    for name, row in zip(found.ids, found.to_lists(), strict=True):
        pieces.setdefault(name.partition("/")[0], Counter()).update(row)
    for name, row in zip(true.ids, true.to_lists(), strict=True):
        driven, matched = Counter(row), pieces.get(name, Counter())
        for total, roads in (("both", driven & matched), ("got", matched), ("want", driven)):
            metres = sum(length[road[:-1]] * count for road, count in roads.items())
            both, got, want = (
                both + metres * (total == "both"),
                got + metres * (total == "got"),
                want + metres * (total == "want"),
            )
    return both / got, both / want


@pytest.mark.parametrize("divisor", [20.0, 60.0])
def test_roads_of_generated_trips_come_back_through_noise(divisor: float) -> None:
    town = City(nodes=300, objects=60, object_classes=3, speed_divisor=divisor, time_units=30)
    true, gps = town.roads(seed=11), town.positions(seed=11)
    noise = np.random.default_rng(11).normal(0.0, 10.0, gps.where.shape)
    done = MapMatching().apply(replace(gps, where=gps.where + noise, network=true.network))
    precision, recall = shares_right(true, done.data)
    assert precision > 0.95
    assert recall > 0.9, "what is missing is mostly a last road that was just entered"
    exact = MapMatching(error_m=1.0).apply(replace(gps, network=true.network))
    assert min(shares_right(true, exact.data)) > 0.97


def test_the_order_of_tracks_does_not_matter() -> None:
    town = City(nodes=300, objects=20, speed_divisor=40, time_units=20)
    gps, streets = town.positions(seed=2), town.streets(seed=2)
    frame = gps.to_polars().with_columns(pl.col("trajectory").cast(pl.String))
    turned = pl.concat(reversed(frame.partition_by("trajectory", maintain_order=True)))
    one, two = (
        MapMatching().apply(Positions.from_frame(rows, network=streets)).data.to_polars().sort("trajectory", "time")
        for rows in (frame, turned)
    )
    assert one.equals(two)
