"""The nearest of many points on a plane, looked up in the cells of a grid."""

import numpy as np
from numba import njit

__all__ = ["nearest_points"]


def nearest_points(points, asked):
    """The nearest point of each asked one; of equally near ones the first.

    points : float64[n, 2], n >= 1.  asked : float64[q, 2].  Returns int64[q].
    """
    low = points.min(axis=0)
    side = max(float(np.ptp(points, axis=0).max()), 1e-300) / max(1, int(np.sqrt(len(points) / 2)))
    wide, high = (np.floor(np.ptp(points, axis=0) / side).astype(np.int64) + 1).tolist()
    cell = np.floor((points - low) / side).astype(np.int64)
    number = cell[:, 1] * wide + cell[:, 0]
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(wide * high + 1))
    return _nearest(points, asked, low, side, wide, high, order, starts)


@njit(cache=True)
def _nearest(points, asked, low, side, wide, high, order, starts):
    found = np.empty(len(asked), dtype=np.int64)
    for query in range(len(asked)):
        x, y = asked[query, 0], asked[query, 1]
        column = min(max(int(np.floor((x - low[0]) / side)), 0), wide - 1)
        row = min(max(int(np.floor((y - low[1]) / side)), 0), high - 1)
        best, nearest = np.inf, -1
        for ring in range(max(wide, high)):
            # cells beyond this ring are at least ring blocks away; outside the grid only farther
            if nearest >= 0 and best < (ring - 1) * side:
                break
            for r in range(max(row - ring, 0), min(row + ring, high - 1) + 1):
                inside = r != row - ring and r != row + ring
                for c in range(max(column - ring, 0), min(column + ring, wide - 1) + 1):
                    if inside and c != column - ring and c != column + ring:
                        continue
                    for at in range(starts[r * wide + c], starts[r * wide + c + 1]):
                        away = np.hypot(points[order[at], 0] - x, points[order[at], 1] - y)
                        if away < best or (away == best and order[at] < nearest):
                            best, nearest = away, order[at]
        found[query] = nearest
    return found
