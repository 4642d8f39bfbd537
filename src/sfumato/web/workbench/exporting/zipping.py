"""A zip file that is sent while it is made, so that it needs neither memory nor room on the disk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

__all__ = ["Content", "files_of", "zipped"]

Content = Path | Callable[[], Iterable[bytes]]
"""A file, or a function that hands out what is written."""

_PART = 1 << 20
_PACKED = (".parquet", ".png", ".jpg", ".pdf", ".gz", ".zip", ".xlsx")
_DATE = (1980, 1, 1, 0, 0, 0)  # the same content gives the same file


class _Outlet(io.RawIOBase):
    """Takes what is written, until it is fetched."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        self._parts.append(bytes(content))
        return len(content)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def zipped(entries: Iterable[tuple[str, Content]]) -> Iterator[bytes]:
    """The parts of a zip file with these names and contents."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", allowZip64=True) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o600 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                for part in _parts(content):
                    member.write(part)
                    yield outlet.taken()
            yield outlet.taken()
    yield outlet.taken()


def files_of(folder: Path, name: str = "") -> Iterator[tuple[str, Path]]:
    """The files below a folder with their names in an archive; links and unfinished files are left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            yield f"{name}{path.relative_to(folder).as_posix()}", path


def _parts(content: Content) -> Iterator[bytes]:
    if isinstance(content, Path):
        with content.open("rb") as file:
            yield from _read(file)
    else:
        yield from content()


def _read(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(_PART):
        yield part
