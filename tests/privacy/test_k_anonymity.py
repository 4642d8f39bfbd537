"""The k-anonymity verifier, which never leaves a row out."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import datasets
from sfumato import Table, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError
from sfumato.privacy import KAnonymity


@settings(max_examples=200, deadline=None)
@given(table=datasets("table"), k=st.integers(2, 4))
def test_the_verdict_is_that_of_brute_force(table: Any, k: int) -> None:
    model = KAnonymity(k=k)
    assert model.check(table).holds is oracles.k_anonymity_holds(model, table)


def test_a_row_with_a_missing_value_counts() -> None:
    """The flaw of a neighbour: dropping rows with missing values reports k=2 for a unique row."""
    table = Table({"age": [30, 30, None], "town": ["Rome", "Rome", "Rome"]})
    verdict = KAnonymity(k=2).check(table)
    assert verdict.holds is False
    assert verdict.measured == {"unit": "record", "groups": 2, "smallest_group": 1, "violating_groups": 1}
    assert verdict.witnesses == ({"values": {"age": None, "town": "Rome"}, "support": 1},)


def test_a_missing_number_matches_missing_ones_only() -> None:
    """A file does not tell not-a-number from nothing, so they are one value."""
    assert KAnonymity(k=2).check(Table({"x": [float("nan"), None, 1.0, 1.0]})).holds is True
    assert KAnonymity(k=2).check(Table({"x": [float("nan"), 0.0, 1.0, 1.0]})).holds is False


def test_a_shuffled_pandas_index_does_not_matter() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [30, 31, 30, 31]}, index=[3, 3, 0, 1])
    assert KAnonymity(k=2).check(Table(frame)).holds is True


def test_persons_are_counted_where_they_are_known() -> None:
    table = Table({"age": [30, 30, 31, 31]}, persons=Persons.of(["u", "u", "v", "w"]))
    verdict = KAnonymity(k=2).check(table)
    assert verdict.holds is False
    assert verdict.checked_from == "original"
    assert verdict.witnesses[0]["support"] == 1


def test_sensitive_columns_are_not_quasi_identifiers() -> None:
    assert KAnonymity(k=2).check(Table({"age": [30, 30], "ill": ["a", "b"]}, sensitive=("ill",))).holds is True
    assert KAnonymity(k=2).check(Table({"age": [30, 30], "ill": ["a", "b"]})).holds is False


def test_edges() -> None:
    assert KAnonymity(k=2).check(Table(pl.DataFrame({"age": pl.Series([], dtype=pl.Int64)}))).holds is True
    assert KAnonymity(k=2).check(Table({"age": [1]})).holds is False
    every_column_sensitive = Table({"ill": ["a", "b"]}, sensitive=("ill",))
    assert KAnonymity(k=2).check(every_column_sensitive).measured["groups"] == 1
    assert KAnonymity(k=3).check(every_column_sensitive).holds is False
    original = Table({"age": [1, 1]}, persons=Persons.of(["u", "u"]))
    assert KAnonymity(k=2).check(Table({"age": [1, 1]}), original).holds == "not checkable"
    with pytest.raises(DataError, match="k-anonymity: wanted table, got trajectories"):
        KAnonymity(k=2).check(Trajectories.from_lists([["a"]]))
