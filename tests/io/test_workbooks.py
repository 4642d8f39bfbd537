"""Workbooks: what is written is read back, and a text is never a formula."""

from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.io import workbooks
from sfumato.io.inputs.excel import read_sheet
from sfumato.io.workbooks import write_workbook

FRAME = pl.DataFrame(
    {
        "name": ["=1+1", "<&>\x07", None],
        "n": [1, None, 10**17],
        "x": [0.5, float("nan"), -3.0],
        "d": [date(2031, 5, 17), None, None],
        "b": [True, False, None],
        "items": [["a", "b"], [], None],
    }
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_workbook(FRAME, tmp_path / "x.xlsx")
    cells = [list(row) for row in openpyxl.load_workbook(tmp_path / "x.xlsx").active.iter_rows()]
    assert [cell.value for cell in cells[1]] == ["=1+1", 1, 0.5, "2031-05-17", True, "a b"]
    assert cells[1][0].data_type == "s"
    assert cells[2][0].value == "<&>"
    assert cells[3][1].value == str(10**17)
    frame, _, _ = read_sheet(tmp_path / "x.xlsx")
    assert frame["name"].to_list()[:2] == ["=1+1", "<&>"]


def test_too_many_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MOST_ROWS", 2)
    with pytest.raises(FileError, match="wanted at most 2 rows for an Excel sheet, found 3"):
        write_workbook(FRAME, tmp_path / "x.xlsx")


def test_a_workbook_that_unzips_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 10**6)
    monkeypatch.setattr("sfumato.io.inputs.excel.unzipped_limit", lambda _: 10**5)
    with pytest.raises(FileError, match="unzips to at most"):
        read_sheet(path)
