"""Back up a server into one private file, and restore it into nothing.

The file is a tar archive: the database in one state, then the files of the private folder, then `digests.json` with the
SHA-256 of each.  The database is read first: every file that it names is complete before its row is written, so it is
in the archive unless somebody deletes it meanwhile.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sfumato import __version__
from sfumato.errors import FileError, OutputError
from sfumato.web.serving.snapshots import FORMATS, is_empty, load_snapshot, save_snapshot

__all__ = ["Backup", "back_up", "restore"]

_DIGESTS = "digests.json"
_LEFT_OUT = (
    "sfumato.sqlite3",
    "sfumato.sqlite3-wal",
    "sfumato.sqlite3-shm",
    "link",
    "temporary",
    "compiled",
    f"compiled-{__version__}",
)
_PART = 1 << 20
_SQLITE = b"SQLite format 3\x00"


class Backup(NamedTuple):
    """What a backup holds: the number of files and their size in bytes."""

    files: int
    size: int


def back_up(home: Path, file: Path) -> Backup:
    """Write a backup; the file exists afterwards only if it is whole, and only its owner can read it."""
    if file.exists():
        raise OutputError(f"{file}: exists already; a backup overwrites nothing")
    if not file.parent.is_dir():
        raise OutputError(f"{file}: its folder does not exist")
    if file.resolve().is_relative_to(home.resolve()):
        raise OutputError(f"{file}: a backup belongs outside of the private folder that it holds")
    partial = file.with_name(f".{file.name}.part")
    number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup") as place, os.fdopen(number, "wb") as out:
            kind = save_snapshot(Path(place))
            backup = _written(out, Path(place), home, kind)
            out.flush()
            os.fsync(out.fileno())
        os.rename(partial, file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return backup


def restore(home: Path, file: Path) -> Backup:
    """Restore a backup into an empty folder and an empty database, after every digest was checked."""
    if any(path.name not in _LEFT_OUT for path in home.iterdir()) or not is_empty():
        raise OutputError(
            f"{home}: wanted an empty folder and an empty database, found content; a restore replaces nothing"
        )
    with tempfile.TemporaryDirectory(dir=home, prefix="restoring") as place:
        folder = Path(place)
        facts = _unpacked(file, folder)
        digests = facts["digests"]
        present = {str(path.relative_to(folder).as_posix()): path for path in _files(folder)}
        if present.keys() - {_DIGESTS} != digests.keys():
            raise FileError(file, "wanted exactly the files that its digests name, found others or fewer")
        for name, digest in digests.items():
            if _digest_of(present[name]) != digest:
                raise FileError(file, f"the content of {name} does not match its digest")
        load_snapshot(folder, facts["database"])
        for path in sorted((folder / "home").iterdir()) if (folder / "home").exists() else []:
            shutil.move(path, home / path.name)
    return Backup(len(digests), sum(path.stat().st_size for path in _files(home)))


def _written(out: BinaryIO, place: Path, home: Path, kind: str) -> Backup:
    digests: dict[str, str] = {}
    size = 0
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for name, path in (*_named(place, ""), *_named(home, "home/")):
            try:
                digest, length = _added(archive, path, name, place)
            except FileNotFoundError:  # deleted since the folder was listed
                continue
            digests[name], size = digest, size + length
        facts = json.dumps({"sfumato": __version__, "database": kind, "digests": digests}).encode()
        entry = tarfile.TarInfo(_DIGESTS)
        entry.size, entry.mode = len(facts), 0o600
        archive.addfile(entry, io.BytesIO(facts))
    return Backup(len(digests), size)


def _named(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    """The files to keep with their names in the archive; a ledger's companion files are part of its copy."""
    for path in _files(folder):
        relative = path.relative_to(folder)
        companion = path.name.endswith(("-wal", "-shm", "-journal")) and path.with_name(path.name.rpartition("-")[0])
        if relative.parts[0] not in _LEFT_OUT and not (companion and companion.exists()):
            yield prefix + relative.as_posix(), path


class _Digesting:
    """A file of a fixed length that is digested while it is read; one that shrinks meanwhile is filled with zeros."""

    def __init__(self, source: BinaryIO, length: int) -> None:
        self._source, self._left, self.digest = source, length, sha256()

    def read(self, count: int = -1) -> bytes:
        """The next bytes."""
        wanted = self._left if count < 0 else min(count, self._left)
        part = self._source.read(wanted)
        part += bytes(wanted - len(part))
        self._left -= wanted
        self.digest.update(part)
        return part


def _added(archive: tarfile.TarFile, path: Path, name: str, place: Path) -> tuple[str, int]:
    with _steady(path, place).open("rb") as source:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = os.fstat(source.fileno()).st_size, 0o600
        reader = _Digesting(source, entry.size)
        archive.addfile(entry, reader)
    return reader.digest.hexdigest(), entry.size


def _steady(path: Path, place: Path) -> Path:
    """The file, or, of a ledger in SQLite, a copy that no writer changes."""
    with path.open("rb") as source:
        if source.read(len(_SQLITE)) != _SQLITE or path.is_relative_to(place):
            return path
    copy = place / "ledger.copy"
    copy.unlink(missing_ok=True)
    source_uri = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(source_uri, uri=True)) as ledger, closing(sqlite3.connect(copy)) as target:
        ledger.backup(target)
    return copy


def _unpacked(file: Path, folder: Path) -> dict[str, Any]:
    """Unpack regular files below the folder, nothing else, and return what `digests.json` says."""
    try:
        with tarfile.open(file, mode="r|") as archive:
            for entry in archive:
                path = (folder / entry.name).resolve()
                if not entry.isreg() or not path.is_relative_to(folder.resolve()):
                    raise FileError(file, "wanted a backup of sfumato, found an entry that is no file of it")
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                content = archive.extractfile(entry)
                if content is None:
                    raise FileError(file, "wanted a backup of sfumato, found an entry without content")
                with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                    shutil.copyfileobj(content, out, _PART)
        facts = json.loads((folder / _DIGESTS).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FileError(file, "wanted a backup of sfumato, found no such file or no digests in it") from error
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        raise FileError(
            file, f"wanted a backup of sfumato, found a file that cannot be read ({type(error).__name__})"
        ) from error
    if (
        not isinstance(facts, dict)
        or facts.get("database") not in FORMATS
        or not isinstance(facts.get("digests"), dict)
    ):
        raise FileError(file, "wanted a backup of sfumato, found digests of another form")
    return facts


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _digest_of(path: Path) -> str:
    with path.open("rb") as source:
        digest = sha256()
        while part := source.read(_PART):
            digest.update(part)
    return digest.hexdigest()
