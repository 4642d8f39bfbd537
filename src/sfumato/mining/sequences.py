"""Frequent sequential patterns: visits that many persons make in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data.base import Progress
from sfumato.kernels.mining.pattern_buffers import MiningRules, MiningState, Records, Scratch, mining_state
from sfumato.kernels.mining.sequence_closure import Gaps
from sfumato.kernels.mining.sequences import SequenceIndex, grow_sequences
from sfumato.mining.base import Mining
from sfumato.mining.batches import BUDGET, WHICH, PatternSearch, Step
from sfumato.mining.frequent_labels import Frequent
from sfumato.mining.patterns import Patterns

__all__ = ["FrequentSequences", "frequent_sequences"]


@dataclass(frozen=True, kw_only=True)
class FrequentSequences(Mining):
    """Find the sequences of visits that many persons make.

    A trajectory contains a pattern if it makes the pattern's visits in this order; other visits may be between them.
    Support counts distinct persons where they are known, otherwise trajectories.

    Notes
    -----
    PrefixSpan [1]_ with pseudo-projection; closed and maximal patterns by the gaps and the pruning of BIDE [2]_.
    All three are exact, also where a person has several trajectories.

    *keep.*  A pattern is closed or maximal among all patterns of the data; `min_length`, `max_length` and `top` then
    select among the closed or maximal ones.  Maximal is relative to `support`, not to `top`.

    *Ties.*  `top` gives the first rows of the result without it, which is sorted by support, highest first, and then by
    name; so patterns with the support of the last row may be missing.  The threshold rises while mining.

    References
    ----------
    .. [1] J. Pei, J. Han, B. Mortazavi-Asl, J. Wang, H. Pinto, Q. Chen, U. Dayal, M.-C. Hsu, "Mining sequential
       patterns by pattern-growth: the PrefixSpan approach", IEEE TKDE 16(11), 2004.
    .. [2] J. Wang, J. Han, "BIDE: efficient mining of frequent closed sequences", Proc. ICDE, 2004.

    Examples
    --------
    >>> from sfumato.data import Trajectories
    >>> walks = Trajectories.from_lists([["home", "gym", "work"], ["home", "work"], ["work", "home"]])
    >>> FrequentSequences(support=2).mine(walks).rows()
    [(['home'], 1, 3), (['work'], 1, 3), (['home', 'work'], 2, 2)]
    >>> FrequentSequences(support=2, keep="maximal").mine(walks).rows()
    [(['home', 'work'], 2, 2)]
    """

    name: ClassVar[str] = "sequences"
    kind: ClassVar[str] = "trajectories"
    separator: ClassVar[str] = " -> "

    def _find(self, frequent: Frequent, threshold: int, progress: Progress | None, most: int) -> Patterns:
        return frequent_sequences(self, frequent, threshold, progress, most)


def frequent_sequences(
    asked: Mining, frequent: Frequent, threshold: int, progress: Progress | None, most: int
) -> Patterns:
    """The frequent sequences, sorted."""
    search = PatternSearch(_step(asked, frequent, threshold), frequent, 5, type(asked).__name__, progress, most)
    # first the smallest support among the top; then ties come in name order, and not all of them are collected
    bar = threshold if asked.top is None else search.support_of_last(asked.top, threshold)
    patterns = search.patterns(bar, asked.top or 0)
    return patterns.take(np.argsort(-patterns.supports, kind="stable")[: asked.top])


def _step(asked: Mining, frequent: Frequent, threshold: int) -> Step:
    data, index = Records(frequent.codes, frequent.offsets, frequent.units), _index(frequent)
    zeros, blanks = np.zeros((5, frequent.n_labels), dtype=np.int64), np.full((3, frequent.n_labels), -1)
    scratch = Scratch(zeros[0], zeros[1], blanks[0], blanks[1], zeros[2])
    gaps = Gaps(*data, np.arange(len(frequent.units), dtype=np.int32), zeros[3], blanks[2], zeros[4])
    prefix = np.empty(frequent.longest, dtype=np.int32)
    longest = frequent.longest if asked.max_length is None else asked.max_length

    def step(state: MiningState, histogram: Any, counters: Any, top: int) -> MiningState:
        rules = MiningRules(threshold, asked.min_length, longest, WHICH[asked.keep], top, BUDGET, 0)
        return mining_state(*grow_sequences(data, index, rules, state, prefix, histogram, counters, scratch, gaps))

    return step


def _index(frequent: Frequent) -> SequenceIndex:
    """The previous position of each label in its record, and the labels of each record from its end."""
    record = frequent.record_of_label
    key = record * frequent.n_labels + frequent.codes
    order = np.argsort(key, kind="stable")
    repeated = np.flatnonzero(np.diff(key[order]) == 0)
    previous = np.full(len(order), -1, dtype=np.int32)
    previous[order[repeated + 1]] = order[repeated]
    is_last = np.ones(len(order), dtype=bool)
    is_last[order[repeated]] = False
    lasts = np.flatnonzero(is_last)[::-1]
    lasts = lasts[np.argsort(record[lasts], kind="stable")]
    counts = np.bincount(record[lasts], minlength=len(frequent.units))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return SequenceIndex(previous, starts, frequent.codes[lasts], lasts.astype(np.int32))
