"""Patterns in flat arrays: their order, and the frame."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mining import Patterns

NAMES = tuple(f"n{code:05}" for code in range(70_000))


def flat(rows: list[tuple[list[int], int]]) -> Patterns:
    offsets = np.concatenate(([0], np.cumsum([len(codes) for codes, _ in rows]))).astype(np.int64)
    codes = np.array([code for codes, _ in rows for code in codes], dtype=np.int32)
    return Patterns(offsets, codes, np.array([support for _, support in rows], dtype=np.int64))


rows = st.lists(
    st.tuples(st.lists(st.sampled_from([0, 1, 2, 69_998, 69_999]), min_size=1, max_size=9), st.integers(1, 3)),
    max_size=20,
)


@given(rows)
def test_order(rows: list[tuple[list[int], int]]) -> None:
    found = flat(rows).in_order().to_frame(NAMES)
    expected = sorted(rows, key=lambda row: (-row[1], row[0]))
    assert found["pattern"].to_list() == [[NAMES[code] for code in codes] for codes, _ in expected]
    assert found["support"].to_list() == [support for _, support in expected]
    assert found["length"].to_list() == [len(codes) for codes, _ in expected]


@given(rows)
def test_taking_rows(rows: list[tuple[list[int], int]]) -> None:
    backwards = flat(rows).take(np.arange(len(rows))[::-1]).to_frame(NAMES)
    assert backwards.equals(flat(rows).to_frame(NAMES).reverse())
