"""Z-order and Gray order against numbers written out."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Places
from sfumato.methods.record_orders import gray_order, word_order, z_order
from twins.soa import gray_rank, z_values


def flat(words: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.concatenate(([0], np.cumsum([len(word) for word in words]))).astype(np.int64)
    return offsets, np.array([letter for word in words for letter in word], dtype=np.int64)


@given(st.lists(st.sets(st.integers(0, 200)), max_size=20), st.randoms(use_true_random=False))
def test_gray_order_is_the_order_of_ranks(keys: list[set[int]], chance: Any) -> None:
    """Up to 200 bits and 40 ones: several letters make one number, and several numbers one word."""
    ties = list(range(len(keys)))
    chance.shuffle(ties)
    ranks = [gray_rank(sum(2**one for one in key)) for key in keys]
    expected = sorted(ties, key=lambda at: ranks[at])
    found = gray_order(*flat([sorted(key, reverse=True) for key in keys]), np.array(ties, dtype=np.int64))
    assert found.tolist() == expected


def test_all_keys_of_six_bits_come_in_the_order_of_the_gray_code() -> None:
    code = [number ^ (number >> 1) for number in range(64)]
    keys = [[bit for bit in range(5, -1, -1) if key >> bit & 1] for key in code]
    assert gray_order(*flat(keys), np.arange(63, -1, -1)).tolist() == list(range(64))


@given(st.lists(st.lists(st.integers(0, 3), max_size=40), max_size=20))
def test_words_are_ordered_like_lists(words: list[list[int]]) -> None:
    ties = np.arange(len(words))
    assert word_order(*flat(words), ties).tolist() == sorted(ties.tolist(), key=lambda at: words[at])


@pytest.mark.parametrize("bits", [1, 17])
@given(points=st.lists(st.tuples(st.integers(-9, 500), st.integers(-9, 500)), min_size=1, max_size=20))
def test_z_order_is_the_order_of_interleaved_bits(bits: int, points: list[tuple[int, int]]) -> None:
    where = {f"{at:02}": (x / bits, y / bits) for at, (x, y) in enumerate(points)}
    values = z_values(list(where), Places.planar(where))
    expected = sorted(range(len(points)), key=lambda at: values[f"{at:02}"])
    assert z_order(np.array(list(where.values()), dtype=float)).tolist() == expected


def test_nothing_and_one_point_at_the_origin() -> None:
    assert z_order(np.empty((0, 2))).tolist() == []
    assert z_order(np.zeros((1, 2))).tolist() == [0]
    assert gray_order(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)).size == 0


def test_keys_of_100_000_bits_are_never_written_out() -> None:
    """As bits, the keys of these 20,000 trajectories would take 250 MB."""
    rng = np.random.default_rng(1)
    ones = 20_000 * np.arange(4, -1, -1) + rng.integers(0, 20_000, (20_000, 5))
    gray_order(np.arange(0, 6, 5), ones[0], np.arange(1))  # compiles, which takes memory of its own
    tracemalloc.start()
    order = gray_order(np.arange(0, 100_001, 5), ones.ravel(), np.arange(20_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10e6
    ranks = [gray_rank(sum(1 << int(one) for one in ones[at])) for at in order[::100]]
    assert ranks == sorted(ranks)
