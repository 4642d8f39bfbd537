"""Deciding whether one candidate is frequent, by the configured measure and search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.enumeration import Enumeration
from sfumato.mining.subgraphs.frequency import NO_WITNESSES, Frequency, NodeMarks, Outcome, Verdict
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.independent_sets import largest_disjoint_set
from sfumato.mining.subgraphs.pattern_extension import Shape
from sfumato.mining.subgraphs.search_limits import Clock

if TYPE_CHECKING:
    from sfumato.mining.subgraphs.grami import FrequentSubgraphs

__all__ = ["Decision"]


class Decision:
    """Decides whether candidates are frequent on one graph; several threads may ask."""

    side_by_side = True

    def __init__(self, miner: FrequentSubgraphs, index: Index, clock: Clock) -> None:
        self._miner, self._index, self._clock = miner, index, clock
        self.push_down, self.given_up, self.levels = miner.push_down, miner.alpha < 1, miner.levels
        self._marks = NodeMarks(index.n_nodes)
        self._frequency = Frequency(
            threshold=miner.support,
            exact=miner.exact and miner.measure == "mni",
            miner=miner,
            clock=clock,
            marks=self._marks,
        )

    def __call__(self, shape: Shape, known: Sequence[Sequence[Ints]], parents: Ints) -> Outcome:
        if shape.n_edges == 1 and self._miner.measure == "mni":
            support = self._index.supports[shape.first]
            return Outcome(Verdict(True, support if self._miner.exact else self._miner.support))
        csp = Csp(
            self._index,
            shape,
            known,
            symmetric=self._miner.automorphisms,
            distinct=self._miner.distinct_neighbours,
        )
        if self._miner.search == "images":
            verdict, witnesses = self._frequency(csp, parents)
        else:
            verdict, witnesses = self._by_solutions(csp), NO_WITNESSES
        if verdict.frequent and self._miner.measure == "mis":
            verdict = self._by_independence(csp)
        return Outcome(verdict, csp.remaining(), witnesses) if verdict.frequent else Outcome(verdict)

    def _by_solutions(self, csp: Csp) -> Verdict:
        """ISFREQUENTCSP: each solution marks its nodes as valid."""
        threshold = self._miner.support
        if not csp.consistent(threshold):
            return Verdict(False)
        solutions = Enumeration(csp, self._clock, self._marks.taken, ordered=self._miner.ordering)
        solutions.mark(ENOUGH if self._frequency.exact else threshold)
        least = int(csp.valid.min())
        return Verdict(least >= threshold, least if self._frequency.exact else threshold)

    def _by_independence(self, csp: Csp) -> Verdict:
        threshold = self._miner.support
        n_disjoint = largest_disjoint_set(
            csp, ENOUGH if self._miner.exact else threshold, self._clock, self._marks.taken
        )
        return Verdict(n_disjoint >= threshold, n_disjoint)
