"""Counts of projections to the owners of places: of all trajectories, as they go in and out of `Projections`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.owners.projections import KEY, NODES, PARENT, SUPPORT, VALUE
from sfumato.kernels.owners.unifications import write_paths
from sfumato.params import exact

if TYPE_CHECKING:
    from sfumato.methods.trajectories.owners.projections import Projections

__all__ = ["Counts", "allowed", "counts_of", "depths", "paths_of"]


class Counts(NamedTuple):
    """How many fragments and persons have a projection, alone (place -1) and together with each place of others.

    codes : the places of each projection, one projection after the other; offsets : where each begins, and the end.
    """

    codes: Ints
    offsets: Ints
    places: Ints
    fragments: Ints
    persons: Ints


def counts_of(work: Projections) -> Counts:
    """The counts of all projections that some fragment has, those of other fragments included."""
    state, n = work.state, len(work.data.names)
    n_nodes, layers = int(state.sizes[NODES]), 2 if work.state.n_persons else 1
    support = state.sides[SUPPORT, : 2 * n_nodes].reshape(-1, 2)
    alone = np.flatnonzero(support[:, 0] > 0)
    there = (state.pairs[KEY] >= 0) & (state.pairs[VALUE] > 0)
    keys, values = state.pairs[KEY, there], state.pairs[VALUE, there]
    of_layer = [(keys // n) % 2 == layer for layer in range(2)]
    order = [np.flatnonzero(chosen)[np.argsort(keys[chosen])] for chosen in of_layer]
    first, last = order[0], order[layers - 1]  # a pair of some fragments is a pair of some persons
    nodes = np.concatenate((alone, keys[first] // n // 2))
    codes, offsets = paths_of(work, nodes)
    places = np.concatenate((np.full(len(alone), -1), keys[first] % n))
    fragments = np.concatenate((support[alone, 0], values[first]))
    return Counts(codes, offsets, places, fragments, np.concatenate((support[alone, layers - 1], values[last])))


def paths_of(work: Projections, nodes: Ints) -> tuple[Ints, Ints]:
    """The places of some projections, one projection after the other, and where each begins."""
    depth = depths(work.state.nodes[PARENT, : int(work.state.sizes[NODES])])
    offsets = np.concatenate(([0], np.cumsum(depth[nodes]))).astype(np.int64)
    codes = np.zeros(int(offsets[-1]), dtype=np.int64)
    write_paths(work.state, nodes, depth, offsets, codes)
    return codes, offsets


def depths(parent: Ints) -> Ints:
    """How many places each projection has; a node comes after its parent."""
    depth = np.zeros(len(parent), dtype=np.int64)
    above = parent.copy()
    below = np.arange(1, len(parent))
    while len(below):
        depth[below] += 1
        below = below[above[below] > 0]
        above[below] = parent[above[below]]
    return depth


def allowed(threshold: float, sizes: Ints) -> Ints:
    """How many of an anonymity set of each of these sizes may visit the same place.

    >>> allowed(0.3, np.array([11, 10, 4])).tolist()
    [3, 3, 1]
    """
    share = exact(threshold)
    different, where = np.unique(sizes, return_inverse=True)
    most = [share.numerator * int(size) // share.denominator for size in different]
    return np.array(most, dtype=np.int64)[where]
