"""Distributions of columns against plain counting, and how far hierarchies cover values."""

from __future__ import annotations

import datetime as dt

import numpy as np

from sfumato import Table, Taxonomy
from sfumato.experiments.column_summaries import HierarchyCoverage, hierarchies_of, summary_of


def test_distributions_count_every_present_row() -> None:
    rng = np.random.default_rng(1)
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 2000, 300)]
    table = Table(
        {
            "age": [None, *rng.integers(0, 90, 299)],
            "few": rng.integers(0, 5, 300),
            "town": [f"t{number}" for number in rng.integers(0, 40, 300)],
            "day": days,
            "id": [f"p{number}" for number in range(300)],
            "share": rng.random(300),
        }
    )
    values = {column: dict(summary_of(table, column).values) for column in table.frame.columns}
    assert sum(values["age"].values()) == 299
    assert summary_of(table, "age").distinct == len(set(table["age"].drop_nulls()))  # without the missing one
    ages = table["age"].drop_nulls()
    assert values["age"]["20 to 29"] == ages.is_between(20, 29).sum()
    assert next(iter(values["age"])) == "0 to 9"
    assert values["few"] == {str(n): int((table["few"] == n).sum()) for n in range(5)}
    counts = sorted((int((table["town"] == town).sum()) for town in table["town"].unique()), reverse=True)
    assert list(values["town"].values()) == counts[:12]
    assert summary_of(table, "town").others == 300 - sum(counts[:12])
    assert values["day"] == {str(year): sum(day.year == year for day in days) for year in range(2020, 2026)}
    assert values["id"] == {}
    assert sum(values["share"].values()) == 300


def test_short_spans_of_dates_count_months() -> None:
    days = [dt.date(2024, 1 + number % 3, 1 + number) for number in range(28)]
    values = dict(summary_of(Table({"day": days}), "day").values)
    assert values == {"2024-01": 10, "2024-02": 9, "2024-03": 9}


def test_many_years_share_bars() -> None:
    days = [dt.date(1960 + number % 47, 1, 1) for number in range(200)]
    values = dict(summary_of(Table({"day": days}), "day").values)
    assert len(values) <= 20
    assert sum(values.values()) == 200
    assert values["1960 to 1964"] == sum(day.year < 1965 for day in days)


def test_large_numbers_have_names_of_their_own() -> None:
    start = 9_007_199_254_740_993  # beyond what a decimal number holds
    table = Table({"id": [start + number for number in range(100)], "share": [1e9 + n / 1e4 for n in range(100)]})
    values = dict(summary_of(table, "id").values)
    assert values["9,007,199,254,741,000 to 9,007,199,254,741,009"] == 10
    assert sum(values.values()) == 100
    assert sum(summary_of(table, "share").values.values()) == 100


def test_types_are_names() -> None:
    table = Table({"seen": [dt.datetime(2024, 1, 1, 8), dt.datetime(2024, 1, 2, 9)], "n": [1, 2]})
    assert [summary_of(table, column).type for column in ("seen", "n")] == ["Datetime", "Int64"]


def test_coverage_of_hierarchies() -> None:
    tree = Taxonomy({"*": None, "young": "*", "31": "young", "44": "young"})
    table = Table(
        {"age": [31, 44, 52], "n": [1, 2, 3], "day": [dt.date(2024, 1, 1)] * 3, "job": ["a", "b", "a"]},
        hierarchies={"age": tree},
    )
    assert hierarchies_of(table) == (
        HierarchyCoverage("age", "given", 2, 3, 1),
        HierarchyCoverage("n", "intervals", None, None, 0),
        HierarchyCoverage("day", "calendar", None, None, 0),
        HierarchyCoverage("job", "one label", None, None, 0),
    )
