"""Frequent itemsets: sets of items that many persons have together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data.base import Progress
from sfumato.kernels.mining.pattern_buffers import MiningRules
from sfumato.kernels.mining.subsets import count_sets, rename_items, write_sets
from sfumato.mining.base import Mining
from sfumato.mining.batches import BUDGET, WHICH, refuse_too_many
from sfumato.mining.frequent_labels import Frequent
from sfumato.mining.itemset_search import ItemsetSearch
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
    FP-growth [1]_ with trees in flat arrays; an item that all records of a set hold joins it at once, and where at most
    ten items are left to join, a table counts all of their sets.  Maximal sets are found as in FPmax [2]_.  A set that
    could be closed is looked up among those found before by a sum of hashes of its records, and a hit is compared item
    by item.  Where a person has several records, and for the `top` sets, a record is mined as the sequence of its
    items.  All are exact.  `keep`, and how `top` breaks ties, are as for `FrequentSequences`.

    References
    ----------
    .. [1] J. Han, J. Pei, Y. Yin, "Mining frequent patterns without candidate generation", Proc. ACM SIGMOD, 2000.
    .. [2] G. Grahne, J. Zhu, "Efficiently using prefix-trees in mining frequent itemsets", Proc. IEEE ICDM Workshop on
       Frequent Itemset Mining Implementations, 2003.

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
        one_record_each = frequent.n_units == len(frequent.units)
        if self.top is not None or not one_record_each or (self.keep != "all" and self.max_length is not None):
            # A record is also a sequence of its items, whose subsequences are its subsets.  In name order, the ties of
            # a top need not all be collected; there can be as many as a record has subsets.
            if self.top is not None:
                return frequent_sequences(self, frequent, threshold, progress, most)
            patterns = frequent_sequences(self, frequent.rare_first(), threshold, progress, most)
            same = np.arange(patterns.codes.max(initial=0) + 1, dtype=np.int32)
            rename_items(patterns.codes, patterns.offsets[1:], patterns.lengths, same)
            return patterns.in_order()
        if frequent.n_labels == 0:
            return Patterns(np.zeros(1, dtype=np.int64), *np.empty((2, 0), dtype=np.int64))
        patterns = _grown(self, frequent, threshold, progress, most)
        if self.keep != "all" and self.min_length > 1:
            patterns = patterns.take(np.flatnonzero(patterns.lengths >= self.min_length))
        return patterns.in_order()


def _grown(asked: Mining, frequent: Frequent, threshold: int, progress: Progress | None, most: int) -> Patterns:
    """The frequent sets, each in name order, unsorted."""
    longest = frequent.longest if asked.max_length is None else min(asked.max_length, frequent.longest)
    search = ItemsetSearch(frequent)
    rules = MiningRules(threshold, asked.min_length, longest, WHICH[asked.keep], 0, BUDGET, most)
    found = search.run(rules, progress)
    n_sets, n_labels = count_sets(found.ends, found.fixed, asked.min_length, longest, most)
    refuse_too_many(max(n_labels, len(found.codes)), most, type(asked).__name__)
    rename_items(found.codes, found.ends, found.fixed, search.labels)
    if asked.keep != "all":
        return Patterns(np.concatenate(([0], found.ends)), found.codes, found.supports)
    offsets, supports = np.zeros(n_sets + 1, dtype=np.int64), np.empty(n_sets, dtype=np.int64)
    codes = np.empty(n_labels, dtype=np.int32)
    write_sets(found, asked.min_length, longest, codes, offsets[1:], supports)
    return Patterns(offsets, codes, supports)
