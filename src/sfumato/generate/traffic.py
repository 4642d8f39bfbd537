"""Simulated traffic: objects appear on a road network, drive to a destination by the fastest route, and disappear."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sfumato.data.roads.network import Network
from sfumato.generate.driven_roads import Driven
from sfumato.generate.streets import class_speeds, compiled, road_classes
from sfumato.generate.trips import Trips
from sfumato.kernels.roads.routes import search_buffers
from sfumato.kernels.roads.traffic import Cars, Steps, advance, plan, splice

__all__ = ["Reports", "drive"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SHORTEST = 3  # roads in a route; shorter routes are drawn again,
TRIES = 20  # at most this often: a small map may have no longer routes
PATIENCE = 10  # time units before an object may plan its route again
CHANCE = 1 / 200  # probability of that in a time unit; ten times that on a congested road
SLOWER = 2.0  # a road is congested where an object is this many times slower than planned


@dataclass(frozen=True)
class Reports:
    """The reports of all objects, object by object in time order, and the roads that they entered."""

    objects: Ints
    times: Floats
    x: Floats
    y: Floats
    driven: Driven


def drive(
    network: Network,
    *,
    appear: Ints,
    trips: Trips,
    object_classes: int,
    speed_divisor: float,
    time_units: int,
    rng: np.random.Generator,
) -> Reports:
    """Move objects from time 0 to `time_units`; object o appears at time ``appear[o]``, which never falls.

    Every object is reported when it appears, then at every time unit, then when it arrives.
    """
    traffic = _Traffic(network, speed_divisor)
    top: Floats = traffic.fastest * np.exp2(-_classes(object_classes, len(appear), rng).astype(np.float64))
    starts, targets = trips.draw(len(appear), rng)
    begins = np.searchsorted(appear, np.arange(time_units + 2))
    for time in range(time_units + 1):
        traffic.move(time, rng)
        departing = np.arange(begins[time], begins[time + 1])
        for shortest in (*repeat(SHORTEST, TRIES), 1):
            departing = departing[
                traffic.depart(time, departing, top[departing], starts[departing], targets[departing], shortest)
            ]
            if len(departing) == 0:
                break
            starts[departing], targets[departing] = trips.draw(len(departing), rng)
    return traffic.reports()


def _classes(classes: int, objects: int, rng: np.random.Generator) -> Ints:
    """The class of each object: half are in class 0, half of the rest in class 1, ..., and the last two are equal."""
    return np.searchsorted(np.cumsum(0.5 ** np.arange(1, classes)), rng.random(objects), side="right")


class _Batch(NamedTuple):
    """Reports of one time unit: objects, times and coordinates."""

    objects: Ints
    times: Floats
    x: Floats
    y: Floats


class _Traffic:
    """The objects on the way."""

    def __init__(self, network: Network, speed_divisor: float) -> None:
        classes = road_classes(network)
        self._city = compiled(network, class_speeds(network, classes, speed_divisor), classes)
        self.fastest = float(class_speeds(network, np.zeros(1, dtype=np.int64), speed_divisor)[0])
        self._ends = network.ends
        self._usage = np.zeros(len(network.roads), dtype=np.int64)
        self._buffers = search_buffers(len(network), 2 * len(network.roads))
        self._searches = 1
        whole, broken, short = np.empty(0, dtype=np.int64), np.empty(0), np.empty(0, dtype=np.int32)
        self._steps = Steps(road=short, to=short, speed=broken)
        self._cars = Cars(top=broken, first=whole, at=whole, end=whole, done=broken, planned=whole)
        self._objects = whole
        self._reports = [_Batch(whole, broken, broken, broken)]
        self._driven: list[Driven] = []

    def move(self, time: int, rng: np.random.Generator) -> None:
        """Move and report all objects for one time unit; remove those that arrive, and plan doubtful routes again."""
        count = len(self._objects)
        when, x, y = np.empty(count), np.empty(count), np.empty(count)
        arrived, doubtful = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        entered = np.empty(len(self._steps.road))
        advance(
            time, self._city, self._usage, self._steps, self._cars, self._ends, rng.random(count),
            PATIENCE, SLOWER, CHANCE, when, x, y, arrived, doubtful, entered,
        )  # fmt: skip
        self._enter(arrived, entered)
        self._reports.append(_Batch(self._objects, when, x, y))
        self._keep(time, np.flatnonzero(~arrived), doubtful)

    def _enter(self, arrived: Flags, entered: Floats) -> None:
        """Record the roads entered in this time unit: the steps after the first one."""
        cars = self._cars
        count = cars.at - arrived - cars.first
        step = np.repeat(cars.first + 1 - (np.cumsum(count) - count), count) + np.arange(count.sum())
        self._record(np.repeat(self._objects, count), step, entered[step])

    def _record(self, objects: Ints, step: Ints, times: Floats) -> None:
        roads, to = (values[step].astype(np.int64) for values in (self._steps.road, self._steps.to))
        self._driven.append(Driven(objects, roads, to, times))

    def _keep(self, time: int, rows: Ints, doubtful: Flags) -> None:
        """Keep these objects and their remaining steps; doubtful ones plan a new route from the end of their road."""
        self._objects = self._objects[rows]
        cars = Cars(*(values[rows] for values in self._cars))
        doubtful_rows = np.flatnonzero(doubtful[rows] & (cars.at + 1 < cars.end))
        source, target = self._steps.to[cars.at[doubtful_rows]], self._steps.to[cars.end[doubtful_rows] - 1]
        offsets, fresh = self._plan(cars.top[doubtful_rows], source, target, shortest=0, enter=False)
        stop, tail = cars.end.copy(), np.full(len(rows), -1)
        stop[doubtful_rows], tail[doubtful_rows] = cars.at[doubtful_rows] + 1, np.arange(len(doubtful_rows))
        cars.planned[doubtful_rows] = time
        starts, *steps = splice(self._steps, cars.first, stop, tail, offsets, fresh)
        self._steps = Steps(*steps)
        self._cars = cars._replace(first=starts[:-1], at=starts[:-1] + cars.at - cars.first, end=starts[1:])

    def depart(self, time: int, objects: Ints, top: Floats, starts: Ints, targets: Ints, shortest: int) -> Flags:
        """Start the objects whose route has at least `shortest` roads; returns which objects have not started."""
        offsets, fresh = self._plan(top, starts, targets, shortest=shortest, enter=True)
        lengths = np.diff(offsets)
        has_route = lengths >= shortest
        end = len(self._steps.road) + np.cumsum(lengths[has_route])
        begin = end - lengths[has_route]
        count = len(begin)
        new = Cars(top[has_route], begin, begin, end, np.zeros(count), np.full(count, time))
        is_used = np.repeat(has_route, lengths)
        self._steps = Steps(*map(np.append, self._steps, (values[is_used] for values in fresh)))
        self._cars = Cars(*map(np.append, self._cars, new))
        self._objects = np.append(self._objects, objects[has_route])
        self._record(objects[has_route], begin, np.full(count, float(time)))
        node = starts[has_route]
        self._reports.append(
            _Batch(objects[has_route], np.full(count, float(time)), self._city.x[node], self._city.y[node])
        )
        return ~has_route

    def _plan(self, top: Floats, starts: Ints, targets: Ints, *, shortest: int, enter: bool) -> tuple[Ints, Any]:
        offsets, *steps = plan(
            self._city, self._usage, top, starts.astype(np.int64), targets.astype(np.int64), shortest, enter,
            self._buffers, self._searches,
        )  # fmt: skip
        self._searches += len(starts)
        return offsets, Steps(*steps)

    def reports(self) -> Reports:
        objects, times, x, y = (np.concatenate(parts) for parts in zip(*self._reports, strict=True))
        order = np.argsort(objects, kind="stable")
        driven = Driven(*(np.concatenate(parts) for parts in zip(*self._driven, strict=True)))
        return Reports(objects[order], times[order], x[order], y[order], driven)
