"""Reading files, plain or gzipped."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from sfumato.errors import FileError

__all__ = [
    "first_line_of",
    "is_zipped",
    "line_blocks",
    "read_bytes",
    "read_lined_text",
    "read_text",
    "suffix_of",
    "text_of",
    "unzipped_limit",
]

UNZIPPED_BYTES = 1 << 30
UNZIPPED_RATIO = 100
LINE_BYTES = 16 << 20  # limit of the first line, which is read before the rest
_BLOCK = 1 << 20


def suffix_of(path: str | Path) -> str:
    """The ending that determines the format; ``.gz`` is ignored.

    >>> suffix_of("visits.csv.gz")
    '.csv'
    """
    name = Path(path).name.lower().removesuffix(".gz")
    return Path(name).suffix


@contextmanager
def _reading(path: str | Path) -> Iterator[None]:
    """Turn the errors of reading a file into a `FileError` with one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except IsADirectoryError:
        raise FileError(path, "wanted a file, found a directory") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FileError(path, "the gzip file ends early or is damaged") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    except ValueError:  # a NUL in the path
        raise FileError(path, "wanted the name of a file, found a character that is not allowed in a name") from None


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a regular file, also by a link; refuses a pipe or a device, which could block forever."""
    with _reading(path):
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with os.fdopen(number, "rb", closefd=True) as file:
            mode = os.fstat(number).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError
            if not stat.S_ISREG(mode):
                raise FileError(path, "wanted a file, found a pipe, a socket or a device")
            yield file


def is_zipped(path: str | Path) -> bool:
    """Whether the content is gzipped, for any name; refuses a plain file whose name ends in .gz."""
    with _opened(path) as file:
        zipped = file.read(2) == b"\x1f\x8b"
    if not zipped and Path(path).name.lower().endswith(".gz"):
        raise FileError(path, "wanted a gzip file, found another format or a damaged file")
    return zipped


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, unzipped; refuses a file that unzips to more than `unzipped_limit`."""
    zipped = is_zipped(path)
    with _opened(path) as file:
        return _unzipped(file, path) if zipped else file.read()


def line_blocks(path: str | Path, size: int) -> Iterator[bytes]:
    """The content of a file, unzipped, in blocks of whole lines of about this size."""
    zipped = is_zipped(path)
    with _opened(path) as file:
        yield from _unzipped_blocks(file, path, size) if zipped else _plain_blocks(file, size)


def _plain_blocks(file: BinaryIO, size: int) -> Iterator[bytes]:
    """The ends of lines are looked up first, so that no block is copied."""
    start, total = 0, os.fstat(file.fileno()).st_size
    while start < total:
        file.seek(start + size)
        file.readline()
        end = min(file.tell(), total)
        file.seek(start)
        yield file.read(end - start)
        start = end


def _unzipped_blocks(file: BinaryIO, path: str | Path, size: int) -> Iterator[bytes]:
    limit = unzipped_limit(os.fstat(file.fileno()).st_size)
    left = limit
    with gzip.open(file) as plain:
        while block := plain.read(size):
            line = plain.readline(left + 1)
            left -= len(block) + len(line)
            if left < 0:
                raise _too_large(path, limit)
            yield block + line


def _too_large(path: str | Path, limit: int) -> FileError:
    return FileError(path, f"wanted a gzip file that unzips to at most {limit >> 20:,} MB, found more")


def unzipped_limit(size: int) -> int:
    """The largest unzipped size of a gzip file of this size: a gigabyte, or a hundred times its size if that is more.

    >>> unzipped_limit(1_000) >> 20, unzipped_limit(100 << 20) >> 20
    (1024, 10000)
    """
    return max(UNZIPPED_BYTES, UNZIPPED_RATIO * size)


def _unzipped(file: BinaryIO, path: str | Path) -> bytes:
    limit = unzipped_limit(os.fstat(file.fileno()).st_size)
    content = bytearray()
    with gzip.open(file) as plain:
        while block := plain.read(_BLOCK):
            content += block
            if len(content) > limit:
                raise _too_large(path, limit)
    return bytes(content)


def first_line_of(path: str | Path) -> bytes:
    zipped = is_zipped(path)
    with _opened(path) as file, gzip.open(file) if zipped else nullcontext(file) as plain:
        line = plain.readline(LINE_BYTES + 1)
    if len(line) > LINE_BYTES:
        raise FileError(
            path,
            f"wanted a first line of at most {LINE_BYTES >> 20} MB, found a longer one (do lines end in CR alone?)",
            line=1,
        )
    return line


def read_text(path: str | Path) -> str:
    """The content of a file as text."""
    return text_of(read_bytes(path), path)


def text_of(raw: bytes, path: str | Path) -> str:
    """The bytes of a file as text."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FileError(path, "wanted text in UTF-8, found something else", line=line) from None
    if not text.strip():
        raise FileError(path, "the file is empty")
    return text


def read_lined_text(path: str | Path) -> str:
    """The text of a file whose lines end in LF, in CR LF or in CR, with LF between its lines and none at the end."""
    return read_text(path).replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
