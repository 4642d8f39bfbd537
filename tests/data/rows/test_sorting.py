"""Sorting by counting against NumPy's sorts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.rows.sorting import distinct, stable_order

KEYS = st.lists(st.integers(0, 5) | st.integers(0, 1 << 40), max_size=40)


@given(KEYS)
def test_the_order_is_that_of_a_stable_sort(keys: list[int]) -> None:
    numbers = np.array(keys, dtype=np.int64)
    assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


@given(KEYS)
def test_distinct_keys_are_those_of_a_set(keys: list[int]) -> None:
    assert distinct(np.array(keys, dtype=np.int64)).tolist() == sorted(set(keys))
