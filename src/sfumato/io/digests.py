"""One digest of several files, by their names and contents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["digest_of_files", "files_below"]


def digest_of_files(folder: Path, files: Iterable[Path]) -> str:
    """The SHA-256 of the names of files, relative to their folder, and of their contents."""
    total = hashlib.sha256()
    for path in files:
        with open(path, "rb") as file:
            name = "" if path == folder else path.relative_to(folder).as_posix()
            total.update(f"{name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return total.hexdigest()


def files_below(path: Path, pattern: str = "*") -> list[Path]:
    """The files of a folder and its sub-folders in the order of their paths; of a file, the file itself."""
    return sorted(file for file in path.rglob(pattern) if file.is_file()) if path.is_dir() else [path]
