"""The ledger of releases: who was in which release, under which promise.  A private file.

It is an SQLite database.  Persons are keyed hashes, with the key in the same file: whoever holds the ledger can find
out whether somebody they can name is in it, so it is kept where the original data are kept.

A release is entered if and only if it is published, whenever its run is killed.  The run writes the files under a
temporary name, enters the intention to publish them, renames the directory, and confirms the entry.  What a killed run
has left is settled by whoever opens the ledger next (`ledger_file`).

One lock covers everything from the look at earlier releases to the confirmation, so that two writers never overlook
each other and nobody sees an intention whose run is alive.
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
from sfumato.io.files import Appearance
from sfumato.io.published import ledger_file
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.ledger_file import CLOSED, ENTERING, INTENDED, PUBLISHED, VERSION, digest_of

__all__ = ["CLOSED", "INTENDED", "PUBLISHED", "VERSION", "Entry", "Intention", "ReleaseLedger", "digest_of"]

_KEPT = ("unknown", "whole", "shortened")  # what the column `whole` says by their numbers
_COLUMNS = "number, written, directory, digest, method, kind, unit, whole, guarantees, attacked, people"


@dataclass(frozen=True)
class Entry:
    """A release in the ledger.

    guarantees : the promises, as in its certificate.  attacked : what composition with earlier ones achieved.
    people : how many persons were in it; None where they are not known.
    whole : whether every published record is all of a private one, so that it can be compared with another.
    shortened : whether something was suppressed inside published records, and nothing split or added.
    state : "published"; "intended" where its run was killed and its directory was not found, which counts as
    published; "closed" where the owner has said that an intended one was never published.
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
    state: str = PUBLISHED

    @property
    def files(self) -> str:
        """Whether the files are still what was entered: "as written", "gone" or "changed"."""
        found = digest_of(self.directory)
        return "gone" if found is None else "as written" if found == self.digest else "changed"

    def to_json(self) -> dict[str, Any]:
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
        """Open an existing ledger; what is not one is refused.

        What a killed run has left is settled first; a file that cannot be written is read as it is.
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
        """Open a ledger, made if there is none, so that nobody else writes meanwhile; kept only if all goes well."""
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
                    f"{path}: another release is being entered for more than {ledger_file.WAIT_S:g} seconds; try again"
                ) from None
            try:
                yield cls(path, connection)
                connection.commit()
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.rollback()
                raise

    def entries(self, *, closed: bool = False) -> list[Entry]:
        """The releases that count as published, in the order in which they were written; on request closed ones too."""
        state = "state" if self._version >= 2 else f"'{PUBLISHED}'"
        rows = self._connection.execute(f"SELECT {_COLUMNS}, {state} FROM releases ORDER BY number").fetchall()
        try:
            found = [_entry(row) for row in rows]
        except (ValueError, TypeError):
            raise FileError(self.path, "wanted a ledger of releases, found a damaged one") from None
        return [entry for entry in found if closed or entry.state != CLOSED]

    def hashed(self, names: Iterable[Any]) -> list[bytes]:
        """The keyed hash of each person."""
        return [hmac.digest(self._key, str(name).encode("utf-8"), "sha256")[:16] for name in names]

    def shared(self, entry: Entry, people: Iterable[bytes]) -> set[bytes]:
        """Those of some people who were in a release."""
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
        """The steps that enter a release while its directory appears, for `fresh_directory`."""
        directory = Path(directory)
        whole = directory.parent.resolve() / directory.name
        try:
            str(whole).encode("utf-8")
        except UnicodeEncodeError:
            raise OutputError(f"{directory!r}: a ledger keeps only names in UTF-8; choose another name") from None
        facts = {
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "directory": str(whole),
            "method": certificate.method,
            "kind": certificate.kind,
            "unit": certificate.unit,
            "whole": _KEPT.index(kept),
            "guarantees": json.dumps(
                [{"model": one.model, "parameters": one.parameters} for one in certificate.guarantees]
            ),
            "attacked": json.dumps([dict(one) for one in attacked]),
        }
        mark = hmac.digest(self._key, b"temporary directories", "sha256")[:6].hex()
        return Intention(self._connection, facts, None if people is None else sorted(set(people)), mark)

    def move(self, number: int, directory: str | Path) -> None:
        """Say where a release lies now; it must be the same files."""
        entry = self._numbered(number)
        if digest_of(directory) != entry.digest:
            raise FileError(directory, f"wanted the files of release {number}, found others")
        self._connection.execute(
            "UPDATE releases SET directory = ?, state = ? WHERE number = ?",
            (str(Path(directory).resolve()), PUBLISHED, number),
        )

    def close(self, number: int) -> None:
        """Say that an intended release was never published; it no longer counts, unless `move` says where it lies."""
        entry = self._numbered(number)
        if entry.state != INTENDED:
            raise FileError(
                self.path,
                f"wanted the number of a release that is intended and was not found, got {number}, which is "
                f"{entry.state}",
            )
        self._connection.execute("UPDATE releases SET state = ? WHERE number = ?", (CLOSED, number))

    def _numbered(self, number: int) -> Entry:
        entry = next((one for one in self.entries(closed=True) if one.number == number), None)
        if entry is None:
            raise FileError(self.path, f"wanted the number of a release, got {number}; sfumato ledger lists them")
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
        beside = f".{out.name}.{self._mark}."
        for stale in out.parent.glob(f"{glob.escape(beside)}*{ENTERING}"):
            shutil.rmtree(stale, ignore_errors=True)  # whoever made it is dead, since the lock is ours
        return out.with_name(f"{beside}{secrets.token_hex(4)}{ENTERING}")

    def announce(self, partial: Path) -> None:
        self._partial = str(partial.resolve())
        row = {
            **self._facts,
            "digest": digest_of(partial),
            "people": None if self._people is None else len(self._people),
            "state": INTENDED,
            "partial": self._partial,
        }
        cursor = self._connection.execute(
            f"INSERT INTO releases ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
        )
        self._connection.executemany(
            "INSERT INTO people (release, person) VALUES (?, ?)",
            ((cursor.lastrowid, person) for person in self._people or ()),
        )
        # the lock now outlives the transaction, so that nobody sees an intention whose run is alive
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._connection.commit()

    def settle(self) -> None:
        with suppress(sqlite3.Error):  # not missed: the directory is there, and the next one to look finds it
            self._connection.execute("UPDATE releases SET state = ? WHERE partial = ?", (PUBLISHED, self._partial))

    def withdraw(self) -> None:
        if self._partial is None:
            return
        self._connection.rollback()
        found = self._connection.execute("SELECT number FROM releases WHERE partial = ?", (self._partial,)).fetchone()
        if found is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            ledger_file.remove(self._connection, found[0])
            self._connection.commit()


def _entry(row: tuple[Any, ...]) -> Entry:
    number, written, directory, digest, method, kind, unit, whole, guarantees, attacked, people, state = row
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
        str(state),
    )
