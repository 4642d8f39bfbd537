"""The ledger of releases: what it keeps, what it refuses, and two writers at a time."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import FileError, OutputError
from sfumato.io.atomic_writes import fresh_directory
from sfumato.io.published import ledger_file
from sfumato.io.published.certificate import Certificate, Guarantee
from sfumato.io.published.ledger import VERSION, ReleaseLedger, digest_of

CERTIFICATE = Certificate(
    kind="trajectories",
    unit="person",
    method="seqanon",
    parameters={"k": 2, "m": 2},
    seeded=False,
    guarantees=(Guarantee("km", {"k": 2, "m": 2}, {"holds": True}),),
    records={},
    not_covered=(),
)


def published(folder: Path, text: str = "trajectory,step,location\n") -> Path:
    folder.mkdir()
    (folder / "data.csv").write_text(text)
    return folder


def publish(book: ReleaseLedger, folder: Path, names: list[str] | None, text: str = "trajectory\n") -> None:
    with fresh_directory(folder, book.intend(folder, CERTIFICATE, names and book.hashed(names))) as partial:
        (partial / "data.csv").write_text(text)


def enter(path: Path, folder: Path, names: list[str] | None) -> Path:
    """A directory that appears, and its entry in the ledger."""
    with ReleaseLedger.writing(path) as book:
        publish(book, folder, names)
    return folder


def killed(path: Path, out: Path, names: list[str], *, renamed: bool = False) -> Path:
    """What a run that was killed before or after the directory appeared has left; returns its temporary directory."""
    with ReleaseLedger.writing(path) as book:
        steps = book.intend(out, CERTIFICATE, book.hashed(names))
        partial = steps.partial(out)
        partial.mkdir()
        (partial / "data.csv").write_text("trajectory\n")
        steps.announce(partial)
        if renamed:
            partial.replace(out)
    return partial


def entries(path: Path, **closed: bool) -> list[Any]:
    with ReleaseLedger.reading(path) as book:
        return book.entries(**closed)


def test_what_is_entered_is_found_again(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", tmp_path / "one"
    enter(path, folder, ["ann", "bob", "ann"])
    with ReleaseLedger.reading(path) as book:
        (entry,) = book.entries()
        assert (entry.number, entry.people, entry.method, entry.unit) == (1, 2, "seqanon", "person")
        assert entry.guarantees == ({"model": "km", "parameters": {"k": 2, "m": 2}},)
        assert entry.directory == folder.resolve()
        assert (entry.state, entry.files) == ("published", "as written")
        assert book.shared(entry, book.hashed(["bob", "cy"])) == set(book.hashed(["bob"]))
        assert book.shared(entry, book.hashed(["cy"])) == set()


def test_unknown_people_are_nobody_in_particular(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", None)
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].people is None


def test_names_are_not_in_the_file_and_only_the_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["Ann Outerbridge", "Bob"])
    assert b"Outerbridge" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(sqlite3.connect(path)) as connection:
        (about,) = connection.execute("SELECT value FROM about WHERE name = 'about'").fetchone()
    assert about.startswith("private:")


def test_two_ledgers_do_not_tell_that_they_know_the_same_person(tmp_path: Path) -> None:
    hashes = []
    for name in ("a.ledger", "b.ledger"):
        enter(tmp_path / name, tmp_path / name[0], ["ann"])
        with ReleaseLedger.reading(tmp_path / name) as book:
            hashes += book.hashed(["ann"])
    assert hashes[0] != hashes[1]


def test_a_directory_that_is_gone_or_changed_is_told(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", tmp_path / "one"
    enter(path, folder, ["ann"])
    (folder / "data.csv").write_text("other")
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].files == "changed"
    (folder / "data.csv").unlink()
    folder.rmdir()
    with ReleaseLedger.reading(path) as book:
        assert book.entries()[0].files == "gone"


def test_a_directory_may_move_if_it_stays_the_same(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", tmp_path / "one"
    enter(path, folder, ["ann"])
    moved = folder.rename(tmp_path / "two")
    with ReleaseLedger.writing(path) as book:
        book.move(1, moved)
        with pytest.raises(FileError, match="wanted the number of a release, found 7"):
            book.move(7, moved)
    other = published(tmp_path / "three", "other")
    with (
        pytest.raises(FileError, match="wanted the files of release 1"),
        ReleaseLedger.writing(path) as book,
    ):
        book.move(1, other)
    with ReleaseLedger.reading(path) as book:
        (entry,) = book.entries()
        assert (entry.directory, entry.files) == (moved.resolve(), "as written")


def test_nothing_is_kept_of_what_fails(tmp_path: Path) -> None:
    path, folder = tmp_path / "people.ledger", tmp_path / "one"
    enter(path, folder, ["ann"])

    def fails() -> None:
        with (
            ReleaseLedger.writing(path) as book,
            fresh_directory(tmp_path / "two", book.intend(tmp_path / "two", CERTIFICATE, None)),
        ):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()
    with ReleaseLedger.reading(path) as book:
        assert len(book.entries()) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "people.ledger"]


@pytest.mark.parametrize(
    "content", [b"", b"trajectory,location\n1,a\n", b"SQLite format 3\0" + b"\xff" * 5000, bytes(4096)]
)
def test_what_is_no_ledger_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.ledger"
    path.write_bytes(content)
    for opened in (ReleaseLedger.reading, ReleaseLedger.writing):
        with (
            pytest.raises(FileError, match="wanted a ledger of releases"),
            opened(path),
        ):
            pass
    assert path.read_bytes() == content


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
    with pytest.raises(FileError, match="found another or a damaged file"), ReleaseLedger.writing(path):
        pass


def test_a_ledger_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["ann"])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE about SET value = 3 WHERE name = 'version'")
        connection.commit()
    sentence = "wanted a ledger of version 2, found version 3; it was written by another version of sfumato"
    with pytest.raises(FileError, match=sentence), ReleaseLedger.reading(path):
        pass


def test_a_cut_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", [str(name) for name in range(2000)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FileError, match="found another or a damaged file"), ReleaseLedger.reading(path) as book:
        book.shared(book.entries()[0], book.hashed(["1"]))


def test_places_where_no_ledger_can_be(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="found a directory"), ReleaseLedger.reading(tmp_path):
        pass
    with pytest.raises(FileError, match="no such file"), ReleaseLedger.reading(tmp_path / "none"):
        pass
    with pytest.raises(OutputError, match="cannot be written"), ReleaseLedger.writing(tmp_path / "no" / "where"):
        pass


def test_a_second_writer_waits_and_sees_what_the_first_one_entered(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
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
        publish(book, tmp_path / "one", ["ann"])
    thread.join()
    assert seen == [1]


def test_a_writer_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.ledger"
    monkeypatch.setattr(ledger_file, "WAIT_S", 0.05)
    with (
        ReleaseLedger.writing(path),
        pytest.raises(OutputError, match="entering a release for more than"),
        ReleaseLedger.writing(path),
    ):
        pass


def test_many_makers_make_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    threads = [threading.Thread(target=enter, args=(path, tmp_path / str(at), [str(at)])) for at in range(8)]
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


# ---- what a killed run has left


def test_a_directory_that_appeared_is_published(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    killed(path, tmp_path / "one", ["ann"], renamed=True)
    (entry,) = entries(path)
    assert (entry.state, entry.files, entry.people) == ("published", "as written", 1)


@pytest.mark.parametrize("empty", [False, True])
def test_a_directory_that_never_appeared_is_forgotten_with_its_files(tmp_path: Path, empty: bool) -> None:
    path = tmp_path / "people.ledger"
    if empty:
        (tmp_path / "one").mkdir()
    partial = killed(path, tmp_path / "one", ["ann"])
    assert partial.is_dir()
    assert entries(path) == []
    assert not partial.exists()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM people").fetchone() == (0,)


def test_a_directory_that_is_not_found_counts_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    killed(path, tmp_path / "one", ["ann"], renamed=True)
    moved = (tmp_path / "one").rename(tmp_path / "two")
    for _ in range(2):
        (entry,) = entries(path)
        assert (entry.state, entry.files) == ("intended", "gone")
    with ReleaseLedger.reading(path) as book:
        assert book.shared(entry, book.hashed(["ann"])) == set(book.hashed(["ann"]))
    with ReleaseLedger.writing(path) as book:
        book.close(1)
    assert entries(path) == []
    assert [entry.state for entry in entries(path, closed=True)] == ["closed"]
    with ReleaseLedger.writing(path) as book:
        book.move(1, moved)  # found after all
        entry = book.entries()[0]
        assert (entry.state, entry.files, entry.directory) == ("published", "as written", moved.resolve())
        assert book.shared(entry, book.hashed(["ann"])) == set(book.hashed(["ann"]))


def test_only_what_is_intended_and_not_found_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["ann"])
    with pytest.raises(FileError, match="found release 1, which is published"), ReleaseLedger.writing(path) as book:
        book.close(1)
    with pytest.raises(FileError, match="wanted the number of a release, found 2"), ReleaseLedger.writing(path) as book:
        book.close(2)


def test_files_that_were_copied_to_their_place_are_published(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    partial = killed(path, tmp_path / "one", ["ann"])
    shutil.copytree(partial, tmp_path / "one")
    assert [entry.state for entry in entries(path)] == ["published"]
    assert not partial.exists()


def test_other_files_in_its_place_are_not_what_was_intended(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    killed(path, tmp_path / "one", ["ann"], renamed=True)
    (tmp_path / "one" / "data.csv").write_text("other")
    (entry,) = entries(path)
    assert (entry.state, entry.files) == ("intended", "changed")


def test_the_next_writer_settles_first(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    partial = killed(path, tmp_path / "one", ["ann"])
    enter(path, tmp_path / "one", ["bob"])
    assert not partial.exists()
    assert [(entry.number, entry.state, entry.people) for entry in entries(path)] == [(1, "published", 1)]


def test_a_run_without_the_ledger_does_not_remove_the_proof(tmp_path: Path) -> None:
    """Another directory of the same name does not make an unpublished release look as if it had been moved."""
    path = tmp_path / "people.ledger"
    partial = killed(path, tmp_path / "one", ["ann"])
    with fresh_directory(tmp_path / "one") as folder:
        (folder / "data.csv").write_text("other")
    assert partial.is_dir()
    assert entries(path) == []
    assert (tmp_path / "one" / "data.csv").read_text() == "other"


@pytest.mark.parametrize("name", ["elsewhere", ".one.x.entering/..", "sub/.one.x.entering", ".two.x.entering"])
def test_no_other_directory_is_taken_for_a_temporary_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / "people.ledger"
    killed(path, tmp_path / "one", ["ann"], renamed=True)
    shutil.rmtree(tmp_path / "one")
    (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / name / "mine").write_text("kept")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE releases SET partial = ?", (str(tmp_path / name),))
        connection.commit()
    assert [entry.state for entry in entries(path)] == ["intended"]
    assert (tmp_path / name / "mine").read_text() == "kept"


def test_a_ledger_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["ann"])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "ALTER TABLE releases DROP COLUMN state; ALTER TABLE releases DROP COLUMN partial; "
            "UPDATE about SET value = 1 WHERE name = 'version';"
        )
    before = path.read_bytes()
    for opened in (ReleaseLedger.reading, ReleaseLedger.writing):
        path.write_bytes(before)
        with opened(path) as book:
            assert [(entry.number, entry.state, entry.people) for entry in book.entries()] == [(1, "published", 1)]
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT value FROM about WHERE name = 'version'").fetchone() == (VERSION,)
            assert connection.execute("SELECT state FROM releases").fetchall() == [("published",)]


def test_a_ledger_that_cannot_be_written_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.ledger"
    partial = killed(path, tmp_path / "one", ["ann"])

    def refused(*_: object) -> None:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(ledger_file, "begin_settled", refused)
    assert [entry.state for entry in entries(path)] == ["intended"]
    assert partial.is_dir()


def test_a_hot_journal_is_rolled_back(tmp_path: Path) -> None:
    """A copy that is made while a transaction is being written is what a power cut leaves."""
    path, cut = tmp_path / "people.ledger", tmp_path / "cut.ledger"
    enter(path, tmp_path / "one", ["ann"])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        rows = [(1, number.to_bytes(16)) for number in range(20_000)]
        connection.executemany("INSERT INTO people (release, person) VALUES (?, ?)", rows)
        for ending in ("", "-journal"):
            shutil.copy(f"{path}{ending}", f"{cut}{ending}")
        connection.execute("ROLLBACK")
    assert (tmp_path / "cut.ledger-journal").stat().st_size > 0
    (entry,) = entries(cut)
    with ReleaseLedger.reading(cut) as book:
        assert len(book.shared(entry, [row[1] for row in rows])) == 0
        assert len(book.shared(entry, book.hashed(["ann"]))) == 1
    assert not (tmp_path / "cut.ledger-journal").exists()


def test_a_ledger_that_is_full_leaves_no_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["ann"])
    connect = sqlite3.connect

    def small(*words: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*words, **named)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(OutputError, match=r"the ledger cannot be used \(database or disk is full\)"):
        enter(path, tmp_path / "two", [str(name) for name in range(5_000)])
    monkeypatch.undo()
    assert [entry.number for entry in entries(path)] == [1]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "people.ledger"]


def test_nobody_sees_an_intention_whose_run_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.ledger"
    enter(path, tmp_path / "one", ["ann"])
    monkeypatch.setattr(ledger_file, "WAIT_S", 0.05)
    seen: list[str] = []

    with ReleaseLedger.writing(path) as book:
        steps = book.intend(tmp_path / "two", CERTIFICATE, None)
        settle = steps.settle

        def look() -> None:
            for opened in (ReleaseLedger.reading, ReleaseLedger.writing):
                with pytest.raises(OutputError), opened(path):
                    pass
                seen.append("refused")
            settle()

        steps.settle = look  # type: ignore[method-assign]
        with fresh_directory(tmp_path / "two", steps) as folder:
            (folder / "data.csv").write_text("x")
    assert seen == ["refused", "refused"]
    assert [entry.state for entry in entries(path)] == ["published", "published"]


def test_an_interruption_after_the_directory_appeared_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"

    def interrupted() -> None:
        with ReleaseLedger.writing(path) as book:
            steps = book.intend(tmp_path / "one", CERTIFICATE, book.hashed(["ann"]))

            def settle() -> None:
                assert (tmp_path / "one").is_dir()
                raise KeyboardInterrupt

            steps.settle = settle  # type: ignore[method-assign]
            with fresh_directory(tmp_path / "one", steps) as folder:
                (folder / "data.csv").write_text("x")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert entries(path) == []
    assert [file.name for file in tmp_path.iterdir()] == ["people.ledger"]


def test_a_signature_does_not_change_what_was_entered(tmp_path: Path) -> None:
    folder = published(tmp_path / "one")
    before = digest_of(folder)
    (folder / "certificate.json.sig").write_text("signed")
    assert digest_of(folder) == before
