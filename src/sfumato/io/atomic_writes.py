"""Writing files and directories that appear completely or not at all."""

from __future__ import annotations

import errno
import glob
import gzip
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from sfumato.errors import OutputError
from sfumato.io.outputs import require_fresh, require_replaceable

__all__ = [
    "Appearance",
    "PreparedFile",
    "fresh_directory",
    "json_text",
    "prepared_file",
    "sweep",
    "sync_directory",
    "write_bytes",
    "write_json",
    "write_parts",
    "write_text",
    "write_texts",
]


class PreparedFile:
    """A file written under a temporary name, readable by its owner alone, that `place` renames to its path."""

    def __init__(self, path: Path, partial: Path) -> None:
        self._path, self._partial, self._stat = path, partial, partial.stat()

    def place(self) -> None:
        """Rename the file to its path; replaces a file there."""
        with _writing(self._path):
            self._partial.replace(self._path)
            sync_directory(self._path.parent)

    def take_back(self) -> None:
        """Remove the file from its path, if it was placed there."""
        if self._path.exists() and os.path.samestat(self._path.stat(), self._stat):
            self._path.unlink()


@contextmanager
def prepared_file(path: str | Path, content: bytes | Callable[[BinaryIO], None]) -> Iterator[PreparedFile]:
    """Write a file under a temporary name; it is removed unless `place` is called.

    content : the bytes, or a function that writes them to the open file.
    """
    path = Path(path)
    require_replaceable(path)
    sweep(path)
    partial = _neighbour(path)
    try:
        with _writing(path):
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # readable by its owner alone
            with partial.open("wb") as file:
                if callable(content):
                    content(file)
                else:
                    file.write(content)
            _sync_file(partial)
            prepared = PreparedFile(path, partial)
        yield prepared
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


def _neighbour(path: Path) -> Path:
    """An unused temporary name beside the path, with the id of this process."""
    return path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")


def write_bytes(content: bytes, path: str | Path) -> None:
    """Write a file completely or not at all, for its owner alone; gzipped without a time stamp if it ends in .gz."""
    if Path(path).name.lower().endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    with prepared_file(path, content) as prepared:
        prepared.place()


def write_parts(write: Callable[[BinaryIO], None], path: str | Path) -> None:
    """As `write_bytes`, for content that a function writes to the open file part by part, so that no part stays."""

    def zipped(file: BinaryIO) -> None:
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as inside:
            write(inside)  # type: ignore[arg-type]

    with prepared_file(path, zipped if Path(path).name.lower().endswith(".gz") else write) as prepared:
        prepared.place()


def write_text(text: str, path: str | Path) -> None:
    write_bytes(text.encode("utf-8"), path)


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write several files, all of them or none; those that exist are replaced only when all are complete."""
    with ExitStack() as stack:
        prepared = [stack.enter_context(prepared_file(path, text.encode("utf-8"))) for path, text in texts.items()]
        placed: list[PreparedFile] = []
        try:
            for file in prepared:
                file.place()
                placed.append(file)
        except BaseException:
            for file in placed:
                file.take_back()
            raise


def write_json(value: Any, path: str | Path) -> None:
    write_text(json_text(value), path)


def json_text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


class Appearance:
    """Hooks around the moment at which a directory appears; these do nothing.

    announce is called before the moment, settle after it.  If anything fails from announce on, the directory is renamed
    to its temporary name, then withdraw is called, and only then are its files removed.
    """

    def partial(self, out: Path) -> Path:
        """The temporary name."""
        return _neighbour(out)

    def announce(self, partial: Path) -> None:
        """Called when the directory is complete, stored under its temporary name, and about to appear."""

    def settle(self) -> None:
        """Called when the directory has appeared."""

    def withdraw(self) -> None:
        """Called when the directory will not appear, or was taken back."""


@contextmanager
def fresh_directory(out: str | Path, appearance: Appearance | None = None, *, private: bool = False) -> Iterator[Path]:
    """A temporary directory that is renamed to `out` when it is complete and on the disk.

    private : whether only its owner can read it.
    """
    out = Path(out)
    require_fresh(out)
    sweep(out)
    steps = Appearance() if appearance is None else appearance
    partial = steps.partial(out)
    identity: os.stat_result | None = None
    try:
        partial.mkdir(0o700 if private else 0o777)
        identity = partial.stat()
        yield partial
        _sync_tree(partial)
        steps.announce(partial)
        partial.replace(out)
        sync_directory(out.parent)
        steps.settle()
    except BaseException as error:
        _take_back(partial, out, identity, steps)
        if isinstance(error, OSError):
            raise OutputError(f"{out}: cannot be written ({error.strerror})") from None
        raise


def _take_back(partial: Path, out: Path, identity: os.stat_result | None, steps: Appearance) -> None:
    """Undo a directory.  Its files stay under the temporary name until `withdraw` is done."""
    if identity is None:
        return
    try:
        if not partial.exists():
            if not out.is_dir() or not os.path.samestat(out.stat(), identity):
                return  # it has appeared, and another process has moved it
            out.rename(partial)
            sync_directory(out.parent)
        steps.withdraw()
    except Exception:
        return
    shutil.rmtree(partial, ignore_errors=True)


def sweep(out: Path) -> None:
    """Remove temporary files beside an output that killed runs have left."""
    if not Path("/proc").is_dir():
        return
    for stale in out.parent.glob(f".{glob.escape(out.name)}.*.partial"):
        process = stale.name.removeprefix(f".{out.name}.").partition(".")[0]
        if not process.isdigit() or Path(f"/proc/{process}").exists():
            continue
        if stale.is_dir():
            shutil.rmtree(stale, ignore_errors=True)
        else:
            stale.unlink(missing_ok=True)


def _sync_tree(folder: Path) -> None:
    """Wait until a directory with all its files is on the disk."""
    for path in folder.rglob("*"):
        if path.is_dir():
            sync_directory(path)
        else:
            _sync_file(path)
    sync_directory(folder)
    sync_directory(folder.parent)


def _sync_file(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def sync_directory(folder: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)
