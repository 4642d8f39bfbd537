"""Reading CSV, TSV, Parquet and Excel files as frames, and writing CSV and Parquet files."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

import polars as pl

from sfumato.data.frames import Source, plain_columns, refuse_names
from sfumato.errors import FileError, a_or_an, listed, shortened
from sfumato.io.atomic_writes import write_bytes, write_parts
from sfumato.io.files import first_line_of, is_zipped, read_bytes, read_text, suffix_of
from sfumato.io.inputs.excel import read_sheet, sheet_columns
from sfumato.io.parquet import reading_parquet
from sfumato.remedies import with_remedy

__all__ = [
    "column_names",
    "csv_columns",
    "csv_header",
    "csv_rows",
    "csv_text",
    "read_csv",
    "read_frame",
    "separator_of",
    "write_batches",
    "write_frame",
]

_DATETIME = "%Y-%m-%dT%H:%M:%S%.f"  # a fraction only where there is one
_LONG = f"wanted fields of at most {csv.field_size_limit():,} characters, found a longer one"


def separator_of(text: str) -> str:
    """A semicolon or a tab if the first line has one outside quotation marks, otherwise a comma."""
    first_line = re.sub(r'"[^"]*"', "", text).lstrip().partition("\n")[0]
    return next((mark for mark in (";", "\t") if mark in first_line), ",")


def read_frame(
    path: str | Path,
    *,
    texts: tuple[str, ...] | None = None,
    only: tuple[str, ...] | None = None,
    lists: tuple[str, ...] = (),
    sheet: str | None = None,
    notes: list[str] | None = None,
) -> tuple[pl.DataFrame, Source]:
    """Read a CSV, TSV, Parquet or Excel file; see `read_csv` for `texts`.

    Of a Parquet file, only columns in `only` are read, and those in `lists` may hold lists.  Of a workbook, the first
    sheet is read unless another is named.  notes : collects sentences about how the file was read.
    """
    if suffix_of(path) == ".xlsx":
        return _read_workbook(path, sheet, notes)
    if sheet is not None:
        raise FileError(path, f"wanted an Excel workbook (.xlsx) for a sheet, found {suffix_of(path) or 'none'!r}")
    if suffix_of(path) != ".parquet":
        frame, source = read_csv(path, texts=texts)
        return frame, replace(source, notes=notes)
    source = Source(str(path), file=True, notes=notes)
    selected = None if only is None else [name for name in column_names(path) if name in only]
    with reading_parquet(path):
        frame = pl.read_parquet(_parquet(path), columns=selected)
    refuse_names(frame.columns, source)
    return plain_columns(frame, source, lists=lists), source


def _read_workbook(path: str | Path, sheet: str | None, notes: list[str] | None) -> tuple[pl.DataFrame, Source]:
    frame, source, others = read_sheet(path, sheet)
    source = replace(source, notes=notes)
    if others and sheet is None:
        sentence = f"{path}: the first sheet is read; the others are {listed(others)}"
        source.note(with_remedy(sentence, "choose-sheet"))
    return frame, source


def column_names(path: str | Path, sheet: str | None = None) -> list[str]:
    """The columns of a CSV, TSV, Parquet or Excel file, without reading the rest where the format allows it."""
    if suffix_of(path) == ".xlsx":
        return sheet_columns(path, sheet)
    if suffix_of(path) != ".parquet":
        return csv_columns(path)[0]
    with reading_parquet(path):
        return list(pl.read_parquet_schema(_parquet(path)))


def _parquet(path: str | Path) -> Any:
    return io.BytesIO(read_bytes(path)) if is_zipped(path) else Path(path)


def read_csv(path: str | Path, *, texts: tuple[str, ...] | None = None) -> tuple[pl.DataFrame, Source]:
    """Read a CSV file with a header.

    Columns in `texts` stay texts, so that ``007`` is not 7; numbers are recognised in the others.  Without
    `texts`, all columns stay texts.
    """
    names, separator = csv_columns(path)
    content = read_bytes(path) if is_zipped(path) else Path(path)  # polars maps a plain file and closes it
    shape = _Shape.of(content, separator, len(names))
    frame = _parsed(content, separator, names, texts)
    if frame is None:  # a column of numbers may hold a text after the rows that polars inspects
        frame = _parsed(content, separator, names, None)
    if frame is None:
        _refuse_ragged(path, separator, names)
        raise FileError(path, "wanted a CSV file, found something else")
    frame = frame.head(len(frame) - shape.blank_end)
    if not shape.regular or (shape.quoted and _has_gaps(frame)):
        _refuse_ragged(path, separator, names)
    rows_are_lines = len(frame) == shape.lines - 1
    return frame, Source(str(path), file=True, first_line=2 if rows_are_lines else None)


def csv_columns(path: str | Path) -> tuple[list[str], str]:
    """The column names of a CSV file, and its separator."""
    raw = first_line_of(path)
    if not raw:
        raise FileError(path, "the file is empty")
    try:
        line = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise FileError(path, "wanted text in UTF-8, found something else", line=1) from None
    if not line:
        raise FileError(path, "wanted a header, found an empty line", line=1)
    if "\r" in re.sub(r'"[^"]*"', "", line):
        raise FileError(
            path, "wanted lines that end in LF or CR LF, found CR alone; save the file with other line ends"
        )
    separator = "\t" if suffix_of(path) == ".tsv" else separator_of(line)
    try:
        names = [name.strip() for name in next(csv.reader([line], delimiter=separator))]
    except csv.Error:
        raise FileError(path, _LONG, line=1) from None
    refuse_names(names, Source(str(path), file=True))
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise FileError(path, f"wanted every column once, found {shortened(repeated)!r} twice", line=1)
    return names, separator


def _parsed(
    content: bytes | Path, separator: str, names: list[str], texts: tuple[str, ...] | None
) -> pl.DataFrame | None:
    """The file as polars parses it, or None if it fails; its messages are dropped because they quote records."""
    options: dict[str, Any] = {"separator": separator, "infer_schema": texts is not None, "glob": False}
    try:
        raw_names = pl.read_csv(content, n_rows=0, **options).columns
        overrides = {raw: pl.String for raw, name in zip(raw_names, names, strict=True) if name in (texts or ())}
        frame = pl.read_csv(content, infer_schema_length=10_000, schema_overrides=overrides, **options)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    frame.columns = names
    return frame


@dataclass(frozen=True)
class _Shape:
    """The shape of a CSV file from counting characters before it is parsed."""

    lines: int  # without the empty ones at the end
    blank_end: int
    quoted: bool
    regular: bool  # as many separators as the lines need; always true with quotation marks

    @classmethod
    def of(cls, content: bytes | Path, separator: str, fields: int) -> Self:
        lines = marks = 0
        quoted = False
        tail = b""
        for block in _blocks(content):
            lines += block.count(b"\n")
            marks += block.count(separator.encode())
            quoted = quoted or b'"' in block
            tail = (tail + block)[-4096:].replace(b"\r", b"")
        blank_end = max(0, len(tail) - len(tail.rstrip(b"\n")) - 1) if fields > 1 else 0
        lines += (not tail.endswith(b"\n")) - blank_end
        return cls(lines, blank_end, quoted, quoted or marks == lines * (fields - 1))


def _blocks(content: bytes | Path, size: int = 1 << 22) -> Iterator[bytes]:
    with io.BytesIO(content) if isinstance(content, bytes) else open(content, "rb") as file:
        while block := file.read(size):
            yield block


def _has_gaps(frame: pl.DataFrame) -> bool:
    """Whether a row is empty, or the last one ends early: an empty line, or a file cut off."""
    if len(frame) == 0 or frame.width == 1:
        return False
    empty = frame.select(pl.all_horizontal(pl.all().is_null()).any()).item()
    return bool(empty) or frame[-1, -1] is None


def _refuse_ragged(path: str | Path, separator: str, names: list[str]) -> None:
    """Refuse the first line with another number of fields than the header; slow, for suspect files only."""
    content = io.BytesIO(read_bytes(path).rstrip(b"\r\n"))
    text = io.TextIOWrapper(content, encoding="utf-8-sig", newline="")
    rows = csv.reader(text, delimiter=separator, strict=True)
    line = 1
    try:
        for row in rows:
            if len(row) < len(names):
                field = a_or_an(shortened(names[len(row)]))
                raise FileError(path, f"wanted {field}, found nothing (is the file cut off?)", line=line)
            if len(row) > len(names):
                problem = "wanted as many fields as the header has, found a line with too many fields"
                raise FileError(path, problem, line=line)
            line = rows.line_num + 1
    except UnicodeDecodeError:
        read_text(path)  # raises the error with its line
    except csv.Error as error:
        problem = _LONG if "limit" in str(error) else "wanted quotation marks in pairs, found one without its partner"
        raise FileError(path, problem, line=line) from None


def csv_text(frame: pl.DataFrame) -> str:
    """The frame as CSV, with quotation marks around names of columns that hold a separator of any kind.

    >>> csv_text(pl.DataFrame({"age;sex": ["a;b"], "town": ["Oslo"]}))
    '"age;sex",town\\na;b,Oslo\\n'
    """
    return csv_header(frame.columns) + frame.write_csv(include_header=False, datetime_format=_DATETIME)


def csv_header(names: list[str]) -> str:
    """The first line of a CSV file with these columns."""
    if any(mark in name for name in names for mark in ";\t"):
        return (
            ",".join('"' + name.replace('"', '""') + '"' if re.search('[;\t,"]', name) else name for name in names)
            + "\n"
        )
    return pl.DataFrame(schema=dict.fromkeys(names, pl.String)).write_csv()


def csv_rows(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Write the lines of a CSV file below its header to an open file."""
    frame.write_csv(file, include_header=False, datetime_format=_DATETIME)


def write_frame(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a CSV or Parquet file, by the ending."""
    if suffix_of(path) == ".parquet":
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        write_bytes(buffer.getvalue(), path)
    else:
        write_bytes(csv_text(frame).encode("utf-8"), path)


def write_batches(schema: pl.Schema, batches: Callable[[], Iterator[pl.DataFrame]], path: str | Path) -> None:
    """Write a CSV or Parquet file, by the ending, of rows that are made batch by batch; no more than a few are held."""

    def lines(file: BinaryIO) -> None:
        file.write(csv_header(schema.names()).encode("utf-8"))
        for batch in batches():
            csv_rows(batch, file)

    def groups(file: BinaryIO) -> None:
        from polars.io.plugins import register_io_source

        register_io_source(lambda *_: batches(), schema=schema).sink_parquet(file, maintain_order=True)

    write_parts(groups if suffix_of(path) == ".parquet" else lines, path)
