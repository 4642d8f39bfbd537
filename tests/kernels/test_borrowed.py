"""Borrowed arrays: the same memory, without a reference; their owner keeps them."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from sfumato.kernels.borrowed import borrowed


class Parts(NamedTuple):
    numbers: Any
    more: Any
    factor: Any


@njit
def add_to(array, amount):
    for at in range(len(array)):
        array[at] += amount


@njit
def add_through_a_loan(array, times):
    lent = borrowed(array)
    for _ in range(times):
        add_to(lent, 1)
    return lent.sum()


@njit
def scale(parts):
    numbers, more, factor = borrowed(parts)
    for at in range(len(numbers)):
        numbers[at] *= factor
        more[at, 0] = numbers[at]


def test_an_array_is_changed_in_place_and_stays_with_its_owner() -> None:
    array = np.zeros(1000, dtype=np.int64)
    before = sys.getrefcount(array)
    assert add_through_a_loan(array, 100) == 100_000
    assert array.tolist() == [100] * 1000
    assert sys.getrefcount(array) == before


def test_a_tuple_of_arrays_and_numbers_is_borrowed_part_by_part() -> None:
    parts = Parts(np.arange(3), np.zeros((3, 2)), 5)
    scale(parts)
    assert parts.numbers.tolist() == [0, 5, 10]
    assert parts.more[:, 0].tolist() == [0, 5, 10]
    scale(tuple(parts))
    assert parts.numbers.tolist() == [0, 25, 50]


def test_a_view_is_borrowed_with_its_strides() -> None:
    array = np.zeros((4, 6))
    add_to(array[:, 0], 1)
    assert add_through_a_loan(array[::2, 3], 2) == 4
    assert array[:, 3].tolist() == [2, 0, 2, 0]
