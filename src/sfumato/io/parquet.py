"""Reading Parquet files that may be damaged, with one error for every failure of polars."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from sfumato.errors import FileError

__all__ = ["reading_parquet"]


@contextmanager
def reading_parquet(path: str | Path) -> Iterator[None]:
    """Refuse a damaged file.  Polars panics on some, which is not an ordinary exception and prints a message."""
    problem = FileError(path, "wanted a Parquet file, found another format, or a damaged or truncated file")
    try:
        with _without_panics():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, OverflowError):
        raise problem from None


@contextmanager
def _without_panics() -> Iterator[None]:
    """Hold back what is written to the standard error, and print it afterwards unless it was a panic."""
    try:
        sys.stderr.flush()
        stderr_copy = os.dup(2)
    except (OSError, ValueError, AttributeError):  # there is no standard error
        yield
        return
    panicked = False
    try:
        with tempfile.TemporaryFile() as buffer:
            os.dup2(buffer.fileno(), 2)
            try:
                yield
            except pl.exceptions.PanicException:
                panicked = True
                raise
            finally:
                with suppress(OSError, ValueError, AttributeError):
                    sys.stderr.flush()
                os.dup2(stderr_copy, 2)
                if not panicked:
                    buffer.seek(0)
                    os.write(2, buffer.read())
    finally:
        os.close(stderr_copy)
