"""Cuts and selections along tracks of positions: travelled distance, fast steps, shared instants, compression.

A track is a stretch ``offsets[t]`` to ``offsets[t + 1] - 1`` of the positions, whose times rise within it.
"""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.average_linkage import distance

__all__ = ["fast_tracks", "first_of_instant", "travel_starts", "within_tolerance"]


@njit(cache=True)
def travel_starts(lengths, offsets, longest):
    """Which positions start a part, so that no part is longer than `longest` along the way: bool[n].

    lengths : float64[n], the distance of each position from the one before it.  O(n).
    """
    starts = np.zeros(len(lengths), dtype=np.bool_)
    for track in range(len(offsets) - 1):
        path = 0.0
        for position in range(offsets[track], offsets[track + 1]):
            path += lengths[position]
            if position == offsets[track] or path > longest:
                starts[position] = True
                path = 0.0
    return starts


@njit(cache=True)
def first_of_instant(begins, ends, offsets):
    """The earlier position that each position shares an instant with, or the position itself: int64[n].

    A position shares an instant if it begins when the last one that shares none is not over.  O(n).
    """
    kept = np.empty(len(begins), dtype=np.int64)
    for track in range(len(offsets) - 1):
        last = -1
        for position in range(offsets[track], offsets[track + 1]):
            if last < 0 or begins[position] > ends[last]:
                last = position
            kept[position] = last
    return kept


@njit(cache=True)
def fast_tracks(points, radius, begins, ends, offsets, fastest):
    """Which tracks have a step faster than `fastest` metres a second: bool[tracks].

    Positions that share an instant count as the first of them.  O(n).
    """
    fast = np.zeros(len(offsets) - 1, dtype=np.bool_)
    for track in range(len(offsets) - 1):
        last = offsets[track]
        for position in range(offsets[track] + 1, offsets[track + 1]):
            seconds = begins[position] - ends[last]
            if seconds <= 0.0:
                continue
            if distance(points, last, position, radius) > fastest * seconds:
                fast[track] = True
                break
            last = position
    return fast


@njit(cache=True)
def within_tolerance(x, y, across, along, times, offsets, fixed):
    """Which positions to keep, so that the others lie near the line in space and time between kept ones: bool[n].

    across, along : float64[n], the largest difference of x and of y at the time of each position.
    fixed : bool[n], positions that are kept, besides the first and last of each track.
    From a kept position, the velocities that pass every later position near enough form an interval for each axis;
    the position before the first one that needs another velocity is kept.  O(n).
    """
    keep = fixed.copy()
    for track in range(len(offsets) - 1):
        anchor = offsets[track]
        if anchor == offsets[track + 1]:
            continue
        keep[anchor] = keep[offsets[track + 1] - 1] = True
        west = south = -np.inf
        east = north = np.inf
        position = anchor + 1
        while position < offsets[track + 1]:
            seconds = times[position] - times[anchor]
            over_x, over_y = x[position] - x[anchor], y[position] - y[anchor]
            if seconds == 0.0:
                fits = abs(over_x) <= across[position] and abs(over_y) <= along[position]
            else:
                fits = west <= over_x / seconds <= east and south <= over_y / seconds <= north
                west = max(west, (over_x - across[position]) / seconds)
                east = min(east, (over_x + across[position]) / seconds)
                south = max(south, (over_y - along[position]) / seconds)
                north = min(north, (over_y + along[position]) / seconds)
            if fits and not keep[position]:
                position += 1
                continue
            anchor = position if fits or position == anchor + 1 else position - 1
            keep[anchor] = True
            position = anchor + 1
            west = south = -np.inf
            east = north = np.inf
    return keep
