"""Sets of items from lists and frames, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Taxonomy, Transactions
from sfumato.errors import Bug, DataError

ITEMS: dict[str, list[Any]] = {
    "record": [7, 5, 7, 5, 7],
    "person": ["u", "u", "u", "u", "u"],
    "item": ["milk", "beer", "bread", "beer", "milk"],
}


@pytest.mark.parametrize(
    "frame",
    [pl.DataFrame(ITEMS), pd.DataFrame(ITEMS, index=[2, 0, 1, 4, 3]), pa.table(ITEMS), ITEMS],
    ids=["polars", "shuffled index", "arrow", "mapping"],
)
def test_every_frame_gives_the_same_sets(frame: Any) -> None:
    data = Transactions.from_frame(frame)
    assert data.to_lists() == [["bread", "milk"], ["beer"]]
    assert data.ids is not None
    assert data.ids.to_list() == [7, 5]
    assert data.units.tolist() == [0, 0]
    assert repr(data) == "<Transactions: 2 records of 1 persons, 3 items, 3 distinct>"


@given(st.lists(st.lists(st.sampled_from(["b", "a", "c", "aa", "Z"]), max_size=6), max_size=8))
def test_lists_become_sets_in_order(baskets: list[list[str]]) -> None:
    data = Transactions.from_lists(baskets)
    assert data.to_lists() == [sorted(set(basket)) for basket in baskets]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["b", "a", "c", "aa", "Z"])), min_size=1))
def test_a_frame_becomes_sets_and_comes_back(rows: list[tuple[int, str]]) -> None:
    expected: dict[int, set[str]] = {}
    for record, item in rows:
        expected.setdefault(record, set()).add(item)
    data = Transactions.from_frame(pl.DataFrame(rows, schema=["record", "item"], orient="row"))
    assert data.to_lists() == [sorted(items) for items in expected.values()]
    assert data.ids is not None
    assert data.ids.to_list() == list(expected)
    assert Transactions.from_frame(data.to_polars()).to_lists() == data.to_lists()


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=3), min_size=1, max_size=6))
def test_empty_baskets_anywhere_are_kept_until_publishing(baskets: list[list[str]]) -> None:
    data = Transactions.from_lists([[], *baskets, []])
    assert len(data) == len(baskets) + 2
    public, order = data.published()
    assert public.to_lists() == sorted(sorted(set(basket)) for basket in baskets if basket)
    assert public.lengths.min(initial=1) > 0
    assert len(order) == len(public)


@pytest.mark.parametrize(
    ("offsets", "codes"), [([0, 2], [0, 0]), ([0, 2], [1, 0]), ([0, 0, 3], [0, 1, 1]), ([0, 1, 3, 3], [0, 1, 0])]
)
def test_items_out_of_order_or_twice_are_a_bug(offsets: list[int], codes: list[int]) -> None:
    with pytest.raises(Bug, match=r"^Transactions: the items of a record must be distinct and in order;"):
        Transactions(offsets=np.array(offsets), codes=np.array(codes), names=("a", "b"))


def test_items_may_fall_where_a_new_record_begins() -> None:
    data = Transactions(offsets=np.array([0, 0, 2, 2, 3, 4, 4]), codes=np.array([0, 1, 0, 0]), names=("a", "b"))
    assert data.to_lists() == [[], ["a", "b"], [], ["a"], ["a"], []]


def test_refusals() -> None:
    with pytest.raises(DataError) as refusal:
        Transactions.from_frame(ITEMS | {"person": ["u", "v", "u", "v", "zelda"]})
    assert str(refusal.value) == "the frame, row 5: wanted one person for each record, found a second person"
    with pytest.raises(DataError) as refusal:
        Transactions.from_frame(ITEMS | {"item": ["a", None, "b", "c", "d"]})
    assert str(refusal.value) == "the frame, row 2: wanted an item, found nothing (is the file cut off?)"
    with pytest.raises(DataError, match=r"^the frame: wanted a known column role, found 'time'"):
        Transactions.from_frame(ITEMS, columns={"time": "item"})


def test_the_taxonomy_is_kept() -> None:
    tree = Taxonomy({"*": None, "beer": "*"})
    assert Transactions.from_frame({"record": [1], "item": ["beer"]}, taxonomy=tree).published()[0].taxonomy is tree
