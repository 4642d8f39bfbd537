"""BTD against its definition over all pairs."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Transactions
from sfumato.methods.mixed.basket_similarity import Spreads

BASKETS = st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=6), min_size=3, max_size=9)


def btd(one: set[str], other: set[str]) -> float:
    return (len(one ^ other) + 1) / (len(one & other) + 1) * len(one | other)


@given(baskets=BASKETS)
def test_the_spread_of_clusters_is_that_of_their_farthest_records(baskets: list[set[str]]) -> None:
    items = Transactions.from_lists([sorted(one) for one in baskets])
    clusters = [np.array([0, 1]), np.arange(2, len(baskets))]
    spreads = Spreads(items, clusters)
    every = max(btd(one, other) for one, other in product(baskets, baskets))
    assert spreads.with_each(0, np.array([1])).tolist() == [every]
    spreads.merge(0, 1)
    assert spreads._widths[0] == every


def test_records_without_items_are_no_distance_apart() -> None:
    assert Spreads(Transactions.from_lists([[], []]), [np.array([0]), np.array([1])]).with_each(
        0, np.array([1])
    ).tolist() == [0.0]
