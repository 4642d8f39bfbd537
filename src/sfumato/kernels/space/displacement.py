"""Distances between locations and the members of the labels that they are published under."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.average_linkage import distance

__all__ = ["largest_distance", "mean_distances"]


@njit(cache=True)
def mean_distances(points, radius, locations, labels, starts, members):
    """The mean distance from locations[i] to the members of labels[i].

    points : float64[n, 3].  starts : int64[labels + 1] into members : int64[...], rows of points.
    """
    means = np.empty(len(locations))
    for i in range(len(locations)):
        total = 0.0
        first, end = starts[labels[i]], starts[labels[i] + 1]
        for position in range(first, end):
            total += distance(points, locations[i], members[position], radius)
        means[i] = total / (end - first)
    return means


@njit(cache=True)
def largest_distance(points, radius):
    """The largest distance between two points.  O(n^2) time, no memory."""
    largest = 0.0
    for point in range(len(points)):
        for other in range(point):
            x = points[point, 0] - points[other, 0]
            y = points[point, 1] - points[other, 1]
            z = points[point, 2] - points[other, 2]
            largest = max(largest, x * x + y * y + z * z)
    chord = np.sqrt(largest)
    return chord if radius == 0.0 else 2.0 * radius * np.arcsin(min(1.0, chord / (2.0 * radius)))
