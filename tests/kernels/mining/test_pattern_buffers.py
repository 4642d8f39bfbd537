"""Sorting and growing as the miners do it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.mining.pattern_buffers import sort, with_length, with_rows


@given(st.lists(st.integers(-5, 50), max_size=200), st.integers(0, 10))
def test_sort_leaves_the_rest_alone(values: list[int], rest: int) -> None:
    array = np.array([*values, *range(rest)], dtype=np.int64)
    sort(array, len(values))
    assert array.tolist() == [*sorted(values), *range(rest)]


def test_arrays_grow_only_where_they_must() -> None:
    array = np.array([3, 1, 4], dtype=np.int32)
    assert with_length(array, 3, 3) is array
    grown = with_length(array, 2, 5)
    assert grown.dtype == np.int32
    assert len(grown) >= 5
    assert grown[:2].tolist() == [3, 1]
    table = np.arange(6).reshape(3, 2)
    assert with_rows(table, 3, 2) is table
    assert with_rows(table, 3, 4)[:3].tolist() == table.tolist()
