"""Traffic on roads small enough to drive by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from sfumato.data import Network
from sfumato.generate import traffic
from sfumato.generate.streets import streets
from sfumato.generate.traffic import drive
from sfumato.generate.trips import Trips


@dataclass
class Fixed:
    """Everybody drives from one node to another."""

    start: int
    target: int

    def draw(self, count, rng):  # noqa: ARG002
        return np.full(count, self.start), np.full(count, self.target)


def road(points: list[tuple[float, float]], ends: list[tuple[int, int]], classes: list[int]) -> Network:
    names = [pl.Series([str(number) for number in range(count)]) for count in (len(points), len(ends))]
    return Network(names[0], np.array(points, dtype=float), names[1], np.array(ends), np.array(classes))


LINE = road([(0, 0), (10, 0), (20, 0), (30, 0)], [(0, 1), (1, 2), (2, 3)], [0, 0, 0])


def driven(network: Network, trips, appear: list[int], *, time_units=20, divisor=10.0, classes=1):
    return drive(
        network,
        appear=np.array(appear),
        trips=trips,
        object_classes=classes,
        speed_divisor=divisor,
        time_units=time_units,
        rng=np.random.default_rng(1),
    )


def test_one_object_on_a_straight_road() -> None:
    """30 long, at width + height over 10 = 3 a time unit: ten time units."""
    reports = driven(LINE, Fixed(0, 3), [2])
    assert reports.times == pytest.approx(np.arange(2, 13))
    assert reports.x == pytest.approx(3 * np.arange(11))
    assert reports.y.tolist() == [0] * 11
    assert driven(LINE, Fixed(3, 0), [0]).x == pytest.approx(30 - 3 * np.arange(11))


def test_arrival_between_two_time_units() -> None:
    reports = driven(LINE, Fixed(0, 3), [0], divisor=8.0)  # 3.75 a time unit
    assert reports.times == pytest.approx([0, 1, 2, 3, 4, 5, 6, 7, 8])
    reports = driven(LINE, Fixed(0, 3), [0], divisor=7.5)  # 4 a time unit: 7.5 time units
    assert reports.times[-2:] == pytest.approx([7, 7.5])
    assert reports.x[-2:] == pytest.approx([28, 30])


def test_slow_roads_slow_down() -> None:
    slow = road([(0, 0), (10, 0), (20, 0), (30, 0)], [(0, 1), (1, 2), (2, 3)], [0, 1, 0])
    reports = driven(slow, Fixed(0, 3), [0])
    # 10/3 time units at 3, 10/2 at 2, 10/3 at 3
    assert reports.times[-1] == pytest.approx(10 / 3 + 5 + 10 / 3)
    assert reports.x[5] == pytest.approx(10 + 2 * (5 - 10 / 3))


@pytest.mark.parametrize(("objects", "pace"), [(5, 3.0), (6, 1.5), (10, 1.5), (11, 0.75)])
def test_crowded_roads_slow_down(objects: int, pace: float) -> None:
    """The capacity of class 0 is five: above it half the speed, above twice that a quarter."""
    reports = driven(LINE, Fixed(0, 3), [0] * objects, time_units=1)
    assert reports.x[1::2] == pytest.approx(np.full(objects, pace))


def test_objects_still_under_way_at_the_end_are_left_there() -> None:
    reports = driven(LINE, Fixed(0, 3), [0, 4], time_units=4)
    assert reports.objects.tolist() == [0, 0, 0, 0, 0, 1]
    assert reports.x.tolist() == [0, 3, 6, 9, 12, 0]


def test_the_route_is_the_fastest_not_the_shortest() -> None:
    """Straight on over slow roads, or around over fast ones."""
    points = [(0, 0), (10, 0), (20, 0), (30, 0), (0, 6), (15, 6), (30, 6)]
    ends = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (6, 3)]
    around = driven(road(points, ends, [4, 4, 4, 0, 0, 0, 0]), Fixed(0, 3), [0])
    assert around.y.max() == 6
    straight = driven(road(points, ends, [0] * 7), Fixed(0, 3), [0])
    assert straight.y.max() == 0


def test_classes_of_objects() -> None:
    """The fastest are half of all and drive as fast as the fastest road; each further class has half and half."""
    town = streets(200, 2.5, np.random.default_rng(1))
    classes = traffic._classes(4, 40_000, np.random.default_rng(1))
    assert np.bincount(classes) / 40_000 == pytest.approx([0.5, 0.25, 0.125, 0.125], abs=0.01)
    assert traffic._classes(1, 10, np.random.default_rng(1)).tolist() == [0] * 10
    reports = driven(town, Trips(town, "network", 0.3), [0] * 300, classes=4, time_units=10)
    pace = np.hypot(np.diff(reports.x), np.diff(reports.y))[np.diff(reports.objects) == 0]
    assert pace.max() <= np.ptp(town.points, axis=0).sum() / 10 + 1e-9


def test_a_village_without_long_routes_has_traffic_all_the_same() -> None:
    pair = road([(0, 0), (10, 0)], [(0, 1)], [0])
    reports = driven(pair, Trips(pair, "network", 0.2), [0] * 20)
    assert np.unique(reports.objects).tolist() == list(range(20))


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_everybody_arrives_and_the_roads_are_free_again(monkeypatch: pytest.MonkeyPatch, chance: float) -> None:
    """Also if everybody thinks its route over at every time unit."""
    monkeypatch.setattr(traffic, "CHANCE", chance)
    monkeypatch.setattr(traffic, "PATIENCE", 1)
    made = []
    monkeypatch.setattr(traffic, "_Traffic", lambda *args, kind=traffic._Traffic: made.append(kind(*args)) or made[0])
    town = streets(150, 2.6, np.random.default_rng(2))
    drawn = []

    class Noted(Trips):
        def draw(self, count, rng):
            found = super().draw(count, rng)
            drawn.append(found)
            return found

    reports = driven(town, Noted(town, "network", 0.3), sorted([0, 1, 2, 3] * 50), divisor=20.0, time_units=3000)
    assert not made[0]._usage.any()
    last = np.flatnonzero(np.append(np.diff(reports.objects), 1))
    where = np.column_stack((reports.x[last], reports.y[last]))
    targets = {tuple(point) for _, found in drawn for point in town.points[found].tolist()}
    assert all(tuple(point) in targets for point in where.tolist())
    assert np.all(np.diff(reports.times)[np.diff(reports.objects) == 0] >= 0)


def test_thinking_again_leads_around_a_jam(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty objects crawl along a narrow road; one that follows them far behind takes the way around, if it may."""
    points = [(0, 0), (4, 0), (8, 0), (50, 0), (58, 0), (8, 5), (50, 5)]
    town = road(points, [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (5, 6), (6, 3)], [0, 0, 0, 0, 1, 0, 1])

    def highest(chance: float) -> float:
        monkeypatch.setattr(traffic, "CHANCE", chance)
        monkeypatch.setattr(traffic, "PATIENCE", 1)
        return float(driven(town, Fixed(0, 4), [0] * 20, divisor=30.0, time_units=200).y.max())

    assert highest(0.0) == 0
    assert highest(1.0) == 5
