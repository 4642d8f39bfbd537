"""Pieces of records in which every pair of labels is allowed, found greedily, and the supports inside the pieces.

Counters begin as int64: a literal 0 would have a function compiled once more for it.
"""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.subsequence_supports import copy_row, slot_of

__all__ = ["CutRules", "cut_again", "fill_table", "rare_inside", "scratch_shape", "with_forbidden"]

FREE, DEGREE, FIRST, LAST, TRIED, PLACED = range(6)
"""The rows of the scratch table, by label of the current record: free visits that fit the piece; free visits that
fit the piece and the label; first and last visit to the label in the piece, or -1; whether the label was
tried.  The last row has the visits of the piece, rising."""
SUPPORT, TICK = range(2)
"""The rows of the counts, by label or pair: the units with it inside a piece, and the tick that last touched it."""


class CutRules(NamedTuple):
    """What a piece may hold."""

    labels: Any  # bool[n_labels]: whether a label may be published
    pairs: Any  # bool[pairs]: whether an ordered pair may
    forbidden: Any  # int32[slots, m]: patterns of 3 to m labels that may not, as an open-addressed table
    most: Any  # int64[records]: largest number of pieces of each record
    least: Any  # int: smallest number of visits in a piece
    longest: Any  # int: largest number of visits in a piece


def scratch_shape(widest: int, longest: int) -> tuple[int, int]:
    """The shape of the int64 scratch table for records of up to `widest` labels and `longest` visits."""
    return 6, max(widest, longest) + 1


@njit(cache=True)
def _together(square, n, left, right, pairs, allowed):
    """Whether all visits to two labels of a record may be in one piece."""
    forward, backward = pairs[square + left * n + right], pairs[square + right * n + left]
    return (forward < 0 or allowed[forward]) and (backward < 0 or allowed[backward])


@njit(cache=True)
def _holds_forbidden(codes, placed, n_placed, inserted, forbidden):
    """Whether a subsequence of 3 labels or more that holds the visit placed[inserted] (any, for -1) is forbidden."""
    widest = forbidden.shape[1]
    pattern = np.empty(widest, dtype=np.int32)
    chosen = np.empty(widest, dtype=np.int64)
    for size in range(3, min(widest, n_placed) + 1):
        for level in range(widest):
            chosen[level], pattern[level] = level, -1
        while True:
            holds = inserted < 0
            for level in range(size):
                pattern[level] = codes[placed[chosen[level]]]
                holds |= chosen[level] == inserted
            if holds and forbidden[slot_of(forbidden, pattern), 0] >= 0:
                return True
            level = size - 1
            while level >= 0 and chosen[level] == n_placed - size + level:
                level -= 1
            if level < 0:
                break
            chosen[level] += 1
            for later in range(level + 1, size):
                chosen[later] = chosen[later - 1] + 1
    return False


@njit(cache=True)
def _fits(visit, label, n, square, pairs, allowed, scratch):
    """Whether a visit to a label may join the piece, by pairs of labels."""
    for other in range(n):
        first = scratch[FIRST, other]
        if first < 0:
            continue
        if first < visit and not allowed[pairs[square + other * n + label]]:
            return False
        if scratch[LAST, other] > visit and not allowed[pairs[square + label * n + other]]:
            return False
    return True


@njit(cache=True)
def _insert(visit, n_placed, codes, forbidden, scratch):
    """Put a visit into the piece unless that makes a forbidden pattern; returns whether it is in."""
    placed = scratch[PLACED]
    position = n_placed
    while position > 0 and placed[position - 1] > visit:
        placed[position] = placed[position - 1]
        position -= 1
    placed[position] = visit
    if forbidden.shape[1] >= 3 and _holds_forbidden(codes, placed, n_placed + 1, position, forbidden):
        for later in range(position, n_placed):
            placed[later] = placed[later + 1]
        return False
    return True


@njit(cache=True)
def _weigh(begin, end, first_label, n, square, data, rules, scratch, piece):
    """Set the free visits and the degree of each label of a record; returns the number of free visits."""
    for label in range(n):
        for row in range(TRIED):
            scratch[row, label] = 0
        scratch[FIRST, label] = scratch[LAST, label] = -1
    free = 0
    for visit in range(begin, end):
        label = data.local[visit]
        if label >= 0 and piece[visit] < 0 and rules.labels[data.labels[first_label + label]]:
            scratch[FREE, label] += 1
            free += 1
    for label in range(n):
        scratch[TRIED, label] = scratch[FREE, label] == 0
        if scratch[FREE, label] > 0:
            for other in range(n):
                if scratch[FREE, other] > 0 and _together(square, n, label, other, data.pairs, rules.pairs):
                    scratch[DEGREE, label] += scratch[FREE, other]
    return free


@njit(cache=True)
def _next_label(first_label, n, labels, scratch):
    """The label that was not tried with the largest degree, ties by the smaller label; -1 if none is left."""
    best = -1
    for label in range(n):
        if scratch[TRIED, label]:
            continue
        gain = 1 if best < 0 else scratch[DEGREE, label] - scratch[DEGREE, best]
        if gain > 0 or (gain == 0 and labels[first_label + label] < labels[first_label + best]):
            best = label
    return best


@njit(cache=True)
def _leave_out(label, n, square, pairs, allowed, scratch):
    """What does not fit a label of the piece counts for no degree any more, and is tried last."""
    for other in range(n):
        if scratch[FREE, other] == 0 or _together(square, n, label, other, pairs, allowed):
            continue
        for third in range(n):
            waits = scratch[FREE, third] > 0 and not scratch[TRIED, third]
            if waits and _together(square, n, third, other, pairs, allowed):
                scratch[DEGREE, third] -= scratch[FREE, other]
        scratch[FREE, other], scratch[DEGREE, other] = 0, -1


@njit(cache=True)
def _cut_record(record, codes, data, rules, scratch, piece):
    """Cut a record into pieces, each grown by the label that fits most of what is left; -1 for visits in none."""
    begin, end = data.offsets[record], data.offsets[record + 1]
    first_label, n = data.starts[record], data.starts[record + 1] - data.starts[record]
    square = data.squares[record]
    for visit in range(begin, end):
        piece[visit] = -1
    for number in range(rules.most[record]):
        if _weigh(begin, end, first_label, n, square, data, rules, scratch, piece) < rules.least:
            return
        n_placed = np.int64(0)
        label = _next_label(first_label, n, data.labels, scratch)
        while label >= 0:
            scratch[TRIED, label] = 1
            before = n_placed
            for visit in range(begin, end):
                if (
                    n_placed < rules.longest
                    and data.local[visit] == label
                    and piece[visit] < 0
                    and _fits(visit, label, n, square, data.pairs, rules.pairs, scratch)
                    and _insert(visit, n_placed, codes, rules.forbidden, scratch)
                ):
                    n_placed += 1
                    piece[visit] = number
                    scratch[LAST, label] = visit
                    if scratch[FIRST, label] < 0:
                        scratch[FIRST, label] = visit
            if n_placed > before:
                _leave_out(label, n, square, data.pairs, rules.pairs, scratch)
            label = _next_label(first_label, n, data.labels, scratch)
        if n_placed < rules.least:
            for position in range(n_placed):
                piece[scratch[PLACED, position]] = -1
            return


@njit(cache=True)
def _count_piece(record, number, sign, tick, data, labels, pairs, scratch, piece):
    """Add `sign` to the support of the labels and pairs of a piece that this tick has not touched; False if empty."""
    first_label, n = data.starts[record], data.starts[record + 1] - data.starts[record]
    for label in range(n):
        scratch[FIRST, label] = -1
    empty = True
    for visit in range(data.offsets[record], data.offsets[record + 1]):
        if piece[visit] == number:
            empty = False
            label = data.local[visit]
            scratch[LAST, label] = visit
            if scratch[FIRST, label] < 0:
                scratch[FIRST, label] = visit
    for left in range(n):
        if scratch[FIRST, left] < 0:
            continue
        label = data.labels[first_label + left]
        if labels[TICK, label] != tick:
            labels[TICK, label] = tick
            labels[SUPPORT, label] += sign
        for right in range(n):
            if scratch[FIRST, right] >= 0 and scratch[FIRST, left] < scratch[LAST, right]:
                pair = data.pairs[data.squares[record] + left * n + right]
                if pairs[TICK, pair] != tick:
                    pairs[TICK, pair] = tick
                    pairs[SUPPORT, pair] += sign
    return not empty


@njit(cache=True)
def cut_again(todo, fresh, unit_offsets, codes, data, rules, labels, pairs, scratch, piece, tick):
    """Cut the records marked in `todo` again, and keep the supports inside pieces up to date; returns the next tick.

    todo : bool[records].  fresh : whether no record was cut before.  unit_offsets : int64[units + 1], over records.
    codes : int32[visits], labels.  piece : int32[visits], the piece of each visit inside its record, or -1.
    labels, pairs : int64[2, ...], the supports inside pieces.
    """
    for unit in range(len(unit_offsets) - 1):
        touched = False
        for record in range(unit_offsets[unit], unit_offsets[unit + 1]):
            touched |= todo[record]
        if not touched:
            continue
        for sign in range(1 if fresh else -1, 2, 2):
            for record in range(unit_offsets[unit], unit_offsets[unit + 1]):
                if sign == 1 and todo[record]:
                    _cut_record(record, codes, data, rules, scratch, piece)
                number = np.int64(0)
                while _count_piece(record, number, sign, tick, data, labels, pairs, scratch, piece):
                    number += 1
            tick += 1
    return tick


@njit(cache=True)
def _holds_rare(record, number, data, rules, scratch, piece):
    """Whether a piece holds a label or pair that is not allowed, and whether it is empty."""
    first_label, n = data.starts[record], data.starts[record + 1] - data.starts[record]
    for label in range(n):
        scratch[FIRST, label] = -1
    empty, rare = True, False
    for visit in range(data.offsets[record], data.offsets[record + 1]):
        if piece[visit] == number:
            empty = False
            label = data.local[visit]
            rare |= not rules.labels[data.labels[first_label + label]]
            for other in range(n):
                if scratch[FIRST, other] >= 0:
                    rare |= not rules.pairs[data.pairs[data.squares[record] + other * n + label]]
            scratch[FIRST, label] = visit
    return rare, empty


@njit(cache=True)
def rare_inside(k, m, data, rules, labels, pairs, scratch, piece, todo):
    """Forbid the labels and pairs that 1 to k - 1 units hold inside pieces; mark the records that hold one.

    todo : bool[records], set.  Returns how many records are marked.  With m = 1, pairs are not forbidden.
    """
    for label in range(labels.shape[1]):
        if 0 < labels[SUPPORT, label] < k:
            rules.labels[label] = False
    for pair in range(pairs.shape[1] if m > 1 else 0):
        if 0 < pairs[SUPPORT, pair] < k:
            rules.pairs[pair] = False
    marked = 0
    for record in range(len(data.offsets) - 1):
        number = np.int64(0)
        rare, empty = _holds_rare(record, number, data, rules, scratch, piece)
        while not (rare or empty):
            number += 1
            rare, empty = _holds_rare(record, number, data, rules, scratch, piece)
        todo[record] = rare
        marked += rare
    return marked


@njit(cache=True)
def fill_table(patterns, table):
    """Put patterns into an open-addressed table that is all -1 and has more slots."""
    for row in range(len(patterns)):
        copy_row(patterns, row, table, slot_of(table, patterns[row]))


@njit(cache=True)
def with_forbidden(codes, offsets, forbidden):
    """Whether each piece holds a forbidden pattern of 3 labels or more."""
    holds = np.zeros(len(offsets) - 1, dtype=np.bool_)
    for piece in range(len(holds)):
        placed = np.arange(offsets[piece], offsets[piece + 1])
        holds[piece] = _holds_forbidden(codes, placed, len(placed), np.int64(-1), forbidden)
    return holds
