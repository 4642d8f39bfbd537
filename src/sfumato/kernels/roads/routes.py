"""Fastest routes on a road network whose roads slow down under traffic (A* search), and the buffers of a search.

A* is Dijkstra's algorithm with a lower bound on the rest of the way: the straight line at the highest speed.  The route
is still the fastest, and most of the map is never read.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["Roads", "SearchBuffers", "fastest_route", "pop", "push", "route_use", "search_buffers", "speed_on"]


class Roads(NamedTuple):
    """A road network with n nodes and m roads; each road is a step at both of its ends."""

    offsets: Any  # int64[n + 1]: where the steps of each node begin
    neighbours: Any  # int32[2 m]: the node at the other end of each step
    roads: Any  # int32[2 m]: the road of each step
    lengths: Any  # float64[m]
    speeds: Any  # float64[m]
    capacities: Any  # int64[m]
    x: Any  # float64[n]
    y: Any  # float64[n]
    fastest: Any  # float: the highest of the speeds


class SearchBuffers(NamedTuple):
    """Arrays that shortest-path searches use again and again, one entry a node.

    An entry belongs to the present search where `seen`, `closed` or `wanted` holds the number of that search.
    """

    cost: Any  # float64[nodes]: from the source
    before: Any  # int64[nodes]: the previous node of the path, -1 at the source
    by: Any  # int64[nodes]: the step or directed road that leads to the node
    seen: Any  # int64[nodes]: the search that last reached the node
    closed: Any  # int64[nodes]: the search that last settled the node
    wanted: Any  # int64[nodes]: the search that last looked for the node
    order: Any  # int64[nodes]: the nodes in the order in which they were settled
    keys: Any  # float64[steps + 1]: a heap of costs
    items: Any  # int64[steps + 1]: the node beside each cost


def search_buffers(nodes: int, steps: int) -> SearchBuffers:
    """Buffers for searches on a network with so many nodes and steps."""
    return SearchBuffers(
        cost=np.empty(nodes),
        before=np.empty(nodes, dtype=np.int64),
        by=np.empty(nodes, dtype=np.int64),
        seen=np.zeros(nodes, dtype=np.int64),
        closed=np.zeros(nodes, dtype=np.int64),
        wanted=np.zeros(nodes, dtype=np.int64),
        order=np.empty(nodes, dtype=np.int64),
        keys=np.empty(steps + 1),
        items=np.empty(steps + 1, dtype=np.int64),
    )


@njit(cache=True)
def speed_on(city, usage, road, top):
    """The speed of a vehicle on a road: half above the road's capacity, a quarter above twice its capacity."""
    speed = city.speeds[road]
    if usage[road] > 2 * city.capacities[road]:
        speed /= 4.0
    elif usage[road] > city.capacities[road]:
        speed /= 2.0
    return min(speed, top)


@njit(cache=True)
def push(keys, items, size, key, item):
    """Put an item into a heap of this size, smallest key first; the heap grows to size + 1."""
    position = size
    while position > 0 and keys[(position - 1) // 2] > key:
        keys[position], items[position] = keys[(position - 1) // 2], items[(position - 1) // 2]
        position = (position - 1) // 2
    keys[position], items[position] = key, item


@njit(cache=True)
def pop(keys, items, size):
    """The item with the smallest key; the heap shrinks to size - 1."""
    first, key, item = items[0], keys[size - 1], items[size - 1]
    position = 0
    while True:
        child = 2 * position + 1
        if child >= size - 1:
            break
        if child + 1 < size - 1 and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[position], items[position] = keys[child], items[child]
        position = child
    keys[position], items[position] = key, item
    return first


@njit(cache=True)
def fastest_route(city, usage, top, source, target, buffers, search):
    """Find the fastest route from source to target (-1: to every node).

    usage : int64[m], vehicles on each road.  top : the vehicle's own highest speed.  search : a number that is
    new to these buffers.  Afterwards buffers.before and buffers.by lead back from the target, node by node and step by
    step, and buffers.order holds the settled nodes.  Returns how many nodes were settled, or 0 where no route exists.
    """
    reach = min(top, city.fastest)
    goal_x, goal_y = (city.x[target], city.y[target]) if target >= 0 else (0.0, 0.0)
    buffers.cost[source], buffers.seen[source], buffers.before[source] = 0.0, search, -1
    buffers.keys[0], buffers.items[0] = 0.0, source
    size, settled = 1, 0
    while size > 0:
        node = pop(buffers.keys, buffers.items, size)
        size -= 1
        if buffers.closed[node] == search:
            continue
        buffers.closed[node] = search
        buffers.order[settled] = node
        settled += 1
        if node == target:
            return settled
        for step in range(city.offsets[node], city.offsets[node + 1]):
            other, road = city.neighbours[step], city.roads[step]
            cost = buffers.cost[node] + city.lengths[road] / speed_on(city, usage, road, top)
            if buffers.closed[other] == search or (buffers.seen[other] == search and buffers.cost[other] <= cost):
                continue
            buffers.cost[other], buffers.seen[other] = cost, search
            buffers.before[other], buffers.by[other] = node, step
            to_go = np.hypot(city.x[other] - goal_x, city.y[other] - goal_y) / reach if target >= 0 else 0.0
            push(buffers.keys, buffers.items, size, cost + to_go, other)
            size += 1
    return settled if target < 0 else 0


@njit(cache=True)
def route_use(city, sources, buffers):
    """Count the fastest routes from the sources to all nodes that lead over each road.  Returns int64[m]."""
    use = np.zeros(len(city.lengths), dtype=np.int64)
    no_traffic = np.zeros(len(city.lengths), dtype=np.int64)
    behind = np.empty(len(city.x), dtype=np.int64)  # how many nodes are reached by way of a node
    for search in range(len(sources)):
        settled = fastest_route(city, no_traffic, np.inf, sources[search], -1, buffers, search + 1)
        for position in range(settled):
            behind[buffers.order[position]] = 1
        for position in range(settled - 1, 0, -1):
            node = buffers.order[position]
            behind[buffers.before[node]] += behind[node]
            use[city.roads[buffers.by[node]]] += behind[node]
    return use
