"""Deciding whether a pattern is frequent by searching an image for each node (ISFREQUENT)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.between import Ahead, left_beyond
from sfumato.kernels.subgraphs.search import (
    ENOUGH,
    FREQUENT,
    GIVEN_UP,
    INFREQUENT,
    PAUSED,
    Limits,
    SavedSearches,
    sweep,
)
from sfumato.kernels.subgraphs.search_order import FIELDS, Plans, plans
from sfumato.kernels.subgraphs.witnesses import Witnesses, extend_witnesses
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.search_limits import Clock

if TYPE_CHECKING:
    from sfumato.mining.subgraphs.grami import FrequentSubgraphs

__all__ = ["NO_WITNESSES", "Frequency", "NodeMarks", "Outcome", "Verdict"]

_PATIENCE = 1_000  # steps of a search before it is postponed
_GROWTH = 8  # factor of the patience from round to round
_BATCH_STEPS = 1 << 22  # steps between two checks of the clock
_WITNESSES = 1 << 22  # bytes for the occurrences of one pattern; others are searched again
_STATES = 1 << 26  # bytes for postponed searches; a search without a slot starts again
_NOTHING_AHEAD = Ahead(np.empty((0, 0), dtype=np.int64), np.empty((0, 0), dtype=np.int64))

NO_WITNESSES = np.empty((0, 2), dtype=np.int32)
_NONE_KEPT = Witnesses(NO_WITNESSES, np.zeros(1, dtype=np.int64))


class Verdict(NamedTuple):
    """frequent : None where the search was given up (AGraMi).  support : exact if the miner is exact."""

    frequent: bool | None
    support: int = 0


class Outcome(NamedTuple):
    """What is known of a candidate; domains : those of its nodes, witnesses : occurrences, if it is frequent."""

    verdict: Verdict
    domains: Sequence[Ints] = ()
    witnesses: Ints = NO_WITNESSES


class NodeMarks(threading.local):
    """The marks of nodes that an occurrence uses; each thread has its own."""

    def __init__(self, n_nodes: int) -> None:
        self.taken: Ints = np.zeros(n_nodes, dtype=np.int32)


@dataclass(frozen=True)
class Frequency:
    """Decides whether a pattern is frequent.

    miner : its optimizations are used.
    alpha, beta : a search stops after alpha^n * (product of the domains' sizes) + beta complete assignments.
    """

    threshold: int
    exact: bool
    miner: FrequentSubgraphs
    clock: Clock
    marks: NodeMarks

    def __call__(self, csp: Csp, parents: Ints) -> tuple[Verdict, Ints]:
        """The verdict, and the occurrences found for a frequent pattern; parents : those found for its parent."""
        witnesses = self._new_witnesses(csp)
        verdict = self._verdict(csp, parents, witnesses)
        return verdict, witnesses.images[: witnesses.used[0] if verdict.frequent else 0]

    def _new_witnesses(self, csp: Csp) -> Witnesses:
        n = csp.shape.n_nodes
        rows = min(len(csp.members), _WITNESSES // (4 * n)) if self.miner.witnesses else 0
        return Witnesses(np.empty((rows, n), dtype=np.int32), np.zeros(1, dtype=np.int64))

    def _verdict(self, csp: Csp, parents: Ints, witnesses: Witnesses) -> Verdict:
        if not csp.consistent(self.threshold):
            return Verdict(False)
        if self.miner.blocks and not csp.fits_blocks(self.threshold):
            return Verdict(False)
        if self.miner.unique_labels and _has_unique_labels(csp):
            return Verdict(True, int(csp.sizes.min()) if self.exact else self.threshold)
        self._extend(csp, parents, witnesses)
        searches = _Searches(csp, self, witnesses)
        outcome = searches.settle(self.threshold)
        if outcome != FREQUENT:
            return Verdict(None if outcome == GIVEN_UP else False)
        if not self.exact:
            return Verdict(True, self.threshold)
        searches.settle(ENOUGH)
        return Verdict(True, int(csp.valid.min()))

    def _extend(self, csp: Csp, parents: Ints, witnesses: Witnesses) -> None:
        """Mark the nodes of the parent's occurrences that have the newest edge too."""
        source, target, look, label = (int(number) for number in csp.shape.code[-1])
        edge, image = (source, target, csp.index.kind(look, label)), np.empty(csp.shape.n_nodes, dtype=np.int32)
        enough = ENOUGH if self.exact else self.threshold
        problem = (csp.index.graph, csp.row, csp.domains, parents, edge, self.marks.taken, image, witnesses, enough)
        extend_witnesses(*problem)


def _has_unique_labels(csp: Csp) -> bool:
    """Whether consistent domains are valid without a search (Proposition 3)."""
    shape = csp.shape
    return csp.index.single and shape.is_tree and len(np.unique(shape.labels)) == shape.n_nodes


class _Searches:
    """The searches for one pattern in rounds; the number of steps of a search grows from round to round."""

    def __init__(self, csp: Csp, how: Frequency, witnesses: Witnesses) -> None:
        self._csp, self._how, self._miner, self._witnesses = csp, how, how.miner, witnesses
        self._plan = Plans(*plans(csp.pattern, csp.sizes, self._miner.ordering))
        width = 2 + FIELDS * (csp.shape.n_nodes + 1)
        slots = min(max(1_024, _STATES // (8 * width)), len(csp.members)) if self._miner.lazy else 1
        if not self._miner.rounds:
            slots = max(1, len(csp.members))  # what is resumed to its end must be saved in between
        self._saved = SavedSearches(
            np.full(len(csp.members), -1, dtype=np.int64),
            np.empty((slots, width), dtype=np.int64),
            np.empty(slots, dtype=np.int64),
            np.empty(1, dtype=np.int64),
        )
        self._start_again()
        self._assignment_limit = _assignment_limit(csp, self._miner)
        self._looks_ahead = False
        self._parts_done = not self._miner.decomposition

    def _start_again(self) -> None:
        """Forget the searches that wait; those given up stay so."""
        slot, _, free, n_free = self._saved
        slot[slot >= 0] = -1
        free[:], n_free[0] = np.arange(len(free)), len(free)

    def settle(self, enough: int) -> int:
        """Search until every domain has `enough` valid nodes, one has too few, or all nodes are decided."""
        if self._miner.rounds:
            return self._settle(self._order(), enough)
        for row in self._order():
            outcome = self._settle(np.array([row]), enough)
            if outcome != FREQUENT:
                return outcome
        return FREQUENT

    def _order(self) -> Ints:
        """The domains in the order in which they are searched: by size, or as they come."""
        rows = np.unique(self._csp.row)
        return rows[np.argsort(self._csp.sizes[rows], kind="stable")] if self._miner.ordering else rows

    def _settle(self, rows: Ints, enough: int) -> int:
        """As `settle`, for some of the domains together."""
        lazy = self._miner.lazy
        patience, postpone = _PATIENCE if lazy else _BATCH_STEPS, lazy
        while True:
            outcome = self._round(rows, enough, patience, postpone)
            if outcome != PAUSED:
                return outcome
            if self._miner.blocks and not self._csp.fits_blocks(self._how.threshold):
                return INFREQUENT
            if not self._parts_done:
                self._parts_done = True
                if not self._prune_by_parts(patience):
                    return INFREQUENT
            if self._miner.lookahead and not self._looks_ahead:
                self._start_again()  # what lies ahead was not looked at
                self._looks_ahead = True
            if self._miner.rounds:
                patience = min(patience * _GROWTH, _BATCH_STEPS)
            else:
                patience, postpone = _BATCH_STEPS, False  # every postponed search is resumed to its end

    def _round(self, rows: Ints, enough: int, patience: int, postpone: bool) -> int:
        """Run every search of some domains once."""
        csp, how, miner = self._csp, self._how, self._miner
        near = miner.lookahead and patience > _PATIENCE  # distances are worth their time in long searches
        switches = [int(on) for on in (postpone, miner.backjumping, miner.failed_nodes, near, miner.propagation)]
        limits = Limits(how.threshold, enough, patience, _BATCH_STEPS, self._assignment_limit, *switches)
        cursor, ahead = np.zeros(4, dtype=np.int64), self._ahead if near else _NOTHING_AHEAD
        while True:
            problem = (csp.index.graph, csp.pattern, self._plan, ahead, csp.domains, csp.removed)
            outcome = sweep(*problem, self._saved, self._witnesses, rows, limits, cursor, how.marks.taken)
            how.clock.check()
            if outcome != PAUSED or cursor[0] >= len(rows):
                return int(outcome)

    @cached_property
    def _ahead(self) -> Ahead:
        """What is left of the pattern at each depth of a search."""
        begin, to, _, _, _ = self._csp.pattern
        return Ahead(*left_beyond(begin, to, self._plan.variables, self._csp.shape.is_tree))

    def _prune_by_parts(self, patience: int) -> bool:
        """Decomposition: remove nodes that are invalid for smaller patterns with the newest edge."""
        csp, how, pruned = self._csp, self._how, set()
        for shape, nodes in csp.shape.parts_with_newest():
            problem = shape.name, csp.row[nodes].tobytes()
            if problem in pruned:  # by a symmetry of the pattern
                continue
            pruned.add(problem)
            part = csp.part(shape, nodes)
            if not part.consistent(how.threshold):
                return False
            searches = _Searches(part, how, _NONE_KEPT)
            outcome = searches._round(searches._order(), ENOUGH, patience, self._miner.lazy)
            if outcome == INFREQUENT or not csp.without(part, how.threshold):
                return False
        return True


def _assignment_limit(csp: Csp, miner: FrequentSubgraphs) -> int:
    """The paper's bound f(alpha) on the assignments of one search; unbounded if alpha is 1."""
    if miner.alpha == 1:
        return ENOUGH
    n = csp.shape.n_nodes
    log = n * np.log(miner.alpha) + float(np.log(csp.sizes[csp.row].astype(float)).sum())
    return ENOUGH if log > 40 else int(np.exp(log)) + miner.beta
