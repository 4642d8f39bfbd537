"""Distinct labels of records and the supports of their ordered pairs, beside a plain count."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import supports
from sfumato.kernels.pieces.label_pairs import pair_supports, record_labels


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.lists(st.integers(-1, 6), max_size=8), max_size=10),
    most=st.integers(1, 7),
    draw=st.data(),
)
def test_pairs_and_their_supports(rows: list[list[int]], most: int, draw: Any) -> None:
    units = sorted(draw.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows))))
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    codes = np.array([label for row in rows for label in row], dtype=np.int32)
    local, starts, labels = record_labels(codes, offsets, 7, most)
    squares = np.concatenate(([0], np.cumsum(np.diff(starts) ** 2)))
    pairs, counts = pair_supports(local, offsets, starts, labels, np.array(units, dtype=np.int32), squares)
    kept = []
    number_of: dict[tuple[int, int], int] = {}
    for record, row in enumerate(rows):
        first = list(dict.fromkeys(label for label in row if label >= 0))[:most]
        own = labels[starts[record] : starts[record + 1]].tolist()
        assert own == first
        inside = [first.index(label) if label in first else -1 for label in row]
        assert local[offsets[record] : offsets[record + 1]].tolist() == inside
        kept.append([label for label in row if label in first])
        held = {(one, other) for at, other in enumerate(kept[-1]) for one in kept[-1][:at]}
        square = pairs[squares[record] : squares[record + 1]].reshape(len(first), len(first))
        for at, one in enumerate(first):
            for to, other in enumerate(first):
                number = int(square[at, to])
                assert (number >= 0) is ((one, other) in held)
                if number >= 0:
                    assert number_of.setdefault((one, other), number) == number
    expected = {pattern: count for pattern, count in supports(kept, units, 2).items() if len(pattern) == 2}
    assert {pair: int(counts[number]) for pair, number in number_of.items()} == expected
    assert len(counts) == len(expected)


def test_a_table_of_pairs_grows() -> None:
    """More pairs than the first table has room for."""
    rng = np.random.default_rng(3)
    rows = [rng.permutation(60)[:20].tolist() for _ in range(30)]
    offsets = np.arange(0, 601, 20)
    local, starts, labels = record_labels(np.array(rows, dtype=np.int32).ravel(), offsets, 60, 60)
    squares = np.concatenate(([0], np.cumsum(np.diff(starts) ** 2)))
    _, counts = pair_supports(local, offsets, starts, labels, np.arange(30, dtype=np.int32), squares)
    expected = [count for pattern, count in supports(rows, range(30), 2).items() if len(pattern) == 2]
    assert len(expected) > 1024
    assert sorted(counts.tolist()) == sorted(expected)
