"""Map matching: the most probable route of a vehicle through a road network, given its noisy positions.

A hidden Markov model.  A state is a directed road near a position; a near road is more probable.  A step from one state
to the next is more probable where the route along the roads differs less from the straight line between the positions.
Dijkstra's algorithm finds the routes from the end of a directed road; it turns back only in a dead end.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.roads.routes import pop, push

__all__ = ["Net", "States", "matched_routes", "merge_standing", "most_probable"]


class Net(NamedTuple):
    """A road network as directed roads: directed road d is road d // 2, in its own direction where d is even."""

    offsets: Any  # int64[nodes + 1]: where the steps of each node begin
    directed: Any  # the directed road of each step
    to: Any  # the node that each step leads to
    tails: Any  # the first node of each directed road
    heads: Any  # the last node of each directed road
    lengths: Any  # float64[roads], of the undirected roads


class States(NamedTuple):
    """The directed roads near each position."""

    offsets: Any  # int64[positions + 1]: where the states of each position begin
    directed: Any  # the directed road of each state
    along: Any  # float64: how far along the road the position lies
    cost: Any  # float64: the negative logarithm of its probability


@njit(cache=True)
def merge_standing(x, y, times, tracks, near):
    """Replace consecutive positions by their mean as long as each lies near the mean of those before it.

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
def _search(net, begin, bound, targets, layer, buffers, search):
    """Find shortest routes from the end of directed road `begin` to the wanted nodes, none longer than the bound.

    targets : how many nodes have ``buffers.wanted == layer``; the search stops after them.
    """
    source = net.heads[begin]
    buffers.cost[source], buffers.seen[source], buffers.before[source], buffers.by[source] = 0.0, search, -1, -1
    buffers.keys[0], buffers.items[0] = 0.0, source
    size = 1
    while size > 0 and targets > 0:
        node = pop(buffers.keys, buffers.items, size)
        size -= 1
        if buffers.closed[node] == search:
            continue
        buffers.closed[node] = search
        targets -= buffers.wanted[node] == layer
        first, stop = net.offsets[node], net.offsets[node + 1]
        for step in range(first, stop):
            road = net.directed[step]
            if node == source and road // 2 == begin // 2 and stop - first > 1:
                continue
            cost = buffers.cost[node] + net.lengths[road // 2]
            other = net.to[step]
            if cost > bound or buffers.closed[other] == search:
                continue
            if buffers.seen[other] == search and buffers.cost[other] <= cost:
                continue
            buffers.cost[other], buffers.seen[other] = cost, search
            buffers.before[other], buffers.by[other] = node, road
            push(buffers.keys, buffers.items, size, cost, other)
            size += 1


@njit(cache=True)
def _distance(net, road, here, other, there, noise, turn, buffers, search):
    """The distance from a place on directed road `road` to a place on `other`; infinite where no route is known."""
    if road == other and there >= here - noise:
        return max(0.0, there - here)  # backwards within the noise is standing still
    if road // 2 == other // 2 and road != other:
        length = net.lengths[road // 2]
        return turn + abs(length - there - here)
    node = net.tails[other]
    if buffers.closed[node] != search:
        return np.inf
    return net.lengths[road // 2] - here + buffers.cost[node] + there


@njit(cache=True)
def _layer(net, states, before, point, straight, slack, beta, noise, turn, score, back, buffers, search):
    """Extend the best routes from the states of one position to those of the next.  Returns whether any is extended."""
    begin, end = states.offsets[point], states.offsets[point + 1]
    targets = np.int64(0)  # a literal would be compiled for itself
    for state in range(begin, end):
        score[state], back[state] = np.inf, -1
        node = net.tails[states.directed[state]]
        if buffers.wanted[node] != search:
            buffers.wanted[node] = search
            targets += 1
    reached = False
    for old in range(states.offsets[before], states.offsets[before + 1]):
        if score[old] == np.inf:
            continue
        road = states.directed[old]
        _search(net, road, 2.0 * straight + slack, targets, search, buffers, search + old - states.offsets[before])
        for state in range(begin, end):
            length = _distance(
                net, road, states.along[old], states.directed[state], states.along[state], noise, turn, buffers,
                search + old - states.offsets[before],
            )  # fmt: skip
            if length == np.inf or length > 2.0 * straight + slack:
                continue
            cost = score[old] + states.cost[state] + abs(length - straight) / beta
            if cost < score[state]:
                score[state], back[state] = cost, old
                reached = True
    return reached


@njit(cache=True)
def _trace(states, point, score, back, previous, chosen):
    """Follow the best route back from its last position, and write the state of each position."""
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
def most_probable(net, x, y, tracks, states, slack, beta, noise, turn, buffers):
    """The state of each position on the most probable route of its track (Viterbi's algorithm).

    x, y : float64[n].  tracks : int64[t + 1], offsets of the tracks.  beta : mean difference of routes from straight
    lines.  slack : how much longer than twice the straight line a route may be.  noise : a vehicle that moves back no
    farther than this is standing.  turn : the length that turning round adds to a route.
    Returns chosen int64[n], -1 for a position without states; and begins bool[n], whether a new route begins, because
    no route leads there or the track begins.
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
                    net, states, last, point, straight, slack, beta, noise, turn, score, back, buffers, search
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
def matched_routes(net, points, states, chosen, begins, times, slack, straight, noise, buffers, search):
    """The directed roads of each matched route and the times of entry, in proportion to the distance.

    points : int64[p], the positions that have a state, in order.  straight : float64[p], the distance of each from the
    one before.  search : a number above those of all earlier searches with these buffers.
    Returns offsets int64[w + 1] of the routes, the directed roads and the times.
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
            roads, when = _with_length(roads, when, total + 1)
            roads[total], when[total] = road, times[point]
            total += 1
            continue
        old = chosen[points[index - 1]]
        previous = states.directed[old]
        if previous == road and states.along[state] >= states.along[old] - noise:
            continue
        since, until = times[points[index - 1]], times[point]
        if previous // 2 == road // 2 and previous != road:
            roads, when = _with_length(roads, when, total + 1)
            roads[total], when[total] = road, until
            total += 1
            continue
        node = net.tails[road]
        buffers.wanted[node] = search
        _search(net, previous, 2.0 * straight[index] + slack, np.int64(1), search, buffers, search)
        search += 1
        steps, current = 1, node
        while buffers.before[current] >= 0:
            steps, current = steps + 1, buffers.before[current]
        roads, when = _with_length(roads, when, total + steps)
        first = net.lengths[previous // 2] - states.along[old]
        whole = max(first + buffers.cost[node] + states.along[state], 1e-9)
        roads[total + steps - 1] = road
        when[total + steps - 1] = since + (until - since) * (first + buffers.cost[node]) / whole
        current = node
        for step in range(total + steps - 2, total - 1, -1):
            roads[step] = buffers.by[current]
            current = buffers.before[current]
            when[step] = since + (until - since) * (first + buffers.cost[current]) / whole
        total += steps
    offsets[count] = total
    return offsets[: count + 1], roads[:total], when[:total]


@njit(cache=True)
def _with_length(roads, when, total):
    """Both arrays with at least this length."""
    if total > len(roads):
        more = max(total, 2 * len(roads)) - len(roads)
        roads = np.concatenate((roads, np.empty(more, dtype=np.int64)))
        when = np.concatenate((when, np.empty(more)))
    return roads, when
