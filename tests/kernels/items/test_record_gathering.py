from __future__ import annotations

import itertools
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.items.record_gathering import differs_from_before, gathered_records, order_within

Rows = st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=12)


def flat(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    codes = np.array([code for row in rows for code in row], dtype=np.int32)
    return codes, np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)


@given(Rows, st.randoms(use_true_random=False))
def test_records_in_another_order(rows: list[list[int]], random: Random) -> None:
    order = random.sample(range(len(rows)), len(rows))
    wanted = [rows[record] for record in order]
    codes, starts = gathered_records(*flat(rows), np.array(order))
    assert [codes[a:b].tolist() for a, b in itertools.pairwise(starts)] == wanted
    differs = differs_from_before(*flat(rows), np.array(order))
    assert differs.tolist() == [True, *(one != other for one, other in itertools.pairwise(wanted))]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_order_within_groups(sizes: list[int], random: Random) -> None:
    group_of = np.repeat(np.arange(len(sizes)), sizes)
    order = random.sample(range(len(group_of)), len(group_of))
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    grouped = order_within(offsets, group_of, np.array(order, dtype=np.int64))
    assert grouped.tolist() == sorted(order, key=lambda record: group_of[record])
