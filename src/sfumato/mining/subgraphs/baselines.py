"""Baselines for GraMi: a miner that stores every occurrence, and one that counts every isomorphism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.occurrences import closed_rows, extended_rows
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.mining.subgraphs.base import SubgraphMining
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.enumeration import Enumeration
from sfumato.mining.subgraphs.frequency import Outcome, Verdict
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.independent_sets import MEASURE_HELP, MEASURES, largest_disjoint_rows
from sfumato.mining.subgraphs.pattern_extension import Shape
from sfumato.mining.subgraphs.search_limits import Clock, Stopped
from sfumato.params import param

__all__ = ["CountIsomorphisms", "GrowStore"]

_MOST = 1 << 26  # numbers in all stored occurrences together: a quarter of a gigabyte, more while they are extended


@dataclass(frozen=True, kw_only=True)
class GrowStore(SubgraphMining):
    """Find frequent subgraphs by storing all occurrences of a pattern and extending them (for comparison).

    Notes
    -----
    The grow-and-store method that GraMi is compared with: candidates by minimum DFS codes as in gSpan, occurrences
    instead of searches.  The result is that of `FrequentSubgraphs`, by either `measure`; the search stops when the
    store is full.

    Examples
    --------
    >>> from sfumato.data.graphs.graph import Graph
    >>> GrowStore(support=2, exact=True).mine(Graph.from_edges([(0, 1), (1, 2), (2, 3)])).patterns[-1]
    <Pattern: , , , ; 0-1, 1-2, 2-3; support 2>
    """

    name: ClassVar[str] = "grow-store"

    measure: str = param("mni", choices=MEASURES, help=MEASURE_HELP)

    def decider(self, index: Index, clock: Clock) -> StoredOccurrences:
        return StoredOccurrences(self, index, clock)


class StoredOccurrences:
    """Decides by the stored occurrences of all frequent patterns of the current and of the previous size."""

    push_down, given_up, levels, side_by_side = False, False, True, False

    def __init__(self, miner: GrowStore, index: Index, clock: Clock) -> None:
        self._miner, self._index, self._clock = miner, index, clock
        self._last: dict[bytes, Ints] = {}
        self._now: dict[bytes, Ints] = {}
        self._edges = 1

    def __call__(self, shape: Shape, _known: Sequence[Sequence[Ints]], _parents: Ints) -> Outcome:
        if shape.n_edges > self._edges:
            self._last, self._now, self._edges = self._now, {}, shape.n_edges
        rows = self._occurrences(shape)
        support = self._support(rows)
        if support < self._miner.support:
            return Outcome(Verdict(False))
        self._now[shape.name] = rows
        return Outcome(Verdict(True, support if self._miner.exact else self._miner.support))

    def _support(self, rows: Ints) -> int:
        """The support by the measure; of disjoint occurrences, no more than are needed."""
        images = min((len(np.unique(column)) for column in rows.T), default=0)
        if self._miner.measure == "mni" or images < self._miner.support:  # there are no more disjoint ones than images
            return images
        sets = np.unique(np.sort(rows, axis=1), axis=0).astype(np.int64)
        return largest_disjoint_rows(sets, ENOUGH if self._miner.exact else self._miner.support, self._clock)

    def _occurrences(self, shape: Shape) -> Ints:
        parent = shape.parent
        single_nodes = self._index.nodes_of(int(shape.labels[0])).reshape(-1, 1)
        rows = single_nodes if parent is None else self._last[parent]
        source, target, look, label = (int(number) for number in shape.code[-1])
        kind = self._index.kind(look, label)
        if target < rows.shape[1]:
            closed: Ints = rows[closed_rows(self._index.graph, rows, source, target, kind)]
            return closed
        stored = sum(table.size for store in (self._last, self._now) for table in store.values())
        most = max(0, _MOST - stored) // (target + 1)
        grown: Ints = extended_rows(self._index.graph, rows, source, kind, most)
        if len(grown) >= most:
            raise Stopped("memory")
        self._clock.check()
        return grown


@dataclass(frozen=True, kw_only=True)
class CountIsomorphisms(SubgraphMining):
    """Find frequent subgraphs by counting the images of all isomorphisms of every candidate (for comparison).

    Notes
    -----
    GraMi with its test of frequency replaced by a subgraph-isomorphism search in the manner of GraphQL: domains by
    labels and by matching of neighbours, then every isomorphism.

    Examples
    --------
    >>> from sfumato.data.graphs.graph import Graph
    >>> CountIsomorphisms(support=2).mine(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    <Subgraphs: 3 with a support of at least 2>
    """

    name: ClassVar[str] = "count-isomorphisms"

    def decider(self, index: Index, clock: Clock) -> IsomorphismCounter:
        return IsomorphismCounter(self, index, clock)


class IsomorphismCounter:
    """Decides by the images of all isomorphisms of a candidate."""

    push_down, given_up, levels, side_by_side = False, False, True, False

    def __init__(self, miner: CountIsomorphisms, index: Index, clock: Clock) -> None:
        self._miner, self._index, self._clock = miner, index, clock
        self._taken = np.zeros(index.n_nodes, dtype=np.int32)

    def __call__(self, shape: Shape, known: Sequence[Sequence[Ints]], _parents: Ints) -> Outcome:
        csp = Csp(self._index, shape, known, symmetric=False)
        csp.consistent(0)
        Enumeration(csp, self._clock, self._taken).mark(ENOUGH)
        least = int(csp.valid.min())
        return Outcome(Verdict(least >= self._miner.support, least if self._miner.exact else self._miner.support))
