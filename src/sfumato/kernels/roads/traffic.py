"""Simulated vehicles: planning their routes, moving them for one time unit, and joining old and new routes."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.roads.routes import fastest_route, speed_on

__all__ = ["Cars", "Steps", "advance", "plan", "splice"]


class Steps(NamedTuple):
    """The steps of routes, one route after the other."""

    road: Any  # int32[...]
    to: Any  # int32[...]: the node at the far end of the road
    speed: Any  # float64[...]: the speed expected on the road when the route was planned


class Cars(NamedTuple):
    """Vehicles under way, one entry a vehicle; positions are those of its route in the steps."""

    top: Any  # float64[n]: own highest speed
    first: Any  # int64[n]: position at the beginning of the last time unit
    at: Any  # int64[n]: position now
    end: Any  # int64[n]: one behind the last position
    done: Any  # float64[n]: distance covered on the present road
    planned: Any  # int64[n]: the time unit of the last plan


@njit(cache=True)
def plan(city, usage, top, sources, targets, shortest, enter, buffers, search):
    """The fastest route of each vehicle at the present use of the roads.

    enter : whether vehicles whose route has at least `shortest` steps start now, which uses their first road.
    Returns offsets int64[n + 1] and the steps; a target that cannot be reached gives no steps.
    """
    offsets = np.zeros(len(sources) + 1, dtype=np.int64)
    road, to, speed = np.empty(256, np.int32), np.empty(256, np.int32), np.empty(256)
    for number in range(len(sources)):
        start = offsets[number]
        offsets[number + 1] = start
        if fastest_route(city, usage, top[number], sources[number], targets[number], buffers, search + number) == 0:
            continue
        count, node = 0, targets[number]
        while node != sources[number]:
            node = buffers.before[node]
            count += 1
        end = start + count
        if end > len(road):
            more = max(end, 2 * len(road)) - len(road)
            road = np.concatenate((road, np.empty(more, np.int32)))
            to = np.concatenate((to, np.empty(more, np.int32)))
            speed = np.concatenate((speed, np.empty(more)))
        node = targets[number]
        for position in range(end - 1, start - 1, -1):
            road[position], to[position] = city.roads[buffers.by[node]], node
            speed[position] = speed_on(city, usage, road[position], top[number])
            node = buffers.before[node]
        offsets[number + 1] = end
        if enter and count >= shortest:
            usage[road[start]] += 1
    total = offsets[-1]
    return offsets, road[:total], to[:total], speed[:total]


@njit(cache=True)
def advance(
    time, city, usage, steps, cars, ends, luck, patience, slower, chance, when, x, y, arrived, doubtful, entered
):
    """Move every vehicle for one time unit that ends at `time`.

    ends : int32[m, 2], the nodes of each road.  luck : float64[n] in [0, 1): a vehicle plans again where its luck is
    below `chance` times 10 and it entered a road at most 1 / `slower` as fast as planned, or below `chance` anyhow,
    both only `patience` time units after its last plan.
    Writes when, x, y (one report each), arrived and doubtful, bool[n], and the time when each step was entered, float64
    for each of the steps; usage and cars change.
    """
    for car in range(len(cars.top)):
        for step in range(cars.first[car], cars.at[car]):  # roads left in the last time unit
            usage[steps.road[step]] -= 1
        cars.first[car] = cars.at[car]
        may_doubt = time - cars.planned[car] >= patience
        doubtful[car] = may_doubt and luck[car] < chance
        left = 1.0
        while True:
            step = cars.at[car]
            road = steps.road[step]
            speed = speed_on(city, usage, road, cars.top[car])
            to_go = city.lengths[road] - cars.done[car]
            if left * speed < to_go:
                cars.done[car] += left * speed
                share = cars.done[car] / city.lengths[road]
                far = steps.to[step]
                near = ends[road, 0] + ends[road, 1] - far
                x[car] = city.x[near] + (city.x[far] - city.x[near]) * share
                y[car] = city.y[near] + (city.y[far] - city.y[near]) * share
                when[car], arrived[car] = time, False
                break
            left -= to_go / speed
            cars.done[car] = 0.0
            cars.at[car] = step + 1
            if step + 1 == cars.end[car]:
                x[car], y[car] = city.x[steps.to[step]], city.y[steps.to[step]]
                when[car], arrived[car] = time - max(0.0, left), True
                for passed in range(cars.first[car], cars.end[car]):
                    usage[steps.road[passed]] -= 1
                break
            entered[step + 1] = time - max(0.0, left)
            following = steps.road[step + 1]
            usage[following] += 1
            crawling = speed_on(city, usage, following, cars.top[car]) * slower <= steps.speed[step + 1]
            doubtful[car] |= may_doubt and crawling and luck[car] < 10.0 * chance


@njit(cache=True)
def splice(steps, begin, stop, tail, offsets, fresh):
    """Join for each vehicle its old steps from begin to stop and its newly planned route, number tail (-1: none).

    Returns where each vehicle's steps begin, int64[n + 1], and the steps.
    """
    starts = np.zeros(len(begin) + 1, dtype=np.int64)
    for car in range(len(begin)):
        planned = offsets[tail[car] + 1] - offsets[tail[car]] if tail[car] >= 0 else 0
        starts[car + 1] = starts[car] + stop[car] - begin[car] + planned
    road, to, speed = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.int32), np.empty(starts[-1])
    for car in range(len(begin)):
        position, kept = starts[car], stop[car] - begin[car]
        road[position : position + kept] = steps.road[begin[car] : stop[car]]
        to[position : position + kept] = steps.to[begin[car] : stop[car]]
        speed[position : position + kept] = steps.speed[begin[car] : stop[car]]
        if tail[car] >= 0:
            first, end = offsets[tail[car]], offsets[tail[car] + 1]
            road[position + kept : starts[car + 1]] = fresh.road[first:end]
            to[position + kept : starts[car + 1]] = fresh.to[first:end]
            speed[position + kept : starts[car + 1]] = fresh.speed[first:end]
    return starts, road, to, speed
