"""REFINE: joint clusters that share chunks of terms which are too rare in each of them (Terrovitis et al., 2012)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.joining import leading_ranks, merge_terms, move_terms, promising, shared_terms
from sfumato.kernels.vertical import TERM
from sfumato.methods.base import Run
from sfumato.methods.transactions.horpart import Clusters

__all__ = ["Joints", "refine"]

_LEADING = 8  # terms by which clusters are sorted before whole term chunks are compared


@dataclass(eq=False)
class Joints:
    """The joint clusters that were made: number n is the (len(clusters) + n)-th cluster.

    parents : of every cluster, simple ones first; -1 for none.
    chunk_joints : the joint cluster (as a cluster) of each shared chunk.
    item_chunks : int32, the shared chunk of each item, -1 for none.
    """

    parents: list[int]
    item_chunks: npt.NDArray[np.int32]
    chunk_joints: list[int] = field(default_factory=list)


@dataclass(eq=False)
class _Root:
    """A cluster without a parent: its simple clusters, the terms of their term chunks that may be shared (the virtual
    term chunk), and the terms in shared chunks below it."""

    number: int
    leaves: Ints
    terms: Ints
    supports: Ints
    shared: Ints
    shared_sizes: Ints


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
    roots = work.roots()
    refused: set[tuple[int, int]] = set()
    while True:  # line 1
        order, hopeful = work.in_order(roots)  # lines 2 and 3
        joined, at = 0, 0
        while at + 1 < len(order):  # line 4
            if at % 1000 == 0:
                run.advance(at, len(order))
            pair = order[at], order[at + 1]
            made = work.join(roots[pair[0]], roots[pair[1]]) if hopeful[at] and pair not in refused else None
            if made is None:
                if hopeful[at]:
                    refused.add(pair)
                at += 1
                continue
            del roots[pair[0]], roots[pair[1]]
            roots[made.number] = made
            joined += 1
            at += 2
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
        self._data, self._starts, self._parts = clusters.data, clusters.starts, parts
        self._n_terms, self._skipped, self._alone = len(clusters.data.names), skipped, stands_alone
        self._rules = (m, k, safe)
        cluster = np.repeat(np.arange(len(clusters)), np.diff(self._data.offsets[self._starts]))
        self._term_starts, self._terms, self._supports = self._distinct(cluster, parts == TERM)
        self._held_starts, self._held, _ = self._distinct(cluster, parts >= 0)
        self._gone = np.zeros(len(self._terms), dtype=bool)
        self._scratch = np.zeros((4, self._n_terms), dtype=np.int64)
        self._scratch[3] = -1
        self.joints = Joints([-1] * len(clusters), np.full(len(parts), -1, dtype=np.int32))

    def _distinct(self, cluster: Ints, chosen: npt.NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
        """Where the distinct terms of each cluster among the chosen items begin, the terms, and how many have each."""
        keys = np.sort(cluster[chosen] * self._n_terms + self._data.codes[chosen])
        fresh = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        of, terms = np.divmod(keys[fresh], max(1, self._n_terms))
        counts = np.bincount(of, minlength=len(self._starts) - 1)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return starts, terms, np.diff(np.append(fresh, len(keys)))

    def roots(self) -> dict[int, _Root]:
        """Every cluster by itself."""
        none = np.empty(0, dtype=np.int64)
        keep = ~self._skipped[self._terms]
        starts = np.concatenate(([0], np.cumsum(keep)))[self._term_starts].tolist()
        terms, supports = self._terms[keep], self._supports[keep]
        return {
            number: _Root(number, np.array([number]), terms[first:end], supports[first:end], none, none)
            for number, (first, end) in enumerate(pairwise(starts))
        }

    def in_order(self, roots: dict[int, _Root]) -> tuple[list[int], list[bool]]:
        """The clusters in the order of their term chunks, whose terms stand by the number of chunks they are in.

        Beside it for each but the last: whether it and the next have a term that k records have in both together.
        """
        some = [root for root in roots.values() if len(root.terms)]
        if not some:
            return [], []
        numbers = np.array([root.number for root in some])
        starts = np.concatenate(([0], np.cumsum([len(root.terms) for root in some])))
        terms = np.concatenate([root.terms for root in some])
        supports = np.concatenate([root.supports for root in some])
        by_number = np.argsort(-np.bincount(terms, minlength=self._n_terms), kind="stable")
        rank = np.empty(self._n_terms, dtype=np.int64)
        rank[by_number] = np.arange(self._n_terms)
        leading = leading_ranks(terms, starts, rank, _LEADING)
        order = np.lexsort((numbers, *leading.T[::-1]))
        tied = np.all(leading[order][1:] == leading[order][:-1], axis=1) & (leading[order][1:, -1] >= 0)
        found: list[int] = order.tolist()
        at = 0
        for first in np.flatnonzero(tied).tolist():  # the leading terms do not tell them apart
            if first < at:
                continue
            end = first + 1
            while end < len(tied) and tied[end]:
                end += 1
            found[first : end + 1] = sorted(
                found[first : end + 1], key=lambda row: (np.sort(rank[some[row].terms]).tolist(), some[row].number)
            )
            at = end
        hopeful = promising(terms, supports, starts, np.array(found), self._rules[1])
        return [some[row].number for row in found], hopeful.tolist()

    def join(self, one: _Root, other: _Root) -> _Root | None:
        """The joint cluster, or nothing where the two do not gain by it."""
        data = self._data
        leaves = np.concatenate((one.leaves, other.leaves))
        below = np.concatenate((one.shared, other.shared)), np.concatenate((one.shared_sizes, other.shared_sizes))
        place: tuple[Any, ...] = (self._starts, data.offsets, data.codes, self._parts, self._term_starts, self._terms)
        ranked, chunk_of = shared_terms(
            leaves, len(one.leaves), *place, self._gone, self._held_starts, self._held, *below,
            self._skipped, self._alone, self._n_terms, *self._rules, self._scratch,
        )  # fmt: skip
        if len(ranked) == 0:
            return None
        joints = self.joints
        number, size = len(joints.parents), int(np.sum(np.diff(self._starts)[leaves]))
        move_terms(
            leaves, *place, self._gone, ranked, chunk_of, len(joints.chunk_joints), joints.item_chunks,
            self._scratch[3],
        )  # fmt: skip
        joints.parents += [-1]
        joints.parents[one.number] = joints.parents[other.number] = number
        joints.chunk_joints += [number] * (int(chunk_of.max()) + 1)
        chosen = ranked[chunk_of >= 0]
        terms, supports = merge_terms(one.terms, one.supports, other.terms, other.supports, np.sort(chosen))
        return _Root(
            number,
            leaves,
            terms,
            supports,
            np.concatenate((below[0], chosen)),
            np.concatenate((below[1], np.full(len(chosen), size))),
        )
