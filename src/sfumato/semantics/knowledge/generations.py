"""The directory of a knowledge base: `kb.json`, the locks, and the stores that replace each other."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, MissingExtra, OutputError
from sfumato.io.atomic_writes import fresh_directory, write_json
from sfumato.io.outputs import require_private

__all__ = ["DESCRIPTION", "FORMAT", "VERSION", "Description", "Draft", "open_locked", "oxigraph", "read_description"]

DESCRIPTION = "kb.json"
FORMAT = "sfumato knowledge base"
VERSION = 1
_ATTEMPTS = 20
_OPENED: set[Path] = set()  # stores that this process has changed; one of a failed load may still be open


def oxigraph() -> Any:
    """The package that stores RDF; a sentence on how to install it where it is missing."""
    try:
        import pyoxigraph
    except ImportError as absent:
        raise MissingExtra("pyoxigraph", "semantics") from absent
    return pyoxigraph


@dataclass(frozen=True)
class Description:
    """What `kb.json` holds.

    Parameters
    ----------
    generation : the number of the store that is complete; `store/<generation>` holds it.
    triples : how many triples it has.
    files : one entry for each file that was loaded: name, digest, kind and number of new triples.
    """

    generation: int = 1
    triples: int = 0
    files: tuple[dict[str, Any], ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "generation": self.generation,
            "triples": self.triples,
            "files": list(self.files),
        }

    @property
    def digests(self) -> set[str]:
        """The digests of the files that were loaded."""
        return {entry["digest"] for entry in self.files}


def read_description(directory: Path) -> Description:
    """The content of `kb.json`; one sentence where the directory is not a knowledge base or is of a newer format."""
    path = directory / DESCRIPTION
    try:
        raw = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        what = f"a directory without {DESCRIPTION}" if directory.is_dir() else "none"
        raise FileError(directory, f"wanted a knowledge base, found {what}") from None
    except NotADirectoryError:
        raise FileError(directory, "wanted the directory of a knowledge base, found a file") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise FileError(path, "is not JSON; the directory is damaged") from None
    if (directory / "store").is_symlink():  # stores that are not valid are removed, and only inside the directory
        raise FileError(directory, "wanted a knowledge base, found one whose store is a link to another directory")
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise FileError(directory, f"wanted a knowledge base, found a {DESCRIPTION} of another format")
    version = raw.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise FileError(
            directory, f"wanted format version {VERSION} or older, found {version}; install a newer sfumato"
        )
    try:
        return Description(int(raw["generation"]), int(raw["triples"]), tuple(dict(entry) for entry in raw["files"]))
    except (KeyError, TypeError, ValueError):
        raise FileError(path, "lacks a field or holds a wrong one; the directory is damaged") from None


def new_directory(directory: Path) -> None:
    """Write an empty knowledge base, completely or not at all, for its owner alone."""
    require_private(directory, "knowledge base")
    with fresh_directory(directory, private=True) as partial:
        store = partial / "store"
        store.mkdir(0o700)
        oxigraph().Store(str(store / "1")).flush()
        _restrict(store / "1")
        write_json(Description().to_dict(), partial / DESCRIPTION)


def generation_path(directory: Path, generation: int) -> Path:
    return directory / "store" / str(generation)


def open_locked(directory: Path) -> tuple[Description, Any, int]:
    """The description, the store (read only) and the lock that keeps the store from being removed."""
    for _ in range(_ATTEMPTS):  # another process may replace the store at this moment
        description = read_description(directory)
        path = generation_path(directory, description.generation)
        lock = _shared_lock(path)
        if lock is not None:
            try:
                return description, oxigraph().Store.read_only(str(path)), lock
            except (OSError, RuntimeError):
                os.close(lock)
                if read_description(directory).generation == description.generation:
                    break
    raise FileError(directory, "its store is missing or damaged; load the files into a new knowledge base")


@contextmanager
def writer_lock(directory: Path) -> Iterator[None]:
    """Hold the only right to write; one sentence where another process has it."""
    read_description(directory)
    require_private(directory, "knowledge base")
    try:
        descriptor = os.open(directory / "store", os.O_RDONLY)
    except OSError as error:
        raise FileError(directory, f"cannot be opened ({error.strerror})") from None
    try:
        if not _try_lock(descriptor, exclusive=True):
            raise OutputError(f"{directory}: another process writes to this knowledge base; wait until it has ended")
        yield
    finally:
        os.close(descriptor)


class Draft:
    """A copy of a store to change.  Its files are closed when `store` is dropped: no caller keeps the store."""

    def __init__(self, number: int, store: Any) -> None:
        self.number = number
        self.store = store
        self.triples: int | None = None  # where it has been counted already, which takes a while

    def close(self) -> None:
        self.store.flush()
        self.store = None


@contextmanager
def next_generation(directory: Path, description: Description, store: Any) -> Iterator[Draft]:
    """A copy of the store to change; the old store is the valid one until the caller has written `kb.json`.

    Files that do not change are linked, not copied.
    """
    number = next(
        number for number in count(description.generation + 1) if generation_path(directory, number) not in _OPENED
    )
    path = generation_path(directory, number)
    _OPENED.add(path)
    shutil.rmtree(path, ignore_errors=True)  # what an interrupted load left
    try:
        store.backup(str(path))
        draft = Draft(number, oxigraph().Store(str(path)))
        yield draft
        draft.close()
        _restrict(path)
    except BaseException as error:
        shutil.rmtree(path, ignore_errors=True)
        if isinstance(error, OSError):
            raise OutputError(f"{directory}: cannot be written ({error.strerror or 'the store refused'})") from None
        raise


def publish_generation(directory: Path, description: Description) -> None:
    """Make a new store the valid one."""
    write_json(description.to_dict(), directory / DESCRIPTION)


def remove_unused(directory: Path, generation: int) -> None:
    """Remove the stores that are not valid and that no process reads."""
    for path in (directory / "store").iterdir():
        if path.name != str(generation):
            _remove_unused(path)


def _remove_unused(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if _try_lock(descriptor, exclusive=True):
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(descriptor)


def _shared_lock(path: Path) -> int | None:
    """A lock that several readers may hold, or None if the path is missing or about to be removed."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    if _try_lock(descriptor, exclusive=False) and path.exists():
        return descriptor
    os.close(descriptor)
    return None


def _try_lock(descriptor: int, *, exclusive: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without it has one user at a time
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _restrict(folder: Path) -> None:
    """Let only the owner read a store."""
    folder.chmod(0o700)
    for path in folder.iterdir():
        path.chmod(0o600)
