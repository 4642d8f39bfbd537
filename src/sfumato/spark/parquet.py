"""Directories of Parquet files as DataFrames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.errors import FileError

__all__ = ["parquet_files", "read_parquet"]

_MAGIC = b"PAR1"  # the first and the last bytes of a Parquet file
_LEAST_BYTES = 12  # both, and the length of the footer


def parquet_files(path: str | Path) -> list[Path]:
    """The Parquet files of a directory and all folders in it, or the one that the path names; refuses other files."""
    path = Path(path)
    if not path.exists():
        raise FileError(path, "no such file or directory")
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise FileError(path, "wanted a directory of Parquet files, found none")
    for file in files:
        if not _is_whole(file):
            raise FileError(file, "wanted a complete Parquet file, found another format or a file that is cut off")
    return files


def _is_whole(file: Path) -> bool:
    size = file.stat().st_size
    if size < _LEAST_BYTES:
        return False
    with file.open("rb") as opened:
        first = opened.read(len(_MAGIC))
        opened.seek(size - len(_MAGIC))
        return (first, opened.read()) == (_MAGIC, _MAGIC)


def read_parquet(spark: Any, path: str | Path) -> Any:
    """A directory of Parquet files, or one such file, as a DataFrame."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    files = parquet_files(path)
    try:
        return spark.read.parquet(*map(str, files))
    except (PySparkException, Py4JJavaError):
        raise FileError(path, "wanted Parquet files of the same columns, found some that Spark cannot read") from None
