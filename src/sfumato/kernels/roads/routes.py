"""Fastest routes on a road network whose roads slow down when they are crowded.

Dijkstra's algorithm, directed at its goal: what is still to go is at least the straight line at the highest speed, so
that most of the map need not be looked at and the route is still the fastest (A* with a consistent bound).
"""

from collections import namedtuple

import numpy as np
from numba import njit

__all__ = ["Desk", "Roads", "desk", "fastest_route", "pop", "push", "route_use", "speed_on"]

# offsets: int64[n + 1] into neighbours and roads, int32[2 m]: the node and the road at the other side of each step.
# lengths, speeds: float64[m].  capacities: int64[m].  x, y: float64[n].  fastest: the highest of the speeds.
Roads = namedtuple("Roads", "offsets neighbours roads lengths speeds capacities x y fastest")

# Room to work in: one number a node, valid where `seen` (or `closed`) holds the number of the present search.
Desk = namedtuple("Desk", "cost before by seen closed order keys items")


def desk(nodes: int, roads: int) -> Desk:
    """Room for searches on a network of this size."""
    return Desk(
        cost=np.empty(nodes),
        before=np.empty(nodes, dtype=np.int64),
        by=np.empty(nodes, dtype=np.int64),
        seen=np.zeros(nodes, dtype=np.int64),
        closed=np.zeros(nodes, dtype=np.int64),
        order=np.empty(nodes, dtype=np.int64),
        keys=np.empty(2 * roads + 1),
        items=np.empty(2 * roads + 1, dtype=np.int64),
    )


@njit(cache=True)
def speed_on(city, usage, road, top):
    """The speed of an object on a road: half above the road's capacity, a quarter above twice its capacity."""
    speed = city.speeds[road]
    if usage[road] > 2 * city.capacities[road]:
        speed /= 4.0
    elif usage[road] > city.capacities[road]:
        speed /= 2.0
    return min(speed, top)


@njit(cache=True)
def push(keys, items, size, key, item):
    """Put an item into a heap of this size, smallest key first; the heap grows to size + 1."""
    at = size
    while at > 0 and keys[(at - 1) // 2] > key:
        keys[at], items[at] = keys[(at - 1) // 2], items[(at - 1) // 2]
        at = (at - 1) // 2
    keys[at], items[at] = key, item


@njit(cache=True)
def pop(keys, items, size):
    """The item with the smallest key; the heap shrinks to size - 1."""
    first, key, item = items[0], keys[size - 1], items[size - 1]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size - 1:
            break
        if child + 1 < size - 1 and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[at], items[at] = keys[child], items[child]
        at = child
    keys[at], items[at] = key, item
    return first


@njit(cache=True)
def fastest_route(city, usage, top, source, target, room, search):
    """Search from source until target is reached (-1: until everything is).

    usage : int64[m], objects on each road.  top : the object's own highest speed.  search : a number never used before
    with this desk.  Afterwards room.before and room.by lead back from the target, node by node and step by step, and
    room.order holds the settled nodes.  Returns how many were settled, or 0 where the target cannot be reached.
    """
    reach = min(top, city.fastest)
    goal_x, goal_y = (city.x[target], city.y[target]) if target >= 0 else (0.0, 0.0)
    room.cost[source], room.seen[source], room.before[source] = 0.0, search, -1
    room.keys[0], room.items[0] = 0.0, source
    size, settled = 1, 0
    while size > 0:
        node = pop(room.keys, room.items, size)
        size -= 1
        if room.closed[node] == search:
            continue
        room.closed[node] = search
        room.order[settled] = node
        settled += 1
        if node == target:
            return settled
        for step in range(city.offsets[node], city.offsets[node + 1]):
            other, road = city.neighbours[step], city.roads[step]
            cost = room.cost[node] + city.lengths[road] / speed_on(city, usage, road, top)
            if room.closed[other] == search or (room.seen[other] == search and room.cost[other] <= cost):
                continue
            room.cost[other], room.seen[other] = cost, search
            room.before[other], room.by[other] = node, step
            to_go = np.hypot(city.x[other] - goal_x, city.y[other] - goal_y) / reach if target >= 0 else 0.0
            push(room.keys, room.items, size, cost + to_go, other)
            size += 1
    return settled if target < 0 else 0


@njit(cache=True)
def route_use(city, sources, room):
    """How many fastest routes from the sources to everywhere lead over each road.  Returns int64[m]."""
    use = np.zeros(len(city.lengths), dtype=np.int64)
    nobody = np.zeros(len(city.lengths), dtype=np.int64)
    behind = np.empty(len(city.x), dtype=np.int64)  # how many nodes are reached by way of a node
    for search in range(len(sources)):
        settled = fastest_route(city, nobody, np.inf, sources[search], -1, room, search + 1)
        for at in range(settled):
            behind[room.order[at]] = 1
        for at in range(settled - 1, 0, -1):
            node = room.order[at]
            behind[room.before[node]] += behind[node]
            use[city.roads[room.by[node]]] += behind[node]
    return use
