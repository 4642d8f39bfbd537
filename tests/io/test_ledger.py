"""The ledger of releases: what it keeps, what it refuses, and two writers at a time."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import FileError, OutputError
from sfumato.io import ledger as room
from sfumato.io.ledger import ReleaseLedger, digest_of

CERTIFICATE: dict[str, Any] = {
    "method": "seqanon",
    "kind": "trajectories",
    "unit": "person",
    "guarantees": [{"model": "km", "parameters": {"k": 2, "m": 2}, "verdict": {"holds": True}}],
}


def published(folder: Path, text: str = "trajectory,step,location\n") -> Path:
    folder.mkdir()
    (folder / "data.csv").write_text(text)
    return folder


def enter(path: Path, folder: Path, names: list[str] | None) -> int:
    with ReleaseLedger.writing(path) as book:
        return book.enter(folder, CERTIFICATE, None if names is None else book.hashed(names))


def test_what_is_entered_is_found_again(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    assert enter(path, folder, ["ann", "bob", "ann"]) == 1
    with ReleaseLedger.reading(path) as book:
        (entry,) = book.entries()
        assert (entry.number, entry.people, entry.method, entry.unit) == (1, 2, "seqanon", "person")
        assert entry.guarantees == ({"model": "km", "parameters": {"k": 2, "m": 2}},)
        assert entry.directory == folder.resolve()
        assert entry.state == "as written"
        assert book.shared(entry, book.hashed(["bob", "cy"])) == set(book.hashed(["bob"]))
        assert book.shared(entry, book.hashed(["cy"])) == set()


def test_unknown_people_are_nobody_in_particular(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, published(tmp_path / "one"), None)
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].people is None


def test_names_are_not_in_the_file_and_only_the_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, published(tmp_path / "one"), ["Ann Outerbridge", "Bob"])
    assert b"Outerbridge" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(path)) as connection:
        (about,) = connection.execute("SELECT value FROM about WHERE name = 'about'").fetchone()
    assert about.startswith("private:")


def test_two_ledgers_do_not_tell_that_they_know_the_same_person(tmp_path: Path) -> None:
    folder = published(tmp_path / "one")
    hashes = []
    for name in ("a.ledger", "b.ledger"):
        enter(tmp_path / name, folder, ["ann"])
        with ReleaseLedger.reading(tmp_path / name) as book:
            hashes += book.hashed(["ann"])
    assert hashes[0] != hashes[1]


def test_a_directory_that_is_gone_or_changed_is_told(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    enter(path, folder, ["ann"])
    (folder / "data.csv").write_text("other")
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].state == "changed"
    (folder / "data.csv").unlink()
    folder.rmdir()
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].state == "gone"


def test_a_directory_may_move_if_it_stays_the_same(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    enter(path, folder, ["ann"])
    moved = folder.rename(tmp_path / "two")
    with ReleaseLedger.writing(path) as book:
        book.move(1, moved)
        with pytest.raises(FileError, match="wanted the number of a release, got 7"):
            book.move(7, moved)
    other = published(tmp_path / "three", "other")
    with (
        pytest.raises(FileError, match="wanted the files of release 1, found others"),
        ReleaseLedger.writing(path) as book,
    ):
        book.move(1, other)
    with ReleaseLedger.reading(path) as book:
        (entry,) = book.entries()
        assert (entry.directory, entry.state) == (moved.resolve(), "as written")


def test_nothing_is_kept_of_what_fails(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    enter(path, folder, ["ann"])

    def fails() -> None:
        with ReleaseLedger.writing(path) as book:
            book.enter(folder, CERTIFICATE, book.hashed(["bob"]))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()
    with ReleaseLedger.reading(path) as book:
        assert len(book.entries()) == 1
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


@pytest.mark.parametrize(
    "content", [b"", b"trajectory,location\n1,a\n", b"SQLite format 3\0" + b"\xff" * 5000, bytes(4096)]
)
def test_what_is_no_ledger_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.ledger"
    path.write_bytes(content)
    for opened in (ReleaseLedger.reading, ReleaseLedger.writing):
        with (
            pytest.raises(FileError, match="wanted a ledger of releases, found something else or a damaged one"),
            opened(path),
        ):
            pass
    assert path.read_bytes() == content


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
    with pytest.raises(FileError, match="found something else"), ReleaseLedger.writing(path):
        pass


def test_a_ledger_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, published(tmp_path / "one"), ["ann"])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE about SET value = 2 WHERE name = 'version'")
        connection.commit()
    sentence = "wanted a ledger of version 1, found version 2; it was written by another version of sfumato"
    with pytest.raises(FileError, match=sentence), ReleaseLedger.reading(path):
        pass


def test_a_cut_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, published(tmp_path / "one"), [str(name) for name in range(2000)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FileError, match="found something else or a damaged one"), ReleaseLedger.reading(path) as book:
        book.shared(book.entries()[0], book.hashed(["1"]))


def test_places_where_no_ledger_can_be(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="found a directory"), ReleaseLedger.reading(tmp_path):
        pass
    with pytest.raises(FileError, match="no such file"), ReleaseLedger.reading(tmp_path / "none"):
        pass
    with pytest.raises(OutputError, match="cannot be written"), ReleaseLedger.writing(tmp_path / "no" / "where"):
        pass


def test_a_second_writer_waits_and_sees_what_the_first_one_entered(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    seen: list[int] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait()
        with ReleaseLedger.writing(path) as book:
            seen.append(len(book.entries()))

    thread = threading.Thread(target=second)
    thread.start()
    with ReleaseLedger.writing(path) as book:
        inside.set()
        thread.join(timeout=0.3)
        assert seen == []
        book.enter(folder, CERTIFICATE, book.hashed(["ann"]))
    thread.join()
    assert seen == [1]


def test_a_writer_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.ledger"
    monkeypatch.setattr(room, "_WAIT_S", 0.05)
    with (
        ReleaseLedger.writing(path),
        pytest.raises(OutputError, match="another release is being entered"),
        ReleaseLedger.writing(path),
    ):
        pass


def test_many_makers_make_one_ledger(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", published(tmp_path / "one")
    threads = [threading.Thread(target=enter, args=(path, folder, [str(at)])) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ReleaseLedger.reading(path) as book:
        assert [entry.number for entry in book.entries()] == list(range(1, 9))


def test_a_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    one, two = published(tmp_path / "one"), published(tmp_path / "two")
    assert digest_of(one) == digest_of(two)
    (two / "data.csv").rename(two / "other.csv")
    assert digest_of(one) != digest_of(two)
    assert digest_of(tmp_path / "three") is None
