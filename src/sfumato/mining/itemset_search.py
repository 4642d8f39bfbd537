"""Running the kernel of itemsets in batches, with room for the next one before each."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.data.base import Ints, Progress
from sfumato.kernels.mining.found_sets import FoundItemsets, FoundSets, move_table
from sfumato.kernels.mining.fp_tree import RANK, TOTAL, Conditional, Nodes, RankedRecords, list_parts, rank_items
from sfumato.kernels.mining.itemsets import FRAME_COLUMNS, NEXT, ROOM, ItemsetPath, grow_itemsets
from sfumato.kernels.mining.pattern_buffers import BUCKETS, FOUND, MiningRules
from sfumato.kernels.mining.small_trees import SMALL
from sfumato.mining.frequent_labels import Frequent

__all__ = ["ItemsetSearch"]


class ItemsetSearch:
    """A search for itemsets in records of distinct units; the kernels document the arrays."""

    def __init__(self, frequent: Frequent) -> None:
        n_items, longest = frequent.n_labels, frequent.longest
        by_support = np.argsort(-frequent.supports, kind="stable")
        ranks = np.empty(n_items, dtype=np.int64)
        ranks[by_support] = np.arange(n_items)
        begin = np.concatenate(([0], np.cumsum(frequent.supports[by_support])))
        ranked, keys = rank_items(
            frequent.codes, frequent.offsets, ranks, begin, min(longest, int(62 / np.log2(n_items + 1)))
        )
        weights, order = _weights(len(keys)), np.argsort(keys)
        *parts, totals = list_parts(ranked, frequent.offsets, order, weights, begin, longest)
        records = RankedRecords(*parts)
        self.labels = frequent.original[by_support]  # of each item
        self._records = records
        kinds = (np.uint32, np.uint32, np.int64, np.int64, np.uint32, np.uint32)
        self._nodes = Nodes(*(np.empty(len(records.codes) + 2, dtype=kind) for kind in kinds))  # any first tree fits
        self._items = np.zeros((2 * n_items + 2, 3), dtype=np.int64)
        self._items[:n_items, RANK] = np.arange(n_items)
        self._items[:n_items, TOTAL] = totals
        self._frames = np.zeros((longest + 1, FRAME_COLUMNS), dtype=np.int64)
        self._frames[0, NEXT] = n_items
        self._path = ItemsetPath(
            np.empty(longest, dtype=np.int32),
            np.empty(longest, dtype=np.int32),
            np.empty(n_items, dtype=np.int32),
            np.empty(1 << SMALL, dtype=np.int64),
        )
        self._conditional = Conditional(
            np.empty(len(records.codes) + 1, dtype=np.uint32),
            np.empty(len(records.codes) + 1, dtype=np.uint32),
            np.zeros(n_items + 1, dtype=np.int64),
            np.zeros(n_items + 1, dtype=np.int64),
            np.empty(n_items + 1, dtype=np.uint32),
            np.empty(int(frequent.supports.max()), dtype=np.uint32),
        )
        room = 1024
        self._found = FoundItemsets(np.empty(room, dtype=np.int32), *np.empty((3, room), dtype=np.int64))
        self._store = FoundSets(
            np.zeros((4 * room, 2), dtype=np.int64),
            np.full(n_items, -1),
            np.empty((room, 2), dtype=np.int64),
            np.empty((room, 3), dtype=np.int64),
        )
        self._counters = np.zeros(2, dtype=np.int64)
        self._counters[BUCKETS] = 1

    def run(self, rules: MiningRules, progress: Progress | None) -> FoundItemsets:
        """The sets that are found; the search ends early when they have more items than the rules allow."""
        n_items, needs = len(self.labels), np.zeros(len(ROOM), dtype=np.int64)
        while self._counters[BUCKETS] > 0 and self._used <= rules.most:
            self._make_room(needs)
            grow_itemsets(
                self._records, self._nodes, self._items, rules, self._frames, self._path, self._conditional,
                self._found, self._store, self._counters, np.array(self._room), needs,
            )  # fmt: skip
            if progress is not None:
                progress("mining", n_items - int(self._frames[0, NEXT]), n_items)
        n, used = self._counters[FOUND], self._used
        codes, *by_set = self._found
        return FoundItemsets(codes[:used], *(part[:n] for part in by_set))

    @property
    def _used(self) -> int:
        """The items of all sets found so far."""
        n = int(self._counters[FOUND])
        return int(self._found.ends[n - 1]) if n > 0 else 0

    @property
    def _room(self) -> tuple[int, ...]:
        sets = min(len(self._found.ends), len(self._store.table) // 2)
        return len(self._nodes.item), len(self._items), len(self._found.codes), sets, len(self._store.lists)

    def _make_room(self, needs: Ints) -> None:
        """Give arrays that are too short for the next step twice the length that it needs."""
        nodes, items, codes, sets, lists = (
            2 * int(need) if need > there else 0 for need, there in zip(needs, self._room, strict=True)
        )
        self._nodes = Nodes(*(_longer(part, nodes) for part in self._nodes))
        self._items = _longer(self._items, items)
        by_set = (_longer(part, sets) for part in self._found[1:])
        self._found = FoundItemsets(_longer(self._found.codes, codes), *by_set)
        table, heads, links, listed = self._store
        if sets > 0:
            table = np.zeros((1 << (2 * sets).bit_length(), 2), dtype=np.int64)
            move_table(self._store.table, table)
        self._store = FoundSets(table, heads, _longer(links, len(self._found.codes)), _longer(listed, lists))


def _longer(array: Any, length: int) -> Any:
    """The array, or a copy with a length that it does not have."""
    if length <= len(array):
        return array
    grown = np.empty((length, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


def _weights(n_records: int) -> Ints:
    """One record, and a hash of its number above (see `fp_tree`)."""
    hashes = np.random.default_rng(0).integers(-(1 << 31), 1 << 31, n_records)
    return (hashes << 32) + 1
