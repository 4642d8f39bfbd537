"""All solutions of a pattern: for support by enumeration, for independent sets, and for comparison."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.subgraphs.search import ENOUGH, FIELDS, plans
from sfumato.kernels.subgraphs.solutions import solutions
from sfumato.mining.subgraphs.constraint_problem import Csp
from sfumato.mining.subgraphs.search_limits import Clock

__all__ = ["Enumeration"]

_BATCH = 1 << 22  # steps between two looks at the clock
_ROWS = 1 << 14  # solutions handed over at once


class Enumeration:
    """The solutions of a pattern on its domains, from the smallest domain on."""

    def __init__(self, csp: Csp, clock: Clock, taken: Ints) -> None:
        self._csp, self._clock, self._taken = csp, clock, taken
        self._plan = plans(csp.pattern, csp.sizes)
        self._root = int(csp.row[np.argmin(csp.sizes[csp.row])])
        self._frames = np.zeros((csp.shape.n_nodes + 1, FIELDS), dtype=np.int64)
        self._cursor = np.zeros(4, dtype=np.int64)

    def mark(self, enough: int) -> int:
        """Mark valid nodes until every domain has enough of them; how many solutions that took."""
        nothing = np.empty((0, self._csp.shape.n_nodes), dtype=np.int32)
        ended = False
        while not ended:
            _, ended = self._go(nothing, enough)
        return int(self._cursor[2])

    def batches(self) -> Iterator[Ints]:
        """All solutions, some at a time: a row each, a column for each node of the pattern."""
        ended = False
        while not ended:
            rows = np.empty((_ROWS, self._csp.shape.n_nodes), dtype=np.int32)
            written, ended = self._go(rows, ENOUGH)
            yield rows[:written]

    def some_apart(self, enough: int) -> int:
        """Take solutions that share no node with those before, until there are enough; how many that are.

        It stops after a while: there may be more.
        """
        row, found = np.empty((1, self._csp.shape.n_nodes), dtype=np.int32), 0
        written, ended = self._go(row, ENOUGH)
        while written and found + 1 < enough and not ended:
            found += 1
            self._taken[row[0]] = 1
            self._cursor[1] = 0  # on to the next node of the first domain
            written, ended = self._go(row, ENOUGH)
        self._taken[:] = 0
        return found + written

    def _go(self, rows: Ints, enough: int) -> tuple[int, bool]:
        csp = self._csp
        where = (csp.index.graph, csp.pattern, self._plan, csp.domains, self._root)
        written, ended = solutions(*where, self._frames, self._cursor, self._taken, rows, enough, _BATCH)
        try:
            self._clock.check()
        except BaseException:
            self._taken[:] = 0
            raise
        if ended:
            self._taken[:] = 0
        return int(written), bool(ended)
