"""Which pieces may hold finer labels in place of a coarse one, so that every pattern keeps enough support."""

import numpy as np

from sfumato.kernels.compiled import njit
from sfumato.kernels.recoding.subsequence_supports import copy_row, slot_of

__all__ = ["largest_safe_set", "numbered_rows", "patterns_with"]


@njit(cache=True)
def _others(position, index):
    """The index-th position of a piece without `position`."""
    return index if index < position else index + 1


@njit(cache=True)
def _empty_rows(size, m):
    return np.full((size, m), -1, dtype=np.int32), np.empty(size, dtype=np.int64)


@njit(cache=True)
def _visits_needed(codes, begin, end, m, last, stamps, visits):
    """Put the visits of a piece that make up all its subsequences into `visits`; returns their number.

    Of up to two labels, the first and the last visit to each label make up all; of more labels, every visit does.
    """
    for visit in range(begin, end):
        last[codes[visit]] = visit
    n = np.int64(0)
    for visit in range(begin, end):
        label = codes[visit]
        if m > 2 or stamps[label] != begin or last[label] == visit:
            stamps[label] = begin
            visits[n] = visit
            n += 1
    return n


@njit(cache=True)
def patterns_with(codes, offsets, pieces, wanted, m):
    """The subsequences of 1 to m labels that hold a wanted label, padded with -1, and the piece of each.

    codes : int32[visits].  offsets : int64[all pieces + 1].  pieces : int64[...].  wanted : bool[n_labels].
    Returns int32[rows, m] and int64[rows], positions in `pieces`, not falling.  A subsequence may be listed twice.
    """
    filled = np.int64(256)
    rows, owners = _empty_rows(filled, m)
    filled = np.int64(0)
    chosen = np.zeros(m, dtype=np.int64)
    last, stamps = np.empty(len(wanted), dtype=np.int64), np.full(len(wanted), -1, dtype=np.int64)
    visits = np.empty(len(codes), dtype=np.int64)
    for owner in range(len(pieces)):
        n = _visits_needed(codes, offsets[pieces[owner]], offsets[pieces[owner] + 1], m, last, stamps, visits)
        for position in range(n):
            if not wanted[codes[visits[position]]]:
                continue
            for more in range(min(m, n)):  # how many other visits
                for level in range(more):
                    chosen[level] = level
                while True:
                    if filled == len(rows):
                        more_rows, more_owners = _empty_rows(2 * filled, m)
                        for row in range(filled):
                            copy_row(rows, row, more_rows, row)
                            more_owners[row] = owners[row]
                        rows, owners = more_rows, more_owners
                    level = 0
                    while level < more and chosen[level] < position:
                        rows[filled, level] = codes[visits[chosen[level]]]
                        level += 1
                    rows[filled, level] = codes[visits[position]]
                    while level < more:
                        rows[filled, level + 1] = codes[visits[_others(position, chosen[level])]]
                        level += 1
                    owners[filled] = owner
                    filled += 1
                    level = more - 1
                    while level >= 0 and chosen[level] == n - 1 - more + level:
                        level -= 1
                    if level < 0:
                        break
                    chosen[level] += 1
                    for later in range(level + 1, more):
                        chosen[later] = chosen[later - 1] + 1
    return rows[:filled].copy(), owners[:filled].copy()


@njit(cache=True)
def numbered_rows(rows, keys, numbers):
    """The number of each row among the distinct rows, in the order of their first occurrence, and how many there are.

    rows : int32[n, m].  keys : int32[slots, m], all -1, slots a power of two above n.  numbers : int32[slots].
    """
    number_of = np.empty(len(rows), dtype=np.int32)
    used = 0
    for row in range(len(rows)):
        slot = slot_of(keys, rows[row])
        if keys[slot, 0] < 0:
            copy_row(rows, row, keys, slot)
            numbers[slot] = used
            used += 1
        number_of[row] = numbers[slot]
    return number_of, used


@njit(cache=True)
def largest_safe_set(patterns, owners, after, units, inside, k, supports, last_unit):
    """Take pieces out of a set until every pattern has a support of 0 or at least k; False if that fails.

    patterns, owners, after : one entry for each pattern of each piece, owners not falling: its number, the piece, and
    whether the piece holds it if it is in the set, or if it is not.  units : int32[pieces], not falling.
    inside : bool[pieces], the set, changed in place.  supports, last_unit : int64[patterns], scratch.
    """
    while True:
        supports[:] = 0
        last_unit[:] = -1
        for row in range(len(patterns)):
            if after[row] == inside[owners[row]] and last_unit[patterns[row]] != units[owners[row]]:
                last_unit[patterns[row]] = units[owners[row]]
                supports[patterns[row]] += 1
        rare, dropped = False, False
        for row in range(len(patterns)):
            if 0 < supports[patterns[row]] < k:
                rare = True
                if inside[owners[row]]:  # it holds the pattern, or would if it left
                    inside[owners[row]] = False
                    dropped = True
        if not dropped:
            return not rare
