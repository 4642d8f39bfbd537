"""A random map: points anywhere in a square, near ones joined by roads."""

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
    """A map in one piece with this many intersections, where so many roads meet on average.

    Two points are joined the sooner, the emptier the circle between them is.  Those with an empty circle are the
    neighbours of Gabriel's graph, which has about four roads a node and no crossings.  The roads of the shortest tree
    that joins everything are always there.

    >>> town = random_map(100, 4.0, np.random.default_rng(7))
    >>> town, len(town.pieces)
    (<Network: 100 nodes, 200 roads, mean degree 4.00>, 1)
    """
    wanted = round(nodes * degree / 2)
    points = rng.random((nodes, 2)) * SPACING_M * np.sqrt(nodes)
    ends, away, emptiness = _pairs(points)
    by_length = np.lexsort((ends[:, 1], ends[:, 0], away))
    ends, emptiness = ends[by_length], emptiness[by_length]
    tree = np.asarray(spanning_edges(nodes, ends[:, 0], ends[:, 1]))
    bridges = _bridges(points, ends[tree])
    rest = np.flatnonzero(~tree)
    more = wanted - int(tree.sum()) - len(bridges)
    if more < 0 or more > len(rest):
        most = (len(rest) + nodes - 1) * 2 / nodes
        raise ParameterError(
            f"Roads: a map of {nodes:,} nodes can have a mean degree from {2 - 2 / nodes:.2f} to {most:.2f}, "
            f"got {degree:g}"
        )
    emptiest = rest[np.argsort(-emptiness[rest], kind="stable")[:more]]
    joined = np.concatenate((ends[np.sort(np.concatenate((np.flatnonzero(tree), emptiest)))], bridges))
    names = [pl.Series(np.arange(1, count + 1)).cast(pl.String) for count in (nodes, len(joined))]
    return Network(names[0], points.round(1), names[1], joined)


def _pairs(points: Floats) -> tuple[Ints, Floats, Floats]:
    """Pairs of near points, the distance between them and how empty the circle over it is: 1 or more, no point in it.

    A point p in the circle over i and j is nearer to i than j is, so that the neighbours of i tell.
    """
    count = min(NEAR, len(points) - 1)
    near = np.empty((len(points), count), dtype=np.int64)
    for begin in range(0, len(points), 256):  # whole rows of distances, some at a time
        squared = (points[begin : begin + 256, 0, None] - points[:, 0]) ** 2
        squared += (points[begin : begin + 256, 1, None] - points[:, 1]) ** 2
        squared[np.arange(len(squared)), begin + np.arange(len(squared))] = np.inf
        nearest = np.argpartition(squared, count - 1, axis=1)[:, :count]
        by_distance = np.lexsort((nearest, np.take_along_axis(squared, nearest, axis=1)), axis=1)
        near[begin : begin + 256] = np.take_along_axis(nearest, by_distance, axis=1)
    one, other = np.repeat(np.arange(len(points)), count), near.ravel()
    squared = ((points[one] - points[other]) ** 2).sum(axis=1)
    third = near[one]
    sums = ((points[third] - points[one][:, None]) ** 2).sum(axis=2)
    sums += ((points[third] - points[other][:, None]) ** 2).sum(axis=2)
    sums[third == other[:, None]] = np.inf
    empty = sums.min(axis=1, initial=np.inf) / np.maximum(squared, 1e-12)
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique(low * len(points) + high, return_index=True)
    return np.column_stack((low, high))[first], np.sqrt(squared[first]), empty[first]


def _bridges(points: Floats, ends: Ints) -> Ints:
    """The shortest road from each piece to the others, one after the other, where near points leave several pieces."""
    made = np.empty((0, 2), dtype=np.int64)
    while True:
        both = np.concatenate((ends, made))
        piece = np.asarray(components(len(points), both[:, 0], both[:, 1]))
        inside = np.flatnonzero(piece == 0)
        outside = np.flatnonzero(piece != 0)
        if len(outside) == 0:
            return made
        gaps = ((points[inside, None] - points[None, outside]) ** 2).sum(axis=2)
        near, far = np.unravel_index(int(gaps.argmin()), gaps.shape)
        made = np.concatenate((made, [[inside[near], outside[far]]]))
