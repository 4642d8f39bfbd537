"""Sheets of workbooks, written by another program than the one that reads them."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest

from sfumato.errors import FileError, MissingExtra
from sfumato.io import read, read_places
from sfumato.io.frames import column_names, read_frame


@pytest.fixture
def book(tmp_path: Path):
    def write(**sheets: list[list[Any]]) -> Path:
        workbook = openpyxl.Workbook()
        workbook.remove(workbook.active)
        for name, rows in sheets.items():
            sheet = workbook.create_sheet(name)
            for row in rows:
                sheet.append(row)
        workbook.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return write


def test_a_table(book) -> None:
    rows = [
        ["age", "zip", "day", "share"],
        [31, "01234", dt.date(2024, 3, 5), 0.5],
        [None, "9", dt.date(2024, 3, 6), 2],
    ]
    notes: list[str] = []
    table: Any = read(book(people=rows, notes=[["x"]], more=[]), notes=notes)
    assert table.to_polars().rows() == [
        (31, "01234", dt.date(2024, 3, 5), 0.5),
        (None, "9", dt.date(2024, 3, 6), 2.0),
    ]
    assert table["age"].dtype == pl.Int64
    assert notes[0].partition(": ")[2] == (
        "the first sheet is read; the others are notes, more; name another sheet to read that one"
    )


def test_another_sheet_with_visits_and_places(book) -> None:
    visits = [["tid", "poi", "time"], [1, "a", 5], [1, "b", 3], [2, "a", 1]]
    path = book(places=[["location", "x", "y"], ["a", 0, 0], ["b", 3, 4]], visits=visits)
    assert read(path, sheet="visits").to_lists() == [["b", "a"], ["a"]]  # type: ignore[attr-defined]
    assert column_names(path, "visits") == ["tid", "poi", "time"]
    assert read_places(path).distance("a", "b") == 5
    empty_first = book(empty=[], visits=visits)
    assert read(empty_first, sheet="visits").kind == "trajectories"


def test_markers_and_empty_rows(book) -> None:
    rows = [["age", "job"], [31, "NA"], ["NA", "cook"], [None, None]]
    assert read(book(people=rows)).to_polars().rows() == [(31, None), (None, "cook")]
    assert read(book(people=rows), missing=["31"])["age"].to_list() == [None, "NA"]  # type: ignore[index]


def test_what_cannot_be_read(book, tmp_path: Path) -> None:
    path = book(people=[["age"], [31]])
    with pytest.raises(FileError, match="wanted a sheet 'peple', found none; did you mean 'people'"):
        read(path, sheet="peple")
    with pytest.raises(FileError, match=r"wanted every column once|columns without one|found otherwise"):
        read(book(people=[["age", None], [31, 2]]))
    with pytest.raises(FileError, match=r"found an empty sheet|found otherwise"):
        read(book(people=[]))
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileError, match="wanted an Excel workbook"):
        read(broken)
    (tmp_path / "t.csv").write_text("age\n31\n")
    with pytest.raises(FileError, match="wanted an Excel workbook"):
        read_frame(tmp_path / "t.csv", sheet="people")


def test_without_the_extra(book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sfumato\[excel\]'"):
        read(book(people=[["age"], [31]]))


@pytest.mark.parametrize("name", ["t.tsv", "t.tsv.gz"])
def test_tabs(tmp_path: Path, name: str) -> None:
    import gzip

    content = b"age\ttown; street\n31\tGraz, 1; 2\n"
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert read(tmp_path / name).to_polars().to_dicts() == [{"age": 31, "town; street": "Graz, 1; 2"}]
