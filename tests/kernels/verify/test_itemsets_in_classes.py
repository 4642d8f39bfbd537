"""Supports within classes, against sets counted by hand."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.verify.itemsets_in_classes import class_associations
from sfumato.kernels.verify.prefixes.associations import SensitiveValues


def found(
    baskets: list[list[int]], units: list[int], starts: list[int], sensitive: list[list[int]], **asked: int
) -> list:
    offsets = np.concatenate(([0], np.cumsum([len(one) for one in baskets]))).astype(np.int64)
    holders = np.concatenate(([0], np.cumsum([len(one) for one in sensitive]))).astype(np.int64)
    return class_associations(
        np.array([code for one in baskets for code in one], dtype=np.int32),
        offsets,
        np.array(units, dtype=np.int32),
        np.array(starts, dtype=np.int64),
        3,
        SensitiveValues(holders, np.array([code for one in sensitive for code in one], dtype=np.int32), 2),
        asked.get("m", 2),
        asked.get("k", 2),
        asked.get("diversity", 2),
    ).tolist()


def test_two_classes_by_hand() -> None:
    # first class: {0}, {0, 1}: sets {}, {0}, {1}, {0, 1} with supports 2, 2, 1, 1; second class: {2} alone
    rows = found([[0], [0, 1], [2]], [0, 1, 2], [0, 2, 3], [[], [], []])
    assert rows == [[2, 4, 2, 0, 1, 0, 2], [1, 2, 2, 0, 1, 0, 1]]


def test_units_count_once_in_a_class() -> None:
    assert found([[0], [0]], [5, 5], [0, 2], [[], []])[0][:5] == [1, 2, 2, 0, 1]


def test_the_worst_share_of_a_sensitive_value() -> None:
    # value 1 belongs to 2 of 3; of the two who hold 0, both have it
    rows = found([[0], [0], []], [0, 1, 2], [0, 3], [[1], [0, 1], []])
    assert rows == [[3, 2, 0, 2, 2, 2, 2]]


def test_no_class_at_all() -> None:
    assert found([], [], [0], []) == []
