"""Rows of a table with a set of items each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Mixed, Table, Taxonomy, Transactions
from sfumato.data.mixed import baskets
from sfumato.errors import DataError

COLUMNS: dict[str, list[Any]] = {"age": [44, 31, 20], "codes": ["401 250", None, " 401\t401 "], "who": ["u", "v", "u"]}
SETS = [["250", "401"], [], ["401"]]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, index=[2, 1, 0]),
        pa.table(COLUMNS),
        pl.DataFrame(COLUMNS | {"codes": [["401", "250"], None, ["401", None, "401"]]}),
        pl.DataFrame(COLUMNS | {"codes": [[401, 250], [], [401]]}),
        pd.DataFrame(COLUMNS | {"codes": [["401", "250"], [], ["401"]]}),
    ],
    ids=["polars", "shuffled index", "arrow", "lists", "lists of numbers", "pandas lists"],
)
def test_every_frame_gives_the_same_records(frame: Any) -> None:
    tree = Taxonomy({"*": None, "401": "*", "250": "*"})
    data = Mixed.from_frame(frame, items="codes", columns={"person": "who"}, sensitive=("age",), taxonomy=tree)
    assert data.items.to_lists() == SETS
    assert data.items.taxonomy is tree
    assert data.table["age"].to_list() == [44, 31, 20]
    assert data.table.sensitive == ("age",)
    assert data.units.tolist() == [0, 1, 0]
    assert data.to_polars().rows() == [(44, "250 401"), (31, ""), (20, "401")]
    assert data.to_pandas()["codes"].tolist() == ["250 401", "", "401"]
    assert data.to_arrow().column_names == ["age", "codes"]
    assert repr(data) == "<Mixed: <Table: 3 rows, columns age> with <Transactions: 3 records, 3 items, 2 distinct>>"


@given(st.lists(st.tuples(st.integers(0, 2), st.sets(st.sampled_from(["a", "b", "c", "aa"]))), min_size=1, max_size=8))
def test_records_survive_a_frame_and_are_published_in_order(rows: list[tuple[int, set[str]]]) -> None:
    frame = pl.DataFrame({"age": [age for age, _ in rows], "items": [" ".join(items) for _, items in rows]})
    data = Mixed.from_frame(frame)
    assert data.items.to_lists() == [sorted(items) for _, items in rows]
    again = Mixed.from_frame(data.to_polars())
    assert again.to_polars().equals(data.to_polars())
    public, order = data.published()
    assert public.to_polars().rows() == sorted(data.to_polars().rows())
    assert [data.to_polars().row(int(row)) for row in order] == public.to_polars().rows()
    assert public.persons is None
    assert public.items.ids is None


def test_take_keeps_rows_and_items_together() -> None:
    data = Mixed.from_frame(COLUMNS, items="codes", columns={"person": "who"})
    some = data.take(np.array([2, 0]))
    assert some.to_polars().rows() == [(20, "401"), (44, "250 401")]
    assert some.with_persons(None).unit == "record"
    assert data.unit == "person"


def test_only_items() -> None:
    data = Mixed.from_frame({"items": ["a b", ""]})
    assert len(data) == 2
    assert data.items.to_lists() == [["a", "b"], []]


def test_refusals() -> None:
    with pytest.raises(
        DataError, match=r"^the frame: wanted a column 'code' of items, found none; did you mean 'codes'\?$"
    ):
        Mixed.from_frame(COLUMNS, items="code")
    with pytest.raises(DataError, match=r"^the frame: wanted at least one row"):
        Mixed.from_frame({"age": [], "items": []})
    with pytest.raises(DataError, match=r"^mixed data: 1 rows, but 2 sets of items$"):
        Mixed(Table({"age": [1]}), Transactions.from_lists([[], []]))
    with pytest.raises(DataError, match=r"^mixed data: the items and a column are both called 'age'$"):
        Mixed(Table({"age": [1]}), Transactions.from_lists([[]]), "age")


def test_baskets_of_an_empty_column() -> None:
    assert len(baskets(pl.Series("items", [], dtype=pl.String))) == 0
    assert baskets(pl.Series("items", [None, None])).to_lists() == [[], []]


def test_sensitive_items_and_columns_are_two_things() -> None:
    data = Mixed.from_frame({"age": [1, 2], "job": ["a", "b"], "items": ["x y", "z"]}, sensitive=("job",))
    assert data.sensitive == frozenset()
    told = data.with_sensitive(["x"])
    assert (told.sensitive, told.table.sensitive) == (frozenset("x"), ("job",))
    assert (told.taxonomy, dict(told.hierarchies)) == (None, {})
    with pytest.raises(DataError, match="wanted items of the data, found 'job'"):
        data.with_sensitive(["job"])
