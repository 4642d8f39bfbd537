"""The nearest label by average linkage, without a matrix of distances.

A label is a chain of locations: ``first[label]``, then ``following[location]`` until -1.  The mean distance
of two labels is at least the distance of their centroids, so that most labels need not be looked at.  A label
of many locations keeps a row: for every location the sum of its distances to the label's members.
"""

import numpy as np
from numba import njit

__all__ = ["add_distances", "distance", "linkage_distances"]


@njit(cache=True)
def distance(points, one, other, radius):
    """Between two points: straight on the plane (radius 0), along the great circle on a globe."""
    x = points[one, 0] - points[other, 0]
    y = points[one, 1] - points[other, 1]
    z = points[one, 2] - points[other, 2]
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
def _mean_distance(one, other, points, radius, first, following, sizes, row_of, rows):
    total = 0.0
    if row_of[one] < 0 and row_of[other] >= 0:
        one, other = other, one
    member = first[other]
    while member >= 0:
        if row_of[one] >= 0:
            total += rows[row_of[one], member]
        else:
            partner = first[one]
            while partner >= 0:
                total += distance(points, member, partner, radius)
                partner = following[partner]
        member = following[member]
    return total / (sizes[one] * sizes[other])


@njit(cache=True)
def linkage_distances(label, active, factor, points, radius, sums, first, following, sizes, row_of, rows):
    """``factor * mean distance`` from a label to the active ones, as far as they can be the nearest.

    active : int64[n].  factor : float64[n], at least 0, infinite where a label is no candidate.
    sums : float64[labels, 3], the sum of each label's points.
    Returns float64[n]: exact for every label within a billionth of the nearest, infinite for others.
    """
    distances = np.full(len(active), np.inf)
    bounds = np.empty(len(active))
    nearest = -1
    for at in range(len(active)):
        other = active[at]
        x = sums[label, 0] / sizes[label] - sums[other, 0] / sizes[other]
        y = sums[label, 1] / sizes[label] - sums[other, 1] / sizes[other]
        z = sums[label, 2] / sizes[label] - sums[other, 2] / sizes[other]
        bounds[at] = np.inf if other == label or factor[at] == np.inf else factor[at] * np.sqrt(x * x + y * y + z * z)
        if bounds[at] < np.inf and (nearest < 0 or bounds[at] < bounds[nearest]):
            nearest = at
    if nearest < 0:
        return distances
    best = factor[nearest] * _mean_distance(
        label, active[nearest], points, radius, first, following, sizes, row_of, rows
    )
    # centroids carry the rounding of their coordinates, which can exceed a distance of 0
    rounding = 1e-10 * (abs(sums[label, 0]) + abs(sums[label, 1]) + abs(sums[label, 2])) / sizes[label]
    for at in range(len(active)):
        if bounds[at] < np.inf and bounds[at] <= best * (1.0 + 1e-8) + factor[at] * rounding:
            distances[at] = factor[at] * _mean_distance(
                label, active[at], points, radius, first, following, sizes, row_of, rows
            )
            best = min(best, distances[at])
    return distances
