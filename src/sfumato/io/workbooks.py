"""Writing a frame as an Excel workbook (.xlsx), a row at a time."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import polars as pl

from sfumato.errors import FileError
from sfumato.io.atomic_writes import write_bytes

__all__ = ["MOST_ROWS", "write_workbook"]

MOST_ROWS = 1_048_575
"""The rows that a sheet holds below its header."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="data" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # characters that XML cannot hold


def write_workbook(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame as the only sheet of a workbook; a text is never a formula, and dates are texts.

    Whole numbers beyond 15 digits, which Excel would round, are texts as well.
    """
    if len(frame) > MOST_ROWS:
        raise FileError(
            path, f"wanted at most {MOST_ROWS:,} rows for an Excel sheet, found {len(frame):,}; use .csv or .parquet"
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in _PARTS.items():
            archive.writestr(name, _HEAD + content)
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            for text in _sheet(frame):
                sheet.write(text.encode("utf-8"))
    write_bytes(buffer.getvalue(), path)


def _sheet(frame: pl.DataFrame) -> Iterator[str]:
    yield f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'
    yield _row(frame.columns)
    for row in frame.with_columns(pl.selectors.temporal().cast(pl.String)).iter_rows():
        yield _row(row)
    yield "</sheetData></worksheet>"


def _row(values: Any) -> str:
    return f"<row>{''.join(map(_cell, values))}</row>"


def _cell(value: Any) -> str:
    """A cell of a row.

    >>> _cell(3), _cell("=1+1"), _cell(None)
    ('<c><v>3</v></c>', '<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>', '<c/>')
    """
    if value is None or value != value:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float) and abs(value) < 10**15:
        return f"<c><v>{value!r}</v></c>"
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(_FORBIDDEN.sub("", text))}</t></is></c>'
