"""The files of a directory that somebody else wrote: regular files in it, and nothing else, are opened.

A link, a pipe, a socket or a device is named and left alone.  The directory itself may be reached by a link.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sfumato.errors import FileError

__all__ = [
    "CONTEXT",
    "DATA",
    "DIRECTORY_BYTES",
    "ENTRIES",
    "digest_of",
    "entries",
    "files_in",
    "printed",
    "read_plain",
    "size_of",
]

CONTEXT = "context"  # the directories inside a published directory: side knowledge, and data in several parts
DATA = "data"
ENTRIES = 1_000  # more files than any release has
DIRECTORY_BYTES = 4 << 30  # of all listed files together; digests are computed block by block
_BLOCK = 1 << 20
FILE = "file"


def entries(folder: str | Path) -> dict[str, str]:
    """What lies in a published directory, its `context` and its `data`, by name: "file", or in words what it is."""
    folder = Path(folder)
    kinds: dict[str, str] = {}
    _list(folder, "", kinds)
    for inner in (CONTEXT, DATA):
        if kinds.get(inner) == "a directory":
            del kinds[inner]
            before = len(kinds)
            _list(folder / inner, f"{inner}/", kinds)
            if len(kinds) == before:
                kinds[inner] = "an empty directory"
    return dict(sorted(kinds.items()))


def printed(name: str) -> str:
    """The name of a file inside a sentence: as it is, or with escapes where a character cannot be printed."""
    return name if name.isprintable() else ascii(name)[1:-1]


def files_in(folder: str | Path) -> list[str]:
    """The names of the regular files of a published directory."""
    return [name for name, what in entries(folder).items() if what == FILE]


def size_of(folder: str | Path, name: str) -> int:
    with _opened(Path(folder), name) as file:
        return os.fstat(file.fileno()).st_size


def digest_of(folder: str | Path, name: str) -> tuple[str, bool]:
    """The SHA-256 digest of a file, read block by block, and whether it begins as a gzip file does."""
    digest = hashlib.sha256()
    zipped = None
    with _opened(Path(folder), name) as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            zipped = block.startswith(b"\x1f\x8b") if zipped is None else zipped
            digest.update(block)
            left -= len(block)
    return digest.hexdigest(), bool(zipped)


def read_plain(folder: str | Path, name: str, *, at_most: int | None = None) -> bytes:
    """The bytes of a regular file of the directory, refused where there are more than `at_most`."""
    with _opened(Path(folder), name) as file:
        size = os.fstat(file.fileno()).st_size
        if at_most is not None and size > at_most:
            raise FileError(Path(folder) / name, f"wanted at most {at_most >> 20} MB, found more")
        return file.read(size)


def _list(folder: Path, prefix: str, kinds: dict[str, str]) -> None:
    try:
        with os.scandir(folder) as listed:
            for entry in listed:
                kinds[prefix + entry.name] = _what(entry)
                if len(kinds) > ENTRIES:
                    raise FileError(folder, f"wanted at most {ENTRIES:,} files in a published directory, found more")
    except OSError as error:
        raise FileError(folder, f"cannot be read ({error.strerror})") from None


def _what(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "a symbolic link"
    if entry.is_dir(follow_symlinks=False):
        return "a directory"
    return FILE if entry.is_file(follow_symlinks=False) else "a pipe, a socket or a device"


@contextmanager
def _opened(folder: Path, name: str) -> Iterator[BinaryIO]:
    """A regular file inside the directory; opening never waits, and no link below the directory is followed."""
    path = folder / name
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise FileError(folder, "wanted the name of a file inside the directory, found another")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        for depth in range(1, len(parts)):
            inner = folder.joinpath(*parts[:depth])
            if not stat.S_ISDIR(inner.lstat().st_mode):
                raise FileError(inner, "wanted a directory, found a link or something else")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise FileError(path, f"wanted a plain file, found {_kind_of(path.lstat().st_mode)}")
        number = os.open(path, flags)
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise FileError(path, "wanted a plain file, found something else")
        try:
            yield file
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror})") from None


def _kind_of(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a directory" if stat.S_ISDIR(mode) else "a pipe, a socket or a device"
