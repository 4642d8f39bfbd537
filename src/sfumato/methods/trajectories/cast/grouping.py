"""Grouping of CAST: sequences of one length, in groups that cost little to generalize."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from sfumato.data.base import Ints
from sfumato.kernels.recoding.taxonomy_exchange import exchange_members
from sfumato.kernels.recoding.taxonomy_groups import PoolRows, grow_best_group, grow_group, improve_group
from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree

__all__ = ["Pool", "grouped"]

_WORK = 200_000_000  # positions read to try every sequence as the middle of a group; beyond, fewer are tried
_PAIRS = 100_000_000  # the same to try every pair as the middle, in small pools
_EXCHANGES = 500_000_000  # the same to exchange members between groups
_TRIES = 8  # how often a middle is looked for again before a group is taken


class Pool:
    """Sequences of one length that can still be grouped; `records` are in the order of their content.

    >>> from sfumato import Taxonomy
    >>> tree = Tree.of(Taxonomy({"*": None, "x": "*", "y": "*", "a": "x", "b": "x", "c": "y"}), "hops")
    >>> rows = np.array([[tree.number[name] for name in pair] for pair in ("aa", "ac", "ba", "bc")])
    >>> grouped(Pool(np.arange(4), rows, np.arange(4)), 2, tree)[0]
    [[0, 2], [1, 3]]
    """

    def __init__(self, records: Ints, rows: Ints, units: Ints) -> None:
        self.records, self.units = records, np.ascontiguousarray(units, dtype=np.int32)
        fresh = np.any(rows[1:] != rows[:-1], axis=1) if rows.shape[1] else np.zeros(max(0, len(rows) - 1), dtype=bool)
        self.row_of = np.concatenate(([0], np.cumsum(fresh)))[: len(rows)].astype(np.int64)
        self.first = np.append(np.flatnonzero(np.concatenate(([True], fresh))), len(rows)).astype(np.int64)
        self.rows = np.ascontiguousarray(rows[self.first[:-1]], dtype=np.int32)
        self.left = np.diff(self.first)
        self.taken = np.zeros(len(rows), dtype=np.bool_)

    def seed_of(self, row: int) -> int:
        """The first record of a row that is not taken."""
        return int(self.first[row] + np.argmin(self.taken[self.first[row] : self.first[row + 1]]))

    def take(self, group: Ints) -> None:
        self.taken[group] = True
        np.subtract.at(self.left, self.row_of[group], 1)

    def try_seed(self, row: int, size: int, tree: Tree) -> tuple[float, Ints]:
        group = np.empty(size, dtype=np.int64)
        if self.rows.size * size * len(self.rows) ** 2 <= _PAIRS:
            return float(grow_best_group(self.seed_of(row), self._arrays, tree.arrays, group)), group
        return float(grow_group(self.seed_of(row), -1, self._arrays, tree.arrays, group)), group

    def improve(self, group: Ints, cost: float, tree: Tree) -> None:
        improve_group(self._arrays, tree.arrays, group, cost)

    @property
    def _arrays(self) -> PoolRows:
        """The pool as kernels read it."""
        return PoolRows(self.rows, self.row_of, self.first, self.left, self.taken, self.units)


def grouped(pool: Pool, size: int, tree: Tree) -> tuple[list[list[int]], list[int]]:
    """Groups of exactly `size` records, cheapest first, and the records that are left over.

    In place of FindBestGroup, which tries all groups: each distinct sequence in turn (in a small pool each pair) is
    the middle of a group that takes what costs least; the cheapest group is improved by exchanging single members,
    and taken.  Costs found earlier only rise while the pool shrinks, so that only the lowest ones are examined
    again.  In the end groups exchange members as long as that makes two of them cheaper together.
    """
    count, length = pool.rows.shape
    limit = int(max(64, _WORK / max(1, count * length * size)))
    step = max(1, -(-count // limit))
    waiting: list[tuple[float, int]] = []
    untried = [list(range(begin, count, step)) for begin in range(step)]
    groups: list[list[int]] = []
    while np.count_nonzero(~pool.taken) >= size:
        if not waiting:
            if not untried:
                break
            waiting = [(pool.try_seed(row, size, tree)[0], row) for row in untried.pop(0) if pool.left[row]]
            waiting = [candidate for candidate in waiting if candidate[0] < np.inf]
            heapify(waiting)
            continue
        best, chosen = np.inf, None
        tries = 0
        popped: list[tuple[float, int]] = []
        while waiting and (waiting[0][0] < best or chosen is None) and (tries < _TRIES or chosen is None):
            _, row = heappop(waiting)
            if pool.left[row] == 0:
                continue
            cost, group = pool.try_seed(row, size, tree)
            tries += 1
            if cost < np.inf:
                popped.append((cost, row))
            if cost < best:
                best, chosen = cost, group
        for candidate in popped:
            heappush(waiting, candidate)
        if chosen is not None:
            pool.improve(chosen, best, tree)
            pool.take(chosen)
            groups.append(chosen.tolist())
    if len(groups) > 1:
        members = np.array(groups)
        exchange_members(members, pool.rows, pool.row_of, pool.units, tree.arrays, _EXCHANGES)
        groups = members.tolist()
    return [sorted(group) for group in groups], np.flatnonzero(~pool.taken).tolist()
