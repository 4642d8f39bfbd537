"""Files of rows in a published directory: made batch by batch, written as CSV or Parquet, and read again."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Self

import polars as pl

from sfumato.data.frames import Source, refuse_names
from sfumato.errors import FileError, ParameterError, did_you_mean, shortened
from sfumato.io.files import unzipped_limit
from sfumato.io.frames import csv_header, csv_rows, read_csv
from sfumato.io.parquet import reading_parquet

__all__ = [
    "FORMATS",
    "Rows",
    "as_texts",
    "digest_of_content",
    "is_part",
    "parquet_writer",
    "part_name",
    "read_rows",
    "read_schema",
    "require_format",
    "row_file",
    "row_files",
    "write_content",
    "writer_here",
]

FORMATS = ("csv", "parquet")
"""The formats of the data files; the context and the certificate have one format."""

_GROUP = 1 << 18  # rows of a group in a Parquet file, for all data alike
_TYPES = (pl.String, pl.Int64, pl.Float64)  # the types of a published Parquet file
_ROW_BYTES = 8  # the least that a row takes in memory
_WRITER = re.compile(rb"Polars \(python\) version [0-9A-Za-z.+-]{1,40} \(build [0-9a-f]{1,64}\)")
_FOOTER_BYTES = 64 << 20


@dataclass(frozen=True)
class Rows:
    """The rows of a file.

    schema : the type of each column.  batches : makes the rows, a frame at a time, once for each call.
    """

    schema: Mapping[str, Any]
    batches: Callable[[], Iterable[pl.DataFrame]]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Self:
        return cls(frame.schema, lambda: (frame,))

    def write(self, file: BinaryIO, format: str) -> None:
        """Write the rows to an open file; the same rows give the same bytes, for any number of threads."""
        if format == "csv":
            file.write(csv_header(list(self.schema)).encode("utf-8"))
            for batch in self.batches():
                csv_rows(batch, file)
        else:
            _sink_parquet(self, file)


def require_format(format: str) -> None:
    """Refuse a format that published data cannot have."""
    if format not in FORMATS:
        raise ParameterError(f"format: wanted {' or '.join(FORMATS)}, got {format!r}; {did_you_mean(format, FORMATS)}")


def row_file(folder: Path, stem: str) -> Path:
    """The Parquet file of rows with this name if there is one, the directory of its parts, otherwise the CSV file."""
    path = folder / f"{stem}.parquet"
    if not path.exists() and (folder / stem).is_dir():
        return folder / stem
    return path if path.exists() else folder / f"{stem}.csv"


def part_name(number: int) -> str:
    """The name of a part of the data; parts are numbered from 1.

    >>> part_name(12)
    'data/part-00012.parquet'
    """
    return f"data/part-{number:05}.parquet"


def is_part(name: str) -> bool:
    """Whether a file of a published directory is a part of its data.

    >>> is_part("data/part-00001.parquet"), is_part("data.parquet")
    (True, False)
    """
    return re.fullmatch(r"data/part-[0-9]{5}\.parquet", name) is not None


def row_files(path: Path) -> list[Path]:
    """The files that `row_file` stands for: itself, or its parts in their order."""
    return sorted(path.glob("part-*.parquet")) if path.is_dir() else [path]


def write_content(content: Rows | str, path: Path) -> str:
    """Write a file of rows, in the format of its ending, or a text; returns its SHA-256 digest."""
    with open(path, "wb") as file:
        return _write(content, path.suffix.removeprefix("."), file)


def digest_of_content(content: Rows | str, name: str) -> str:
    """The SHA-256 digest that a file whose name ends like this would have; nothing is written."""
    return _write(content, name.rpartition(".")[2], None)


def _write(content: Rows | str, format: str, file: BinaryIO | None) -> str:
    hashing = _Hashing(file)
    if isinstance(content, str):
        hashing.write(content.encode("utf-8"))
    else:
        content.write(hashing, format)  # type: ignore[arg-type]
    return hashing.digest.hexdigest()


class _Hashing(io.RawIOBase):
    """A file that is hashed while it is written, or hashed only."""

    def __init__(self, file: BinaryIO | None) -> None:
        super().__init__()
        self._file, self.digest = file, hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        self.digest.update(block)
        if self._file is not None:
            self._file.write(block)
        return len(block)


def _sink_parquet(rows: Rows, file: BinaryIO) -> None:
    """Write groups of `_GROUP` rows without statistics: beside the rows, the file names its columns and its writer."""
    from polars.io.plugins import register_io_source

    schema = {name: _published_type(dtype) for name, dtype in rows.schema.items()}

    def batches(*_: Any) -> Iterator[pl.DataFrame]:
        for batch in rows.batches():
            yield pl.DataFrame([_published(column, schema[column.name]) for column in batch.iter_columns()])

    register_io_source(batches, schema=schema).sink_parquet(
        file, compression="zstd", compression_level=3, statistics=False, row_group_size=_GROUP, maintain_order=True
    )


def _published_type(dtype: Any) -> Any:
    """The type of a published column: whole numbers, decimal numbers, and for all others the texts of the CSV file."""
    if dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128):
        return pl.Int64
    return pl.Float64 if dtype.is_float() else pl.String


def _published(column: pl.Series, dtype: Any) -> pl.Series:
    if column.dtype == dtype:
        return column
    return column.cast(dtype) if dtype == pl.Int64 else _csv_texts(column).cast(dtype)


def _csv_texts(column: pl.Series) -> pl.Series:
    """The texts that a CSV file has for a column."""
    content = io.BytesIO()
    marked = pl.DataFrame([column.alias("column"), pl.repeat(0, len(column), eager=True).alias("mark")])
    content.write(b"column,mark\n")  # the mark keeps a line with a missing value from being empty
    csv_rows(marked, content)
    return pl.read_csv(content.getvalue(), infer_schema=False)["column"].alias(column.name)


def as_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as it is read from the CSV file with these rows.

    >>> as_texts(pl.DataFrame({"age": [30, None], "height": [1.5, 2.0], "town": ["Oslo", ""]})).rows()
    [('30', '1.5', 'Oslo'), (None, '2.0', '')]
    """
    numbers = [_csv_texts(column) for column in frame.iter_columns() if column.dtype != pl.String]
    return frame.with_columns(numbers) if numbers else frame


def read_rows(path: Path, *, texts: bool = False) -> tuple[pl.DataFrame, Source]:
    """Read a file of rows that somebody else may have written; columns of a CSV file are texts.

    texts : make texts of the numbers in a Parquet file too.
    """
    if path.is_dir():
        parts = [read_rows(part, texts=texts)[0] for part in row_files(path)]
        if len({tuple(part.schema.items()) for part in parts}) != 1:
            raise FileError(path, "wanted parts with the same columns, found others")
        return pl.concat(parts), Source(str(path), file=True)
    if path.suffix != ".parquet":
        return read_csv(path)
    source = Source(str(path), file=True)
    with reading_parquet(path):
        rows = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    if rows * _ROW_BYTES > unzipped_limit(path.stat().st_size):
        raise FileError(path, "wanted rows in proportion to the size of the file, found far more")
    with reading_parquet(path):
        frame = pl.read_parquet(path, glob=False)
    refuse_names(frame.columns, source)
    for name, dtype in frame.schema.items():
        if dtype not in _TYPES:
            problem = "wanted texts and numbers of 64 bits"
            raise source.error(f"{problem} in the column {shortened(name)!r}, found {dtype.base_type()}")
    return (as_texts(frame) if texts else frame), source


def read_schema(path: Path) -> dict[str, Any]:
    """The types of the columns of a Parquet file."""
    with reading_parquet(path):
        return dict(pl.read_parquet_schema(path))


@cache
def writer_here() -> bytes:
    """What Parquet files that are written here say of their writer."""
    file = io.BytesIO()
    Rows.of(pl.DataFrame({"row": [1]})).write(file, "parquet")
    match = _WRITER.search(file.getvalue())
    return match[0] if match else b""


def parquet_writer(path: Path) -> tuple[bytes, bool]:
    """What a Parquet file says of its writer, empty where it is not this library's, and whether it says no more."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        if not 0 < length <= min(_FOOTER_BYTES, size - 12):
            return b"", False
        file.seek(size - 8 - length)
        match = _WRITER.search(file.read(length))
    try:
        with reading_parquet(path):
            keys = set(pl.read_parquet_metadata(path))
    except FileError:
        return b"", False
    return match[0] if match else b"", keys <= {"ARROW:schema"}
