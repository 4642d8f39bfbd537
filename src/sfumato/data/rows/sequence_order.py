"""Sorting of rows of different length as sequences."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints

__all__ = ["row_order"]

_BITS = 63  # of a number that is not below 0


def row_order(offsets: Ints, codes: Ints) -> Ints:
    """The order that sorts rows of different length as sequences of codes, none below 0; equal rows stay as they stand.

    As many codes as fit into one number are compared at once, then the next ones of the rows that are equal so far.

    >>> row_order(np.array([0, 2, 3, 5, 5]), np.array([1, 0, 1, 0, 2])).tolist()
    [3, 2, 1, 0]
    """
    begins, ends = offsets[:-1], offsets[1:]
    longest, bits = int((ends - begins).max(initial=0)), (int(codes.max(initial=0)) + 1).bit_length()
    order, places = np.arange(len(begins)), np.arange(len(begins))  # places: of rows that are not told apart yet
    run, position = np.zeros(1, dtype=np.int64), 0  # run: the number of the run of equal rows that each belongs to
    while len(places) and position < longest:
        rows, run_bits = order[places], int(run[-1]).bit_length()
        width = max(1, min(longest - position, (_BITS - run_bits - len(rows).bit_length()) // bits))
        keys = _packed(codes, begins[rows] + position, ends[rows], bits, width)
        if run_bits:
            keys |= run << (bits * width)
        keys, by_key = _in_order(keys, run_bits + bits * width)
        order[places] = rows[by_key]
        equal = keys[1:] == keys[:-1]
        equal &= (keys[1:] & ((1 << bits) - 1)) > 0  # the last digit: the row has not ended
        equal_before, equal_behind = np.append(False, equal), np.append(equal, False)
        within = np.flatnonzero(equal_before | equal_behind)
        places, run, position = places[within], np.cumsum(~equal_before[within]), position + width
    return order


def _packed(codes: Ints, begins: Ints, ends: Ints, bits: int, width: int) -> Ints:
    """So many codes of each row, from its begin on, as the digits of one number: each plus 1, and 0 behind its end."""
    keys = np.zeros(len(begins), dtype=np.int64)
    for position in range(width):
        places = begins + position
        digits = codes[np.minimum(places, len(codes) - 1)] + 1
        digits[places >= ends] = 0
        keys <<= bits
        keys |= digits
    return keys


def _in_order(keys: Ints, bits: int) -> tuple[Ints, Ints]:
    """The keys, which have so many bits, in order, and the order that sorts them; equal ones stay as they stand."""
    place_bits = len(keys).bit_length()
    if bits + place_bits > _BITS:
        order = np.argsort(keys, kind="stable")
        return keys[order], order
    keys <<= place_bits  # with its place behind it no key is twice there: any sort will do, the fastest one
    keys |= np.arange(len(keys))
    keys.sort()
    return keys >> place_bits, keys & ((1 << place_bits) - 1)
