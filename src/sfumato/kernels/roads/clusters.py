"""Clusters of road trajectories that take in one trajectory after another (Gurung et al., 2014, Figures 3 and 7).

paths : (codes, offsets, supports, ranks) of different trajectories; a rank is a trajectory's place in the order of
content.  originals : float64[n_roads], how many travel each road.
rules : (by_mean, k, threshold): whether clusters are judged by the mean error of their roads (CBA) below a threshold,
or by the local error (ICBA) below (k/2)^2.
state : (clusters, links, table, made, by_road, by_step).
clusters : int64[7, n]: founder, total support, begin and end of the representative in codes, number of roads, first
and last link.  links : int64[3, total]: road, support and the next link of the same cluster, in the order in which
the roads came in.  table : int64[2, 2^b], the link of each cluster and road, by open addressing.
made : int64[2], how many clusters and links there are.
by_road : int64[4, n_roads]: stamp, last position, stamp of known roads, stamp of the representative.
by_step : int64[4, longest]: roads of the trajectory, each once; the position before with the same road; ends of common
subsequences; roads that were new to its cluster.
"""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["FIRST", "FOUNDER", "LEFT", "RIGHT", "mark", "new_state", "settle"]

FOUNDER, TOTAL, LEFT, RIGHT, WIDTH, FIRST, LAST = 0, 1, 2, 3, 4, 5, 6
_STAMP, _POSITION, _KNOWN, _SHOWN = 0, 1, 2, 3
_ROADS, _BEFORE, _ENDS, _FRESH = 0, 1, 2, 3


def new_state(n_paths: int, n_steps: int, n_roads: int, longest: int) -> tuple[Any, ...]:
    """No cluster yet, with room for one of each path."""
    return (
        np.zeros((7, n_paths), dtype=np.int64),
        np.zeros((3, n_steps), dtype=np.int64),
        np.full((2, 2 ** int(2 * n_steps + 1).bit_length()), -1, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.full((4, n_roads), -1, dtype=np.int64),
        np.zeros((4, longest), dtype=np.int64),
    )


@njit(cache=True)
def _slot(one, road, n_roads, table):
    """Where the table has, or would have, this cluster and road."""
    key = one * n_roads + road
    mask = table.shape[1] - 1
    slot = (key * 0x9E3779B97F4A7C1 >> 20) & mask
    while table[0, slot] >= 0 and table[0, slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def mark(path, paths, by_road, by_step):
    """Mark the roads of a trajectory; returns how many different ones there are."""
    codes, offsets = paths[0], paths[1]
    n = 0
    for position in range(offsets[path], offsets[path + 1]):
        road = codes[position]
        at = position - offsets[path]
        if by_road[_STAMP, road] == path:
            by_step[_BEFORE, at] = by_road[_POSITION, road]
        else:
            by_road[_STAMP, road] = path
            by_step[_BEFORE, at] = -1
            by_step[_ROADS, n] = road
            n += 1
        by_road[_POSITION, road] = at
    return n


@njit(cache=True)
def _in_common(path, first, end, codes, by_road, by_step):
    """The longest common subsequence of the marked trajectory and codes[first:end] (Hunt and Szymanski, 1977)."""
    length = 0
    for position in range(first, end):
        road = codes[position]
        if by_road[_STAMP, road] != path:
            continue
        at = by_road[_POSITION, road]
        while at >= 0:
            low, high = 0, length
            while low < high:
                middle = (low + high) // 2
                if by_step[_ENDS, middle] < at:
                    low = middle + 1
                else:
                    high = middle
            by_step[_ENDS, low] = at
            if low == length:
                length += 1
            at = by_step[_BEFORE, at]
    return length


@njit(cache=True)
def _mean_error(path, one, n_roads, paths, originals, clusters, links, by_road, by_step):
    """The mean over the roads of cluster and trajectory of |published - true| / original (Equation 1, inside C')."""
    codes, supports = paths[0], paths[2]
    total = clusters[TOTAL, one] + supports[path]
    visit = -2 - (path * clusters.shape[1] + one)  # representatives change, so that each visit has its own stamp
    for position in range(clusters[LEFT, one], clusters[RIGHT, one]):
        by_road[_SHOWN, codes[position]] = visit
    error = 0.0
    both = 0
    link = clusters[FIRST, one]
    while link >= 0:
        road = links[0, link]
        true = links[1, link]
        by_road[_KNOWN, road] = visit
        if by_road[_STAMP, road] == path:
            true += supports[path]
            both += 1
        shown = total if by_road[_SHOWN, road] == visit else 0
        error += abs(shown - true) / originals[road]
        link = links[2, link]
    for at in range(n_roads):
        road = by_step[_ROADS, at]
        if by_road[_KNOWN, road] != visit:
            error += supports[path] / originals[road]
    return error / (clusters[WIDTH, one] + n_roads - both)


@njit(cache=True)
def _best_by_distance(path, n_roads, candidates, shared, n, k, paths, clusters, by_road, by_step):
    """The candidate with the smallest local error (Equation 6) below (k/2)^2, or -1; ties: smaller, then by content."""
    codes, offsets, supports, ranks = paths
    length = offsets[path + 1] - offsets[path]
    found, least, out_of = -1, 0, 1  # the error is least / out_of, times the squared support
    for at in range(n):
        one = candidates[at]
        width = clusters[WIDTH, one] + n_roads - shared[one]
        first, end = clusters[LEFT, one], clusters[RIGHT, one]
        most = min(end - first, shared[one] + length - n_roads)
        distance = length + end - first - 2 * most
        if found >= 0 and distance * out_of > least * width:
            continue  # not even with everything in common
        distance = length + end - first - 2 * _in_common(path, first, end, codes, by_road, by_step)
        if 4 * distance * supports[path] * supports[path] >= k * k * width:
            continue
        better = distance * out_of - least * width
        if found < 0 or better < 0 or (better == 0 and _before(one, found, clusters, ranks)):
            found, least, out_of = one, distance, width
    return found


@njit(cache=True)
def _best_by_mean(path, n_roads, candidates, n, limit, paths, originals, clusters, links, by_road, by_step):
    """The candidate with the smallest mean error below the limit, or -1; ties: the smaller one, then by content."""
    found, least = -1, 0.0
    for at in range(n):
        one = candidates[at]
        error = _mean_error(path, one, n_roads, paths, originals, clusters, links, by_road, by_step)
        if error < limit and (
            found < 0 or error < least or (error == least and _before(one, found, clusters, paths[3]))
        ):
            found, least = one, error
    return found


@njit(cache=True)
def _before(one, other, clusters, ranks):
    if clusters[TOTAL, one] != clusters[TOTAL, other]:
        return clusters[TOTAL, one] < clusters[TOTAL, other]
    return ranks[clusters[FOUNDER, one]] < ranks[clusters[FOUNDER, other]]


@njit(cache=True)
def settle(path, n_roads, candidates, shared, n, rules, paths, originals, state):
    """Put the marked trajectory into the best candidate, or into a cluster of its own.

    Returns the cluster and how many roads are new to it; they are the first entries of the last row of by_step.
    """
    clusters, links, table, made, by_road, by_step = state
    by_mean, k, threshold = rules
    one = -1
    if paths[2][path] < k:  # Figure 3, lines 4 to 8
        if by_mean:
            one = _best_by_mean(
                path, n_roads, candidates, n, threshold, paths, originals, clusters, links, by_road, by_step
            )
        else:
            one = _best_by_distance(path, n_roads, candidates, shared, n, k, paths, clusters, by_road, by_step)
    if one < 0:
        one = made[0]
        made[0] += 1
        clusters[FOUNDER, one] = path
        clusters[FIRST, one] = clusters[LAST, one] = -1
    fresh = _take_in(one, n_roads, paths[2][path], clusters, links, table, made, by_road.shape[1], by_step)
    _trim(one, paths, clusters, links, table, by_road.shape[1])
    return one, fresh


@njit(cache=True)
def _take_in(one, n_roads, support, clusters, links, table, made, n_all, by_step):
    """Add a support to the roads of a cluster; returns how many were new."""
    clusters[TOTAL, one] += support
    fresh = 0
    for at in range(n_roads):
        road = by_step[_ROADS, at]
        slot = _slot(one, road, n_all, table)
        if table[0, slot] >= 0:
            links[1, table[1, slot]] += support
            continue
        link = made[1]
        made[1] += 1
        table[0, slot], table[1, slot] = one * n_all + road, link
        links[0, link], links[1, link], links[2, link] = road, support, -1
        if clusters[FIRST, one] < 0:
            clusters[FIRST, one] = link
        else:
            links[2, clusters[LAST, one]] = link
        clusters[LAST, one] = link
        by_step[_FRESH, fresh] = road
        fresh += 1
    clusters[WIDTH, one] += fresh
    return fresh


@njit(cache=True)
def _trim(one, paths, clusters, links, table, n_all):
    """Figure 7: drop ends of the founder, which has the highest support, that less than half of the cluster travels."""
    codes, offsets = paths[0], paths[1]
    founder = clusters[FOUNDER, one]
    first, last = offsets[founder], offsets[founder + 1] - 1
    moving = True
    while moving and first < last:
        moving = False
        if 2 * links[1, table[1, _slot(one, codes[first], n_all, table)]] < clusters[TOTAL, one]:
            first += 1
            moving = True
        if first < last and 2 * links[1, table[1, _slot(one, codes[last], n_all, table)]] < clusters[TOTAL, one]:
            last -= 1
            moving = True
    clusters[LEFT, one], clusters[RIGHT, one] = first, last + 1
