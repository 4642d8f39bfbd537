"""Sorting of rows as sequences, beside Python's sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.rows import sequence_order
from sfumato.data.rows.sequence_order import row_order

# codes of 2 bits, of 20 and of 31: many in a number, three, or two
ROWS = st.sampled_from([2, 1 << 19, (1 << 31) - 2]).flatmap(
    lambda most: st.lists(st.lists(st.integers(0, 2) | st.integers(max(0, most - 2), most), max_size=9), max_size=30)
)


def is_sorted_stably(rows: list[list[int]]) -> bool:
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    codes = np.array([code for row in rows for code in row], dtype=np.int32)
    return row_order(offsets, codes).tolist() == sorted(range(len(rows)), key=lambda row: rows[row])


@given(ROWS)
def test_the_order_is_that_of_a_stable_sort(rows: list[list[int]]) -> None:
    assert is_sorted_stably(rows)


@given(ROWS)
def test_without_room_for_the_places(rows: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequence_order, "_BITS", 36)
        assert is_sorted_stably(rows)


@pytest.mark.parametrize("longest", [3, 40])
def test_many_rows_that_are_equal_far_into_them(longest: int) -> None:
    rng = np.random.default_rng(longest)
    kinds = [rng.integers(0, 2, rng.integers(0, longest)).tolist() for _ in range(50)]
    assert is_sorted_stably([kinds[kind] for kind in rng.integers(0, 50, 2_000)])
