"""A movement as a directory of Parquet files, written completely or not at all and readable by its owner alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

import polars as pl

from sfumato.errors import DataError, FileError
from sfumato.io.atomic_writes import fresh_directory, json_text
from sfumato.io.outputs import require_fresh
from sfumato.io.parquet import reading_parquet
from sfumato.semantics.movement.database import read_database, require_new, write_database
from sfumato.semantics.movement.frames import FRAMES

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["FORMAT", "VERSION", "is_movement", "read_movement", "require_new_movement", "write_movement"]

FORMAT, VERSION = "sfumato movement", 1
_NOTE = "movement.json"


def write_movement(movement: Movement, directory: str | Path) -> None:
    """Write a movement to a new directory: a Parquet file for each frame, and movement.json.

    A name that ends in .duckdb is a DuckDB file instead.
    """
    if _is_database(directory):
        write_database(movement, directory)
        return
    with fresh_directory(directory, private=True) as folder:
        for name in FRAMES:
            frame: pl.DataFrame = getattr(movement, name)
            with _private_file(folder / f"{name}.parquet") as file:
                frame.write_parquet(file)
        note = {"format": FORMAT, "version": VERSION, "geographic": movement.geographic}
        with _private_file(folder / _NOTE) as file:
            file.write(json_text(note).encode())


def _private_file(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def require_new_movement(path: str | Path) -> None:
    """Refuse a path where a movement cannot be written, before the work starts."""
    if _is_database(path):
        require_new(Path(path))
    else:
        require_fresh(path)


def _is_database(path: str | Path) -> bool:
    return Path(path).suffix.lower() == ".duckdb"


def is_movement(directory: str | Path) -> bool:
    """Whether a directory holds a movement."""
    return (Path(directory) / _NOTE).is_file()


def read_movement(directory: str | Path) -> Movement:
    """The movement in a directory or a DuckDB file; its constraints are checked again."""
    from sfumato.semantics.movement.movement import Movement

    folder = Path(directory)
    if _is_database(folder):
        frames, geographic = read_database(folder)
    else:
        geographic = _note(folder)
        frames = {name: _frame(folder / f"{name}.parquet") for name in FRAMES}
    try:
        return Movement(**frames, geographic=geographic)
    except DataError as error:
        raise FileError(folder, str(error)) from None


def _note(folder: Path) -> bool:
    path = folder / _NOTE
    if not path.is_file():
        raise FileError(folder, f"wanted the directory of a movement, found no {_NOTE}")
    try:
        note = json.loads(path.read_text("utf-8"))
        known = (note["format"], note["version"]) == (FORMAT, VERSION) and isinstance(note["geographic"], bool)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise FileError(path, "wanted the description of a movement, found another or a damaged file") from None
    if not known:
        raise FileError(path, f"wanted format {FORMAT!r}, version {VERSION}, found another")
    return bool(note["geographic"])


def _frame(path: Path) -> pl.DataFrame:
    if not path.is_file():
        raise FileError(path, "wanted a file of a movement, found none")
    with reading_parquet(path):
        return pl.read_parquet(path)
