"""Traffic: objects that appear on a road network, drive to a destination by the fastest route, and disappear."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import Any

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

SHORTEST = 3  # roads in a route; shorter ones are drawn again,
TRIES = 20  # but not for ever: a village may have no longer ones
PATIENCE = 10  # time units before an object thinks its route over
CHANCE = 1 / 200  # of doing so in a time unit; ten times that on a crowded road
SLOWER = 2.0  # a road is crowded where an object expected to be this many times faster


@dataclass(frozen=True)
class Reports:
    """Where each object was: one row a report, object by object, in time order; and the roads that it entered."""

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
        new = np.arange(begins[time], begins[time + 1])
        for shortest in (*repeat(SHORTEST, TRIES), 1):
            new = new[traffic.depart(time, new, top[new], starts[new], targets[new], shortest)]
            if len(new) == 0:
                break
            starts[new], targets[new] = trips.draw(len(new), rng)
    return traffic.reports()


def _classes(classes: int, objects: int, rng: np.random.Generator) -> Ints:
    """Half of the objects are in class 0, half of the rest in class 1, ..., and the last two classes are alike."""
    return np.searchsorted(np.cumsum(0.5 ** np.arange(1, classes)), rng.random(objects), side="right")


class _Traffic:
    """The objects under way."""

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
        self._said: list[tuple[Ints, Floats, Floats, Floats]] = [(whole, broken, broken, broken)]
        self._driven: list[Driven] = []

    def move(self, time: int, rng: np.random.Generator) -> None:
        """One time unit: everybody moves and is reported; who arrives is gone, who doubts its route gets a new one."""
        count = len(self._objects)
        when, x, y = np.empty(count), np.empty(count), np.empty(count)
        arrived, doubtful = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        entered = np.empty(len(self._steps.road))
        advance(
            time, self._city, self._usage, self._steps, self._cars, self._ends, rng.random(count),
            PATIENCE, SLOWER, CHANCE, when, x, y, arrived, doubtful, entered,
        )  # fmt: skip
        self._enter(arrived, entered)
        self._said.append((self._objects, when, x, y))
        self._keep(time, np.flatnonzero(~arrived), doubtful)

    def _enter(self, arrived: Flags, entered: Floats) -> None:
        """Note the roads that were entered in this time unit: the steps after the first one."""
        cars = self._cars
        count = cars.at - arrived - cars.first
        step = np.repeat(cars.first + 1 - (np.cumsum(count) - count), count) + np.arange(count.sum())
        self._note(np.repeat(self._objects, count), step, entered[step])

    def _note(self, objects: Ints, step: Ints, times: Floats) -> None:
        roads, to = (values[step].astype(np.int64) for values in (self._steps.road, self._steps.to))
        self._driven.append(Driven(objects, roads, to, times))

    def _keep(self, time: int, rows: Ints, doubtful: Flags) -> None:
        """These objects alone, with the steps they still need; the doubtful plan anew from the end of their road."""
        self._objects = self._objects[rows]
        cars = Cars(*(values[rows] for values in self._cars))
        asking = np.flatnonzero(doubtful[rows] & (cars.at + 1 < cars.end))
        source, target = self._steps.to[cars.at[asking]], self._steps.to[cars.end[asking] - 1]
        offsets, fresh = self._plan(cars.top[asking], source, target, shortest=0, enter=False)
        stop, tail = cars.end.copy(), np.full(len(rows), -1)
        stop[asking], tail[asking] = cars.at[asking] + 1, np.arange(len(asking))
        cars.planned[asking] = time
        starts, *steps = splice(self._steps, cars.first, stop, tail, offsets, fresh)
        self._steps = Steps(*steps)
        self._cars = cars._replace(first=starts[:-1], at=starts[:-1] + cars.at - cars.first, end=starts[1:])

    def depart(self, time: int, objects: Ints, top: Floats, starts: Ints, targets: Ints, shortest: int) -> Flags:
        """Start the objects whose route has at least `shortest` roads.  Returns which have none."""
        offsets, fresh = self._plan(top, starts, targets, shortest=shortest, enter=True)
        lengths = np.diff(offsets)
        fine = lengths >= shortest
        end = len(self._steps.road) + np.cumsum(lengths[fine])
        begin = end - lengths[fine]
        count = len(begin)
        new = Cars(top[fine], begin, begin, end, np.zeros(count), np.full(count, time))
        kept = np.repeat(fine, lengths)
        self._steps = Steps(*map(np.append, self._steps, (values[kept] for values in fresh)))
        self._cars = Cars(*map(np.append, self._cars, new))
        self._objects = np.append(self._objects, objects[fine])
        self._note(objects[fine], begin, np.full(count, float(time)))
        where = starts[fine]
        self._said.append((objects[fine], np.full(count, float(time)), self._city.x[where], self._city.y[where]))
        return ~fine

    def _plan(self, top: Floats, starts: Ints, targets: Ints, *, shortest: int, enter: bool) -> tuple[Ints, Any]:
        offsets, *steps = plan(
            self._city, self._usage, top, starts.astype(np.int64), targets.astype(np.int64), shortest, enter,
            self._buffers, self._searches,
        )  # fmt: skip
        self._searches += len(starts)
        return offsets, Steps(*steps)

    def reports(self) -> Reports:
        objects, times, x, y = (np.concatenate(parts) for parts in zip(*self._said, strict=True))
        order = np.argsort(objects, kind="stable")
        driven = Driven(*(np.concatenate(parts) for parts in zip(*self._driven, strict=True)))
        return Reports(objects[order], times[order], x[order], y[order], driven)
