"""Deciding whether a pattern is frequent by searching an image for each node (ISFREQUENT)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.search import (
    ENOUGH,
    FIELDS,
    FREQUENT,
    GIVEN_UP,
    INFREQUENT,
    PAUSED,
    Limits,
    SavedSearches,
    plans,
    sweep,
)
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.search_limits import Clock

__all__ = ["Frequency", "Verdict"]

_PATIENCE = 1_000  # steps of a search before it is postponed
_GROWTH = 8  # factor of the patience from round to round
_BATCH_STEPS = 1 << 22  # steps between two checks of the clock
_STATES = 1 << 26  # bytes for postponed searches; a search without a slot starts again


class Verdict(NamedTuple):
    """frequent : None where the search was given up (AGraMi).  support : exact if the miner is exact."""

    frequent: bool | None
    support: int = 0


@dataclass(frozen=True)
class Frequency:
    """Decides whether a pattern is frequent.

    unique_labels, automorphisms, lazy, decomposition : the optimizations of Section 3.3.
    alpha, beta : a search stops after alpha^n * (product of the domains' sizes) + beta complete assignments.
    """

    threshold: int
    exact: bool
    unique_labels: bool
    lazy: bool
    decomposition: bool
    alpha: float
    beta: int
    clock: Clock
    taken: Ints  # zeros, one for each node of the graph

    def __call__(self, csp: Csp) -> Verdict:
        if not csp.consistent(self.threshold):
            return Verdict(False)
        if self.unique_labels and _has_unique_labels(csp):
            return Verdict(True, int(csp.sizes.min()) if self.exact else self.threshold)
        searches = _Searches(csp, self)
        outcome = searches.settle(self.threshold)
        if outcome != FREQUENT:
            return Verdict(None if outcome == GIVEN_UP else False)
        if not self.exact:
            return Verdict(True, self.threshold)
        searches.settle(ENOUGH)
        return Verdict(True, int(csp.valid.min()))


def _has_unique_labels(csp: Csp) -> bool:
    """Whether consistent domains are valid without a search (Proposition 3)."""
    shape = csp.shape
    return csp.index.single and shape.is_tree and len(np.unique(shape.labels)) == shape.n_nodes


class _Searches:
    """The searches for one pattern in rounds; the number of steps of a search grows from round to round."""

    def __init__(self, csp: Csp, how: Frequency) -> None:
        self._csp, self._how = csp, how
        self._plan = plans(csp.pattern, csp.sizes)
        width = 2 + FIELDS * (csp.shape.n_nodes + 1)
        slots = min(max(1_024, _STATES // (8 * width)), len(csp.members)) if how.lazy else 1
        self._saved = SavedSearches(
            np.full(len(csp.members), -1, dtype=np.int64),
            np.empty((slots, width), dtype=np.int64),
            np.arange(slots, dtype=np.int64),
            np.array([slots], dtype=np.int64),
        )
        self._assignment_limit = _assignment_limit(csp, how)
        self._parts_done = not how.decomposition

    def settle(self, enough: int) -> int:
        """Search until every domain has `enough` valid nodes, one has too few, or all nodes are decided."""
        patience = _PATIENCE if self._how.lazy else _BATCH_STEPS
        while True:
            outcome = self.round(enough, patience)
            if outcome != PAUSED:
                return outcome
            if not self._parts_done:
                self._parts_done = True
                if not self._prune_by_parts(patience):
                    return INFREQUENT
            patience = min(patience * _GROWTH, _BATCH_STEPS)

    def round(self, enough: int, patience: int) -> int:
        """Run every search once, the domains by size."""
        csp, how = self._csp, self._how
        rows = np.unique(csp.row)
        order = rows[np.argsort(csp.sizes[rows], kind="stable")]
        limits = Limits(how.threshold, enough, patience, _BATCH_STEPS, self._assignment_limit, int(how.lazy))
        cursor = np.zeros(4, dtype=np.int64)
        while True:
            problem = (csp.index.graph, csp.pattern, self._plan, csp.domains, csp.removed)
            outcome = sweep(*problem, self._saved, order, limits, cursor, how.taken)
            how.clock.check()
            if outcome != PAUSED or cursor[0] >= len(order):
                return int(outcome)

    def _prune_by_parts(self, patience: int) -> bool:
        """Decomposition: remove nodes that are invalid for smaller patterns with the newest edge."""
        csp, how = self._csp, self._how
        for shape, nodes in csp.shape.parts_with_newest():
            part = csp.part(shape, nodes)
            if not part.consistent(how.threshold):
                return False
            if _Searches(part, how).round(ENOUGH, patience) == INFREQUENT or not csp.without(part, how.threshold):
                return False
        return True


def _assignment_limit(csp: Csp, how: Frequency) -> int:
    """The paper's bound f(alpha) on the assignments of one search; unbounded if alpha is 1."""
    if how.alpha == 1:
        return ENOUGH
    n = csp.shape.n_nodes
    log = n * np.log(how.alpha) + float(np.log(csp.sizes[csp.row].astype(float)).sum())
    return ENOUGH if log > 40 else int(np.exp(log)) + how.beta
