"""Directories of Parquet files as DataFrames."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl

from sfumato.errors import FileError
from sfumato.io.parquet import reading_parquet

__all__ = ["parquet_files", "read_parquet"]

_MAGIC = b"PAR1"  # the first and the last bytes of a Parquet file
_LEAST_BYTES = 12  # both, and the length of the footer
_PATTERN = "*?[]{}\\:"  # a path with one of these would stand for other files, or for none
_HIDDEN = ("_", ".")  # Spark leaves out files whose names begin like this


def parquet_files(path: str | Path) -> list[Path]:
    """The Parquet files of a directory and all folders in it, or the one that the path names.

    Refuses other files, files that Spark would leave out or replace by others, and files of other columns, which Spark
    would read as if they had those of the first.
    """
    path = Path(path)
    if not path.exists():
        raise FileError(path, "no such file or directory")
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise FileError(path, "wanted a directory of Parquet files, found none")
    for file in files:
        if not _is_whole(file):
            raise FileError(file, "wanted a complete Parquet file, found another format or a file that is cut off")
        if file.name.startswith(_HIDDEN):
            raise FileError(file, "wanted a file whose name begins with a letter or a digit; Spark leaves out others")
        if not set(_PATTERN).isdisjoint(str(file.absolute())):
            raise FileError(file, f"wanted a path without any of {' '.join(_PATTERN)}, which Spark reads as a pattern")
    columns = _columns(files[0])
    for file in files[1:]:
        if _columns(file) != columns:
            raise FileError(file, f"wanted the columns of {files[0].name}, in the same order and of the same types")
    return files


def _columns(file: Path) -> list[tuple[str, Any]]:
    with reading_parquet(file), file.open("rb") as opened:
        return list(pl.read_parquet_schema(opened).items())


def _is_whole(file: Path) -> bool:
    size = file.stat().st_size
    if size < _LEAST_BYTES:
        return False
    with file.open("rb") as opened:
        first = opened.read(len(_MAGIC))
        opened.seek(size - len(_MAGIC))
        return (first, opened.read()) == (_MAGIC, _MAGIC)


def read_parquet(spark: Any, path: str | Path) -> Any:
    """A directory of Parquet files, or one such file, as a DataFrame.

    Spark takes what it keeps of an earlier DataFrame in place of an equal one, even if the files are others by now;
    an option that no other DataFrame has makes them different.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    files = parquet_files(path)
    try:
        return spark.read.option("sfumato.read", uuid4().hex).parquet(*map(str, files))
    except (PySparkException, Py4JJavaError):
        raise FileError(path, "wanted Parquet files of the same columns, found some that Spark cannot read") from None
