"""Checks of output paths: one rule for every file and directory that a command writes.

Writing never destroys data: an input, a ledger, a database, a file of a published directory, a symbolic link, a device
or a pipe is never replaced.  An ordinary file may be replaced: running a command again writes its report again.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from sfumato.errors import OutputError

__all__ = [
    "is_database",
    "require_fresh",
    "require_output",
    "require_outputs",
    "require_parent",
    "require_private",
    "require_replaceable",
]

CERTIFICATE = "certificate.json"
_SIDE_FILES = ("-journal", "-wal", "-shm")  # files that SQLite writes beside a database, and needs to recover it


def require_outputs(
    outputs: Iterable[tuple[str, Path | None]], *, inputs: Iterable[Path | None] = (), public: Path | None = None
) -> None:
    """Refuse output files that are an input, another output, or a path that must not be written.

    outputs : what each file is ("report") and its path, None for an output that is not requested.
    public : the directory that the command publishes, which must not hold a private file.
    """
    input_paths = [path for path in inputs if path is not None]
    accepted: list[Path] = []
    for what, path in outputs:
        if path is not None:
            require_output(path, what, inputs=input_paths, others=accepted, public=public)
            accepted.append(path)


def require_output(
    path: str | Path,
    what: str,
    *,
    inputs: Iterable[Path] = (),
    others: Iterable[Path] = (),
    public: Path | None = None,
    opened: bool = False,
) -> None:
    """Refuse a path where a private file must not be written, before the work starts.

    inputs, others, public : the inputs of the command, its other outputs, and the directory that it publishes.
    opened : whether the file is opened and extended, as a ledger is, and not replaced.
    """
    path, inputs, others = Path(path), tuple(inputs), tuple(others)
    for input_path in inputs:
        if _same(path, input_path):
            raise OutputError(f"{path}: the {what} would replace an input of this command; choose another name")
        if input_path.is_dir() and path.exists() and _real(path).is_relative_to(_real(input_path)):
            raise OutputError(f"{path}: the {what} would replace a file in the input {input_path}; choose another name")
    for other in others:
        if _same(path, other):
            raise OutputError(f"{path}: the {what} would replace another output of this command; choose another name")
    for neighbour in (*inputs, *others):
        if any(_same(path, neighbour.with_name(f"{neighbour.name}{ending}")) for ending in _SIDE_FILES):
            raise OutputError(f"{path}: SQLite needs this name beside {neighbour}; choose another name")
    if public is not None and _real(path).is_relative_to(_real(public)):
        raise OutputError(f"{path}: the {what} is private and must not be in the directory to publish; move it")
    require_private(path, what)
    require_parent(path)
    if not opened:
        require_replaceable(path)


def require_replaceable(path: str | Path) -> None:
    """Refuse to replace a database or anything but an ordinary file, and to write into a published directory."""
    path = Path(path)
    folder = _published_above(path)
    if folder is not None:
        raise OutputError(f"{path}: is in {folder}, which is published and complete; choose another directory")
    _refuse_side_file(path)
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path}: wanted the name of a file, found a directory; choose another name")
    if stat.S_ISLNK(mode):
        raise OutputError(f"{path}: is a symbolic link, which would be replaced; name the file itself")
    if not stat.S_ISREG(mode):
        raise OutputError(f"{path}: is a device, a pipe or a socket, which would be replaced; choose another name")
    if is_database(path):
        raise OutputError(f"{path}: is a ledger or another database, which would be replaced; choose another name")


def _refuse_side_file(path: Path) -> None:
    """Refuse a name that SQLite needs beside a database."""
    for ending in _SIDE_FILES:
        database = path.with_name(path.name.removesuffix(ending)) if path.name.endswith(ending) else None
        if database is not None and database != path and is_database(database):
            raise OutputError(f"{path}: belongs to the database {database}; choose another name")


def is_database(path: str | Path) -> bool:
    """Whether a file is an SQLite database, as every ledger is; also a damaged one.

    The file is opened by SQLite alone: a process that opens and closes a database itself loses its locks on it.
    """
    path = Path(path)
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return False
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_CORRUPT
    except OSError:
        return False
    return True


def require_fresh(out: str | Path) -> None:
    """Refuse an output directory that exists and is not empty, is in a published one, or cannot be created."""
    out = Path(out)
    if out.is_symlink() or (out.exists() and not out.is_dir()) or (out.is_dir() and any(out.iterdir())):
        raise OutputError(f"{out}: exists already; choose another name or remove it first")
    folder = _published_above(out)
    if folder is not None:
        raise OutputError(f"{out}: is in {folder}, which is published and complete; choose another directory")
    _refuse_side_file(out)
    require_parent(out)


def require_private(path: str | Path, what: str) -> None:
    """Refuse a private file (what it is: "report") in a directory that was published, or below one."""
    folder = _published_above(Path(path))
    if folder is not None:
        raise OutputError(f"{path}: the {what} is private and must not be in {folder}, which is published; move it")


def require_parent(path: str | Path) -> None:
    """Refuse a path that cannot be written to, before the work starts."""
    path = Path(path)
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the directory {path.parent} does not exist; make it first")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"{path}: the directory {path.parent} cannot be written to")


def _published_above(path: Path) -> Path | None:
    return next((folder for folder in _real(path).parents if (folder / CERTIFICATE).is_file()), None)


def _real(path: Path) -> Path:
    """The path with links resolved, also where a link is broken or part of a cycle."""
    return Path(os.path.realpath(path))


def _same(first: Path, second: Path) -> bool:
    """Whether two paths name one file, also by a link."""
    if _real(first) == _real(second):
        return True
    try:
        return first.samefile(second)
    except OSError:
        return False
