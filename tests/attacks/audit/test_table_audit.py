"""The audit of a table: figures of literal programs on random tables, and values computed by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Mixed, Persons, Table
from sfumato.attacks import TableAudit
from sfumato.errors import DataError, ParameterError
from sfumato.params import exact
from twins import table_risks as twin

NAMES = ("age", "sex", "town", "job")
ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["f", "m", None]), st.sampled_from(["A", "B", ""]), st.integers(0, 1)),
    min_size=1,
    max_size=14,
)


def table_of(rows: list[tuple[Any, ...]], persons: list[int] | None = None, **more: Any) -> Table:
    frame = pl.DataFrame(rows, schema=NAMES, orient="row")
    return Table(frame, persons=None if persons is None else Persons.of(persons), **more)


def plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """An empty text is a missing value."""
    return [tuple(None if value == "" else value for value in row) for row in rows]


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, draw=st.data(), threshold=st.sampled_from([0.05, 0.2, 0.3333333333333333, 0.5, 1.0]))
def test_risks_are_those_of_the_literal_program(rows: list[Any], draw: Any, threshold: float) -> None:
    persons = draw.draw(st.none() | st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    result = TableAudit(threshold=threshold).run(table_of(rows, persons))
    literal_rows, who = plain(rows), list(range(len(rows))) if persons is None else persons
    expected = twin.smallest_classes(literal_rows, who)
    sizes = list(expected.values())
    names = result.people.columns[0]
    shown = dict(zip(result.people[names].to_list(), result.people["class_size"].to_list(), strict=True))
    assert shown == ({n + 1: size for n, size in expected.items()} if persons is None else expected)
    assert result.unique == sizes.count(1)
    assert result.prosecutor.highest == 1 / min(sizes)
    assert result.prosecutor.average == pytest.approx(sum(1 / size for size in sizes) / len(sizes))
    assert result.prosecutor.above == sum(Fraction(1, size) > exact(threshold) for size in sizes)
    assert result.prosecutor.highest_count == sizes.count(min(sizes))
    assert result.histogram["units"].sum() == len(sizes)
    assert result.histogram["classes"].sum() == len(set(literal_rows))
    columns = [list(column) for column in zip(*literal_rows, strict=True)]
    assert result.columns["separation"].to_list() == pytest.approx([twin.separation(column) for column in columns])
    assert result.columns["distinction"].to_list() == pytest.approx(
        [len(set(column)) / len(rows) for column in columns]
    )


@settings(max_examples=30, deadline=None)
@given(rows=ROWS)
def test_risks_are_never_below_those_with_missing_values_that_match_everything(rows: list[Any]) -> None:
    sizes = TableAudit().run(table_of(rows)).people["class_size"].to_list()
    assert all(size <= twin.matching_rows(plain(rows), number) for number, size in enumerate(sizes))


def test_a_shuffled_table_has_the_same_risks() -> None:
    rng = np.random.default_rng(5)
    rows = [tuple(row) for row in rng.integers(0, 3, (60, 4)).tolist()]
    order = rng.permutation(60)
    table = table_of(rows)
    plain_risks, shuffled = TableAudit().run(table), TableAudit().run(table.take(order))
    for name in ("attackers", "unique"):
        assert getattr(plain_risks, name) == getattr(shuffled, name)
    assert plain_risks.column_sets.equals(shuffled.column_sets)
    assert plain_risks.people["class_size"].to_numpy()[order].tolist() == shuffled.people["class_size"].to_list()
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(NAMES)).iloc[order]  # an index that is no position
    assert TableAudit().run(Table(frame)).attackers == plain_risks.attackers


def test_values_computed_by_hand() -> None:
    # classes of sizes 3, 2, 1, 1: ARX has highest 1/1, average 4/7, records above 0.4: 4 of 7, at the highest 2 of 7
    table = Table({"age": [30, 30, 30, 40, 40, 50, 60]})
    result = TableAudit(threshold=0.4).run(table)
    assert (result.unique, result.prosecutor.above, result.prosecutor.highest_count) == (2, 4, 2)
    assert result.prosecutor.average == pytest.approx(4 / 7)
    assert result.journalist == result.prosecutor.__class__(
        "journalist", 1.0, result.prosecutor.average, 4, 2, exact=True
    )
    assert result.marketer.average == result.prosecutor.average
    # pairs of records: 21, of which 3 + 1 have the same age
    assert result.columns.row(0)[1:4] == (4, pytest.approx(4 / 7), pytest.approx(17 / 21))
    assert "data are taken as the population" in result.notes[0]


def test_a_population_table() -> None:
    table = Table({"age": [30, 30, 40, 50]})
    population = Table({"age": [30] * 5 + [40] * 2 + [50] * 1 + [60] * 9})
    result = TableAudit(threshold=0.3).run(table, population=population)
    # ARX: F = 5, 2, 1; highest 1; success rate max(3 / 8, (2/5 + 1/2 + 1) / 4)
    assert result.journalist.highest == 1.0
    assert result.journalist.average == pytest.approx(max(3 / 8, (2 / 5 + 1 / 2 + 1) / 4))
    assert result.journalist.above == 2
    assert result.marketer.average == pytest.approx((2 / 5 + 1 / 2 + 1) / 4)
    assert result.prosecutor.average == pytest.approx(3 / 4)
    assert result.population is not None
    assert (result.population.size, result.population.uniques_in_data) == (17, 1)  # type: ignore[union-attr]


def test_a_population_that_lacks_records_is_completed() -> None:
    table = Table({"age": [30, 30, 40], "sex": ["f", "f", None]})
    result = TableAudit().run(table, population=Table({"sex": ["f", "m"], "age": ["30", "40"]}))
    assert result.people["journalist_risk"].to_list() == [0.5, 0.5, 1.0]
    assert result.population.lacking == 3  # type: ignore[union-attr]
    assert not result.journalist.exact
    assert any("not complete" in note for note in result.notes)
    with pytest.raises(DataError, match="the population: wanted a column 'sex', found none"):
        TableAudit().run(table, population=Table({"age": [30]}))


def test_persons_of_the_population_are_counted() -> None:
    table = Table({"age": [30, 40]}, persons=Persons.of(["a", "b"]))
    population = Table({"age": [30, 30, 40]}, persons=Persons.of(["a", "a", "b"]))
    result = TableAudit().run(table, population=population)
    assert result.people["journalist_risk"].to_list() == [1.0, 1.0]


def test_a_population_size_gives_estimates() -> None:
    rng = np.random.default_rng(1)
    table = Table({"age": rng.zipf(1.5, 500).tolist()})
    result = TableAudit(population_size=10_000).run(table)
    assert not result.journalist.exact
    assert 0 < result.marketer.average < result.prosecutor.average
    assert result.journalist.highest < 1
    assert any("estimates with the model" in note and "random sample" in note for note in result.notes)
    whole = TableAudit(population_size=500).run(table)
    assert whole.people["journalist_risk"].to_list() == pytest.approx(whole.people["prosecutor_risk"].to_list())
    with pytest.raises(ParameterError, match="population_size must be at least the 500 records of the data, got 499"):
        TableAudit(population_size=499).run(table)
    with pytest.raises(ParameterError, match="a table of the population or its size, got both"):
        TableAudit(population_size=9_000).run(table, population=table)


def test_one_row_and_no_rows() -> None:
    alone = TableAudit(population_size=10).run(Table({"age": [30], "sex": [None]}))
    assert (alone.unique, alone.prosecutor.average, alone.columns["separation"].to_list()) == (1, 1.0, [0.0, 0.0])
    empty = TableAudit(population_size=5).run(
        Table({"age": pl.Series([], dtype=pl.Int64), "ill": []}, sensitive=("ill",))
    )
    assert (len(empty), empty.unique, empty.prosecutor.highest, empty.prosecutor.average) == (0, 0, 0.0, 0.0)
    assert empty.histogram["units"].sum() == 0
    assert empty.to_json()["singling_out"][0]["units"] == 0


def test_refusals() -> None:
    with pytest.raises(DataError, match="wanted at least one quasi-identifier, found none"):
        TableAudit().run(Table({"ill": ["flu"]}, sensitive=("ill",)))
    with pytest.raises(ParameterError, match="threshold must be a number above 0 and at most 1"):
        TableAudit(threshold=0)


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.sets(st.sampled_from("abcd"))), min_size=1, max_size=8),
    known=st.integers(1, 3),
    draw=st.data(),
)
def test_known_items_of_mixed_records(rows: list[tuple[int, set[str]]], known: int, draw: Any) -> None:
    persons = draw.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    frame = {"age": [age for age, _ in rows], "items": [" ".join(sorted(items)) for _, items in rows], "who": persons}
    data = Mixed.from_frame(frame, columns={"person": "who"})
    result = TableAudit(threshold=0.5).run(data, known=known)
    assert result.known_items is not None
    for part in result.known_items:
        ages, items = [(age,) for age, _ in rows], [frozenset(items) for _, items in rows]
        sizes = list(twin.items_sets(ages, items, persons, part.known).values())
        assert part.exact
        assert (part.unique, part.smallest, part.above) == (sizes.count(1), min(sizes), sizes.count(1))
        assert part.mean_risk == pytest.approx(sum(1 / size for size in sizes) / len(sizes))


def test_a_budget_makes_known_items_a_sample() -> None:
    rng = np.random.default_rng(2)
    items = [" ".join(map(str, rng.choice(40, 8, replace=False))) for _ in range(400)]
    result = TableAudit().run(Mixed.from_frame({"age": rng.integers(0, 3, 400), "items": items}), budget=10, seed=1)
    assert result.known_items is not None
    assert [part.exact for part in result.known_items] == [True, False, False]
    assert result.known_items[1].examined == 200
    assert "their risk is at least the figure" in result.notes[-1]
