"""The nearest label by average linkage, without a matrix of distances.

A label is a chain of locations: ``first[label]``, then ``following[location]`` until -1.  The mean distance
of two labels is at least the distance of their centroids, so that most labels need not be examined.  A label
of many locations keeps a row: for every location the sum of its distances to the label's members.
Loops run over all points or centroids: where these are in Fortran order, they run along memory.
"""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["add_distances", "distance", "linkage_distances", "relabel"]


@njit(cache=True)
def distance(points, left, right, radius):
    """The distance of two points: straight on the plane (radius 0), along the great circle on a globe."""
    x = points[left, 0] - points[right, 0]
    y = points[left, 1] - points[right, 1]
    z = points[left, 2] - points[right, 2]
    chord = np.sqrt(x * x + y * y + z * z)
    if radius == 0.0:
        return chord
    return 2.0 * radius * np.arcsin(min(1.0, chord / (2.0 * radius)))


@njit(cache=True)
def add_distances(points, radius, first, following, row):
    """Add to row[location] its distance to every location of the chain that begins at `first`."""
    member = first
    while member >= 0:
        for location in range(len(row)):
            row[location] += distance(points, member, location, radius)
        member = following[member]


@njit(cache=True)
def relabel(first, following, label, current):
    """Write `label` at current[location] for every location of the chain that begins at `first`."""
    member = first
    while member >= 0:
        current[member] = label
        member = following[member]


@njit(cache=True)
def _mean_distance(left, right, points, radius, first, following, sizes, row_of, rows):
    """The mean distance between the locations of two labels."""
    total = 0.0
    if row_of[left] < 0 and row_of[right] >= 0:
        left, right = right, left
    member = first[right]
    while member >= 0:
        if row_of[left] >= 0:
            total += rows[row_of[left], member]
        else:
            partner = first[left]
            while partner >= 0:
                total += distance(points, member, partner, radius)
                partner = following[partner]
        member = following[member]
    return total / (sizes[left] * sizes[right])


@njit(cache=True)
def linkage_distances(here, active, factor, points, radius, centroids, first, following, sizes, row_of, rows):
    """``factor * mean distance`` from active[here] to the active labels, as far as they can be the nearest.

    active : int64[n].  factor : float64[n], at least 0, infinite where a label is no candidate.
    centroids : float64[n or more, 3], of each active label's points.
    Returns float64[n]: exact for every label within a billionth of the nearest, infinite for others.
    """
    # centroids carry the rounding of their coordinates, which can exceed a distance of 0
    rounding = 1e-10 * (abs(centroids[here, 0]) + abs(centroids[here, 1]) + abs(centroids[here, 2]))
    distances = np.empty(len(active))  # bounds, until the label is looked at
    for position in range(len(active)):
        bound = max(0.0, distance(centroids, here, position, 0.0) - rounding)
        distances[position] = factor[position] * bound if factor[position] < np.inf else np.inf
    distances[here] = np.inf
    nearest, least = here, np.inf
    for position in range(len(active)):
        if distances[position] < least:
            nearest, least = position, distances[position]
    if nearest == here:
        return distances
    best = factor[nearest] * _mean_distance(
        active[here], active[nearest], points, radius, first, following, sizes, row_of, rows
    )
    for position in range(len(active)):
        if distances[position] <= best * (1.0 + 1e-8):
            distances[position] = factor[position] * _mean_distance(
                active[here], active[position], points, radius, first, following, sizes, row_of, rows
            )
            best = min(best, distances[position])
        else:
            distances[position] = np.inf
    return distances
