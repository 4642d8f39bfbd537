"""Running a mining kernel in batches, with progress between them and a limit of memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sfumato.data.base import Progress
from sfumato.errors import ParameterError
from sfumato.kernels.mining.pattern_buffers import ALL, BAR, BUCKETS, CLOSED, FOUND, MAXIMAL, TIES, Found, MiningState
from sfumato.mining.frequent_labels import Frequent
from sfumato.mining.patterns import Patterns

__all__ = ["BUDGET", "MOST", "WHICH", "PatternSearch", "Progress", "Step", "refuse_too_many"]

BUDGET = 10_000_000  # embeddings in a batch: less than a second
MOST = 1 << 27  # labels in all patterns together: half a gigabyte, several when sorted and named
WHICH = {"all": ALL, "closed": CLOSED, "maximal": MAXIMAL}

Step = Callable[[MiningState, Any, Any, int], MiningState]
"""Run one batch on the kernel's state, histogram, counters and top; returns the state."""


class PatternSearch:
    """A search for patterns in batches, from the empty prefix on; the kernels document the arrays."""

    def __init__(
        self, step: Step, frequent: Frequent, columns: int, owner: str, progress: Progress | None, most: int
    ) -> None:
        self._step, self._frequent, self._columns, self._owner, self._progress = (
            step,
            frequent,
            columns,
            owner,
            progress,
        )
        self._most = most

    def support_of_last(self, top: int, threshold: int) -> int:
        """The smallest support among the `top` patterns of highest support; the threshold if there are fewer."""
        histogram = np.zeros(len(self._frequent.units) + 2, dtype=np.int64)
        _, counters = self._run(threshold, top, histogram)
        return max(threshold, int(counters[BAR]) - 1)

    def patterns(self, bar: int, top: int = 0) -> Patterns:
        """The patterns with a support of at least `bar`, unsorted; with a top, at most that many with exactly `bar`."""
        state, counters = self._run(bar, top, np.empty(0, dtype=np.int64))
        codes, ends, supports = state.found
        n = int(counters[FOUND])
        offsets = np.concatenate(([0], ends[:n])).astype(np.int64)
        return Patterns(offsets, self._frequent.original[codes[: offsets[-1]]], supports[:n].copy())

    def _run(self, bar: int, top: int, histogram: Any) -> tuple[MiningState, Any]:
        n_records = len(self._frequent.units)
        counters = np.zeros(5, dtype=np.int64)
        counters[BUCKETS], counters[BAR], counters[TIES] = 1, bar, top
        stack = np.zeros((1, self._columns), dtype=np.int64)
        stack[0, 2], stack[0, 4] = n_records, self._frequent.n_units  # the empty prefix is in every record
        state = MiningState(
            stack=stack,
            records=np.arange(n_records, dtype=np.int32),
            positions=(self._frequent.offsets[:-1] - 1).astype(np.int32),
            found=Found(
                codes=np.empty(1024, dtype=np.int32),
                ends=np.empty(1024, dtype=np.int64),
                supports=np.empty(1024, dtype=np.int64),
            ),
        )
        while counters[BUCKETS] > 0:
            state = self._step(state, histogram, counters, top)
            n = int(counters[FOUND])
            refuse_too_many(int(state.found.ends[n - 1]) if n > 0 else 0, self._most, self._owner)
            if self._progress is not None:
                unfinished = int(np.count_nonzero(state.stack[: counters[BUCKETS], 3] == 1))
                self._progress("mining", self._frequent.n_labels - unfinished, self._frequent.n_labels)
        return state, counters


def refuse_too_many(n_labels: int, most: int, owner: str) -> None:
    """Refuse to go on when the patterns have more labels than memory is meant for."""
    if n_labels > most:
        raise ParameterError(
            f"{owner}: the patterns do not fit into memory; "
            "raise support, set top or max_length, or keep only closed or maximal patterns"
        )
