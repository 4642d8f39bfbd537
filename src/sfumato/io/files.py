"""Reading and writing files and directories: plain or gzipped; an output appears completely or not at all."""

from __future__ import annotations

import errno
import glob
import gzip
import json
import os
import secrets
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from sfumato.errors import FileError, OutputError
from sfumato.io.outputs import require_fresh, require_replaceable

__all__ = [
    "Appearance",
    "PreparedFile",
    "first_line_of",
    "fresh_directory",
    "is_zipped",
    "json_text",
    "prepared_file",
    "read_bytes",
    "read_lined_text",
    "read_text",
    "suffix_of",
    "sweep",
    "sync_directory",
    "text_of",
    "unzipped_limit",
    "write_bytes",
    "write_json",
    "write_text",
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
    """Whether the content is gzipped, whatever the name; refuses a plain file whose name ends in .gz."""
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
                raise FileError(path, f"wanted a gzip file that unzips to at most {limit >> 20:,} MB, found more")
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


def read_lined_text(path: str | Path) -> str:
    """The text of a file whose lines end in LF, in CR LF or in CR, with LF between its lines and none at the end."""
    return read_text(path).replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")


@contextmanager
def prepared_file(path: str | Path, content: bytes) -> Iterator[PreparedFile]:
    """Write a file under a temporary name; it is removed unless `place` is called."""
    path = Path(path)
    require_replaceable(path)
    sweep(path)
    partial = _neighbour(path)
    try:
        with _writing(path):
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # readable by its owner alone
            partial.write_bytes(content)
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


def write_text(text: str, path: str | Path) -> None:
    write_bytes(text.encode("utf-8"), path)


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
