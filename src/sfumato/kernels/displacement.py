"""How far locations are from the members of the labels they are published under."""

import numpy as np
from numba import njit

from sfumato.kernels.linkage import distance

__all__ = ["mean_distances"]


@njit(cache=True)
def mean_distances(points, radius, locations, labels, starts, members):
    """The mean distance from locations[i] to the members of labels[i].

    points : float64[n, 3].  starts : int64[labels + 1] into members : int64[...], rows of points.
    """
    means = np.empty(len(locations))
    for i in range(len(locations)):
        total = 0.0
        first, end = starts[labels[i]], starts[labels[i] + 1]
        for at in range(first, end):
            total += distance(points, locations[i], members[at], radius)
        means[i] = total / (end - first)
    return means
