"""Opening and writing files: plain or gzipped, whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data.frames import Source
from sfumato.errors import FileError, OutputError

__all__ = [
    "fresh_directory",
    "read_csv",
    "read_frame",
    "read_text",
    "separator_of",
    "suffix_of",
    "write_frame",
    "write_json",
    "write_text",
]


def suffix_of(path: str | Path) -> str:
    """The ending that says the format; ``.gz`` says nothing.

    >>> suffix_of("visits.csv.gz")
    '.csv'
    """
    name = Path(path).name.lower().removesuffix(".gz")
    return Path(name).suffix


def read_bytes(path: str | Path) -> bytes:
    """The whole file, unzipped."""
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except IsADirectoryError:
        raise FileError(path, "wanted a file, found a directory") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    if raw[:2] != b"\x1f\x8b":
        if Path(path).name.lower().endswith(".gz"):
            raise FileError(path, "wanted a gzip file, found another or a damaged one")
        return raw
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error):
        raise FileError(path, "the gzip file ends early or is damaged") from None


def read_text(path: str | Path) -> str:
    """The whole file as text."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FileError(path, "wanted text in UTF-8, found something else", line=line) from None
    if not text.strip():
        raise FileError(path, "the file is empty")
    return text


def separator_of(first_line: str) -> str:
    """A semicolon or a tab if the first line has one, otherwise a comma."""
    return next((mark for mark in (";", "\t") if mark in first_line), ",")


def read_csv(path: str | Path, *, texts: tuple[str, ...] = ()) -> tuple[pl.DataFrame, Source]:
    """A CSV file with a header; columns in `texts` are not read as numbers."""
    raw = read_bytes(path)
    first_line = raw[: raw.find(b"\n")] if b"\n" in raw else raw
    try:
        header = first_line.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise FileError(path, "wanted text in UTF-8, found something else", line=1) from None
    if not header:
        raise FileError(path, "the file is empty" if not raw.strip() else "wanted a header, found an empty line")
    separator = separator_of(header)
    names = [name.strip().strip('"') for name in header.split(separator)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(path, f"wanted every column once, found {twice!r} twice", line=1)
    try:
        frame = pl.read_csv(
            raw,
            separator=separator,
            infer_schema_length=10_000,
            schema_overrides={name: pl.String for name in texts if name in names},
        )
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        return _read_csv_as_texts(path, raw, separator, texts, error)
    return frame.rename(dict(zip(frame.columns, names, strict=True))), Source(str(path), file=True, first_line=2)


def _read_csv_as_texts(
    path: str | Path, raw: bytes, separator: str, texts: tuple[str, ...], error: Exception
) -> tuple[pl.DataFrame, Source]:
    """A number column that holds a text further down than was looked: read texts, then try numbers."""
    try:
        frame = pl.read_csv(raw, separator=separator, infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError):
        line = _ragged_line(raw, separator)
        found = "a line with too many fields" if line else str(error).splitlines()[0]
        raise FileError(path, f"wanted as many fields as the header has, found {found}", line=line) from None
    for name in frame.columns:
        numbers = frame[name].cast(pl.Float64, strict=False)
        if name not in texts and numbers.null_count() == frame[name].null_count():
            frame = frame.with_columns(numbers)
    return frame, Source(str(path), file=True, first_line=2)


def _ragged_line(raw: bytes, separator: str) -> int | None:
    lines = raw.decode("utf-8", errors="replace").splitlines()
    wanted = lines[0].count(separator)
    return next((number for number, line in enumerate(lines, 1) if line.count(separator) > wanted), None)


def read_frame(path: str | Path, *, texts: tuple[str, ...] = ()) -> tuple[pl.DataFrame, Source]:
    """A CSV or Parquet file."""
    if suffix_of(path) != ".parquet":
        return read_csv(path, texts=texts)
    if not Path(path).is_file():
        raise FileError(path, "no such file")
    try:
        return pl.read_parquet(path), Source(str(path), file=True)
    except (pl.exceptions.PolarsError, OSError):
        raise FileError(path, "wanted a Parquet file, found another, a damaged or a truncated one") from None


@contextmanager
def _whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary neighbour that becomes the file when everything is written."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        partial.chmod(0o644)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_bytes(content: bytes, path: str | Path) -> None:
    """The file appears whole or not at all; gzipped if its name ends in .gz, without a time stamp."""
    if Path(path).name.lower().endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    with _whole_file(path) as partial:
        partial.write_bytes(content)


def write_text(text: str, path: str | Path) -> None:
    write_bytes(text.encode("utf-8"), path)


def write_json(value: Any, path: str | Path) -> None:
    write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", path)


def write_frame(frame: pl.DataFrame, path: str | Path) -> None:
    """A CSV or Parquet file, by the ending."""
    if suffix_of(path) == ".parquet":
        with _whole_file(path) as partial:
            frame.write_parquet(partial)
    else:
        write_bytes(frame.write_csv().encode("utf-8"), path)


@contextmanager
def fresh_directory(out: str | Path) -> Iterator[Path]:
    """A temporary neighbour that becomes the directory when everything is in it."""
    out = Path(out)
    require_fresh(out)
    _sweep(out)
    partial = Path(tempfile.mkdtemp(prefix=f".{out.name}.{os.getpid()}.", suffix=".partial", dir=out.parent))
    try:
        yield partial
        partial.chmod(0o755)
        try:
            partial.replace(out)
        except OSError as error:
            raise OutputError(f"{out}: cannot be written ({error.strerror})") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _sweep(out: Path) -> None:
    """Remove what runs that were killed while writing have left beside the output."""
    for stale in out.parent.glob(f".{out.name}.*.partial"):
        process = stale.name.removeprefix(f".{out.name}.").partition(".")[0]
        if stale.is_dir() and process.isdigit() and not Path(f"/proc/{process}").exists() and Path("/proc").is_dir():
            shutil.rmtree(stale, ignore_errors=True)


def require_fresh(out: str | Path) -> None:
    """Refuse an output directory that exists and is not empty, or whose parent does not exist."""
    out = Path(out)
    if out.is_file() or (out.is_dir() and any(out.iterdir())):
        raise OutputError(f"{out}: exists already; choose another name or remove it first")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: the directory {out.parent} does not exist; make it first")
    if not os.access(out.parent, os.W_OK):
        raise OutputError(f"{out}: the directory {out.parent} cannot be written to")
