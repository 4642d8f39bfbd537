"""Clusters of road trajectories that take in one trajectory after another (Gurung et al., 2014, Figures 3 and 7)."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.items.bisection import lower_bound

__all__ = [
    "FIRST",
    "FOUNDER",
    "LEFT",
    "NEXT",
    "OF_CLUSTER",
    "OF_FOUNDER",
    "OF_REPRESENTATIVE",
    "RIGHT",
    "ROAD",
    "STAMP",
    "ClusterRules",
    "ClusterState",
    "Paths",
    "mark_roads",
    "new_state",
    "settle",
]

# rows of the arrays of a ClusterState
FOUNDER, TOTAL, LEFT, RIGHT, WIDTH, FIRST, LAST = range(7)
ROAD, _SUPPORT, NEXT = range(3)
STAMP, _POSITION, _KNOWN, _SHOWN = range(4)
OF_CLUSTER, OF_FOUNDER, OF_REPRESENTATIVE = range(3)  # whose roads the local error is divided by


class Paths(NamedTuple):
    """Different road trajectories."""

    codes: Any  # int32[total]: the roads
    offsets: Any  # int64[n + 1]
    supports: Any  # int64[n]: how many have each trajectory
    ranks: Any  # int64[n]: the place of each in the order of content


class ClusterRules(NamedTuple):
    """How clusters are judged: by the mean error of their roads (CBA), or by the local error below (k/2)^2 (ICBA)."""

    by_mean: Any  # bool
    k: Any  # int
    threshold: Any  # float: for the mean error
    roads: Any  # int: for the local error, OF_CLUSTER, OF_FOUNDER or OF_REPRESENTATIVE


class ClusterState(NamedTuple):
    """The clusters so far, the roads of each, and scratch arrays for the current trajectory."""

    # int64[7, n]: founder, total support, begin and end of the representative in codes, number of roads, first and
    # last link
    clusters: Any
    links: Any  # int64[3, total]: road, support, and the next link of the same cluster; roads in order of arrival
    table: Any  # int64[2, 2^b]: the link of each cluster and road, by open addressing
    counts: Any  # int64[2]: how many clusters and links there are
    by_road: Any  # int64[4, n_roads]: stamp, last position, stamp of known roads, stamp of the representative
    roads: Any  # int64[longest]: the roads of the trajectory, each once
    before: Any  # int64[longest]: the position before with the same road, or -1
    ends: Any  # int64[longest]: ends of common subsequences
    new_roads: Any  # int64[longest]: the roads that were new to its cluster


def new_state(n_paths: int, n_steps: int, n_roads: int, longest: int) -> ClusterState:
    """A state without clusters, large enough for one cluster of each path."""
    return ClusterState(
        np.zeros((7, n_paths), dtype=np.int64),
        np.zeros((3, n_steps), dtype=np.int64),
        np.full((2, 2 ** int(2 * n_steps + 1).bit_length()), -1, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.full((4, n_roads), -1, dtype=np.int64),
        *np.zeros((4, longest), dtype=np.int64),
    )


@njit(cache=True)
def _slot(cluster, road, n_roads, table):
    """Where the table has, or would have, this cluster and road."""
    key = cluster * n_roads + road
    mask = table.shape[1] - 1
    slot = (key * 0x9E3779B97F4A7C1 >> 20) & mask
    while table[0, slot] >= 0 and table[0, slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def mark_roads(path, paths, state):
    """Mark the roads of a trajectory in the state; returns how many different ones there are."""
    by_road, n = state.by_road, 0
    for position in range(paths.offsets[path], paths.offsets[path + 1]):
        road = paths.codes[position]
        index = position - paths.offsets[path]
        if by_road[STAMP, road] == path:
            state.before[index] = by_road[_POSITION, road]
        else:
            by_road[STAMP, road] = path
            state.before[index] = -1
            state.roads[n] = road
            n += 1
        by_road[_POSITION, road] = index
    return n


@njit(cache=True)
def _common_length(path, first, end, codes, state):
    """The longest common subsequence of the marked trajectory and codes[first:end] (Hunt and Szymanski, 1977)."""
    length = 0
    for position in range(first, end):
        road = codes[position]
        if state.by_road[STAMP, road] != path:
            continue
        visit = state.by_road[_POSITION, road]
        while visit >= 0:
            place = lower_bound(state.ends, 0, length, visit)
            state.ends[place] = visit
            if place == length:
                length += 1
            visit = state.before[visit]
    return length


@njit(cache=True)
def _mean_error(path, cluster, n_roads, paths, originals, state):
    """The mean over the roads of cluster and trajectory of |published - true| / original (Equation 1, inside C').

    originals : float64[n_roads], how many travel each road.
    """
    clusters, links, by_road, support = state.clusters, state.links, state.by_road, paths.supports[path]
    total = clusters[TOTAL, cluster] + support
    visit = -2 - (path * clusters.shape[1] + cluster)  # representatives change, so that each visit has its own stamp
    for position in range(clusters[LEFT, cluster], clusters[RIGHT, cluster]):
        by_road[_SHOWN, paths.codes[position]] = visit
    error = 0.0
    both = 0
    link = clusters[FIRST, cluster]
    while link >= 0:
        road = links[ROAD, link]
        true = links[_SUPPORT, link]
        by_road[_KNOWN, road] = visit
        if by_road[STAMP, road] == path:
            true += support
            both += 1
        shown = total if by_road[_SHOWN, road] == visit else 0
        error += abs(shown - true) / originals[road]
        link = links[NEXT, link]
    for index in range(n_roads):
        road = state.roads[index]
        if by_road[_KNOWN, road] != visit:
            error += support / originals[road]
    return error / (clusters[WIDTH, cluster] + n_roads - both)


@njit(cache=True)
def _roads_together(path, n_roads, cluster, which, shared, paths, state):
    """The paper's |R|: how many roads the marked trajectory has together with the cluster, founder or representative.

    shared : how many roads of the trajectory the cluster has.
    """
    clusters, by_road = state.clusters, state.by_road
    if which == OF_CLUSTER:
        return clusters[WIDTH, cluster] + n_roads - shared
    first, end = clusters[LEFT, cluster], clusters[RIGHT, cluster]
    if which == OF_FOUNDER:
        founder = clusters[FOUNDER, cluster]
        first, end = paths.offsets[founder], paths.offsets[founder + 1]
    visit = -2 - (path * clusters.shape[1] + cluster)
    together = n_roads
    for position in range(first, end):
        road = paths.codes[position]
        if by_road[STAMP, road] != path and by_road[_SHOWN, road] != visit:
            by_road[_SHOWN, road] = visit
            together += 1
    return together


@njit(cache=True)
def _best_by_distance(path, n_roads, candidates, shared, n, rules, paths, state):
    """The candidate with the smallest local error (Equation 6) below (k/2)^2, or -1; ties: smaller, then by content."""
    clusters, support, k = state.clusters, paths.supports[path], rules.k
    length = paths.offsets[path + 1] - paths.offsets[path]
    best, least, out_of = -1, 0, 1  # the error is least / out_of, times the squared support
    for position in range(n):
        cluster = candidates[position]
        first, end = clusters[LEFT, cluster], clusters[RIGHT, cluster]
        most = min(end - first, shared[cluster] + length - n_roads)
        distance = length + end - first - 2 * most
        width = clusters[WIDTH, cluster] + n_roads - shared[cluster]
        if best >= 0 and distance * out_of > least * width:
            continue  # not even with everything in common, and divided by all roads of the cluster
        width = _roads_together(path, n_roads, cluster, rules.roads, shared[cluster], paths, state)
        if best >= 0 and distance * out_of > least * width:
            continue
        distance = length + end - first - 2 * _common_length(path, first, end, paths.codes, state)
        if 4 * distance * support * support >= k * k * width:
            continue
        better = distance * out_of - least * width
        if best < 0 or better < 0 or (better == 0 and _comes_first(cluster, best, clusters, paths.ranks)):
            best, least, out_of = cluster, distance, width
    return best


@njit(cache=True)
def _best_by_mean(path, n_roads, candidates, n, limit, paths, originals, state):
    """The candidate with the smallest mean error below the limit, or -1; ties: the smaller one, then by content."""
    best, least = -1, 0.0
    for position in range(n):
        cluster = candidates[position]
        error = _mean_error(path, cluster, n_roads, paths, originals, state)
        if error < limit and (
            best < 0 or error < least or (error == least and _comes_first(cluster, best, state.clusters, paths.ranks))
        ):
            best, least = cluster, error
    return best


@njit(cache=True)
def _comes_first(left, right, clusters, ranks):
    """Whether a cluster is smaller than another, or as large and first by content."""
    if clusters[TOTAL, left] != clusters[TOTAL, right]:
        return clusters[TOTAL, left] < clusters[TOTAL, right]
    return ranks[clusters[FOUNDER, left]] < ranks[clusters[FOUNDER, right]]


@njit(cache=True)
def settle(path, n_roads, candidates, shared, n, rules, paths, originals, state):
    """Put the marked trajectory into the best candidate, or into a cluster of its own.

    Returns the cluster and how many roads are new to it; they are the first entries of state.new_roads.
    """
    clusters, counts, support, cluster = state.clusters, state.counts, paths.supports[path], -1
    if support < rules.k:  # Figure 3, lines 4 to 8
        if rules.by_mean:
            cluster = _best_by_mean(path, n_roads, candidates, n, rules.threshold, paths, originals, state)
        else:
            cluster = _best_by_distance(path, n_roads, candidates, shared, n, rules, paths, state)
    if cluster < 0:
        cluster = counts[0]
        counts[0] += 1
        clusters[FOUNDER, cluster] = path
        clusters[FIRST, cluster] = clusters[LAST, cluster] = -1
    n_new = _take_in(cluster, n_roads, support, state)
    _trim(cluster, paths, state)
    return cluster, n_new


@njit(cache=True)
def _take_in(cluster, n_roads, support, state):
    """Add a support to the roads of a cluster; returns how many roads were new to it."""
    clusters, links, table, n_all = state.clusters, state.links, state.table, state.by_road.shape[1]
    clusters[TOTAL, cluster] += support
    n_new = 0
    for position in range(n_roads):
        road = state.roads[position]
        slot = _slot(cluster, road, n_all, table)
        if table[0, slot] >= 0:
            links[_SUPPORT, table[1, slot]] += support
            continue
        link = state.counts[1]
        state.counts[1] += 1
        table[0, slot], table[1, slot] = cluster * n_all + road, link
        links[ROAD, link], links[_SUPPORT, link], links[NEXT, link] = road, support, -1
        if clusters[FIRST, cluster] < 0:
            clusters[FIRST, cluster] = link
        else:
            links[NEXT, clusters[LAST, cluster]] = link
        clusters[LAST, cluster] = link
        state.new_roads[n_new] = road
        n_new += 1
    clusters[WIDTH, cluster] += n_new
    return n_new


@njit(cache=True)
def _travels_rarely(cluster, road, state):
    """Whether less than half of a cluster travels a road."""
    link = state.table[1, _slot(cluster, road, state.by_road.shape[1], state.table)]
    return 2 * state.links[_SUPPORT, link] < state.clusters[TOTAL, cluster]


@njit(cache=True)
def _trim(cluster, paths, state):
    """Figure 7: drop ends of the founder, which has the highest support, that less than half of the cluster travels."""
    founder = state.clusters[FOUNDER, cluster]
    first, last = paths.offsets[founder], paths.offsets[founder + 1] - 1
    moving = True
    while moving and first < last:
        moving = False
        if _travels_rarely(cluster, paths.codes[first], state):
            first += 1
            moving = True
        if first < last and _travels_rarely(cluster, paths.codes[last], state):
            last -= 1
            moving = True
    state.clusters[LEFT, cluster], state.clusters[RIGHT, cluster] = first, last + 1
