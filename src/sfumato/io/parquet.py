"""Reading Parquet files that may be damaged: whatever the library underneath does, one sentence comes out."""

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
    """Refuse a damaged file.  Polars panics on some of them, which is no ordinary exception and prints itself."""
    problem = FileError(path, "wanted a Parquet file, found another, a damaged or a truncated one")
    try:
        with _without_panics():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, OverflowError):
        raise problem from None


@contextmanager
def _without_panics() -> Iterator[None]:
    """Keep back what is written to the standard error meanwhile, and let it go unless it was a panic."""
    try:
        sys.stderr.flush()
        ours = os.dup(2)
    except (OSError, ValueError, AttributeError):  # there is no standard error
        yield
        return
    panicked = False
    try:
        with tempfile.TemporaryFile() as kept:
            os.dup2(kept.fileno(), 2)
            try:
                yield
            except pl.exceptions.PanicException:
                panicked = True
                raise
            finally:
                with suppress(OSError, ValueError, AttributeError):
                    sys.stderr.flush()
                os.dup2(ours, 2)
                if not panicked:
                    kept.seek(0)
                    os.write(2, kept.read())
    finally:
        os.close(ours)
