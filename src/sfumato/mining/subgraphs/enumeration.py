"""Enumerating the solutions of a pattern, to mark valid nodes or to collect the solutions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.search import ENOUGH
from sfumato.kernels.subgraphs.search_order import FIELDS, Plans, plans
from sfumato.kernels.subgraphs.solutions import solutions
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.search_limits import Clock

__all__ = ["Enumeration"]

_BATCH_STEPS = 1 << 22  # steps between two checks of the clock
_BATCH_ROWS = 1 << 14  # solutions in a batch


class Enumeration:
    """The solutions of a pattern on its domains, from the smallest domain on, or from the first if not `ordered`."""

    def __init__(self, csp: Csp, clock: Clock, taken: Ints, *, ordered: bool = True) -> None:
        self._csp, self._clock, self._taken = csp, clock, taken
        self._plan = Plans(*plans(csp.pattern, csp.sizes, ordered))
        self._root = int(csp.row[np.argmin(csp.sizes[csp.row])]) if ordered else int(csp.row[0])
        self._frames = np.zeros((csp.shape.n_nodes + 1, FIELDS), dtype=np.int64)
        self._cursor = np.zeros(4, dtype=np.int64)

    def mark(self, enough: int) -> int:
        """Mark valid nodes until every domain has `enough` of them; returns the number of solutions used."""
        no_rows = np.empty((0, self._csp.shape.n_nodes), dtype=np.int32)
        ended = False
        while not ended:
            _, ended = self._run_batch(no_rows, enough)
        return int(self._cursor[2])

    def batches(self) -> Iterator[Ints]:
        """All solutions in batches: a row for each solution, a column for each node of the pattern."""
        ended = False
        while not ended:
            rows = np.empty((_BATCH_ROWS, self._csp.shape.n_nodes), dtype=np.int32)
            written, ended = self._run_batch(rows, ENOUGH)
            yield rows[:written]

    def greedy_disjoint(self, enough: int) -> int:
        """Collect solutions that share no node with earlier ones, until there are `enough`; returns their number.

        The search is greedy: there may be more.
        """
        row, count = np.empty((1, self._csp.shape.n_nodes), dtype=np.int32), 0
        written, ended = self._run_batch(row, ENOUGH)
        while written and count + 1 < enough and not ended:
            count += 1
            self._taken[row[0]] = 1
            self._cursor[1] = 0  # on to the next node of the first domain
            written, ended = self._run_batch(row, ENOUGH)
        self._taken[:] = 0
        return count + written

    def _run_batch(self, rows: Ints, enough: int) -> tuple[int, bool]:
        csp = self._csp
        problem = (csp.index.graph, csp.pattern, self._plan, csp.domains, self._root)
        written, ended = solutions(*problem, self._frames, self._cursor, self._taken, rows, enough, _BATCH_STEPS)
        try:
            self._clock.check()
        except BaseException:
            self._taken[:] = 0
            raise
        if ended:
            self._taken[:] = 0
        return int(written), bool(ended)
