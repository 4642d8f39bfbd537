"""The kernels behind the promises about roads, on small lists."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.verify.roads import broken_paths, difference_sizes, distinct_units

LISTS = np.array([0, 1, 3, 1, 2, 3, 4]), np.array([0, 3, 7, 7])  # {0, 1, 3}, {1, 2, 3, 4} and nothing
UNITS = np.array([7, 8, 7, 9, 7])


def test_crowds_count_units_once() -> None:
    assert distinct_units(*LISTS, UNITS, 10).tolist() == [3, 3, 0]


def test_differences_count_the_units_of_what_only_one_list_has() -> None:
    pairs = np.array([0, 1, 0, 2, 0]), np.array([1, 0, 0, 1, 2])
    found = difference_sizes(*LISTS, UNITS, 10, *pairs)
    assert found.tolist() == [[1, 1], [1, 1], [0, 0], [0, 3], [3, 0]]


def test_a_path_breaks_inside_a_record_and_not_between_two() -> None:
    tails, heads = np.array([0, 1, 2]), np.array([1, 2, 3])
    codes, offsets = np.array([0, 1, 0, 2, 2]), np.array([0, 2, 4, 5, 5])
    assert broken_paths(codes, offsets, tails, heads).tolist() == [False, True, False, False]
