"""Whether one candidate is frequent, by the measure and the search that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.enumeration import Enumeration
from sfumato.mining.subgraphs.frequency import Frequency, Verdict
from sfumato.mining.subgraphs.graph_index import Index
from sfumato.mining.subgraphs.independent_sets import most_apart
from sfumato.mining.subgraphs.pattern_extension import Shape
from sfumato.mining.subgraphs.search_limits import Clock

if TYPE_CHECKING:
    from sfumato.mining.subgraphs.grami import FrequentSubgraphs

__all__ = ["Decision"]


class Decision:
    """Decides candidates on one graph."""

    def __init__(self, asked: FrequentSubgraphs, index: Index, clock: Clock) -> None:
        self._asked, self._index, self._clock = asked, index, clock
        self.push_down, self.given_up = asked.push_down, asked.alpha < 1
        self._taken = np.zeros(index.n_nodes, dtype=np.int32)
        self._frequency = Frequency(
            threshold=asked.support,
            exact=asked.exact and asked.measure == "mni",
            unique_labels=asked.unique_labels,
            lazy=asked.lazy,
            decomposition=asked.decomposition,
            alpha=asked.alpha,
            beta=asked.beta,
            clock=clock,
            taken=self._taken,
        )

    def __call__(self, shape: Shape, known: Sequence[Sequence[Ints]]) -> tuple[Verdict, list[Ints]]:
        if shape.n_edges == 1 and self._asked.measure == "mni":
            support = self._index.supports[shape.first]
            return Verdict(True, support if self._asked.exact else self._asked.support), []
        csp = Csp(self._index, shape, known, self._asked.automorphisms)
        verdict = self._by_images(csp) if self._asked.search == "images" else self._by_solutions(csp)
        if verdict.frequent and self._asked.measure == "mis":
            verdict = self._by_independence(csp)
        return verdict, csp.left() if verdict.frequent else []

    def _by_images(self, csp: Csp) -> Verdict:
        return self._frequency(csp)

    def _by_solutions(self, csp: Csp) -> Verdict:
        """ISFREQUENTCSP: solutions one after the other mark their nodes."""
        threshold = self._asked.support
        if not csp.consistent(threshold):
            return Verdict(False)
        solutions = Enumeration(csp, self._clock, self._taken)
        solutions.mark(ENOUGH if self._frequency.exact else threshold)
        least = int(csp.valid.min())
        return Verdict(least >= threshold, least if self._frequency.exact else threshold)

    def _by_independence(self, csp: Csp) -> Verdict:
        threshold = self._asked.support
        apart = most_apart(csp, ENOUGH if self._asked.exact else threshold, self._clock, self._taken)
        return Verdict(apart >= threshold, apart)
