"""The most likely way of a vehicle through a road network, given its noisy positions: a hidden Markov model.

A state is a directed road near a position.  It is the likelier, the nearer the road lies; a step from one state to the
next, the less the way along the roads differs from the straight line between the two positions.  Ways are found by
Dijkstra's algorithm from the end of a directed road, never back over the road it came from except in a dead end.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from sfumato.kernels.roads.routes import pop, push

__all__ = ["Net", "Room", "States", "most_likely", "room", "together", "ways"]

# Steps that leave node n: offsets[n] to offsets[n + 1], each over a directed road to a node.  Directed road d is road
# d // 2, in its own direction where d is even; tails, heads: its nodes.  lengths: of the undirected roads.
Net = namedtuple("Net", "offsets directed to tails heads lengths")

# States of position p: offsets[p] to offsets[p + 1].  directed: the road.  along: how far into it.  cost: to be there.
States = namedtuple("States", "offsets directed along cost")

# Room for searches: valid where `seen` (or `closed`) holds the number of the present search.
Room = namedtuple("Room", "cost before by seen closed wanted keys items")


def room(nodes: int, steps: int) -> Room:
    """Room for searches on a network of this size."""
    return Room(
        cost=np.empty(nodes),
        before=np.empty(nodes, dtype=np.int64),
        by=np.empty(nodes, dtype=np.int64),
        seen=np.zeros(nodes, dtype=np.int64),
        closed=np.zeros(nodes, dtype=np.int64),
        wanted=np.zeros(nodes, dtype=np.int64),
        keys=np.empty(steps + 1),
        items=np.empty(steps + 1, dtype=np.int64),
    )


@njit(cache=True)
def together(x, y, times, tracks, near):
    """Positions right after each other as one, their mean, as long as each lies near the mean of those before it.

    Returns x, y, times and tracks of the positions that are left.
    """
    new_x, new_y, new_times = np.empty(len(x)), np.empty(len(x)), np.empty(len(x))
    new_tracks = np.zeros(len(tracks), dtype=np.int64)
    last = -1
    for track in range(len(tracks) - 1):
        members = 0.0
        for point in range(tracks[track], tracks[track + 1]):
            end = point <= tracks[track] + 1 or point == tracks[track + 1] - 1  # both ends stay where they are
            if end or np.hypot(x[point] - new_x[last], y[point] - new_y[last]) > near:
                last, members = last + 1, 1.0
                new_x[last], new_y[last], new_times[last] = x[point], y[point], times[point]
            else:
                members += 1.0
                new_x[last] += (x[point] - new_x[last]) / members
                new_y[last] += (y[point] - new_y[last]) / members
                new_times[last] += (times[point] - new_times[last]) / members
        new_tracks[track + 1] = last + 1
    return new_x[: last + 1], new_y[: last + 1], new_times[: last + 1], new_tracks


@njit(cache=True)
def _search(net, begin, bound, targets, layer, desk, search):
    """Shortest ways from the end of directed road `begin` to as many wanted nodes, or as far as the bound reaches.

    targets : how many nodes have ``desk.wanted == layer``.
    """
    source = net.heads[begin]
    desk.cost[source], desk.seen[source], desk.before[source], desk.by[source] = 0.0, search, -1, -1
    desk.keys[0], desk.items[0] = 0.0, source
    size = 1
    while size > 0 and targets > 0:
        node = pop(desk.keys, desk.items, size)
        size -= 1
        if desk.closed[node] == search:
            continue
        desk.closed[node] = search
        targets -= desk.wanted[node] == layer
        first, stop = net.offsets[node], net.offsets[node + 1]
        for step in range(first, stop):
            road = net.directed[step]
            if node == source and road // 2 == begin // 2 and stop - first > 1:
                continue
            cost = desk.cost[node] + net.lengths[road // 2]
            other = net.to[step]
            if cost > bound or desk.closed[other] == search:
                continue
            if desk.seen[other] == search and desk.cost[other] <= cost:
                continue
            desk.cost[other], desk.seen[other] = cost, search
            desk.before[other], desk.by[other] = node, road
            push(desk.keys, desk.items, size, cost, other)
            size += 1


@njit(cache=True)
def _between(net, one, here, other, there, noise, turn, desk, search):
    """How far it is from a place on directed road `one` to a place on `other`; infinite where no way was found."""
    if one == other and there >= here - noise:
        return max(0.0, there - here)  # backwards within the noise is standing still
    if one // 2 == other // 2 and one != other:
        length = net.lengths[one // 2]
        return turn + abs(length - there - here)
    node = net.tails[other]
    if desk.closed[node] != search:
        return np.inf
    return net.lengths[one // 2] - here + desk.cost[node] + there


@njit(cache=True)
def _layer(net, states, before, point, straight, slack, beta, noise, turn, score, back, desk, search):
    """Extend the best ways from the states of one position to those of the next.  Returns whether any was extended."""
    begin, end = states.offsets[point], states.offsets[point + 1]
    targets = np.int64(0)  # a literal would be compiled for itself
    for state in range(begin, end):
        score[state], back[state] = np.inf, -1
        node = net.tails[states.directed[state]]
        if desk.wanted[node] != search:
            desk.wanted[node] = search
            targets += 1
    reached = False
    for old in range(states.offsets[before], states.offsets[before + 1]):
        if score[old] == np.inf:
            continue
        one = states.directed[old]
        _search(net, one, 2.0 * straight + slack, targets, search, desk, search + old - states.offsets[before])
        for state in range(begin, end):
            way = _between(
                net, one, states.along[old], states.directed[state], states.along[state], noise, turn, desk,
                search + old - states.offsets[before],
            )  # fmt: skip
            if way == np.inf or way > 2.0 * straight + slack:
                continue
            cost = score[old] + states.cost[state] + abs(way - straight) / beta
            if cost < score[state]:
                score[state], back[state] = cost, old
                reached = True
    return reached


@njit(cache=True)
def _trace(states, point, score, back, previous, chosen):
    """Follow the best way back from its last position; writes the state of each position."""
    state = states.offsets[point]
    for other in range(states.offsets[point], states.offsets[point + 1]):
        if score[other] < score[state]:
            state = other
    while True:
        chosen[point] = state
        state, point = back[state], previous[point]
        if state < 0:
            return


@njit(cache=True)
def most_likely(net, x, y, tracks, states, slack, beta, noise, turn, desk):
    """The state of each position on the most likely way of its track (Viterbi).

    x, y : float64[n].  tracks : int64[t + 1], offsets of the tracks.  beta : how much ways differ from straight lines,
    on average.  slack : how much longer than twice the straight line a way may be.  noise : how far back along a road
    is still standing.  turn : what turning round adds to a way.
    Returns chosen int64[n], -1 for a position without states; and begins bool[n], where a new way begins because no way
    leads there, or the track begins.
    """
    chosen = np.full(len(x), -1, dtype=np.int64)
    begins = np.zeros(len(x), dtype=np.bool_)
    score, back = np.empty(len(states.directed)), np.empty(len(states.directed), dtype=np.int64)
    previous = np.full(len(x), -1, dtype=np.int64)
    search = np.int64(1)
    for track in range(len(tracks) - 1):
        last = np.int64(-1)
        for point in range(tracks[track], tracks[track + 1]):
            count = states.offsets[point + 1] - states.offsets[point]
            if count == 0:
                continue
            reached = False
            if last >= 0:
                straight = np.hypot(x[point] - x[last], y[point] - y[last])
                reached = _layer(
                    net, states, last, point, straight, slack, beta, noise, turn, score, back, desk, search
                )
                search += states.offsets[last + 1] - states.offsets[last] + 1
                previous[point] = last
                if not reached:
                    _trace(states, last, score, back, previous, chosen)
            if not reached:
                begins[point] = True
                for state in range(states.offsets[point], states.offsets[point + 1]):
                    score[state], back[state] = states.cost[state], -1
            last = point
        if last >= 0:
            _trace(states, last, score, back, previous, chosen)
    return chosen, begins


@njit(cache=True)
def ways(net, points, states, chosen, begins, times, slack, straight, noise, desk, search):
    """The directed roads of each way and when each was entered, in proportion to the way between two positions.

    points : int64[p], the positions that have a state, in order.  straight : float64[p], how far each lies from the one
    before.  search : a number above all searches that the desk has seen.
    Returns offsets int64[w + 1] of the ways, the directed roads and the times.
    """
    offsets, count = np.zeros(len(points) + 1, dtype=np.int64), 0
    roads, when = np.empty(len(points) + 16, dtype=np.int64), np.empty(len(points) + 16)
    total = 0
    for index in range(len(points)):
        point = points[index]
        state = chosen[point]
        road = states.directed[state]
        if begins[point]:
            offsets[count] = total
            count += 1
            roads, when = _room_for(roads, when, total + 1)
            roads[total], when[total] = road, times[point]
            total += 1
            continue
        old = chosen[points[index - 1]]
        one = states.directed[old]
        if one == road and states.along[state] >= states.along[old] - noise:
            continue
        since, until = times[points[index - 1]], times[point]
        if one // 2 == road // 2 and one != road:
            roads, when = _room_for(roads, when, total + 1)
            roads[total], when[total] = road, until
            total += 1
            continue
        node = net.tails[road]
        desk.wanted[node] = search
        _search(net, one, 2.0 * straight[index] + slack, np.int64(1), search, desk, search)
        search += 1
        steps, at = 1, node
        while desk.before[at] >= 0:
            steps, at = steps + 1, desk.before[at]
        roads, when = _room_for(roads, when, total + steps)
        first = net.lengths[one // 2] - states.along[old]
        whole = max(first + desk.cost[node] + states.along[state], 1e-9)
        roads[total + steps - 1] = road
        when[total + steps - 1] = since + (until - since) * (first + desk.cost[node]) / whole
        at = node
        for step in range(total + steps - 2, total - 1, -1):
            roads[step] = desk.by[at]
            at = desk.before[at]
            when[step] = since + (until - since) * (first + desk.cost[at]) / whole
        total += steps
    offsets[count] = total
    return offsets[: count + 1], roads[:total], when[:total]


@njit(cache=True)
def _room_for(roads, when, total):
    if total > len(roads):
        more = max(total, 2 * len(roads)) - len(roads)
        roads = np.concatenate((roads, np.empty(more, dtype=np.int64)))
        when = np.concatenate((when, np.empty(more)))
    return roads, when
