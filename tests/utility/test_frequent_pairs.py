"""AREL over the most frequent ordered pairs, by hand and from its definition."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import LOCATIONS, records
from oracles import contains
from sfumato import Trajectories
from sfumato.errors import ParameterError
from sfumato.utility.frequent_pairs import Arel, frequent_pairs
from twins.random_releases import walks, worlds


def release(rows: Any, **more: Any) -> Any:
    return SimpleNamespace(data=replace(Trajectories.from_lists(rows), **more), origin=None)


def test_by_hand() -> None:
    walks = Trajectories.from_lists(["abc", "abc", "ab", "aa"])
    # ab 3, ac 2, bc 2, aa 1; published: ab 1, ac 2, bc 3, aa 0
    published = release(["ab", "ac", "ac", "bc", "bc", "bc"])
    assert Arel(pairs=1)(walks, published).value == pytest.approx(2 / 3)
    assert Arel(pairs=2)(walks, published).value == pytest.approx((2 / 3 + 0) / 2)
    assert Arel(pairs=4)(walks, published).value == pytest.approx((2 / 3 + 0 + 1 / 2 + 1) / 4)
    assert Arel()(walks, published).value == Arel(pairs=4)(walks, published).value


def test_pairs_of_equal_frequency_come_in_name_order() -> None:
    pairs, counts = frequent_pairs(Trajectories.from_lists(["ba", "ab", "ba", "cd"]), 3)
    assert (pairs.tolist(), counts.tolist()) == ([[1, 0], [0, 1], [2, 3]], [2, 1, 1])


def test_generalized_locations_are_expected() -> None:
    walks = Trajectories.from_lists(["ab", "ab"])
    assert Arel()(walks, release([["a", "g"], ["a", "g"]], members={"g": ("b", "c")})).value == pytest.approx(0.5)


def test_corners() -> None:
    assert Arel()(Trajectories.from_lists([]), release([])).value == 0
    assert Arel()(Trajectories.from_lists(["a", "b"]), release(["a"])).value == 0
    assert Arel()(Trajectories.from_lists(["ab"]), release([])).value == 1
    assert Arel()(Trajectories.from_lists(["ab"]), release(["xy"])).value == 1
    with pytest.raises(ParameterError, match="Arel: pairs must be a whole number of at least 1, got 0"):
        Arel(pairs=0)


@settings(max_examples=60, deadline=None)
@given(records(), records(), st.integers(1, 40))
def test_it_is_its_definition(before: Any, after: Any, number: int) -> None:
    true = {pair: sum(contains(row, pair) for row in before) for pair in product(LOCATIONS, repeat=2)}
    asked = sorted((pair for pair in true if true[pair]), key=lambda pair: (-true[pair], pair))[:number]
    errors = [abs(true[pair] - sum(contains(row, pair) for row in after)) / true[pair] for pair in asked]
    wanted = sum(errors) / len(errors) if errors else 0
    assert Arel(pairs=number)(Trajectories.from_lists(before), release(after)).value == pytest.approx(wanted)


@pytest.mark.parametrize("number", [1, 3, 200])
def test_every_shape_is_its_literal_definition(number: int) -> None:
    for case in walks(9, visits=3, records=4):
        if len(list(islice(worlds(case), 3_000))) == 3_000:
            continue  # too many possible originals to read them all
        names = sorted({name for row in case.before for name in row})
        true = {pair: sum(contains(row, pair) for row in case.before) for pair in product(names, repeat=2)}
        pairs = sorted((pair for pair in true if true[pair]), key=lambda pair: (-true[pair], pair))[:number]
        possible = list(worlds(case))
        errors = [
            abs(true[pair] - sum(contains(row, pair) for world in possible for row in world) / len(possible))
            / true[pair]
            for pair in pairs
        ]
        expected = sum(errors) / len(errors) if errors else 0.0
        assert Arel(pairs=number)(case.original, case.published).value == pytest.approx(expected)
