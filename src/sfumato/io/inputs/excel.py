"""Sheets of Excel workbooks (.xlsx) as frames."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data.frames import Source, refuse_names
from sfumato.errors import FileError, MissingExtra, did_you_mean, listed, shortened
from sfumato.io.files import read_bytes, unzipped_limit

__all__ = ["read_sheet", "sheet_columns"]


def read_sheet(path: str | Path, sheet: str | None = None) -> tuple[pl.DataFrame, Source, tuple[str, ...]]:
    """The rows of a sheet, the first one if none is named, below a header; and the names of the other sheets.

    Every cell is a text, as in a CSV file: which columns hold numbers and dates is recognised later, by one rule for
    all formats.
    """
    workbook, name = _opened(path, sheet)
    frame = _frame(path, workbook, name)
    source = Source(str(path), file=True, first_line=2)
    names = [column.strip() for column in frame.columns]
    _refuse_header(path, names)
    frame.columns = names
    is_empty = frame.select(pl.all_horizontal(pl.all().is_null())).to_series() if frame.width else pl.Series([])
    while len(frame) and is_empty[len(frame) - 1]:  # rows below the data that once had content
        frame = frame.head(len(frame) - 1)
    others = tuple(other for other in workbook.sheet_names if other != name)
    return frame, source, others


def sheet_columns(path: str | Path, sheet: str | None = None) -> list[str]:
    """The columns of a sheet."""
    workbook, name = _opened(path, sheet)
    return [column.strip() for column in _frame(path, workbook, name, rows=0).columns]


def _opened(path: str | Path, sheet: str | None) -> tuple[Any, str]:
    content = read_bytes(path)
    try:
        import fastexcel
    except ImportError as absent:
        raise MissingExtra("fastexcel", "excel") from absent
    _refuse_large(path, content)
    try:
        workbook = fastexcel.read_excel(content)
        names = workbook.sheet_names
    except fastexcel.FastExcelError:
        raise FileError(path, "wanted an Excel workbook (.xlsx), found another format or a damaged file") from None
    if not names:
        raise FileError(path, "wanted a workbook with a sheet, found none")
    if sheet is not None and sheet not in names:
        raise FileError(path, f"wanted a sheet {shortened(sheet)!r}, found none; {did_you_mean(sheet, names)}")
    return workbook, names[0] if sheet is None else sheet


def _refuse_large(path: str | Path, content: bytes) -> None:
    """Refuse a workbook whose parts unzip to more than `unzipped_limit`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(part.file_size for part in archive.infolist())
    except zipfile.BadZipFile:
        return  # refused with a sentence when it is read
    limit = unzipped_limit(len(content))
    if size > limit:
        raise FileError(path, f"wanted a workbook that unzips to at most {limit >> 20:,} MB, found more")


def _frame(path: str | Path, workbook: Any, sheet: str, rows: int | None = None) -> pl.DataFrame:
    import fastexcel

    try:
        loaded = workbook.load_sheet(sheet, n_rows=rows, dtypes="string", whitespace_as_null=True)
        frame: pl.DataFrame = loaded.to_polars()
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError):  # their messages quote cells
        raise FileError(path, f"wanted a header and rows in the sheet {shortened(sheet)!r}, found otherwise") from None
    return frame


def _refuse_header(path: str | Path, names: list[str]) -> None:
    if not names:
        raise FileError(path, "wanted a header in the first row of the sheet, found an empty sheet")
    unnamed = [name for name in names if name.startswith("__UNNAMED__")]
    if unnamed:
        named = listed([name for name in names if name not in unnamed])
        raise FileError(path, f"wanted a name for every column in the first row, found {named} and columns without one")
    refuse_names(names, Source(str(path), file=True))
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise FileError(path, f"wanted every column once, found {shortened(repeated)!r} twice", line=1)
