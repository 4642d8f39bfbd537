"""All sites within a distance of each point, from the cubes around it."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["near_sites"]


@njit(cache=True)
def near_sites(points, sites, order, keys, corner, side, shape, within, first, room):
    """The pairs of a point and a site at most `within` apart in a straight line, from the point `first` on.

    points : float64[n, 3].  sites : float64[s, 3].  order : int64[s], the sites by cube.  keys : int64[s], rising,
    the cube of each of them: ``(x * shape[1] + y) * shape[2] + z``, counted from `corner` in cubes of `side`.
    The side of a cube is at least `within`.  room : the most pairs to return.

    Returns the first point whose pairs did not fit (n if all fit), int64[pairs] points, rising, and int64[pairs] sites.
    """
    rows, nearby = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    count, most = 0, within * within
    cube = np.empty(3, dtype=np.int64)
    for point in range(first, len(points)):
        begin = count
        for axis in range(3):
            steps = np.floor((points[point, axis] - corner[axis]) / side)
            cube[axis] = min(max(steps, -2.0), shape[axis] + 1.0)  # far away is far enough
        low, high = max(0, cube[2] - 1), min(shape[2], cube[2] + 2)
        for x in range(max(0, cube[0] - 1), min(shape[0], cube[0] + 2)):
            for y in range(max(0, cube[1] - 1), min(shape[1], cube[1] + 2)):
                line = (x * shape[1] + y) * shape[2]
                place = np.searchsorted(keys, line + low)
                while place < len(keys) and keys[place] < line + high:
                    site = order[place]
                    place += 1
                    across = points[point, 0] - sites[site, 0]
                    along = points[point, 1] - sites[site, 1]
                    up = points[point, 2] - sites[site, 2]
                    if across * across + along * along + up * up > most:
                        continue
                    if count == room:
                        return point, rows[:begin], nearby[:begin]
                    rows[count] = point
                    nearby[count] = site
                    count += 1
    return len(points), rows[:count], nearby[:count]
