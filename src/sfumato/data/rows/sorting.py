"""Sorting of whole numbers in time that grows with their number alone."""

from __future__ import annotations

import numpy as np

from sfumato.data.base import Ints

__all__ = ["distinct", "stable_order"]

_DIGIT = 16  # bits; NumPy sorts numbers of 16 bits by counting


def distinct(keys: Ints) -> Ints:
    """The distinct keys, rising; unlike `np.unique` without a hash table, which many keys make slow.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(keys)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return np.asarray(ordered[first])


def stable_order(keys: Ints) -> Ints:
    """The order that sorts keys, none below 0; equal keys stay as they stand.

    >>> stable_order(np.array([70_000, 2, 70_000, 1])).tolist()
    [3, 1, 0, 2]
    """
    most = int(keys.max(initial=0))
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(_DIGIT, most.bit_length(), _DIGIT):
        order = order[np.argsort((keys[order] >> shift).astype(np.uint16), kind="stable")]
    return order
