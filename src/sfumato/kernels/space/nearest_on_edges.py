"""The distance of points on a globe from edges that are straight in longitude and latitude."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["nearest_on_edges"]

SAMPLES = 16
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


@njit(cache=True)
def _half_chord(x, y, edge, share):
    """The square of half the straight line from a point to a share of an edge, on a globe of radius 1, in radians."""
    lon = edge[0] + share * (edge[2] - edge[0]) - x
    lat = edge[1] + share * (edge[3] - edge[1])
    return np.sin((lat - y) / 2) ** 2 + np.cos(lat) * np.cos(y) * np.sin(lon / 2) ** 2


@njit(cache=True)
def nearest_on_edges(x, y, edges):
    """The angle between each point and the nearest point of its edge.

    x, y : float64[n], longitudes and latitudes in radians.  edges : float64[n, 4], both ends (x, y, x, y).
    Returns float64[n], in radians.  Samples choose the part of a long edge in which a golden-section search ends.
    """
    angles = np.empty(len(x))
    for pair in range(len(x)):
        edge = edges[pair]
        best, least = 0, _half_chord(x[pair], y[pair], edge, 0.0)
        for sample in range(1, SAMPLES + 1):
            value = _half_chord(x[pair], y[pair], edge, sample / SAMPLES)
            if value < least:
                best, least = sample, value
        low, high = max(best - 1, 0) / SAMPLES, min(best + 1, SAMPLES) / SAMPLES
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        value, other = _half_chord(x[pair], y[pair], edge, left), _half_chord(x[pair], y[pair], edge, right)
        for _ in range(50):
            least = min(least, value, other)
            if value < other:
                high, right, other = right, left, value
                left = high - GOLDEN * (high - low)
                value = _half_chord(x[pair], y[pair], edge, left)
            else:
                low, left, value = left, right, other
                right = low + GOLDEN * (high - low)
                other = _half_chord(x[pair], y[pair], edge, right)
        angles[pair] = 2 * np.arcsin(np.sqrt(min(min(least, value, other), 1.0)))
    return angles
