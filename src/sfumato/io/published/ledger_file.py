"""The file of a ledger: creating, opening and upgrading it, and settling it after a run was killed.

The next process that opens the ledger settles what a killed run has left.  An intention is

published
    if its directory is there with the intended files;
removed
    if its temporary directory is still there: a directory that appears loses its temporary name, so this one has not
    appeared;
left as it is
    if neither is found.  The directory may have been moved, so it counts as published.

A process that can read the ledger knows that the run of an intention is dead: a living run holds the lock.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sfumato.errors import FileError, OutputError
from sfumato.io.atomic_writes import sweep, sync_directory
from sfumato.io.digests import digest_of_files, files_below
from sfumato.io.published.signature import SIGNATURE

__all__ = [
    "CLOSED",
    "ENTERING",
    "INTENDED",
    "PUBLISHED",
    "VERSION",
    "WAIT_S",
    "begin_settled",
    "create",
    "digest_of",
    "opened",
    "remove",
    "require_ledger",
    "unsettled",
]

VERSION = 2
PUBLISHED, INTENDED, CLOSED = "published", "intended", "closed"
ENTERING = ".entering"  # the ending of the name of a temporary directory
WAIT_S = 60.0
_PRIVATE = "private: says who was in which release; keep it where the original data are kept"
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE releases (number INTEGER PRIMARY KEY, written TEXT, directory TEXT, digest TEXT, method TEXT, kind TEXT,
                       unit TEXT, whole INTEGER, guarantees TEXT, attacked TEXT, people INTEGER,
                       state TEXT NOT NULL DEFAULT 'published', partial TEXT);
CREATE TABLE people (release INTEGER REFERENCES releases, person BLOB, PRIMARY KEY (release, person)) WITHOUT ROWID;
"""
_FROM_VERSION_1 = (
    "ALTER TABLE releases ADD COLUMN state TEXT NOT NULL DEFAULT 'published'",
    "ALTER TABLE releases ADD COLUMN partial TEXT",
    "UPDATE about SET value = 2 WHERE name = 'version'",
)
_NO_LEDGER = "wanted a ledger of releases, found another or a damaged file"


def digest_of(directory: str | Path) -> str | None:
    """A digest of every file in a published directory except its signature; None where there is no directory."""
    folder = Path(directory)
    if not folder.is_dir():
        return None
    return digest_of_files(folder, (file for file in files_below(folder) if file != folder / SIGNATURE))


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection without automatic transactions; its first read undoes an interrupted transaction."""
    if path.is_dir():
        raise FileError(path, "wanted a ledger of releases, found a directory")
    if not path.exists():
        raise FileError(path, "no such file")
    try:
        uri = f"{path.resolve().as_uri()}?mode=rw"  # SQLite reads a file that it may not write
        with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_S, isolation_level=None)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        if not isinstance(error, sqlite3.OperationalError) or error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise FileError(path, _NO_LEDGER) from None
        if path.with_name(f"{path.name}-journal").exists() and not os.access(path.parent, os.W_OK):
            raise OutputError(
                f"{path}: a run was killed while it wrote the ledger; to recover the ledger, make {path.parent} "
                "writable"
            ) from None
        raise OutputError(f"{path}: the ledger cannot be used ({error})") from None


def require_ledger(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a ledger; refuses another file, or a later version."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"about", "releases", "people"} <= tables:
        raise FileError(path, _NO_LEDGER)
    about = dict(connection.execute("SELECT name, value FROM about").fetchall())
    version = about.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise FileError(
            path,
            f"wanted a ledger of version {VERSION}, found version {version}; "
            "it was written by another version of sfumato",
        )
    if not isinstance(about.get("key"), bytes):
        raise FileError(path, "wanted a ledger of releases, found a damaged file")
    return version


def create(path: Path) -> None:
    """Create a ledger, completely or not at all; if another process has created it meanwhile, that one stays."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")
    try:
        sweep(path)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # readable by its owner alone
        with closing(sqlite3.connect(partial)) as connection:
            connection.executescript(_TABLES)
            about = {"about": _PRIVATE, "version": VERSION, "key": secrets.token_bytes(32)}
            connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            connection.commit()
        os.link(partial, path)
        sync_directory(path.parent)
    except FileExistsError:
        pass
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"{path}: cannot be written ({reason})") from None
    finally:
        partial.unlink(missing_ok=True)


def unsettled(path: Path, connection: sqlite3.Connection) -> bool:
    """Whether the ledger must be upgraded or has intentions that can be settled."""
    return require_ledger(path, connection) < VERSION or any(
        state != INTENDED for _, state, _ in _settlements(path, connection)
    )


def begin_settled(path: Path, connection: sqlite3.Connection) -> None:
    """Begin an exclusive transaction for writing, and settle all intentions that can be settled."""
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            removed = _settle(path, connection)
            if removed is None:
                return
            connection.commit()
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
            raise
        for partial in removed:  # only now: until the commit it was the proof
            shutil.rmtree(partial, ignore_errors=True)


def _settle(path: Path, connection: sqlite3.Connection) -> list[Path] | None:
    """Record the outcome of intentions; returns the temporary directories to remove, None where nothing changed."""
    removed: list[Path] = []
    changed = False
    if require_ledger(path, connection) < VERSION:
        for statement in _FROM_VERSION_1:
            connection.execute(statement)
        changed = True
    for number, state, partial in _settlements(path, connection):
        if state == PUBLISHED:
            connection.execute("UPDATE releases SET state = ? WHERE number = ?", (PUBLISHED, number))
        elif state == CLOSED:
            remove(connection, number)
        if state != INTENDED:
            changed = True
            removed += [] if partial is None else [partial]
    return removed if changed else None


def _settlements(path: Path, connection: sqlite3.Connection) -> list[tuple[int, str, Path | None]]:
    """The number of each intention, its outcome, and the temporary directory that it left."""
    if require_ledger(path, connection) < 2:
        return []
    rows = connection.execute(
        "SELECT number, directory, digest, partial FROM releases WHERE state = ? ORDER BY number", (INTENDED,)
    ).fetchall()
    outcomes: list[tuple[int, str, Path | None]] = []
    for number, directory, digest, name in rows:
        if not all(isinstance(text, str) for text in (directory, digest, name)):
            raise FileError(path, "wanted a ledger of releases, found a damaged file")
        partial = _left_by(Path(directory), Path(name))
        state = PUBLISHED if digest_of(directory) == digest else CLOSED if partial is not None else INTENDED
        outcomes.append((number, state, partial))
    return outcomes


def _left_by(directory: Path, partial: Path) -> Path | None:
    """The temporary directory of a killed run, if it exists and has such a name."""
    own = partial.parent == directory.parent and partial.name.startswith(f".{directory.name}.")
    exists = own and partial.name.endswith(ENTERING) and partial.is_dir() and not partial.is_symlink()
    return partial if exists else None


def remove(connection: sqlite3.Connection, number: int) -> None:
    """Remove a release that was not published."""
    connection.execute("DELETE FROM people WHERE release = ?", (number,))
    connection.execute("DELETE FROM releases WHERE number = ?", (number,))
