"""The roads near a point, found through a grid whose cells list the roads that pass through them."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["RoadGrid", "near_roads", "road_grid"]


class RoadGrid(NamedTuple):
    """Square cells, row by row; the roads whose bounding box meets cell c are roads[offsets[c]:offsets[c + 1]]."""

    west: Any
    south: Any
    size: Any  # the side of a cell
    across: Any  # how many columns
    down: Any  # how many rows
    offsets: Any  # int64[cells + 1]
    roads: Any  # int32[...]


@njit(cache=True)
def _cells(x, y, ends, road, west, south, size):
    """The columns and rows of cells that the bounding box of a road meets."""
    a, b = ends[road, 0], ends[road, 1]
    first = int((min(x[a], x[b]) - west) / size)
    last = int((max(x[a], x[b]) - west) / size)
    low = int((min(y[a], y[b]) - south) / size)
    high = int((max(y[a], y[b]) - south) / size)
    return first, last, low, high


@njit(cache=True)
def _fill(x, y, ends, west, south, size, across, offsets, roads, counting):
    """Count the roads of each cell into offsets[c + 1], or write them from offsets[c] on, which moves."""
    for road in range(len(ends)):
        first, last, low, high = _cells(x, y, ends, road, west, south, size)
        for row in range(low, high + 1):
            for column in range(first, last + 1):
                cell = row * across + column
                if counting:
                    offsets[cell + 1] += 1
                else:
                    roads[offsets[cell]] = road
                    offsets[cell] += 1


def road_grid(x: Any, y: Any, ends: Any, size: float) -> RoadGrid:
    """The grid of a network; size : how wide a cell is."""
    west, south = x.min(), y.min()
    across, down = int((x.max() - west) / size) + 1, int((y.max() - south) / size) + 1
    counts = np.zeros(across * down + 1, dtype=np.int64)
    _fill(x, y, ends, west, south, size, across, counts, np.empty(0, dtype=np.int32), True)
    offsets = np.cumsum(counts)
    roads = np.empty(offsets[-1], dtype=np.int32)
    _fill(x, y, ends, west, south, size, across, offsets[:-1].copy(), roads, False)
    return RoadGrid(west, south, size, across, down, offsets, roads)


@njit(cache=True)
def _foot(x, y, ends, road, px, py):
    """How far along a road the point nearest to (px, py) lies, as a share of its length, and its squared distance."""
    a, b = ends[road, 0], ends[road, 1]
    dx, dy = x[b] - x[a], y[b] - y[a]
    squared = dx * dx + dy * dy
    share = 0.0
    if squared > 0.0:
        share = min(1.0, max(0.0, ((px - x[a]) * dx + (py - y[a]) * dy) / squared))
    gap_x, gap_y = x[a] + share * dx - px, y[a] + share * dy - py
    return share, gap_x * gap_x + gap_y * gap_y


@njit(cache=True)
def near_roads(px, py, x, y, ends, grid, radius, most):
    """The up to `most` roads nearest to each point within a radius, nearest first, ties by their number.

    Returns counts int64[n], roads int32[n, most], shares float64[n, most] (of the road's length, from its first end)
    and gaps float64[n, most].
    """
    counts = np.zeros(len(px), dtype=np.int64)
    roads = np.empty((len(px), most), dtype=np.int32)
    shares, gaps = np.empty((len(px), most)), np.empty((len(px), most))
    seen = np.full(len(ends), -1, dtype=np.int64)
    for point in range(len(px)):
        first = max(0, int(np.floor((px[point] - radius - grid.west) / grid.size)))
        last = min(grid.across - 1, int(np.floor((px[point] + radius - grid.west) / grid.size)))
        low = max(0, int(np.floor((py[point] - radius - grid.south) / grid.size)))
        high = min(grid.down - 1, int(np.floor((py[point] + radius - grid.south) / grid.size)))
        for row in range(low, high + 1):
            for column in range(first, last + 1):
                cell = row * grid.across + column
                for entry in range(grid.offsets[cell], grid.offsets[cell + 1]):
                    road = grid.roads[entry]
                    if seen[road] == point:
                        continue
                    seen[road] = point
                    share, squared = _foot(x, y, ends, road, px[point], py[point])
                    if squared > radius * radius:
                        continue
                    gap, position = np.sqrt(squared), counts[point]
                    if position == most:
                        if gap > gaps[point, most - 1] or (
                            gap == gaps[point, most - 1] and road > roads[point, most - 1]
                        ):
                            continue
                        position -= 1
                    else:
                        counts[point] += 1
                    while position > 0 and (
                        gap < gaps[point, position - 1]
                        or (gap == gaps[point, position - 1] and road < roads[point, position - 1])
                    ):
                        roads[point, position], shares[point, position] = (
                            roads[point, position - 1],
                            shares[point, position - 1],
                        )
                        gaps[point, position] = gaps[point, position - 1]
                        position -= 1
                    roads[point, position], shares[point, position], gaps[point, position] = road, share, gap
    return counts, roads, shares, gaps
