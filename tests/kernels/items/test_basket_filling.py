"""Filling baskets by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.items.basket_filling import corrupt, pack


def packed(sizes, itemsets, anyway, patience=5):
    starts = np.concatenate(([0], np.cumsum([len(items) for items in itemsets]))).astype(np.int64)
    items = np.array([item for items in itemsets for item in items], dtype=np.int32)
    codes = np.empty(len(items), dtype=np.int32)
    seen = np.zeros(10, dtype=np.int64)
    ends, taken = pack(np.array(sizes), starts, items, np.array(anyway, dtype=bool), seen, 0, patience, codes)
    bounds = zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True) if len(ends) else []
    return [codes[first:end].tolist() for first, end in bounds], taken


def test_an_itemset_that_does_not_fit_goes_in_or_opens_the_next_basket() -> None:
    assert packed([3, 3], [[5, 1], [2, 3], [4], [0, 9]], [True, True, True, True]) == ([[1, 2, 3, 5], [0, 4, 9]], 4)
    assert packed([3, 3], [[5, 1], [2, 3], [4], [0, 9]], [False] * 4) == ([[1, 5], [2, 3, 4]], 3)


def test_what_opens_a_basket_goes_in_even_if_it_is_too_large() -> None:
    assert packed([1, 1], [[5, 1, 2], [3, 4]], [False, False]) == ([[1, 2, 5], [3, 4]], 2)


def test_items_count_once_and_baskets_do_not_wait_for_ever() -> None:
    assert packed([3], [[1], [1], [1], [2]], [True] * 4, patience=2) == ([[1]], 3)
    assert packed([3], [[], [], [], [1], [1], [2, 3]], [True] * 6, patience=2) == ([[1, 2, 3]], 6)


def test_an_unfinished_basket_gives_its_itemsets_back() -> None:
    assert packed([2, 4], [[1, 2], [3], [4]], [True] * 3) == ([[1, 2]], 1)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_a_corrupted_itemset_is_a_part_of_the_itemset(picks, random) -> None:
    starts, items = np.array([0, 1, 4, 9]), np.arange(9, dtype=np.int32)
    kept = np.array([random.randint(0, int(starts[pick + 1] - starts[pick])) for pick in picks])
    luck = np.array([random.random() for _ in range(kept.sum())])
    chosen = corrupt(np.array(picks), kept, starts, items, luck)
    for pick, part in zip(picks, np.split(chosen, np.cumsum(kept)[:-1]), strict=True):
        assert len(set(part.tolist())) == len(part)
        assert set(part.tolist()) <= set(range(starts[pick], starts[pick + 1]))


def test_every_item_is_kept_equally_often() -> None:
    rng = np.random.default_rng(1)
    chosen = corrupt(
        np.zeros(30_000, dtype=np.int64), np.full(30_000, 2), np.array([0, 5]), np.arange(5, dtype=np.int32),
        rng.random(60_000),
    )  # fmt: skip
    assert np.abs(np.bincount(chosen) / 30_000 - 0.4).max() < 0.015
