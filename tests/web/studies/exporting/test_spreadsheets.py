"""Spreadsheets as people have them: scripts, separators, titles above the table, formulas, and broken files."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from typing import Any

import pytest

from sfumato.errors import DataError
from sfumato.web.studies.exporting.spreadsheets import heading_row, read_spreadsheet

MAIN = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
)
ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))


def rows_of(content: bytes) -> list[list[str]]:
    file = io.BytesIO(content)
    file.size = len(content)  # type: ignore[attr-defined]
    return next(iter(read_spreadsheet(file).values()))


def workbook(*rows: list[Any]) -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def with_sheet(xml: str) -> bytes:
    """A workbook whose first sheet is something else."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(["a"]))) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as to:
        for name in source.namelist():
            to.writestr(name, xml if name.endswith("sheet1.xml") else source.read(name))
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "encoding", "cell"),
    [
        ("Όνομα;Άλφα\n1;2\n", "iso8859_7", "Άλφα"),
        ("Όνομα;Άλφα\n1;2\n", "cp1253", "Άλφα"),
        ("Nom,Âgé\nJosé,3\n", "cp1252", "Âgé"),
        ("Nom,Ηλικία\n1,2\n", "utf-8-sig", "Ηλικία"),
        ("Nom\tΗλικία\n1\t2\n", "utf-16", "Ηλικία"),  # noqa: RUF001
        ('"Age, years";"Sex, a"\n3;m\n', "utf-8", "Sex, a"),
        ("sep=;\na,b;c,d\n1;2\n", "utf-8", "c,d"),
    ],
)
def test_scripts_and_separators(text: str, encoding: str, cell: str) -> None:
    rows = rows_of(text.encode(encoding))
    assert rows[0][1] == cell
    assert len(rows[0]) == 2


def test_rows_keep_their_numbers_and_titles_stand_above_the_headings() -> None:
    rows = rows_of(
        workbook(["Patients of 2024"], [], ["Name", "Born", "Is"], ["a_x000D_\nb", datetime(2020, 1, 2), True])
    )
    assert rows[3] == ["a\r\nb", "2020-01-02", "yes"]
    assert rows[1] == ["", "", ""]
    assert heading_row(rows) == 2
    assert heading_row(rows, lambda cell: cell == "Patients of 2024") == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (workbook(["A"], ["=1+1"]), "formulas without results"),
        (with_sheet(f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaa">{ENTITIES}]>' + MAIN % "&a8;"), "cannot be read"),
        (with_sheet(MAIN % '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'), "so many empty rows"),
        (with_sheet(MAIN % "<row"), "cannot be read"),
        (with_sheet(" " * (101 * 2**20)), "larger than 100 MB"),
        (b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "ends in .csv or .xlsx"),
    ],
)
def test_files_that_are_refused_with_a_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        rows_of(content)
