"""The ledger of releases: the persons and the privacy models of each release.  A private file.

It is an SQLite database.  Persons are keyed hashes, with the key in the same file: the holder of the ledger can find
out whether a person with a known name is in it, so it is kept where the original data are kept.

A release is entered if and only if it is published, even if its run is killed.  The run writes the files under a
temporary name, enters the intention to publish them, renames the directory, and confirms the entry.  The next
process that opens the ledger settles what a killed run has left (`ledger_file`).

One lock covers all steps from reading earlier releases to the confirmation, so that two writers never overlook each
other and no reader sees an intention whose run is alive.
"""

from __future__ import annotations

import glob
import hmac
import json
import secrets
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, OutputError
from sfumato.io.atomic_writes import Appearance
from sfumato.io.published import ledger_file
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.ledger_file import CLOSED, ENTERING, INTENDED, PUBLISHED, VERSION, digest_of
from sfumato.params import JsonObject

__all__ = ["CLOSED", "INTENDED", "PUBLISHED", "VERSION", "Entry", "Intention", "ReleaseLedger", "digest_of"]

_KEPT = ("unknown", "whole", "shortened")  # the values of the column `whole`, by number
_COLUMNS = "number, written, directory, digest, method, kind, unit, whole, guarantees, attacked, people"


@dataclass(frozen=True)
class Entry:
    """A release in the ledger.

    guarantees : as in its certificate.  attacked : the results of composition attacks with earlier releases.
    people : the number of persons in it; None where persons are not known.
    whole : whether every published record is a complete original record, so that releases can be compared.
    shortened : whether records had elements suppressed, and no record was split or extended.
    state : "published"; "intended" where its run was killed and its directory was not found, which counts as
    published; "closed" where the owner has declared that an intended release was never published.
    """

    number: int
    written: str
    directory: Path
    digest: str
    method: str
    kind: str
    unit: str
    whole: bool
    guarantees: tuple[JsonObject, ...]
    attacked: tuple[JsonObject, ...]
    people: int | None
    shortened: bool = False
    state: str = PUBLISHED

    @property
    def files(self) -> str:
        """Whether the files are still what was entered: "as written", "gone" or "changed"."""
        digest = digest_of(self.directory)
        return "gone" if digest is None else "as written" if digest == self.digest else "changed"

    def to_json(self) -> JsonObject:
        return {
            "number": self.number,
            "written": self.written,
            "directory": str(self.directory),
            "state": self.state,
            "files": self.files,
            "method": self.method,
            "kind": self.kind,
            "unit": self.unit,
            "whole": self.whole,
            "shortened": self.shortened,
            "guarantees": list(self.guarantees),
            "people": self.people,
            "attacked": list(self.attacked),
        }


class ReleaseLedger:
    """A ledger file, opened for one transaction: use it as ``with ReleaseLedger.writing(path) as ledger``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        about = dict(connection.execute("SELECT name, value FROM about").fetchall())
        self._key: bytes = about["key"]
        self._version: int = about["version"]

    @classmethod
    @contextmanager
    def reading(cls, path: str | Path) -> Iterator[ReleaseLedger]:
        """Open an existing ledger; refuses another file.

        Settles first what a killed run has left; a file that cannot be written is read as it is.
        """
        path = Path(path)
        with ledger_file.opened(path) as connection:
            if ledger_file.unsettled(path, connection):
                with suppress(sqlite3.OperationalError):
                    ledger_file.begin_settled(path, connection)
                    connection.rollback()
            yield cls(path, connection)

    @classmethod
    @contextmanager
    def writing(cls, path: str | Path) -> Iterator[ReleaseLedger]:
        """Open a ledger with a lock for writing, created if none exists; changes are kept only without an error."""
        path = Path(path)
        if not path.exists():
            ledger_file.create(path)
        with ledger_file.opened(path) as connection:
            ledger_file.require_ledger(path, connection)
            try:
                ledger_file.begin_settled(path, connection)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                raise OutputError(
                    f"{path}: another process has been entering a release for more than {ledger_file.WAIT_S:g} "
                    "seconds; try again"
                ) from None
            try:
                yield cls(path, connection)
                connection.commit()
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.rollback()
                raise

    def entries(self, *, closed: bool = False) -> list[Entry]:
        """The releases that count as published, in the order of writing; optionally also closed ones."""
        state = "state" if self._version >= 2 else f"'{PUBLISHED}'"
        rows = self._connection.execute(f"SELECT {_COLUMNS}, {state} FROM releases ORDER BY number").fetchall()
        try:
            entries = [_entry(row) for row in rows]
        except (ValueError, TypeError):
            raise FileError(self.path, "wanted a ledger of releases, found a damaged file") from None
        return [entry for entry in entries if closed or entry.state != CLOSED]

    def hashed(self, names: Iterable[Any]) -> list[bytes]:
        """The keyed hash of each person."""
        return [hmac.digest(self._key, str(name).encode("utf-8"), "sha256")[:16] for name in names]

    def shared(self, entry: Entry, people: Iterable[bytes]) -> set[bytes]:
        """Those of these persons who were in a release."""
        rows = self._connection.execute("SELECT person FROM people WHERE release = ?", (entry.number,))
        return {person for (person,) in rows} & set(people)

    def intend(
        self,
        directory: str | Path,
        certificate: Certificate,
        people: Iterable[bytes] | None,
        attacked: Iterable[Mapping[str, Any]] = (),
        *,
        kept: str = "unknown",
    ) -> Intention:
        """The hooks that enter a release while its directory appears, for `fresh_directory`."""
        facts = _facts(directory, certificate, attacked, kept)
        mark = hmac.digest(self._key, b"temporary directories", "sha256")[:6].hex()
        return Intention(self._connection, facts, None if people is None else sorted(set(people)), mark)

    def enter(
        self,
        directory: str | Path,
        certificate: Certificate,
        people: Iterable[bytes] | None,
        attacked: Iterable[Mapping[str, Any]] = (),
        *,
        kept: str = "unknown",
    ) -> int:
        """Enter a published directory that is there already; returns its number."""
        row = {**_facts(directory, certificate, attacked, kept), "digest": digest_of(directory), "state": PUBLISHED}
        return _insert(self._connection, row, None if people is None else sorted(set(people)))

    def entry_of(self, directory: str | Path) -> Entry | None:
        """The entry of a published directory whose files are as they were entered; None where it is not entered."""
        full_path, digest = _full_path(directory), digest_of(directory)
        return next((entry for entry in self.entries() if (entry.directory, entry.digest) == (full_path, digest)), None)

    def move(self, number: int, directory: str | Path) -> None:
        """Record the new directory of a release; its files must be the same."""
        entry = self._numbered(number)
        if digest_of(directory) != entry.digest:
            raise FileError(directory, f"wanted the files of release {number}, found others")
        self._connection.execute(
            "UPDATE releases SET directory = ?, state = ? WHERE number = ?",
            (str(Path(directory).resolve()), PUBLISHED, number),
        )

    def close(self, number: int) -> None:
        """Record that an intended release was never published; it no longer counts, unless `move` finds it."""
        entry = self._numbered(number)
        if entry.state != INTENDED:
            raise FileError(
                self.path,
                f"wanted the number of an intended release whose directory was not found, found release {number}, "
                f"which is {entry.state}",
            )
        self._connection.execute("UPDATE releases SET state = ? WHERE number = ?", (CLOSED, number))

    def _numbered(self, number: int) -> Entry:
        entry = next((candidate for candidate in self.entries(closed=True) if candidate.number == number), None)
        if entry is None:
            raise FileError(
                self.path, f"wanted the number of a release, found {number}; sfumato ledger lists the releases"
            )
        return entry


class Intention(Appearance):
    """Enters a release while its directory appears: intended before, confirmed after, removed if it is taken back."""

    def __init__(
        self, connection: sqlite3.Connection, facts: Mapping[str, Any], people: list[bytes] | None, mark: str
    ) -> None:
        self._connection, self._facts, self._people, self._mark = connection, facts, people, mark
        self._partial: str | None = None

    def partial(self, out: Path) -> Path:
        """A temporary name that only this ledger removes, since it proves that the directory has not appeared."""
        prefix = f".{out.name}.{self._mark}."
        for stale in out.parent.glob(f"{glob.escape(prefix)}*{ENTERING}"):
            shutil.rmtree(stale, ignore_errors=True)  # its run is dead, since this process holds the lock
        return out.with_name(f"{prefix}{secrets.token_hex(4)}{ENTERING}")

    def announce(self, partial: Path) -> None:
        self._partial = str(partial.resolve())
        row = {**self._facts, "digest": digest_of(partial), "state": INTENDED, "partial": self._partial}
        _insert(self._connection, row, self._people)
        # the lock now outlives the transaction, so that no reader sees an intention whose run is alive
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._connection.commit()

    def settle(self) -> None:
        with suppress(sqlite3.Error):  # harmless: the directory is there, and the next reader confirms the entry
            self._connection.execute("UPDATE releases SET state = ? WHERE partial = ?", (PUBLISHED, self._partial))

    def withdraw(self) -> None:
        if self._partial is None:
            return
        self._connection.rollback()
        row = self._connection.execute("SELECT number FROM releases WHERE partial = ?", (self._partial,)).fetchone()
        if row is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            ledger_file.remove(self._connection, row[0])
            self._connection.commit()


def _full_path(directory: str | Path) -> Path:
    return Path(directory).parent.resolve() / Path(directory).name


def _facts(
    directory: str | Path, certificate: Certificate, attacked: Iterable[Mapping[str, Any]], kept: str
) -> dict[str, Any]:
    """The columns of a release that its certificate and the attacks state."""
    full_path = _full_path(directory)
    try:
        str(full_path).encode("utf-8")
    except UnicodeEncodeError:
        raise OutputError(
            f"{directory!r}: wanted a name in UTF-8 for the ledger, found another; choose another name"
        ) from None
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "directory": str(full_path),
        "method": certificate.method,
        "kind": certificate.kind,
        "unit": certificate.unit,
        "whole": _KEPT.index(kept),
        "guarantees": json.dumps(
            [{"model": guarantee.model, "parameters": guarantee.parameters} for guarantee in certificate.guarantees]
        ),
        "attacked": json.dumps([dict(attack) for attack in attacked]),
    }


def _insert(connection: sqlite3.Connection, row: Mapping[str, Any], people: list[bytes] | None) -> int:
    """Add a release with its persons; returns its number."""
    row = {**row, "people": None if people is None else len(people)}
    cursor = connection.execute(
        f"INSERT INTO releases ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
    )
    number = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO people (release, person) VALUES (?, ?)", ((number, person) for person in people or ())
    )
    return number


def _entry(row: tuple[Any, ...]) -> Entry:
    number, written, directory, digest, method, kind, unit, whole, guarantees, attacked, people, state = row
    return Entry(
        number=int(number),
        written=str(written),
        directory=Path(directory),
        digest=str(digest),
        method=str(method),
        kind=str(kind),
        unit=str(unit),
        whole=whole == _KEPT.index("whole"),
        guarantees=tuple(json.loads(guarantees)),
        attacked=tuple(json.loads(attacked)),
        people=people,
        shortened=whole == _KEPT.index("shortened"),
        state=str(state),
    )
