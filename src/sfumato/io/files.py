"""Opening and writing files: plain or gzipped, whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, OutputError

__all__ = [
    "first_line_of",
    "fresh_directory",
    "is_zipped",
    "read_bytes",
    "read_text",
    "require_fresh",
    "require_parent",
    "require_private",
    "suffix_of",
    "write_bytes",
    "write_json",
    "write_text",
]


def suffix_of(path: str | Path) -> str:
    """The ending that says the format; ``.gz`` says nothing.

    >>> suffix_of("visits.csv.gz")
    '.csv'
    """
    name = Path(path).name.lower().removesuffix(".gz")
    return Path(name).suffix


@contextmanager
def _reading(path: str | Path) -> Iterator[None]:
    """What can go wrong while a file is read, in one sentence each."""
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


def is_zipped(path: str | Path) -> bool:
    """Whether the file is gzipped, whatever its name; a name that ends in .gz must not promise too much."""
    with _reading(path), open(path, "rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    if not zipped and Path(path).name.lower().endswith(".gz"):
        raise FileError(path, "wanted a gzip file, found another or a damaged one")
    return zipped


def read_bytes(path: str | Path) -> bytes:
    """The whole file, unzipped."""
    zipped = is_zipped(path)
    with _reading(path):
        raw = Path(path).read_bytes()
        return gzip.decompress(raw) if zipped else raw


def first_line_of(path: str | Path) -> bytes:
    zipped = is_zipped(path)
    with _reading(path), gzip.open(path) if zipped else open(path, "rb") as file:
        return file.readline()


def read_text(path: str | Path) -> str:
    """The whole file as text."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FileError(path, "wanted text in UTF-8, found something else", line=line) from None
    if not text.strip():
        raise FileError(path, "the file is empty")
    return text


@contextmanager
def _whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary neighbour that becomes the file when everything is written."""
    path = Path(path)
    partial = _neighbour(path)
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        partial.unlink(missing_ok=True)


def _neighbour(path: Path) -> Path:
    """A name beside the path that nobody uses and that says which process does."""
    return path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")


def write_bytes(content: bytes, path: str | Path) -> None:
    """The file appears whole or not at all; gzipped if its name ends in .gz, without a time stamp."""
    if Path(path).name.lower().endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    with _whole_file(path) as partial:
        partial.write_bytes(content)


def write_text(text: str, path: str | Path) -> None:
    write_bytes(text.encode("utf-8"), path)


def write_json(value: Any, path: str | Path) -> None:
    write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", path)


@contextmanager
def fresh_directory(out: str | Path) -> Iterator[Path]:
    """A temporary neighbour that becomes the directory when everything is in it."""
    out = Path(out)
    require_fresh(out)
    _sweep(out)
    partial = _neighbour(out)
    try:
        partial.mkdir()
        yield partial
        partial.replace(out)
    except OSError as error:
        raise OutputError(f"{out}: cannot be written ({error.strerror})") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _sweep(out: Path) -> None:
    """Remove what runs that were killed while writing have left beside the output."""
    for stale in out.parent.glob(f".{out.name}.*.partial"):
        process = stale.name.removeprefix(f".{out.name}.").partition(".")[0]
        if stale.is_dir() and process.isdigit() and not Path(f"/proc/{process}").exists() and Path("/proc").is_dir():
            shutil.rmtree(stale, ignore_errors=True)


def require_fresh(out: str | Path) -> None:
    """Refuse an output directory that exists and is not empty, or whose parent does not exist."""
    out = Path(out)
    if out.is_file() or (out.is_dir() and any(out.iterdir())):
        raise OutputError(f"{out}: exists already; choose another name or remove it first")
    require_parent(out)


def require_private(path: str | Path, what: str) -> None:
    """Refuse a private file (what it is: "report") in a directory that was published, or below one."""
    path = Path(path)
    for folder in path.resolve().parents:
        if (folder / "certificate.json").is_file():
            raise OutputError(f"{path}: the {what} is private and cannot lie in {folder}, which is published; move it")


def require_parent(path: str | Path) -> None:
    """Refuse a place that cannot be written to, before the work and not after it."""
    path = Path(path)
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the directory {path.parent} does not exist; make it first")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"{path}: the directory {path.parent} cannot be written to")
