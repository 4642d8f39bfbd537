"""The nearest of many sites within a distance, nearest in the grid cells around a point."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["nearest_site"]


@njit(cache=True)
def nearest_site(points, sites, order, keys, corner, side, shape, within):
    """The site nearest to each point, at most `within` away in a straight line, or -1; ties to the first site.

    points : float64[n, 3].  sites : float64[s, 3].  order : int64[s], the sites by bucket.  keys : int64[s], rising,
    the bucket of each of them: ``(x * shape[1] + y) * shape[2] + z``, counted from `corner` in cubes of `side`.
    The side of a bucket is at least `within`.  Returns int64[n].
    """
    nearest = np.full(len(points), -1, dtype=np.int64)
    cube = np.empty(3, dtype=np.int64)
    for position in range(len(points)):
        best = within * within * (1.0 + 1e-12)
        for axis in range(3):
            steps = np.floor((points[position, axis] - corner[axis]) / side)
            cube[axis] = min(max(steps, -2.0), shape[axis] + 1.0)  # far away is far enough
        for x in range(max(0, cube[0] - 1), min(shape[0], cube[0] + 2)):
            for y in range(max(0, cube[1] - 1), min(shape[1], cube[1] + 2)):
                for z in range(max(0, cube[2] - 1), min(shape[2], cube[2] + 2)):
                    key = (x * shape[1] + y) * shape[2] + z
                    place = np.searchsorted(keys, key)
                    while place < len(keys) and keys[place] == key:
                        site = order[place]
                        away = 0.0
                        for axis in range(3):
                            away += (points[position, axis] - sites[site, axis]) ** 2
                        if (
                            away < best
                            or (away == best and site < nearest[position])
                            or (nearest[position] < 0 and away <= best)
                        ):
                            best = away
                            nearest[position] = site
                        place += 1
    return nearest
