"""Step lengths, reachable positions, stay points and slow clusters along tracks of positions.

A track is a stretch ``offsets[t]`` to ``offsets[t + 1] - 1`` of times : float64[n], rising within a track, and
points : float64[n, 3], C-contiguous, on the plane (radius 0) or on a globe.
"""

import numpy as np
from numba import njit

from sfumato.kernels.recoding.average_linkage import distance

__all__ = ["reachable", "speed_clusters", "stays", "steps"]


@njit(cache=True)
def steps(points, radius, offsets):
    """The distance of each position from the one before it, 0 at the start of a track: float64[n]."""
    lengths = np.zeros(len(points))
    for track in range(len(offsets) - 1):
        for at in range(offsets[track] + 1, offsets[track + 1]):
            lengths[at] = distance(points, at - 1, at, radius)
    return lengths


@njit(cache=True)
def reachable(points, radius, times, offsets, fastest):
    """Which positions can be reached from the last one kept at no more than `fastest`: bool[n].

    Of two positions at one time, the second is kept only if it is the same point.
    """
    keep = np.ones(len(points), dtype=np.bool_)
    for track in range(len(offsets) - 1):
        last = offsets[track]
        for at in range(offsets[track] + 1, offsets[track + 1]):
            if distance(points, last, at, radius) <= fastest * (times[at] - times[last]):
                last = at
            else:
                keep[at] = False
    return keep


@njit(cache=True)
def stays(points, radius, times, offsets, within, shortest, gap, unfinished):
    """Stay points: stretches within a distance of their first position, for at least `shortest` seconds.

    A stay lasts until the first position outside; one that a gap or the end of the track cuts off lasts until its
    last position and counts only if `unfinished`.  Returns the first position of each stay, the one after its last,
    and the time it ends.  O(n).
    """
    firsts = np.empty(len(points), dtype=np.int64)
    ends = np.empty(len(points), dtype=np.int64)
    leaving = np.empty(len(points))
    found = 0
    for track in range(len(offsets) - 1):
        first = offsets[track]
        for at in range(offsets[track] + 1, offsets[track + 1] + 1):
            over = at == offsets[track + 1] or times[at] - times[at - 1] > gap
            if not over and distance(points, first, at, radius) <= within:
                continue
            until = times[at - 1] if over else times[at]
            if until - times[first] >= shortest and (unfinished or not over):
                firsts[found], ends[found], leaving[found] = first, at, until
                found += 1
            first = at
    return firsts[:found], ends[:found], leaving[:found]


@njit(cache=True)
def speed_clusters(path, times, offsets, reach, shortest):
    """Clusters of slow movement: density-based clustering along the path instead of in the plane.

    path : float64[n], the distance travelled since the start of the track.  reach : float64[tracks].
    The neighbourhood of a position is what lies within `reach` of it along the path; a position is a core if its
    neighbourhood takes at least `shortest` seconds; a core in the neighbourhood of the core before it belongs to the
    same cluster.  A position between two clusters belongs to the earlier one.
    Returns the first position of each cluster and the one after its last.  O(n).
    """
    firsts = np.empty(len(path), dtype=np.int64)
    ends = np.empty(len(path), dtype=np.int64)
    found = 0
    for track in range(len(offsets) - 1):
        low = high = offsets[track]
        core = -1
        for at in range(offsets[track], offsets[track + 1]):
            while path[at] - path[low] > reach[track]:
                low += 1
            while high < offsets[track + 1] and path[high] - path[at] <= reach[track]:
                high += 1
            if times[high - 1] - times[low] < shortest:
                continue
            if core >= offsets[track] and low <= core:
                ends[found - 1] = high
            else:
                firsts[found] = low if core < 0 else max(low, ends[found - 1])
                ends[found] = high
                found += 1
            core = at
    return firsts[:found], ends[:found]
