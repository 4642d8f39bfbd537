"""Trips: where they start, how long they are."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import polars as pl
import pytest

from sfumato.data import Network
from sfumato.generate.streets import streets
from sfumato.generate.trips import Trips


def slow_trip(points: list[tuple[float, float]], length: float, random: Random) -> tuple[int, int]:
    """The published rule, object by object: the first of 51 destinations within a tenth, or else the best of them."""
    start = random.randrange(len(points))
    wide, high = (max(axis) - min(axis) for axis in zip(*points, strict=True))
    wanted = abs(random.gauss(0, 1)) * length * math.hypot(wide, high)
    best, miss = -1, math.inf
    for _ in range(51):
        node = random.randrange(len(points))
        error = abs(math.dist(points[start], points[node]) - wanted)
        if node != start and error < miss:
            best, miss = node, error
        if miss <= wanted / 10:
            break
    return start, best


@pytest.mark.parametrize("length", [0.05, 0.2, 0.6])
def test_trips_are_as_long_as_by_the_slow_rule(length: float) -> None:
    town = streets(800, 2.3, np.random.default_rng(1))
    start, target = Trips(town, "network", length).draw(2000, np.random.default_rng(2))
    away = np.hypot(*(town.points[start] - town.points[target]).T)
    points, random = [tuple(point) for point in town.points.tolist()], Random(3)
    slow = np.array([math.dist(*(points[node] for node in slow_trip(points, length, random))) for _ in range(2000)])
    assert away.mean() == pytest.approx(slow.mean(), rel=0.06)
    assert np.quantile(away, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(slow, [0.1, 0.5, 0.9]), rel=0.12)
    assert (start != target).all()


def crowded() -> Network:
    """Ninety nodes in one corner, ten spread along a line to the opposite corner."""
    corner = np.random.default_rng(1).random((90, 2))
    line = np.linspace(2, 100, 10)[:, None].repeat(2, axis=1)
    names = pl.Series([str(number) for number in range(100)])
    return Network(names, np.vstack((corner, line)), pl.Series(["r"]), np.array([[0, 1]]))


def test_starts_by_node_are_where_the_nodes_are_and_starts_by_space_are_everywhere() -> None:
    town, rng = crowded(), np.random.default_rng(1)
    by_node, _ = Trips(town, "network", 0.2).draw(5000, rng)
    by_space, _ = Trips(town, "space", 0.2).draw(5000, rng)
    assert (by_node < 90).mean() == pytest.approx(0.9, abs=0.02)
    assert (by_space < 90).mean() < 0.02


def test_nobody_stays_at_home() -> None:
    pair = Network(pl.Series(["a", "b"]), np.array([[0.0, 0], [1, 0]]), pl.Series(["r"]), np.array([[0, 1]]))
    start, target = Trips(pair, "network", 1e-9).draw(500, np.random.default_rng(1))
    assert (start + target == 1).all()
