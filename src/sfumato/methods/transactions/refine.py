"""REFINE: joint clusters that share chunks of terms which are too rare in each of them (Terrovitis et al., 2012)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sfumato.kernels.items.cluster_terms import terms_of_clusters
from sfumato.kernels.items.joint_clusters import (
    BEGIN,
    END,
    ClusterTerms,
    Entries,
    HeldTerms,
    JoinScratch,
    Leaves,
    SharedTerms,
    merge_sizes,
    merge_terms,
    move_terms,
    shared_terms,
)
from sfumato.kernels.items.verpart import TERM
from sfumato.methods.base import Run
from sfumato.methods.transactions.horpart import Clusters
from sfumato.methods.transactions.virtual_chunks import VirtualChunks

__all__ = ["Joints", "refine"]


@dataclass(eq=False)
class Joints:
    """The joint clusters: number n is the (len(clusters) + n)-th cluster.

    parents : of every cluster, simple ones first; -1 for none.
    chunk_joints : the joint cluster (as a cluster) of each shared chunk.
    item_chunks : int32, the shared chunk of each item, -1 for none.
    """

    parents: list[int]
    item_chunks: npt.NDArray[np.int32]
    chunk_joints: list[int] = field(default_factory=list)


def refine(
    clusters: Clusters,
    parts: npt.NDArray[np.int32],
    stands_alone: npt.NDArray[np.bool_],
    *,
    k: int,
    m: int,
    skipped: npt.NDArray[np.bool_],
    safe: bool,
    run: Run,
) -> Joints:
    """Join neighbouring clusters, in the order of their term chunks, until no two gain by it.

    parts : as by `verpart`; items that move to a shared chunk are marked SHARED in it.
    stands_alone : by cluster, whether Lemma 2 holds without its term chunk.
    """
    work = _Refinement(clusters, parts, stands_alone, k, m, skipped, safe)
    refused: set[tuple[int, int]] = set()
    while True:  # line 1
        order, hopeful = work.chunks.in_order()  # lines 2 and 3
        joined, behind = 0, -1
        for step, index in enumerate(np.flatnonzero(hopeful).tolist()):  # line 4
            if step % 100 == 0:
                run.advance(index, len(order))
            pair = int(order[index]), int(order[index + 1])
            if index <= behind or pair in refused:
                continue
            if work.join(*pair):
                joined, behind = joined + 1, index + 1
            else:
                refused.add(pair)
        if joined == 0:  # line 5
            return work.joints


class _Refinement:
    """The arrays that all joins work on."""

    def __init__(
        self,
        clusters: Clusters,
        parts: npt.NDArray[np.int32],
        stands_alone: npt.NDArray[np.bool_],
        k: int,
        m: int,
        skipped: npt.NDArray[np.bool_],
        safe: bool,
    ) -> None:
        data, n_terms = clusters.data, len(clusters.data.names)
        self._parts, self._sizes, self._rules = parts, clusters.sizes.tolist(), (m, k, safe)
        self._names = np.argsort(-np.bincount(data.codes[parts == TERM], minlength=n_terms), kind="stable")
        # terms are numbered anew: those that lead the order of chunks come early
        place = data.codes, data.offsets, clusters.starts, np.argsort(self._names)
        bounds, terms, chain, items, records = terms_of_clusters(parts, TERM, TERM, *place, True)
        self._entries = Entries(chain, records, items)
        self._leaves = Leaves(clusters.sizes, np.diff(bounds), stands_alone)
        self._scratch = JoinScratch(
            np.empty(n_terms, dtype=np.int64),
            np.full(len(data), -1, dtype=np.int32),
            np.zeros(len(clusters), dtype=np.int64),
        )
        supports, numbers = chain[:, END] - chain[:, BEGIN], np.arange(len(terms), dtype=np.int32)
        if skipped.any():
            numbers = np.flatnonzero(~skipped[self._names][terms]).astype(np.int32)
            terms, supports, bounds = terms[numbers], supports[numbers], np.searchsorted(numbers, bounds)
        self.chunks = VirtualChunks(bounds, ClusterTerms(terms, supports, numbers, numbers), self._names, k)
        # the terms in record chunks or, of joint clusters, in any chunk below
        self._held_starts, self._held, *_ = terms_of_clusters(parts, 0, len(parts), *place, False)
        self._below: dict[int, HeldTerms] = {}
        self.joints = Joints([-1] * len(clusters), np.full(len(parts), -1, dtype=np.int32))

    def _held_by(self, number: int) -> HeldTerms:
        """The terms that a cluster has in its chunks, and in how many records of it each must not be shared."""
        if number in self._below:
            return self._below[number]
        terms = self._held[self._held_starts[number] : self._held_starts[number + 1]]
        return HeldTerms(terms, np.full(len(terms), self._sizes[number]))

    def join(self, first: int, second: int) -> bool:
        """Make a joint cluster of two, if they gain by it."""
        columns, more = self.chunks.of(first), self.chunks.of(second)
        held, held_too = self._held_by(first), self._held_by(second)
        total = self._sizes[first] + self._sizes[second]
        parts = columns, more, held, held_too, self._entries, self._leaves, self._names, self._scratch, total
        shared = SharedTerms(*shared_terms(*parts, *self._rules))
        if len(shared.terms) == 0:
            return False
        joints = self.joints
        number, first_chunk = len(joints.parents), len(joints.chunk_joints)
        move_terms(shared, self._entries, self._leaves.left, first_chunk, self._parts, joints.item_chunks)
        joints.parents.append(-1)
        joints.parents[first] = joints.parents[second] = number
        joints.chunk_joints += [number] * (int(shared.chunk_of.max()) + 1)
        chosen = np.sort(shared.terms[shared.chunk_of >= 0]).astype(np.int32)  # as all terms: one kernel, not four
        merged = ClusterTerms(*merge_terms(columns, more, chosen, self._entries.chain))
        self.chunks.replace(first, second, number, merged)
        self._sizes.append(total)
        both = merge_sizes(*held, *held_too)
        self._below[number] = HeldTerms(*merge_sizes(*both, chosen, np.full(len(chosen), total)))
        self._below.pop(first, None)
        self._below.pop(second, None)
        return True
