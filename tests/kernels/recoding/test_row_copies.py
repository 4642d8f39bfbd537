"""Rows copied and compared, beside lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.ragged import row_order
from sfumato.kernels.recoding.row_copies import copy_rows, differ_from_row_before, first_unordered_row

ROWS = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=8)


def flat(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return offsets, np.array([code for row in rows for code in row], dtype=np.int32)


@given(rows=ROWS, draw=st.data())
def test_rows_are_copied(rows: list[list[int]], draw: st.DataObject) -> None:
    offsets, codes = flat(rows)
    chosen = draw.draw(st.lists(st.integers(0, len(rows) - 1), max_size=10)) if rows else []
    wanted = [code for row in chosen for code in rows[row]]
    copied = np.empty(len(wanted), dtype=np.int32)
    copy_rows(codes, offsets, np.array(chosen, dtype=np.int64), copied)
    assert copied.tolist() == wanted


@given(rows=ROWS)
def test_the_first_row_out_of_order(rows: list[list[int]]) -> None:
    wanted = next((at for at in range(1, len(rows)) if rows[at] < rows[at - 1]), len(rows))
    assert first_unordered_row(*flat(rows)) == wanted
    assert first_unordered_row(*flat(sorted(rows))) == len(rows)
    order = row_order(*flat(rows))
    assert first_unordered_row(*flat([rows[at] for at in order])) == len(rows)


@given(rows=ROWS)
def test_rows_that_differ_from_the_row_before(rows: list[list[int]]) -> None:
    differ = np.empty(len(rows), dtype=bool)
    differ_from_row_before(*flat(rows), differ)
    assert differ.tolist() == [at == 0 or rows[at] != rows[at - 1] for at in range(len(rows))]
