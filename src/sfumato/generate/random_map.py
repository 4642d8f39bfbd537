"""Random road maps: uniform points in a square, joined by roads to near points."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.roads.network import Network
from sfumato.errors import ParameterError
from sfumato.kernels.roads.components import components, spanning_edges

__all__ = ["SPACING_M", "random_map"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SPACING_M = 5_000.0  # the side of a square that has one intersection on average
NEAR = 16  # neighbours that a point may be joined with


def random_map(nodes: int, degree: float, rng: np.random.Generator) -> Network:
    """A connected map with this many intersections and this mean number of roads at each.

    Pairs of points with an emptier circle between them are joined first.  Pairs with an empty circle are the edges of
    the Gabriel graph, which has about four roads a node and no crossings.  The roads of the minimum spanning tree are
    always included.

    >>> town = random_map(100, 4.0, np.random.default_rng(7))
    >>> town, len(town.component_sizes)
    (<Network: 100 nodes, 200 roads, mean degree 4.00>, 1)
    """
    n_roads = round(nodes * degree / 2)
    points = rng.random((nodes, 2)) * SPACING_M * np.sqrt(nodes)
    ends, distance, emptiness = _pairs(points)
    by_length = np.lexsort((ends[:, 1], ends[:, 0], distance))
    ends, emptiness = ends[by_length], emptiness[by_length]
    tree = np.asarray(spanning_edges(nodes, ends[:, 0], ends[:, 1]))
    bridges = _bridges(points, ends[tree])
    candidates = np.flatnonzero(~tree)
    n_extra = n_roads - int(tree.sum()) - len(bridges)
    if n_extra < 0 or n_extra > len(candidates):
        most = (len(candidates) + nodes - 1) * 2 / nodes
        raise ParameterError(
            f"Roads: wanted a mean degree from {2 - 2 / nodes:.2f} to {most:.2f} for {nodes:,} nodes, found {degree:g}"
        )
    extra = candidates[np.argsort(-emptiness[candidates], kind="stable")[:n_extra]]
    joined = np.concatenate((ends[np.sort(np.concatenate((np.flatnonzero(tree), extra)))], bridges))
    names = [pl.Series(np.arange(1, count + 1)).cast(pl.String) for count in (nodes, len(joined))]
    return Network(names[0], points.round(1), names[1], joined)


def _pairs(points: Floats) -> tuple[Ints, Floats, Floats]:
    """Pairs of near points, their distance, and the emptiness of the circle between them: from 1 on, it is empty.

    A point in the circle between i and j is nearer to i than j is, so that the neighbours of i suffice.
    """
    count = min(NEAR, len(points) - 1)
    near = np.empty((len(points), count), dtype=np.int64)
    for begin in range(0, len(points), 256):  # rows of distances in batches
        squared = (points[begin : begin + 256, 0, None] - points[:, 0]) ** 2
        squared += (points[begin : begin + 256, 1, None] - points[:, 1]) ** 2
        squared[np.arange(len(squared)), begin + np.arange(len(squared))] = np.inf
        nearest = np.argpartition(squared, count - 1, axis=1)[:, :count]
        by_distance = np.lexsort((nearest, np.take_along_axis(squared, nearest, axis=1)), axis=1)
        near[begin : begin + 256] = np.take_along_axis(nearest, by_distance, axis=1)
    start, end = np.repeat(np.arange(len(points)), count), near.ravel()
    squared = ((points[start] - points[end]) ** 2).sum(axis=1)
    third = near[start]
    sums = ((points[third] - points[start][:, None]) ** 2).sum(axis=2)
    sums += ((points[third] - points[end][:, None]) ** 2).sum(axis=2)
    sums[third == end[:, None]] = np.inf
    empty = sums.min(axis=1, initial=np.inf) / np.maximum(squared, 1e-12)
    low, high = np.minimum(start, end), np.maximum(start, end)
    _, unique_rows = np.unique(low * len(points) + high, return_index=True)
    return np.column_stack((low, high))[unique_rows], np.sqrt(squared[unique_rows]), empty[unique_rows]


def _bridges(points: Floats, ends: Ints) -> Ints:
    """The shortest roads that join the connected components, where near points leave several."""
    bridges = np.empty((0, 2), dtype=np.int64)
    while True:
        all_ends = np.concatenate((ends, bridges))
        component = np.asarray(components(len(points), all_ends[:, 0], all_ends[:, 1]))
        inside = np.flatnonzero(component == 0)
        outside = np.flatnonzero(component != 0)
        if len(outside) == 0:
            return bridges
        gaps = ((points[inside, None] - points[None, outside]) ** 2).sum(axis=2)
        near, far = np.unravel_index(int(gaps.argmin()), gaps.shape)
        bridges = np.concatenate((bridges, [[inside[near], outside[far]]]))
