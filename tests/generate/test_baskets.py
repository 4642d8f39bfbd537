"""The Quest process: sizes, frequent itemsets, and corners."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.generate import Baskets

SHOP = Baskets(records=20_000, items=1000, patterns=200)


def test_sizes_are_as_asked() -> None:
    data = SHOP.make(seed=1)
    assert len(data) == 20_000
    assert data.lengths.mean() == pytest.approx(10, rel=0.05)
    assert data.lengths.min() >= 1
    large = Baskets(records=5_000, mean_size=20.0, pattern_size=6.0).make(seed=1)
    assert large.lengths.mean() == pytest.approx(20, rel=0.05)


def test_the_defaults_are_the_ones_of_the_literature() -> None:
    assert Baskets().to_json() == {
        "records": 1_000_000,
        "items": 5_000,
        "mean_size": 10.0,
        "patterns": 10_000,
        "pattern_size": 4.0,
        "correlation": 0.5,
        "corruption": 0.5,
    }


def test_items_of_a_pattern_are_bought_together() -> None:
    """Who has one item of an itemset has another one far more often than others have, and corruption weakens that."""

    def lead(corruption: float) -> float:
        shop = Baskets(records=4000, items=1000, patterns=50, corruption=corruption)
        data = shop.make(seed=1)
        holders: dict[str, set[int]] = {name: set() for name in data.names}
        for row, record in enumerate(data.to_lists()):
            for name in record:
                holders[name].add(row)
        found = []
        for itemset in shop._itemsets(np.random.default_rng(1)):  # the first thing that a seed draws
            known = [holders[f"i{item + 1:04}"] for item in itemset if f"i{item + 1:04}" in holders]
            for one, other in permutations(known, 2):
                found.append(len(one & other) / len(one) - len(other - one) / (4000 - len(one)))
        return float(np.mean(found))

    assert lead(0.1) > lead(0.5) > lead(0.9) > 0.05


def test_itemsets_share_items_with_the_one_before() -> None:
    def shared(correlation: float) -> float:
        itemsets = Baskets(correlation=correlation, patterns=3000)._itemsets(np.random.default_rng(1))
        assert all(len(set(items.tolist())) == len(items) for items in itemsets)
        assert np.mean([len(items) for items in itemsets]) == pytest.approx(4, rel=0.03)
        return float(np.mean([np.isin(after, before).mean() for before, after in pairwise(itemsets)]))

    assert shared(0.0) < 0.01
    assert 0.2 < shared(0.25) < shared(0.5) < 0.5


def test_the_share_of_a_corrupted_itemset_that_is_left() -> None:
    """l items stay with probability 1 - c, l - 1 with c (1 - c), ..."""
    from sfumato.generate.baskets import _Stream

    stream = _Stream([np.arange(3)], np.array([0.4]), np.random.default_rng(1))
    kept, items = stream.draw(40_000)
    assert np.bincount(kept) / 40_000 == pytest.approx([0.064, 0.096, 0.24, 0.6], abs=0.01)
    assert len(items) == kept.sum()


def test_a_seed_repeats_and_another_differs() -> None:
    shop = Baskets(records=300, items=50, patterns=20)
    assert shop.make(seed=1).to_lists() == shop.make(seed=1).to_lists()
    assert shop.make(seed=1).to_lists() != shop.make(seed=2).to_lists()


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small chunks fill as many baskets, none of them empty and none with an item twice."""
    monkeypatch.setattr("sfumato.generate.baskets.CHUNK", 7)
    data = Baskets(records=500, items=60, patterns=30).make(seed=1)
    assert len(data) == 500
    assert data.lengths.min() >= 1
    assert data.lengths.mean() == pytest.approx(10, rel=0.15)


@pytest.mark.parametrize(
    "values",
    [
        {"records": 1},
        {"items": 1, "mean_size": 1, "pattern_size": 1, "patterns": 1},
        {"items": 3, "mean_size": 3, "pattern_size": 2},
        {"patterns": 1},
        {"corruption": 0.0, "correlation": 0.0},
        {"corruption": 1.0, "patterns": 1, "correlation": 9.0},
    ],
)
def test_the_smallest_shops(values: dict[str, float]) -> None:
    data = Baskets.from_json({"records": 30, "items": 20, "patterns": 9, **values}).make(seed=1)
    assert len(data) == values.get("records", 30)
    assert data.lengths.min() >= 1


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="Baskets: corruption must be a number of at least 0 and at most 1, got 2"):
        Baskets(corruption=2)
    with pytest.raises(ParameterError, match="Baskets: mean_size must be at most the number of items, 5, got 10"):
        Baskets(items=5)
