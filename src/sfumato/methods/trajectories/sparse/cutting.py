"""Cutting records into pieces whose short sequences of labels are held by enough persons."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.pieces.cutting import (
    CutRules,
    cut_again,
    fill_table,
    rare_inside,
    scratch_shape,
    with_forbidden,
)
from sfumato.kernels.pieces.label_pairs import RecordPairs, pair_supports, record_labels
from sfumato.kernels.recoding.pattern_counts import count_patterns
from sfumato.methods.base import Run
from sfumato.methods.trajectories.sparse.pieces import Pieces
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

__all__ = ["Cutting"]

_PATTERNS = 2_000_000  # at most this many sequences of m visits in a piece
_SQUARES = 1 << 28  # at most this many entries in the tables of pairs of all records together


class Cutting:
    """Records under labels, cut into pieces until every subsequence of up to m labels has a support of k or more.

    A piece grows greedily by the label that fits most of the visits that are left.  What turns out to be rare
    inside the pieces is forbidden, and the records that hold it are cut again.  More and more is forbidden, so that
    this ends.
    """

    def __init__(
        self,
        visits: UnitVisits,
        labels: Ints,
        n_labels: int,
        k: int,
        m: int,
        *,
        most: Ints,
        least: int,
        listed: bool = False,
    ) -> None:
        """labels : of each visit.  most : the largest number of pieces of each record.  least : visits of a piece.

        listed : whether the sequences of a piece will be listed one by one, so that it must not be very long.
        """
        self._visits, self._labels, self._n_labels = visits, labels.astype(np.int32), n_labels
        self._k, self._m = k, m
        self._data, supports = _pairs_of(visits, self._labels, n_labels)
        self._rules = CutRules(
            visits.support_of(labels, n_labels) >= k,
            supports >= (k if m > 1 else 0),
            _table(np.empty((0, m), np.int32)),
            most,
            least,
            _longest(m, len(labels), listed=listed or m > 2),
        )
        widest, longest = (int(np.diff(bounds).max(initial=0)) for bounds in (self._data.starts, visits.offsets))
        self._scratch = np.zeros(scratch_shape(widest, longest), dtype=np.int64)
        self._supports = tuple(np.full((2, size), -1, dtype=np.int64) for size in (n_labels, len(supports)))
        for counts in self._supports:
            counts[0] = 0
        self._tick = 0
        self.piece = np.full(len(labels), -1, dtype=np.int32)
        self._cut(np.ones(len(visits.offsets) - 1, dtype=bool), fresh=True)

    def run(self, run: Run, *, give_up_below: int = 0) -> npt.NDArray[np.int32]:
        """Cut until nothing is rare; returns the piece of each visit inside its record, -1 for those in none.

        give_up_below : stop as soon as fewer visits are in pieces, where the pieces are not wanted then.
        """
        todo = np.zeros(len(self._visits.offsets) - 1, dtype=bool)
        while np.count_nonzero(self.piece >= 0) >= give_up_below and self._mark(todo):
            run.advance(len(todo) - int(np.count_nonzero(todo)), len(todo))
            self._cut(todo, fresh=False)
        return self.piece

    def _cut(self, todo: npt.NDArray[np.bool_], *, fresh: bool) -> None:
        self._tick = cut_again(
            todo,
            fresh,
            self._visits.unit_offsets,
            self._labels,
            self._data,
            self._rules,
            *self._supports,
            self._scratch,
            self.piece,
            self._tick,
        )

    def _mark(self, todo: npt.NDArray[np.bool_]) -> bool:
        """Forbid what is rare, mark the records that hold it, and say whether there are any."""
        marked = rare_inside(
            self._k, self._m, self._data, self._rules, *self._supports, self._scratch, self.piece, todo
        )
        return bool(marked) or (self._m > 2 and self._mark_larger(todo))

    def _mark_larger(self, todo: npt.NDArray[np.bool_]) -> bool:
        """The same for subsequences of 3 to m labels, which are counted once no pair is rare."""
        pieces = Pieces.of(self._visits, self._labels, self.piece)
        keys, counts = count_patterns(pieces.labels, pieces.offsets, pieces.unit_offsets, self._n_labels, 3, self._m)
        rare = keys[counts < self._k]
        if len(rare) == 0:
            return False
        old = self._rules.forbidden
        table = _table(np.concatenate((old[old[:, 0] >= 0], rare)))
        self._rules = self._rules._replace(forbidden=table)
        todo[pieces.record[with_forbidden(pieces.labels, pieces.offsets, table)]] = True
        return True


def _pairs_of(visits: UnitVisits, labels: npt.NDArray[np.int32], n_labels: int) -> tuple[RecordPairs, Ints]:
    """The ordered pairs of labels of each record, and the support of each.

    Of a record with very many labels only the first ones take part, so that the tables of all records fit into memory.
    """
    most = n_labels
    while True:
        local, starts, distinct = record_labels(labels, visits.offsets, n_labels, most)
        squares = np.concatenate(([0], np.cumsum(np.diff(starts) ** 2)))
        if squares[-1] <= _SQUARES or most == 1:
            break
        most = max(1, min(most, int(np.diff(starts).max())) // 2)
    pairs, supports = pair_supports(local, visits.offsets, starts, distinct, visits.unit_of_record, squares)
    return RecordPairs(visits.offsets, local, starts, distinct, squares, pairs), supports


def _longest(m: int, visits: int, *, listed: bool) -> int:
    """The largest number of visits of a piece; where its sequences of m visits are listed, they must not be too many.

    >>> [_longest(m, 10**6, listed=True) for m in (2, 3, 4)], _longest(2, 10**6, listed=False)
    ([2000, 229, 84], 1000000)
    """
    if not listed:
        return max(1, visits)
    longest = m
    while longest < visits and math.comb(longest + 1, m) <= _PATTERNS:
        longest += 1
    return longest


def _table(patterns: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The patterns as an open-addressed table."""
    table = np.full((1 << (2 * len(patterns)).bit_length(), patterns.shape[1]), -1, dtype=np.int32)
    fill_table(patterns, table)
    return table
