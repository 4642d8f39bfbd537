"""A movement as tables of a DuckDB file, written completely or not at all and readable by its owner alone.

Each table has a column `row`, to which the rows that other tables name refer.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.errors import FileError, MissingExtra, OutputError
from sfumato.io.atomic_writes import sweep, sync_directory
from sfumato.io.outputs import require_output
from sfumato.semantics.movement.frames import FRAMES

if TYPE_CHECKING:
    from sfumato.semantics.movement.movement import Movement

__all__ = ["read_database", "require_new", "write_database"]

_FORMAT, _VERSION = "sfumato movement", 1


def write_database(movement: Movement, path: str | Path) -> None:
    """Write a movement to a new DuckDB file."""
    path = Path(path)
    duckdb = _duckdb()
    require_new(path)
    sweep(path)
    try:
        with tempfile.TemporaryDirectory(
            dir=path.parent, prefix=f".{path.name}.{os.getpid()}.", suffix=".partial"
        ) as folder:
            partial = Path(folder) / "movement.duckdb"
            _fill(duckdb, movement, partial)
            partial.chmod(0o600)
            with open(partial, "rb") as file:
                os.fsync(file.fileno())
            partial.replace(path)
            sync_directory(path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    except duckdb.Error as error:
        raise OutputError(f"{path}: cannot be written ({type(error).__name__})") from None


def require_new(path: Path) -> None:
    """Refuse a path where a new private file must not be written."""
    if path.exists() or path.is_symlink():
        raise OutputError(f"{path}: exists already; choose another name or remove it first")
    require_output(path, "movement")


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as absent:
        raise MissingExtra("duckdb", "duckdb") from absent
    return duckdb


def _fill(duckdb: Any, movement: Movement, path: Path) -> None:
    table = path.with_name("table.parquet")  # what DuckDB reads without another package
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE movement (format VARCHAR, version INTEGER, geographic BOOLEAN)")
        connection.execute("INSERT INTO movement VALUES (?, ?, ?)", [_FORMAT, _VERSION, movement.geographic])
        for name, frame in movement.frames().items():
            frame.with_row_index("row").cast({"row": pl.Int64}).write_parquet(table)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet(?) ORDER BY row", [str(table)])
    table.unlink()


def read_database(path: str | Path) -> tuple[dict[str, pl.DataFrame], bool]:
    """The frames of the movement in a DuckDB file, and whether it is geographic."""
    path = Path(path)
    if not path.is_file():
        raise FileError(path, "wanted a DuckDB file, found none")
    with tempfile.TemporaryDirectory() as folder, _opened(path, folder) as connection:
        note = connection.execute("SELECT format, version, geographic FROM movement").fetchall()
        if [row[:2] for row in note] != [(_FORMAT, _VERSION)]:
            raise FileError(path, f"wanted format {_FORMAT!r}, version {_VERSION}, found another")
        table = Path(folder) / "table.parquet"
        frames = {}
        for name in FRAMES:
            quoted = str(table).replace("'", "''")
            connection.execute(f"COPY (SELECT * EXCLUDE (row) FROM {name} ORDER BY row) TO '{quoted}' (FORMAT parquet)")
            frames[name] = pl.read_parquet(table, memory_map=False)
        return frames, bool(note[0][2])


@contextmanager
def _opened(path: Path, folder: str) -> Iterator[Any]:
    """A connection that reaches no file but the database and those in a folder: a view could name any other."""
    duckdb = _duckdb()
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            quoted = folder.replace("'", "''")
            connection.execute(f"SET allowed_directories = ['{quoted}']")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield connection
    except duckdb.Error:
        raise FileError(
            path, "wanted a DuckDB file with the tables of a movement, found another or a damaged file"
        ) from None
