"""Dates in tables: their hierarchies, what methods publish of them, and the figures about it, counted day by day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato import Table, anonymize, evaluate, verify
from sfumato.data.labels.calendar_labels import days_of
from sfumato.data.queries import Between, OneOf, Query
from sfumato.data.tables.dates import as_dates
from sfumato.data.tables.encoding import Coding
from sfumato.errors import DataError

METHODS = ("incognito", "cluster", "local", "top-down", "bottom-up")


def people(seed: int, *, times: bool = False, gaps: bool = False, dates: str = "month", rows: int = 80) -> Table:
    rng = np.random.default_rng(seed)
    days = [dt.datetime(2022, 11, 20) + dt.timedelta(days=int(day)) for day in rng.integers(0, 500, rows)]
    if times:
        days = [
            day + dt.timedelta(minutes=int(minute))
            for day, minute in zip(days, rng.integers(1, 1439, rows), strict=True)
        ]
    column = [None if gaps and row % 20 == 0 else day if times else day.date() for row, day in enumerate(days)]
    return Table(
        {"day": column, "age": rng.integers(20, 30, rows), "ill": rng.choice(["a", "b"], rows)},
        sensitive=("ill",),
        dates=dates,
    )


def test_the_levels_of_both_hierarchies() -> None:
    days = {"day": [dt.date(2024, 3, 5), dt.date(2024, 12, 30), dt.date(2025, 1, 2)]}
    months, weeks = (Coding.of(Table(days, dates=dates)).attributes[0] for dates in ("month", "week"))
    assert [[months.names[node] for node in level] for level in months.levels] == [
        ["2024-03-05", "2024-12-30", "2025-01-02"],
        ["2024-03", "2024-12", "2025-01"],
        ["2024-Q1", "2024-Q4", "2025-Q1"],
        ["2024", "2024", "2025"],
        ["*", "*", "*"],
    ]
    assert [[weeks.names[node] for node in level] for level in weeks.levels] == [
        ["2024-03-05", "2024-12-30", "2025-01-02"],
        ["2024-W10", "2025-W01", "2025-W01"],
        ["[2024-W01:2024-W52]", "[2025-W01:2025-W52]", "[2025-W01:2025-W52]"],
        ["*", "*", "*"],
    ]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("times", "gaps", "dates"), [(False, False, "month"), (False, True, "week"), (True, True, "month")]
)
def test_releases_are_true_and_verify(tmp_path: Path, method: str, times: bool, gaps: bool, dates: str) -> None:
    table = people(3, times=times, gaps=gaps, dates=dates)
    release = anonymize(table, method, k=4, seed=1)
    for cell, row in zip(release.data["day"].to_list(), release.origin, strict=True):
        value = table["day"][int(row)]
        members = release.data.members.get("day", {}).get(cell, (cell,))
        spans = [days_of(member) for member in members if member not in (None, "(missing)")]
        if value is None:
            assert cell is None or "(missing)" in members
        else:
            day = dt.date(value.year, value.month, value.day).toordinal()
            assert (
                any(span is not None and span.first <= day <= span.last for span in spans)
                or str(cell) == value.isoformat()
            )
    folder = release.write(tmp_path / "release")
    assert verify(folder).holds
    check = verify(folder, original=table)
    assert (check.holds, check.problems) == (True, ())
    found = evaluate(table, folder, ["ncp", "granularity", "are", "frequencies"]).to_json()["measures"]
    assert all(np.isfinite(score) for score in found.values())


@pytest.mark.parametrize("dates", ["month", "week"])
@pytest.mark.parametrize("gaps", [False, True])
def test_ncp_counts_days(dates: str, gaps: bool) -> None:
    table = people(5, gaps=gaps, dates=dates)
    release = anonymize(table, "cluster", k=5, seed=2)
    present = table["day"].drop_nulls()
    domain = [day.toordinal() for day in pl.date_range(present.min(), present.max(), eager=True)]
    size = len(domain) + gaps

    def cost(cell: str | None) -> float:
        members = () if cell is None else release.data.members.get("day", {}).get(cell, (cell,))
        stands_for = {number for member in members if (span := days_of(member)) for number in domain
                      if span.first <= number <= span.last}  # fmt: skip
        count = len(stands_for) + ("(missing)" in members)
        return count / size if count > 1 else 0.0

    expected = np.mean([cost(cell) for cell in release.data["day"].to_list()])
    score = evaluate(table, release, ["ncp"]).scores[0][1]
    only_days = Table(table.frame.select("day"), dates=dates)
    published = Table(release.data.frame.select("day"), members=release.data.members)
    from sfumato.data.tables.published_labels import Labels

    labels = Labels.of(Coding.of(only_days).attributes[0], published)
    assert labels.counts @ labels.losses("ncp") / len(table) == pytest.approx(expected)
    assert 0 < score.value < 1
    # a release by weeks is measured the same where the original is read by months
    other = Coding.of(Table(table.frame.select("day"), dates={"month": "week", "week": "month"}[dates])).attributes[0]
    again = Labels.of(other, published)
    assert again.counts @ again.losses("ncp") / len(table) == pytest.approx(expected)


@pytest.mark.parametrize("dates", ["month", "week"])
def test_expected_counts_are_shares_of_days(dates: str) -> None:
    table = people(7, gaps=True, dates=dates)
    published = anonymize(table, "local", k=4, seed=3).data
    low, high = dt.date(2023, 1, 10), dt.date(2023, 4, 20)
    wanted = set(range(low.toordinal(), high.toordinal() + 1))
    total = single = 0.0
    for cell in published["day"].to_list():
        members = () if cell is None else published.members.get("day", {}).get(cell, (cell,))
        days = [
            number for member in members if (span := days_of(member)) for number in range(span.first, span.last + 1)
        ]
        size = len(days) + ("(missing)" in members)
        total += len(wanted & set(days)) / size if size else 0
        single += (low.toordinal() in days) / size if size else 0
    assert published.expected_count(Query(where={"day": Between(low, high)})) == pytest.approx(total)
    assert published.expected_count(Query(where={"day": OneOf((low.isoformat(),))})) == pytest.approx(single)
    exact = table["day"].drop_nulls().is_between(low, high).sum()
    assert table.expected_count(Query(where={"day": Between(low, high)})) == exact
    again = Query.from_json(Query(where={"day": Between(low, high)}).to_json())
    assert again.where["day"] == Between(low, high)


def test_midnights_are_days_and_zones_are_local() -> None:
    midnight, noon = dt.datetime(2024, 3, 5), dt.datetime(2024, 3, 5, 12)
    frame = pl.DataFrame({"a": [midnight, None], "b": [noon, midnight]})
    frame = frame.with_columns(pl.col("b").dt.replace_time_zone("Europe/Vienna").alias("c"))
    assert as_dates(frame).dtypes == [pl.Date, pl.Datetime("us"), pl.Datetime("us")]
    assert as_dates(frame)["c"].to_list() == [noon, midnight]


def test_only_published_years_are_listed() -> None:
    """A year of which every row was suppressed is not among the members of the label for all."""
    table = Table({"day": [dt.date(2020, 1, 1)] * 3 + [dt.date(2021, 5, 5)] * 3 + [dt.date(1999, 9, 9)]})
    coding = Coding.of(table)
    rows = np.arange(6)
    published = coding.published(np.zeros((1, 6), dtype=np.int32), rows)
    assert published.members == {"day": {"*": ("2020", "2021")}}
    one_year = coding.published(np.zeros((1, 3), dtype=np.int32), np.arange(3))
    assert (one_year["day"].to_list(), one_year.members) == (["2020"] * 3, {})


def test_an_unknown_hierarchy_is_refused() -> None:
    with pytest.raises(DataError, match="wanted dates in month or week, found 'day'"):
        Table({"day": [dt.date(2020, 1, 1)]}, dates="day")


def test_years_beyond_four_digits_are_values() -> None:
    far = pl.Series("day", [0, 5_000_000], dtype=pl.Int32).cast(pl.Date)
    assert Coding.of(Table({"day": far})).attributes[0].sizes is None
