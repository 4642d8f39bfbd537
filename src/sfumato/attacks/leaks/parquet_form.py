"""Parquet files of other versions of polars: their bytes cannot be compared with what is written here."""

from __future__ import annotations

from sfumato.io.published.directory import Published
from sfumato.io.published.row_files import parquet_writer, writer_here

__all__ = ["is_written_elsewhere", "other_writers"]


def is_written_elsewhere(published: Published, name: str) -> bool:
    """Whether a file names another version of polars as its writer, and has no metadata beside its columns.

    What it holds is checked as in any other file.  How its rows are packed depends on the version.
    """
    if not name.endswith(".parquet") or published.files.entries.get(name) != "file":
        return False
    writer, bare = parquet_writer(published.folder / name)
    return bare and bool(writer) and writer != writer_here()


def other_writers(published: Published) -> list[str]:
    """The Parquet files of the directory whose form cannot be checked to the byte here."""
    return [name for name in published.files.contents if is_written_elsewhere(published, name)]
