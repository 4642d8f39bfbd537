"""Who is behind each record."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Persons, Table, Trajectories
from sfumato.data.base import frozen_array, missing, numbered
from sfumato.errors import DataError


@given(st.lists(st.text(min_size=1, max_size=2)) | st.lists(st.integers(-5, 5)))
def test_numbers_follow_the_first_appearance(values: list[str] | list[int]) -> None:
    someone = Persons.of(values)
    distinct = list(dict.fromkeys(values))
    assert someone.names.to_list() == distinct
    assert someone.codes.tolist() == [distinct.index(value) for value in values]
    assert someone.codes.dtype == np.int32
    assert len(someone) == len(distinct)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series(["b", "a", "b"], dtype=pl.Categorical),
        pl.Series([1.5, 0.5, 1.5]),
        pl.Series([datetime.date(2026, 1, 2), datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)]),
        pl.Series([True, False, True]),
        np.array([7, 3, 7]),
    ],
    ids=["categorical", "float", "date", "bool", "numpy"],
)
def test_a_person_may_be_anything_that_compares(values: object) -> None:
    assert Persons.of(values).codes.tolist() == [0, 1, 0]
    assert Persons.of(values).names.name == "person"


@pytest.mark.parametrize(
    "values", [["ann", None], ["ann", ""], [1.0, float("nan")], [None]], ids=["null", "empty", "nan", "all"]
)
def test_a_missing_person_is_refused(values: list[object]) -> None:
    with pytest.raises(DataError, match=r"^persons: wanted a person for every record"):
        Persons.of(values)


def test_a_mixture_is_refused_without_quoting_it() -> None:
    with pytest.raises(DataError) as refusal:
        Persons.of(["ann", 1])
    assert str(refusal.value) == "persons: wanted all texts or all numbers, found a mixture"
    assert refusal.value.__suppress_context__


def test_take_keeps_the_names() -> None:
    someone = Persons.of(["ann", "bob", "ann", "eve"])
    some = someone.take(np.array([3, 0]))
    assert some.codes.tolist() == [2, 0]
    assert some.names.to_list() == ["ann", "bob", "eve"]


def test_units_are_persons_where_known_and_records_elsewhere() -> None:
    walks = Trajectories.from_lists([["a"], ["b"], ["a"]], persons=["ann", "bob", "ann"])
    assert (walks.unit, walks.units.tolist()) == ("person", [0, 1, 0])
    nobody = walks.with_persons(None)
    assert (nobody.unit, nobody.units.tolist()) == ("record", [0, 1, 2])
    assert walks.persons is not None
    assert Table({"age": [1]}).unit == "record"


def test_a_dummy_is_somebody_of_its_own() -> None:
    people = Persons.of([7, 8, 7]).take(np.array([2, -1, 1, -1]))
    assert people.codes.tolist() == [0, 2, 1, 3]
    assert people.names.to_list() == ["7", "8", "dummy 1", "dummy 2"]
    assert len(people) == 4


def test_missing_is_null_empty_or_not_a_number() -> None:
    assert missing(pl.Series(["a", "", None])).to_list() == [False, True, True]
    assert missing(pl.Series([0.0, float("nan"), None])).to_list() == [False, True, True]
    assert missing(pl.Series([0, None])).to_list() == [False, True]


def test_numbered_on_nothing_and_on_distinct_values() -> None:
    codes, values = numbered(pl.Series([], dtype=pl.String))
    assert (codes.tolist(), values.to_list()) == ([], [])
    codes, values = numbered(pl.Series(["c", "b"]))
    assert (codes.tolist(), values.to_list()) == ([0, 1], ["c", "b"])


def test_a_frozen_array_is_a_copy_that_cannot_be_written() -> None:
    mine = np.array([1, 2, 3], dtype=np.int64)
    theirs = frozen_array(mine, np.int64)
    mine[0] = 9
    assert theirs.tolist() == [1, 2, 3]
    assert mine.flags.writeable
    with pytest.raises(ValueError, match=r"read-only"):
        theirs[0] = 9
    assert frozen_array(theirs, np.int64) is theirs
    assert frozen_array(mine[::2], np.int32).tolist() == [9, 3]
