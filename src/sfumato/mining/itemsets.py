"""Frequent itemsets: sets of items that many persons have together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data.base import Progress
from sfumato.kernels.mining.itemsets import ItemsetPath, grow_itemsets
from sfumato.kernels.mining.pattern_buffers import MiningRules, MiningState, Records, Scratch, mining_state
from sfumato.mining.base import Mining
from sfumato.mining.batches import BUDGET, WHICH, PatternSearch, Step
from sfumato.mining.frequent_labels import Frequent
from sfumato.mining.patterns import Patterns
from sfumato.mining.sequences import frequent_sequences

__all__ = ["FrequentItemsets"]


@dataclass(frozen=True, kw_only=True)
class FrequentItemsets(Mining):
    """Find the sets of items that many persons have together.

    A record contains a pattern if it holds all of its items.  Support counts distinct persons who have such a record
    where persons are known, otherwise records.

    Notes
    -----
    Occurrence deliver with closure extension, as in LCM [1]_, on records sorted from the rarest to the commonest item.
    Closed and maximal sets are exact, also where a person has several records.  `keep`, and how
    `top` breaks ties, are as for `FrequentSequences`.

    References
    ----------
    .. [1] T. Uno, M. Kiyomi, H. Arimura, "LCM ver. 2: efficient mining algorithms for frequent/closed/maximal
       itemsets", Proc. IEEE ICDM Workshop on Frequent Itemset Mining Implementations, 2004.

    Examples
    --------
    >>> from sfumato.data import Transactions
    >>> baskets = Transactions.from_lists([["bread", "milk"], ["bread", "milk", "beer"], ["beer"]])
    >>> FrequentItemsets(support=2, keep="closed").mine(baskets).rows()
    [(['beer'], 1, 2), (['bread', 'milk'], 2, 2)]
    """

    name: ClassVar[str] = "itemsets"
    kind: ClassVar[str] = "transactions"
    sides: ClassVar[tuple[str, ...]] = ("items",)

    def _find(self, frequent: Frequent, threshold: int, progress: Progress | None, most: int) -> Patterns:
        if self.top is not None and self.keep == "all":
            # A record is also a sequence in name order, whose subsequences are its subsets.  In that order, ties
            # need not all be collected; here there can be as many as a record has subsets.
            return frequent_sequences(self, frequent, threshold, progress, most)
        sorted_records = frequent.rare_first()
        step = _step(self, sorted_records, threshold, most)
        search = PatternSearch(step, sorted_records, 6, type(self).__name__, progress, most)
        bar = threshold if self.top is None else search.support_of_last(self.top, threshold)
        patterns = _in_name_order(search.patterns(bar)).in_order()
        return patterns if self.top is None else patterns.take(np.arange(min(self.top, len(patterns))))


def _step(asked: Mining, frequent: Frequent, threshold: int, most: int) -> Step:
    data = Records(frequent.codes, frequent.offsets, frequent.units)
    zeros, blanks = np.zeros((3, frequent.n_labels), dtype=np.int64), np.full((2, frequent.n_labels), -1)
    scratch = Scratch(zeros[0], zeros[1], blanks[0], blanks[1], zeros[2])
    chosen, perfect, both = np.empty((3, frequent.longest), dtype=np.int32)
    path = ItemsetPath(chosen, perfect, np.zeros(2, dtype=np.int64), np.zeros(frequent.n_labels, dtype=bool), both)
    longest = frequent.longest if asked.max_length is None else asked.max_length
    single = frequent.n_units == len(frequent.units)

    def step(state: MiningState, histogram: Any, counters: Any, top: int) -> MiningState:
        rules = MiningRules(threshold, asked.min_length, longest, WHICH[asked.keep], top, BUDGET, single, most)
        return mining_state(*grow_itemsets(data, rules, state, path, histogram, counters, scratch))

    return step


def _in_name_order(patterns: Patterns) -> Patterns:
    """The items of each set sorted by name."""
    size = int(patterns.codes.max(initial=0)) + 1
    row = np.repeat(np.arange(len(patterns), dtype=np.int64), patterns.lengths)
    return Patterns(patterns.offsets, np.sort(row * size + patterns.codes) % size, patterns.supports)
