"""Dates in files: ISO texts, day or month first where the column shows it, zones, and columns that are almost dates."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data.frames import Source
from sfumato.errors import DataError
from sfumato.io import read
from sfumato.io.inputs.date_texts import with_dates


def dates(*cells: str | None, order: str | None = None, required: bool = True, notes: list[str] | None = None) -> Any:
    frame = pl.DataFrame({"day": pl.Series(cells, dtype=pl.String)})
    source = Source("t.csv", file=True, first_line=2, notes=notes)
    return with_dates(frame, source, order=order, texts=(), required=("day",) if required else ())["day"]


DAYS = st.lists(st.dates(dt.date(1000, 1, 1), dt.date(9999, 12, 31)), min_size=1)


@given(DAYS, st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d"]))
def test_iso_days(days: list[dt.date], way: str) -> None:
    assert dates(*(day.strftime(way) for day in days)).to_list() == days


@settings(deadline=None)
@given(DAYS, st.sampled_from("./-"), st.sampled_from(["day-first", "month-first"]))
def test_the_order_comes_from_the_whole_column(days: list[dt.date], sign: str, order: str) -> None:
    """A reference that tries both orders cell by cell."""
    texts = [sign.join((f"{d.day}", f"{d.month:02d}") if order == "day-first" else (f"{d.month:02d}", f"{d.day}"))
             + f"{sign}{d.year}" for d in days]  # fmt: skip
    assert dates(*texts, order=order).to_list() == days
    other = all(day.day <= 12 for day in days)
    if not other or all(day.day == day.month for day in days):
        assert dates(*texts).to_list() == days
    else:
        with pytest.raises(DataError, match="may begin with the day or with the month") as refusal:
            dates(*texts)
        assert refusal.value.remedy == "say-date-order"
        assert dates(*texts, required=False).to_list() == texts


@pytest.mark.parametrize(
    "cells", [["31/12/2024", "12/31/2024"], ["2023-02-29"], ["5/3/24"], ["2024-01-01", "Rome"], ["20240105"], [None]]
)
def test_what_is_no_date_stays_text(cells: list[str | None]) -> None:
    assert dates(*cells).to_list() == cells


def test_times_in_one_zone_or_none() -> None:
    noon = dt.datetime(2024, 3, 5, 12)
    assert dates("2024-03-05T12:00:00", "2024-03-05 12:00", None).to_list() == [noon, noon, None]
    assert dates("2024-03-05T12:00:00+02:00", "2024-03-05T12:00+0200").to_list() == [noon, noon]
    for cells in (["2024-03-05T12:00Z", "2024-03-05T12:00"], ["2024-03-05T12:00+01:00", "2024-03-05T12:00+02:00"]):
        with pytest.raises(DataError, match="line 3: wanted every time in one time zone"):
            dates(*cells)


def test_almost_dates_are_noted() -> None:
    notes: list[str] = []
    assert dates(*["2024-03-05"] * 30, "soon", notes=notes).dtype == pl.String
    assert notes[0].startswith(
        "t.csv, line 32: the column 'day' is read as text, although 96.8 % of its values are dates"
    )


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["2020-01-05"] * 499 + ["2020-13-45"],
         "line 501: the column 'day' is read as text, although 99.8 % of its values are dates"),
        (["2023-02-28"] * 9 + ["2023-02-30"], "line 11: the column 'day' is read as text, although 90 %"),
        (["2023-02-28", "31/12/2023", "2023-02-27"], "line 3: the column 'day' is read as text, because"),
        (["31/12/2024", "30/12/2024", "12/31/2024"], "line 4: the column 'day' is read as text, because"),
        (["31/12/2024", "30/02/2024", "x", "1/1/2024", "2/2/2024"], "line 3: the column 'day' is read"),
        (["01/02/2024"], "t.csv: the dates in the column 'day' may begin with the day or the month, and"),
    ],
)  # fmt: skip
def test_dates_that_stay_texts_are_noted(cells: list[str], words: str) -> None:
    notes: list[str] = []
    assert dates(*cells, required=False, notes=notes).to_list() == cells
    assert len(notes) == 1
    assert words in notes[0]


def test_the_order_that_a_column_shows_is_noted() -> None:
    notes: list[str] = []
    dates("31/12/2024", "01/02/2024", notes=notes)
    dates("12/31/2024", notes=notes)
    dates("2024-12-31", notes=notes)
    assert notes == [f"t.csv: the dates in the column 'day' begin with the {word}" for word in ("day", "month")]


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("day,seen\n31.12.2023,2024-01-01T08:00\n05.01.2024,2024-01-02T09:30\n")
    table: Any = read(path)
    assert table["day"].to_list() == [dt.date(2023, 12, 31), dt.date(2024, 1, 5)]
    assert table["seen"].dtype == pl.Datetime("us")
    assert read(path, dates="text")["day"].to_list() == ["31.12.2023", "05.01.2024"]  # type: ignore[index]
    assert read(path, dates="week").dates == "week"  # type: ignore[attr-defined]
    path.write_text("day\n05.01.2024\n")
    with pytest.raises(DataError, match="found dates that may begin with the day or with the month"):
        read(path)
    assert read(path, dates="month-first")["day"].to_list() == [dt.date(2024, 5, 1)]  # type: ignore[index]
    assert read(path, dates="week,day-first")["day"].to_list() == [dt.date(2024, 1, 5)]  # type: ignore[index]
    with pytest.raises(DataError, match="dates: wanted a known word, found 'weeks'; did you mean 'week'"):
        read(path, dates="weeks")


def test_parquet_dates(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"day": [dt.date(2024, 1, 5)], "at": [dt.datetime(2024, 1, 5, 8)], "x": [dt.datetime(2024, 1, 5)]}
    )
    frame.write_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").to_polars().dtypes == [pl.Date, pl.Datetime("us"), pl.Date]
