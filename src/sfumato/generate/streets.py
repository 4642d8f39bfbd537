"""Synthetic street networks: planar and connected, of a given size and mean degree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.roads.network import Network
from sfumato.errors import ParameterError
from sfumato.kernels.roads.components import spanning_edges
from sfumato.kernels.roads.routes import Roads, route_use, search_buffers

__all__ = ["CAPACITIES", "CLASS_SHARES", "class_speeds", "compiled", "road_classes", "streets"]

Ints = npt.NDArray[np.int64]

BLOCK_M = 100.0
JUNCTION_DEGREE = 3.2  # roads at a junction of a real town; the other nodes of a map are bends of a road
SWAY = 0.24  # below a quarter of a block no two streets can cross, see `_lattice`

CAPACITIES = np.array([5, 5, 4, 4, 3, 3, 2, 2])
CLASS_SHARES = np.array([0.01, 0.09, 0.08, 0.61, 0.10, 0.10, 0.01])
"""The shares of roads in class 0, 1, ...: those of the map of Oldenburg, rounded."""


def streets(nodes: int, degree: float, rng: np.random.Generator) -> Network:
    """A connected network of this many nodes, with streets that cross only at nodes.

    Junctions are on a perturbed lattice.  A random spanning tree of its lines joins them all, and more of its lines,
    then of its diagonals, are added until there are enough roads.  Below a mean degree of 3.2 the other nodes are bends
    of roads, as on real maps, where most nodes have two roads.

    >>> streets(500, 2.3, np.random.default_rng(1))
    <Network: 500 nodes, 575 roads, mean degree 2.30>
    """
    roads = round(nodes * degree / 2)
    junctions = min(nodes, max(2, round(nodes * (degree - 2) / (JUNCTION_DEGREE - 2))))
    while junctions < nodes and roads - (nodes - junctions) > _most_streets(junctions):  # a small map
        junctions += 1
    n_streets = roads - (nodes - junctions)
    if n_streets > _most_streets(junctions):
        raise ParameterError(
            f"City: wanted at most {_most_streets(nodes):,} roads between {nodes:,} nodes, found {roads:,} "
            f"for a mean degree of {degree:g}; lower the degree or add nodes"
        )
    points, ends = _lattice(junctions, rng)
    tree = spanning_edges(junctions, ends[:, 0], ends[:, 1])
    selected = np.concatenate((np.flatnonzero(tree), np.flatnonzero(~tree)))[: max(n_streets, junctions - 1)]
    points, ends = _bend(points, ends[np.sort(selected)], nodes - junctions)
    names = [pl.Series(np.arange(1, count + 1)).cast(pl.String) for count in (len(points), len(ends))]
    return Network(names[0], (points * BLOCK_M).round(1), names[1], ends)


def _most_streets(junctions: int) -> int:
    """The number of lines and diagonals of the lattice."""
    across = int(np.ceil(np.sqrt(junctions)))
    rows, rest = divmod(junctions, across)
    lines = rows * (across - 1) + max(0, rest - 1) + junctions - across
    return lines + (rows - 1) * (across - 1) + max(0, rest - 1)


def _lattice(junctions: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.float64], Ints]:
    """The junctions, row by row, and all possible streets: lines in random order, then diagonals.

    A junction is moved by less than a quarter of a block along each axis.  So a line of the lattice stays less than
    half a block wide, lines without a common junction cannot meet, lines with one leave it in different directions, and
    every block stays convex and can have a diagonal.
    """
    across = int(np.ceil(np.sqrt(junctions)))
    number = np.arange(junctions)
    column = number % across
    points = np.column_stack((column, number // across)) + rng.uniform(-SWAY, SWAY, (junctions, 2))
    right = number[(column < across - 1) & (number + 1 < junctions)]
    up = number[number + across < junctions]
    lines = np.concatenate((np.column_stack((right, right + 1)), np.column_stack((up, up + across))))
    corner = number[(column < across - 1) & (number + across + 1 < junctions)]
    falling = rng.random(len(corner)) < 0.5
    diagonals = np.where(
        falling[:, None],
        np.column_stack((corner + 1, corner + across)),
        np.column_stack((corner, corner + across + 1)),
    )
    return points, np.concatenate((rng.permutation(lines), rng.permutation(diagonals)))


def _bend(points: npt.NDArray[np.float64], ends: Ints, n_bends: int) -> tuple[npt.NDArray[np.float64], Ints]:
    """Add nodes on the roads, in proportion to their lengths and evenly spaced."""
    length = np.hypot(*(points[ends[:, 0]] - points[ends[:, 1]]).T)
    share = length / length.sum() * n_bends
    extra = np.floor(share).astype(np.int64)
    extra[np.argsort(extra - share, kind="stable")[: n_bends - extra.sum()]] += 1
    road = np.repeat(np.arange(len(ends)), extra + 1)  # the parts of each road
    part = np.arange(len(road)) - np.repeat(np.cumsum(extra + 1) - extra - 1, extra + 1)
    inner = part > 0
    node = np.full(len(road), -1)
    node[inner] = len(points) + np.arange(n_bends)
    along = (part / (extra[road] + 1))[:, None]
    between = points[ends[road, 0]] * (1 - along) + points[ends[road, 1]] * along
    first = np.where(inner, node, ends[road, 0])
    last = np.where(part == extra[road], ends[road, 1], np.append(node[1:], -1))
    return np.concatenate((points, between[inner])), np.column_stack((first, last))


def compiled(network: Network, speeds: npt.NDArray[np.float64], classes: Ints) -> Roads:
    """The network as the kernels take it."""
    offsets, neighbours, roads = network.adjacency
    return Roads(
        offsets=offsets,
        neighbours=neighbours,
        roads=roads,
        lengths=network.lengths,
        speeds=speeds,
        capacities=CAPACITIES[np.minimum(classes, len(CAPACITIES) - 1)],
        x=np.ascontiguousarray(network.points[:, 0]),
        y=np.ascontiguousarray(network.points[:, 1]),
        fastest=float(speeds.max()),
    )


def road_classes(network: Network) -> Ints:
    """The classes of the roads in the network; without them, roads on more shortest routes are faster.

    Routes lead from up to 64 nodes, spread evenly over the list of nodes, to all others.
    """
    if network.classes is not None:
        return np.asarray(network.classes, dtype=np.int64)
    one_class = np.zeros(len(network.roads), dtype=np.int64)
    city = compiled(network, np.ones(len(network.roads)), one_class)
    sources = np.unique(np.linspace(0, len(network) - 1, 64).astype(np.int64))
    use = route_use(city, sources, search_buffers(len(network), 2 * len(network.roads)))
    rank = np.empty(len(use), dtype=np.int64)
    rank[np.argsort(-use, kind="stable")] = np.arange(len(use))
    return np.searchsorted(np.cumsum(CLASS_SHARES)[:-1] * len(use), rank, side="right")


def class_speeds(network: Network, classes: Ints, divisor: float) -> npt.NDArray[np.float64]:
    """The speed of each road: class 0 crosses the map in `divisor` time units; each class has 2/3 of the previous."""
    fastest = float(np.ptp(network.points, axis=0).sum()) / divisor
    return np.asarray(fastest * (2 / 3) ** classes, dtype=np.float64)
