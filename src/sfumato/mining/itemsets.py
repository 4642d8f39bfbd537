"""Frequent itemsets: sets of items that many persons have together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data.base import Ints, Progress
from sfumato.kernels.mining.found_sets import FoundSets
from sfumato.kernels.mining.fp_tree import RANK, TOTAL, Conditional, RankedRecords, rank_items
from sfumato.kernels.mining.itemsets import FRAME_COLUMNS, NEXT, ItemsetPath, grow_itemsets, rename_items
from sfumato.kernels.mining.pattern_buffers import BUCKETS, FOUND, Found, MiningRules
from sfumato.mining.base import Mining
from sfumato.mining.batches import BUDGET, WHICH, refuse_too_many
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
    FP-growth [1]_ with trees in flat arrays; an item that all records of a set hold joins it at once.  Maximal sets are
    found as in FPmax [2]_.  A set that could be closed is looked up among those found before by a sum of hashes of its
    records, and a hit is compared item by item.  Where a person has several records, and for the `top` sets, a record
    is mined as the sequence of its items.  All are exact.  `keep`, and how `top` breaks ties, are as for
    `FrequentSequences`.

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
            rename_items(
                patterns.codes, patterns.offsets[1:], np.arange(patterns.codes.max(initial=0) + 1, dtype=np.int32)
            )
            return patterns.in_order()
        if frequent.n_labels == 0:
            return Patterns(np.zeros(1, dtype=np.int64), *np.empty((2, 0), dtype=np.int64))
        patterns = _grown(self, frequent, threshold, progress, most)
        if self.keep != "all" and self.min_length > 1:
            patterns = patterns.take(np.flatnonzero(patterns.lengths >= self.min_length))
        return patterns.in_order()


def _grown(asked: Mining, frequent: Frequent, threshold: int, progress: Progress | None, most: int) -> Patterns:
    """The frequent sets, each in name order, unsorted."""
    by_support = np.argsort(-frequent.supports, kind="stable")
    ranks = np.empty(frequent.n_labels, dtype=np.int64)
    ranks[by_support] = np.arange(frequent.n_labels)
    codes, *by_item = rank_items(frequent.codes, frequent.offsets, ranks, frequent.supports)
    weights = _weights(len(frequent.units))
    records = RankedRecords(codes, frequent.offsets, weights, *by_item)
    nodes, items = np.empty((1024, 6), dtype=np.int64), np.zeros((frequent.n_labels + 1, 3), dtype=np.int64)
    items[:-1, RANK] = np.arange(frequent.n_labels)
    items[:-1, TOTAL] = np.add.reduceat(weights[records.holders], records.begin[:-1])
    longest = frequent.longest if asked.max_length is None else min(asked.max_length, frequent.longest)
    rules = MiningRules(threshold, asked.min_length, longest, WHICH[asked.keep], 0, BUDGET, most)
    frames = np.zeros((frequent.longest + 1, FRAME_COLUMNS), dtype=np.int64)
    frames[0, NEXT] = frequent.n_labels
    path = ItemsetPath(*np.empty((3, frequent.longest), dtype=np.int32))
    conditional = Conditional(
        *np.empty((2, len(codes)), dtype=np.int64), *np.zeros((3, frequent.n_labels), dtype=np.int64)
    )
    found = Found(*(np.empty(1024, dtype=kind) for kind in (np.int32, np.int64, np.int64)))
    store = FoundSets(
        np.zeros((4096, 2), dtype=np.int64),
        np.full(frequent.n_labels, -1),
        np.empty((1024, 2), dtype=np.int64),
        np.empty((1024, 3), dtype=np.int64),
    )
    last = np.empty(len(weights), dtype=np.int32)
    counters = np.zeros(2, dtype=np.int64)
    counters[BUCKETS] = 1
    while counters[BUCKETS] > 0:
        nodes, items, *rest = grow_itemsets(
            records, last, nodes, items, rules, frames, path, conditional, found, store, counters
        )
        found, store = Found(*rest[:3]), FoundSets(*rest[3:])
        refuse_too_many(found, int(counters[FOUND]), most, type(asked).__name__)
        if progress is not None:
            progress("mining", frequent.n_labels - int(frames[0, NEXT]), frequent.n_labels)
    ends = found.ends[: counters[FOUND]]
    rename_items(found.codes, ends, frequent.original[by_support])
    offsets = np.concatenate(([0], ends))
    return Patterns(offsets, found.codes[: offsets[-1]], found.supports[: len(ends)])


def _weights(n_records: int) -> Ints:
    """One record, and a hash of its number above (see `fp_tree`)."""
    hashes = np.random.default_rng(0).integers(-(1 << 31), 1 << 31, n_records)
    return (hashes << 32) + 1
