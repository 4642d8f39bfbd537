"""Unifying what an owner sees of different trajectories, what gains most first: the loop of GSUP."""

from __future__ import annotations

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.errors import Bug
from sfumato.kernels.owners.projections import FRAGMENTS, NODES, PARENT
from sfumato.kernels.owners.unification_gains import refresh_all
from sfumato.kernels.owners.unification_queue import (
    BY_LONG,
    BY_SHORT,
    CUT,
    DEPTH,
    FOLLOWING,
    FRAGMENT,
    HEAD,
    LONG,
    LOSS,
    NODE,
    RANK,
    SHORT,
    SHORTS,
    TAIL,
    Unions,
)
from sfumato.kernels.owners.unifications import find_candidates, list_projections, pick_candidates, unify, write_paths
from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.projection_counts import depths
from sfumato.methods.trajectories.owners.projections import Projections

__all__ = ["Unifications", "fragments_with_projections"]


class Unifications:
    """Unifications of projections, `batch` in a loop, until there is no problem left."""

    def __init__(self, work: Projections, *, batch: int) -> None:
        self._work, self._batch = work, batch
        self.changes = 0
        state = work.state
        n_nodes = int(state.sizes[NODES])
        depth = depths(state.nodes[PARENT, :n_nodes])
        candidates = _candidates(work, depth)
        longs, shorts = candidates[LONG], candidates[SHORT]
        candidates[CUT] = depth[longs] - depth[shorts]
        candidates[SHORTS] = np.argsort(shorts, kind="stable")
        candidates[LOSS] = 1
        every = np.arange(n_nodes + 1)
        nodes = np.zeros((7, n_nodes + 1), dtype=np.int64)
        nodes[DEPTH, :n_nodes] = depth
        nodes[RANK, :n_nodes] = _ranks(work, depth, np.unique(candidates[[LONG, SHORT]]))
        nodes[BY_LONG] = np.searchsorted(longs, every)
        nodes[BY_SHORT] = np.searchsorted(np.sort(shorts), every)
        nodes[[HEAD, TAIL]], entries, firsts = _fragments_by_projection(work)
        size = 2 * candidates.shape[1] + 16
        self._unions = Unions(
            nodes=nodes,
            entries=entries,
            firsts=firsts,
            candidates=candidates,
            key=np.full(candidates.shape[1], -1.0),
            heap=np.zeros((3, size), dtype=np.int64),
            heap_key=np.zeros(size),
            count=np.zeros(3, dtype=np.int64),
        )
        self._stack = np.zeros(n_nodes + 1, dtype=np.int64)
        refresh_all(state, self._unions)

    def run(self, run: Run) -> None:
        """Unify until there is no problem left."""
        first = max(1, self._work.problems)
        while self._work.problems > 0:
            run.advance(first - self._work.problems, first)
            self.loop()

    def loop(self) -> None:
        """The unifications of one loop; there is always one, for what is suppressed is no problem."""
        before = self.changes
        most = min(self._batch, len(self._unions.key))
        for candidate in pick_candidates(self._work.state, self._unions, most):
            self._unify(int(candidate))
        if self.changes == before:
            raise Bug("problems are left, but nothing can be unified")

    def _unify(self, candidate: int) -> None:
        done = 0
        while (done := int(unify(self._work.state, self._unions, candidate, self._work.capacity(), self._stack))) < 0:
            self._work.reserve_entries(-done)
        self.changes += done


def _candidates(work: Projections, depth: Ints) -> Ints:
    """Both projections of every candidate, in an array with room for what else is known of them."""
    size, node = 1024 + 4 * len(depth), 1
    batches = [np.zeros((2, 0), dtype=np.int64)]
    while node < len(depth):
        some = np.zeros((2, size), dtype=np.int64)
        node, count = (int(number) for number in find_candidates(work.state, node, depth, some[0], some[1]))
        batches.append(some[:, :count])
        size *= 2
    pairs = np.concatenate(batches, axis=1)
    candidates = np.zeros((9, pairs.shape[1]), dtype=np.int64)
    candidates[[LONG, SHORT]] = pairs
    return candidates


def fragments_with_projections(work: Projections) -> tuple[Ints, Ints]:
    """Every projection of every fragment: the number of the fragment, and of the projection."""
    entries, _ = _entries(work)
    return entries[FRAGMENT], entries[NODE]


def _entries(work: Projections) -> tuple[Ints, Ints]:
    """Every projection of every fragment as an entry, and each fragment's first entry."""
    n = int(work.state.sizes[FRAGMENTS])
    firsts = np.zeros(n + 1, dtype=np.int64)
    total = int(list_projections(work.state, n, False, firsts, np.zeros((3, 0), dtype=np.int64)))
    entries = np.full((3, total), -1, dtype=np.int64)
    list_projections(work.state, n, True, firsts, entries)
    return entries, firsts


def _fragments_by_projection(work: Projections) -> tuple[Ints, Ints, Ints]:
    """The fragments with every projection as linked lists: their ends, the entries, and each fragment's first entry."""
    nodes = int(work.state.sizes[NODES])
    entries, firsts = _entries(work)
    order = np.argsort(entries[NODE], kind="stable")
    node = entries[NODE, order]
    ends = np.full((2, nodes + 1), -1, dtype=np.int64)
    ends[0, node[::-1]] = order[::-1]
    ends[1, node] = order
    same = node[1:] == node[:-1]
    entries[FOLLOWING, order[:-1][same]] = order[1:][same]
    return ends, entries, firsts


def _ranks(work: Projections, depth: Ints, nodes: Ints) -> Ints:
    """The name order of some projections."""
    offsets = np.concatenate(([0], np.cumsum(depth[nodes])))
    codes = np.zeros(int(offsets[-1]), dtype=np.int64)
    write_paths(work.state, nodes, depth, offsets, codes)
    rank = np.zeros(len(depth), dtype=np.int64)
    rank[nodes[sequence_order(Trajectories(offsets=offsets, codes=codes, names=work.data.names))]] = np.arange(
        len(nodes)
    )
    return rank
