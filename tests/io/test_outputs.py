"""Where an output may go, whichever command writes it."""

from __future__ import annotations

import os
import socket
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from sfumato.errors import OutputError
from sfumato.io.atomic_writes import fresh_directory, prepared_file, write_bytes, write_json, write_parts
from sfumato.io.outputs import is_database, require_fresh, require_output, require_outputs
from sfumato.io.published.ledger import ReleaseLedger


def refusal(path: Path, **named: object) -> str:
    with pytest.raises(OutputError) as refused:
        require_output(path, "report", **named)
    return str(refused.value)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "people.ledger"
    with ReleaseLedger.writing(path):
        pass
    return path


def test_an_ordinary_file_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("old")
    require_output(tmp_path / "report.json", "report", inputs=[tmp_path / "visits.csv"], public=tmp_path / "out")
    require_output(tmp_path / "new.json", "report")


def test_an_input_is_not_replaced_under_any_of_its_names(tmp_path: Path) -> None:
    visits = tmp_path / "visits.csv"
    visits.write_text("x")
    os.link(visits, tmp_path / "hard")
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in ("visits.csv", "./visits.csv", "hard", "folder/visits.csv"):
        sentence = "the report would replace an input of this command; choose another name"
        assert refusal(tmp_path / name, inputs=[visits]) == f"{tmp_path / name}: {sentence}"
    (tmp_path / "soft").symlink_to(visits)
    assert "would replace an input" in refusal(tmp_path / "soft", inputs=[visits])


def test_a_file_of_an_input_directory_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "age.csv").write_text("x")
    sentence = refusal(tmp_path / "hierarchies" / "age.csv", inputs=[tmp_path / "hierarchies"])
    assert "would replace a file in the input" in sentence
    require_output(tmp_path / "hierarchies" / "new.json", "report", inputs=[tmp_path / "hierarchies"])


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    one = tmp_path / "one.csv"
    with pytest.raises(OutputError, match="the second would replace another output of this command"):
        require_outputs([("first", one), ("none", None), ("second", one)])


@pytest.mark.parametrize("ending", ["", "-journal", "-wal"])
def test_a_ledger_is_not_replaced(ledger: Path, ending: str) -> None:
    path = ledger.with_name(ledger.name + ending)
    before = ledger.read_bytes()
    wanted = "is a ledger or another database, which" if not ending else f"belongs to the database {ledger}"
    assert f"{path}: {wanted}" in refusal(path)
    with pytest.raises(OutputError, match=r"people\.ledger"):
        write_bytes(b"new", path)
    assert ledger.read_bytes() == before


def test_a_database_is_known_by_its_content(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(ledger.read_bytes()[:5000])
    (tmp_path / "text").write_text("SQLite format 4")
    (tmp_path / "empty").write_text("")
    assert [is_database(path) for path in (ledger, tmp_path / "cut", tmp_path / "text", tmp_path / "empty")] == [
        True,
        True,
        False,
        False,
    ]
    assert not is_database(tmp_path)
    assert not is_database(tmp_path / "none")


def test_links_devices_pipes_and_directories_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "socket"))
    for name, sentence in {
        "link": "is a symbolic link, which would be replaced; name the file itself",
        "circle": "is a symbolic link, which would be replaced; name the file itself",
        "pipe": "is a device, a pipe or a socket, which would be replaced; choose another name",
        "socket": "is a device, a pipe or a socket, which would be replaced; choose another name",
        "": "wanted the name of a file, found a directory; choose another name",
    }.items():
        path = tmp_path / name
        assert refusal(path) == f"{path}: {sentence}"
        with pytest.raises(OutputError, match=sentence):
            write_bytes(b"x", path)
    assert "is a device" in refusal(Path("/dev/null"))


def test_nothing_is_added_to_a_published_directory(tmp_path: Path) -> None:
    (tmp_path / "one" / "context").mkdir(parents=True)
    (tmp_path / "one" / "certificate.json").write_text("{}")
    for path in (tmp_path / "one" / "data.csv", tmp_path / "one" / "context" / "new"):
        assert "the report is private and must not be in" in refusal(path)
        with pytest.raises(OutputError, match="which is published and complete"):
            write_json({}, path)
        with pytest.raises(OutputError, match="which is published and complete"):
            require_fresh(path)


@pytest.mark.parametrize("what", ["link", "pipe", "dangling"])
def test_a_directory_replaces_no_link_and_no_pipe(tmp_path: Path, what: str) -> None:
    out = tmp_path / "out"
    if what == "pipe":
        os.mkfifo(out)
    else:
        (tmp_path / "empty").mkdir()
        out.symlink_to("empty" if what == "link" else "nowhere")
    with pytest.raises(OutputError, match="exists already"):
        require_fresh(out)


def test_files_are_for_their_owner_alone_from_the_first_byte(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o666)
    seen: list[int] = []

    def watched(file: BinaryIO) -> None:
        seen.append(stat.S_IMODE(os.fstat(file.fileno()).st_mode))

    before = os.umask(0)
    try:
        write_parts(watched, path)
        with fresh_directory(tmp_path / "private", private=True):
            pass
        with fresh_directory(tmp_path / "public"):
            pass
    finally:
        os.umask(before)
    assert seen == [0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "public").stat().st_mode) == 0o777


def test_a_prepared_file_is_put_in_place_or_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    with prepared_file(path, b"new") as prepared:
        prepared.take_back()
        assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["report.json"]
    with prepared_file(path, b"new") as prepared:
        prepared.place()
        assert path.read_text() == "new"
        prepared.take_back()
    assert list(tmp_path.iterdir()) == []


def test_what_killed_runs_left_of_a_file_is_swept(tmp_path: Path) -> None:
    (tmp_path / f".report.json.{2**22 + 1}.ab.partial").write_text("cut")
    (tmp_path / f".report.json.{os.getpid()}.ab.partial").write_text("alive")
    write_json({}, tmp_path / "report.json")
    assert sorted(file.name for file in tmp_path.iterdir()) == [f".report.json.{os.getpid()}.ab.partial", "report.json"]


def test_names_that_a_new_ledger_needs_are_refused(tmp_path: Path) -> None:
    for ending in ("-journal", "-wal", "-shm"):
        with pytest.raises(OutputError, match="SQLite needs this name"):
            require_outputs([("report", tmp_path / f"new.db{ending}")], inputs=[tmp_path / "new.db"])


def test_a_directory_is_not_put_where_a_ledger_keeps_its_journal(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "l.db")) as connection:
        connection.execute("CREATE TABLE x (y)")
    with pytest.raises(OutputError, match="belongs to the database"):
        require_fresh(tmp_path / "l.db-journal")
