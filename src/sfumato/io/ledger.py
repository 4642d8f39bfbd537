"""The ledger of releases: who was in which release, under which promise.  A private file.

It is an SQLite database.  Persons are keyed hashes, with the key in the same file: whoever holds the ledger can find
out whether somebody they can name is in it, so it is kept where the original data are kept.  Everything happens inside
one transaction, from looking up earlier releases to entering the new one, so that two writers never overlook each
other.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, OutputError

__all__ = ["VERSION", "Entry", "ReleaseLedger", "digest_of"]

VERSION = 1
_WAIT_S = 60.0
_KEPT = ("unknown", "whole", "shortened")  # what the column `whole` says by their numbers
_PRIVATE = "private: says who was in which release; keep it where the original data are kept"
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE releases (number INTEGER PRIMARY KEY, written TEXT, directory TEXT, digest TEXT, method TEXT, kind TEXT,
                       unit TEXT, whole INTEGER, guarantees TEXT, attacked TEXT, people INTEGER);
CREATE TABLE people (release INTEGER REFERENCES releases, person BLOB, PRIMARY KEY (release, person)) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Entry:
    """A release in the ledger.

    guarantees : the promises, as in its certificate.  attacked : what composition with earlier ones achieved.
    people : how many persons were in it; nothing where they are not known.
    whole : whether every published record is all of a private one, so that it can be compared with another.
    shortened : whether something was suppressed inside published records, and nothing split or added.
    """

    number: int
    written: str
    directory: Path
    digest: str
    method: str
    kind: str
    unit: str
    whole: bool
    guarantees: tuple[dict[str, Any], ...]
    attacked: tuple[dict[str, Any], ...]
    people: int | None
    shortened: bool = False

    @property
    def state(self) -> str:
        """Whether the directory is still what was entered: "as written", "gone" or "changed"."""
        found = digest_of(self.directory)
        return "gone" if found is None else "as written" if found == self.digest else "changed"

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "written": self.written,
            "directory": str(self.directory),
            "state": self.state,
            "method": self.method,
            "kind": self.kind,
            "unit": self.unit,
            "whole": self.whole,
            "shortened": self.shortened,
            "guarantees": list(self.guarantees),
            "people": self.people,
            "attacked": list(self.attacked),
        }


def digest_of(directory: str | Path) -> str | None:
    """A digest of every file in a published directory; nothing where it is gone."""
    folder = Path(directory)
    if not folder.is_dir():
        return None
    total = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder).as_posix()
        total.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\0".encode())
    return total.hexdigest()


class ReleaseLedger:
    """A ledger file, opened for one transaction: use it as ``with ReleaseLedger.writing(path) as ledger``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        self._key: bytes = self._about("key")

    @classmethod
    @contextmanager
    def reading(cls, path: str | Path) -> Iterator[ReleaseLedger]:
        """Open an existing ledger; what is not one is refused."""
        path = Path(path)
        with _opened(path, "ro") as connection:
            _require_ledger(path, connection)
            yield cls(path, connection)

    @classmethod
    @contextmanager
    def writing(cls, path: str | Path) -> Iterator[ReleaseLedger]:
        """Open a ledger, made if there is none, so that nobody else writes meanwhile; kept only if all goes well."""
        path = Path(path)
        if not path.exists():
            _create(path)
        with _opened(path, "rw") as connection:
            _require_ledger(path, connection)
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                raise OutputError(
                    f"{path}: another release is being entered for more than {_WAIT_S:g} seconds; try again"
                ) from None
            try:
                yield cls(path, connection)
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    def entries(self) -> list[Entry]:
        """All releases, in the order in which they were written."""
        rows = self._connection.execute("SELECT * FROM releases ORDER BY number").fetchall()
        try:
            return [_entry(row) for row in rows]
        except (ValueError, TypeError):
            raise FileError(self.path, "wanted a ledger of releases, found a damaged one") from None

    def hashed(self, names: Iterable[Any]) -> list[bytes]:
        """The keyed hash of each person."""
        return [hmac.digest(self._key, str(name).encode("utf-8"), "sha256")[:16] for name in names]

    def shared(self, entry: Entry, people: Iterable[bytes]) -> set[bytes]:
        """Those of some people who were in a release."""
        rows = self._connection.execute("SELECT person FROM people WHERE release = ?", (entry.number,))
        return {person for (person,) in rows} & set(people)

    def enter(
        self,
        directory: str | Path,
        certificate: Mapping[str, Any],
        people: Iterable[bytes] | None,
        attacked: Iterable[Mapping[str, Any]] = (),
        *,
        kept: str = "unknown",
    ) -> int:
        """Enter a release that has just been written; returns its number."""
        persons = None if people is None else set(people)
        cursor = self._connection.execute(
            "INSERT INTO releases (written, directory, digest, method, kind, unit, whole, guarantees, attacked, "
            "people) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                datetime.now(UTC).isoformat(timespec="seconds"),
                str(Path(directory).resolve()),
                digest_of(directory),
                certificate["method"],
                certificate["kind"],
                certificate["unit"],
                _KEPT.index(kept),
                json.dumps(
                    [{"model": one["model"], "parameters": one["parameters"]} for one in certificate["guarantees"]]
                ),
                json.dumps([dict(one) for one in attacked]),
                None if persons is None else len(persons),
            ),
        )
        number = int(cursor.lastrowid or 0)
        rows = ((number, person) for person in sorted(persons or ()))
        self._connection.executemany("INSERT INTO people (release, person) VALUES (?, ?)", rows)
        return number

    def move(self, number: int, directory: str | Path) -> None:
        """Say where a release lies now; it must be the same files."""
        entry = next((one for one in self.entries() if one.number == number), None)
        if entry is None:
            raise FileError(self.path, f"wanted the number of a release, got {number}; sfumato ledger lists them")
        if digest_of(directory) != entry.digest:
            raise FileError(directory, f"wanted the files of release {number}, found others")
        self._connection.execute(
            "UPDATE releases SET directory = ? WHERE number = ?", (str(Path(directory).resolve()), number)
        )

    def _about(self, name: str) -> Any:
        return self._connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()[0]


def _entry(row: tuple[Any, ...]) -> Entry:
    number, written, directory, digest, method, kind, unit, whole, guarantees, attacked, people = row
    return Entry(
        int(number),
        str(written),
        Path(directory),
        str(digest),
        str(method),
        str(kind),
        str(unit),
        whole == _KEPT.index("whole"),
        tuple(json.loads(guarantees)),
        tuple(json.loads(attacked)),
        people,
        whole == _KEPT.index("shortened"),
    )


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    if path.is_dir():
        raise FileError(path, "wanted a ledger of releases, found a directory")
    if not path.exists():
        raise FileError(path, "no such file")
    try:
        uri = f"{path.resolve().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT_S, isolation_level=None)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "not a database" not in str(error):
            raise OutputError(f"{path}: cannot be used as a ledger ({error})") from None
        raise FileError(path, "wanted a ledger of releases, found something else or a damaged one") from None


def _require_ledger(path: Path, connection: sqlite3.Connection) -> None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"about", "releases", "people"} <= tables:
        raise FileError(path, "wanted a ledger of releases, found something else or a damaged one")
    said = dict(connection.execute("SELECT name, value FROM about").fetchall())
    if said.get("version") != VERSION:
        raise FileError(
            path,
            f"wanted a ledger of version {VERSION}, found version {said.get('version')}; "
            "it was written by another version of sfumato",
        )
    if not isinstance(said.get("key"), bytes):
        raise FileError(path, "wanted a ledger of releases, found a damaged one")


def _create(path: Path) -> None:
    """A new ledger, whole or not at all; whoever comes second takes the first one's."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # nobody else may read it
        with closing(sqlite3.connect(partial)) as connection:
            connection.executescript(_TABLES)
            said = {"about": _PRIVATE, "version": VERSION, "key": secrets.token_bytes(32)}
            connection.executemany("INSERT INTO about VALUES (?, ?)", said.items())
            connection.commit()
        os.link(partial, path)
    except FileExistsError:
        pass
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"{path}: cannot be written ({why})") from None
    finally:
        partial.unlink(missing_ok=True)
