"""Offsets and codes: order, selection, names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Persons, Trajectories
from sfumato.data.ragged import encode, from_sequences, sequence_order
from sfumato.errors import Bug, DataError

ROWS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "ä", "aa", "日", "", " "]), max_size=5), max_size=12)


@given(st.lists(st.text(max_size=3)))
def test_encode_gives_codes_in_name_order(values: list[str]) -> None:
    codes, names = encode(pl.Series(values, dtype=pl.String))
    assert list(names) == sorted(set(values))
    assert [names[code] for code in codes] == values
    assert codes.dtype == np.int32


def test_encode_many_names() -> None:
    column = pl.Series(np.arange(70_000)[::-1]).cast(pl.String)
    codes, names = encode(column)
    assert len(names) == 70_000
    assert names[codes[0]] == "69999"


@given(ROWS)
def test_lists_come_back(rows: list[list[str]]) -> None:
    data = Trajectories.from_lists(rows)
    assert data.to_lists() == rows
    assert len(data) == len(rows)
    assert data.lengths.tolist() == [len(row) for row in rows]
    assert [list(data.labels(record)) for record in range(len(data))] == rows
    assert data.record_of_element().tolist() == [number for number, row in enumerate(rows) for _ in row]


@given(ROWS)
def test_sequence_order_is_the_order_of_tuples(rows: list[list[str]]) -> None:
    data = Trajectories.from_lists(rows)
    order = sequence_order(data).tolist()
    assert order == sorted(range(len(rows)), key=lambda record: (tuple(rows[record]), record))


def test_records_are_counted_from_the_end_too() -> None:
    data = Trajectories.from_lists([["a", "b"], ["c"], ["a", "d", "e"]])
    some = data.take(np.array([-1, 0, -2]))
    assert [some.labels(record) for record in range(3)] == [("a", "d", "e"), ("a", "b"), ("c",)]


@given(ROWS, st.data())
def test_take_is_indexing(rows: list[list[str]], draw: st.DataObject) -> None:
    people = [f"person-{number % 3}" for number in range(len(rows))]
    times = np.arange(sum(map(len, rows)), dtype=float)
    data = replace(Trajectories.from_lists(rows, persons=people), times=times)
    chosen = draw.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8) if rows else st.just([]))
    some = data.take(np.array(chosen, dtype=np.int64))
    assert some.to_lists() == [rows[record] for record in chosen]
    assert some.ids is not None
    assert some.ids.to_list() == [str(record + 1) for record in chosen]
    assert some.persons is not None
    assert some.persons.names.gather(some.persons.codes).to_list() == [people[record] for record in chosen]
    starts = np.cumsum([0, *map(len, rows)])
    expected = [float(starts[record] + step) for record in chosen for step in range(len(rows[record]))]
    assert some.times is not None
    assert some.times.tolist() == expected
    assert data.elements_of(np.array(chosen, dtype=np.int64)).tolist() == expected


@given(ROWS, st.data())
def test_by_unit_puts_the_records_of_a_person_together(rows: list[list[str]], draw: st.DataObject) -> None:
    people = draw.draw(st.lists(st.sampled_from("uvw"), min_size=len(rows), max_size=len(rows)))
    data = Trajectories.from_lists(rows, persons=people)
    together, starts = data.by_unit()
    assert data.persons is not None
    assert together.persons is not None
    assert len(starts) == len(data.persons) + 1
    for code, name in enumerate(data.persons.names):
        mine = range(starts[code], starts[code + 1])
        assert [list(together.labels(record)) for record in mine] == [
            row for row, person in zip(rows, people, strict=True) if person == name
        ]
        assert all(together.persons.codes[record] == code for record in mine)


@given(ROWS)
def test_by_unit_without_persons_changes_nothing(rows: list[list[str]]) -> None:
    data = Trajectories.from_lists(rows)
    together, starts = data.by_unit()
    assert together is data
    assert starts.tolist() == list(range(len(rows) + 1))


@given(ROWS)
def test_published_records_are_sorted_and_bare(rows: list[list[str]]) -> None:
    data = Trajectories.from_lists(rows, persons=range(len(rows)))
    public, order = data.published()
    assert public.to_lists() == sorted(row for row in rows if row)
    assert [rows[record] for record in order] == public.to_lists()
    assert (public.ids, public.persons) == (None, None)


def test_names_that_nobody_uses_go_with_their_members() -> None:
    data = replace(Trajectories.from_lists([["a"], ["g1"], ["g2"]]), members={"g1": ("x", "y"), "g2": ("z", "w")})
    some = data.take(np.array([2, 0])).with_used_names()
    assert some.names == ("a", "g2")
    assert some.members == {"g2": ("z", "w")}
    assert some.to_lists() == [["g2"], ["a"]]


def test_the_arrays_of_a_dataset_cannot_be_written() -> None:
    offsets, codes, names = from_sequences([["a", "b"]])
    data = Trajectories(offsets=offsets, codes=codes, names=names)
    for array in (data.offsets, data.codes, data.take(np.array([0])).codes):
        with pytest.raises(ValueError, match=r"read-only"):
            array[0] = 1
    codes = np.zeros(2, dtype=np.int32)
    data = Trajectories(offsets=offsets, codes=codes, names=names)
    codes[:] = 1
    assert data.to_lists() == [["a", "a"]]


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"offsets": []}, "offsets do not match codes"),
        ({"offsets": [1, 2]}, "offsets do not match codes"),
        ({"offsets": [0, 1]}, "offsets do not match codes"),
        ({"offsets": [0, 3, 2]}, "offsets must not fall"),
        ({"codes": [0, 2]}, "a code has no name"),
        ({"codes": [-1, 0]}, "a code has no name"),
        ({"names": ("b", "a")}, "names must be distinct and in order"),
        ({"names": ("a", "a")}, "names must be distinct and in order"),
    ],
)
def test_arrays_that_do_not_fit_are_a_bug(arrays: dict[str, Any], problem: str) -> None:
    with pytest.raises(Bug, match=rf"^Trajectories: {problem}; this is a bug"):
        Trajectories(**{"offsets": [0, 2], "codes": [0, 1], "names": ("a", "b")} | arrays)


def test_ids_and_persons_must_fit_the_records() -> None:
    with pytest.raises(DataError, match=r"^Trajectories: 1 records, but 2 ids or persons$"):
        Trajectories.from_lists([["a"]], persons=["ann", "bob"])
    with pytest.raises(DataError, match=r"^Trajectories: 1 records, but 0 ids or persons$"):
        Trajectories.from_lists([["a"]], ids=[])


def test_conversions_and_words() -> None:
    data = Trajectories.from_lists([["b", "a"], []], persons=["ann", "bob"], ids=np.array([17, 18]))
    rows = [("17", "ann", "b"), ("17", "ann", "a")]
    assert data.to_polars().columns == ["trajectory", "person", "location"]
    assert data.to_polars().rows() == rows
    assert list(data.to_pandas().itertuples(index=False, name=None)) == rows
    assert pl.DataFrame(data.to_arrow()).rows() == rows
    assert repr(data) == "<Trajectories: 2 records of 2 persons, 2 visits, 2 distinct>"
    assert repr(data.with_persons(None)) == "<Trajectories: 2 records, 2 visits, 2 distinct>"
    assert replace(data, ids=None, persons=None).to_polars().rows() == [(1, "b"), (1, "a")]


def test_no_records_at_all() -> None:
    data = Trajectories.from_lists([])
    assert len(data) == 0
    assert data.to_polars().shape == (0, 2)
    assert len(data.published()[0]) == 0
    assert sequence_order(data).tolist() == []
    assert data.with_persons(Persons.of([])).by_unit()[1].tolist() == [0]


def test_runs_of_equal_records_begin_where_a_record_differs_from_the_one_before() -> None:
    rows = [[], [], ["a"], ["a"], ["a", "b"], ["b", "a"], ["b", "a"], []]
    data = Trajectories.from_lists(rows)
    assert data.run_starts().tolist() == [at == 0 or rows[at] != rows[at - 1] for at in range(len(rows))]
    assert Trajectories.from_lists([]).run_starts().tolist() == []
