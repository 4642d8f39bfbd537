"""Step lengths, reachable positions, stay points and slow clusters along tracks of positions.

A track is a stretch ``offsets[t]`` to ``offsets[t + 1] - 1`` of times : float64[n], rising within a track, and
points : float64[n, 3], C-contiguous, on the plane (radius 0) or on a globe.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.average_linkage import distance

__all__ = ["reachable", "speed_clusters", "stays", "steps"]


@njit(cache=True)
def steps(points, radius, offsets):
    """The distance of each position from the one before it, 0 at the start of a track: float64[n]."""
    lengths = np.zeros(len(points))
    for track in range(len(offsets) - 1):
        for position in range(offsets[track] + 1, offsets[track + 1]):
            lengths[position] = distance(points, position - 1, position, radius)
    return lengths


@njit(cache=True)
def reachable(points, radius, times, offsets, fastest):
    """Which positions can be reached from the last one kept at no more than `fastest`: bool[n].

    Of two positions at one time, the second is kept only if it is the same point.
    """
    keep = np.ones(len(points), dtype=np.bool_)
    for track in range(len(offsets) - 1):
        last = offsets[track]
        for position in range(offsets[track] + 1, offsets[track + 1]):
            if distance(points, last, position, radius) <= fastest * (times[position] - times[last]):
                last = position
            else:
                keep[position] = False
    return keep


@njit(cache=True)
def stays(points, radius, times, end_times, offsets, within, shortest, gap, unfinished, to_last):
    """Stay points: stretches within a distance of their first position, for at least `shortest` seconds.

    end_times : float64[n], the end of each position.
    A stay lasts until the first position outside; one that a gap or the end of the track cuts off lasts until the end
    of its last position and counts only if `unfinished`.  With `to_last` every stay lasts until the end of its last
    position.  Returns the first position of each stay, the one after its last, and the time it ends.  O(n).
    """
    firsts = np.empty(len(points), dtype=np.int64)
    ends = np.empty(len(points), dtype=np.int64)
    leaving = np.empty(len(points))
    n_stays = 0
    for track in range(len(offsets) - 1):
        first = offsets[track]
        for position in range(offsets[track] + 1, offsets[track + 1] + 1):
            over = position == offsets[track + 1] or times[position] - end_times[position - 1] > gap
            if not over and distance(points, first, position, radius) <= within:
                continue
            until = end_times[position - 1] if over or to_last else times[position]
            if until - times[first] >= shortest and (unfinished or not over):
                firsts[n_stays], ends[n_stays], leaving[n_stays] = first, position, until
                n_stays += 1
            first = position
    return firsts[:n_stays], ends[:n_stays], leaving[:n_stays]


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
    n_clusters = 0
    for track in range(len(offsets) - 1):
        low = high = offsets[track]
        core = -1
        for position in range(offsets[track], offsets[track + 1]):
            while path[position] - path[low] > reach[track]:
                low += 1
            while high < offsets[track + 1] and path[high] - path[position] <= reach[track]:
                high += 1
            if times[high - 1] - times[low] < shortest:
                continue
            if core >= offsets[track] and low <= core:
                ends[n_clusters - 1] = high
            else:
                firsts[n_clusters] = low if core < 0 else max(low, ends[n_clusters - 1])
                ends[n_clusters] = high
                n_clusters += 1
            core = position
    return firsts[:n_clusters], ends[:n_clusters]
