"""Backup and restore of one person's server: the same afterwards, whole or not at all, only into nothing."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from serving_processes import ADD_STUDY, CHECK_STUDY, STUDY_KEPT
from sfumato.errors import FileError, OutputError
from sfumato.web.serving import backups

PREPARE = """
from sfumato.web.serving.starting import migrate
migrate()
import polars as pl, sqlite3
from sfumato.web.accounts.one_time_links import the_person
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.versions import new_dataset
project = Project.objects.create(name="Clinic", owner=the_person())
new_dataset(project, "patients", pl.DataFrame({"age": [1, 2]}), {"kind": "table"})
ledger = sqlite3.connect(project.folder / "ledger.sqlite")
ledger.execute("PRAGMA journal_mode=WAL"); ledger.execute("CREATE TABLE x (y)")
ledger.execute("INSERT INTO x VALUES (7)")
ledger.commit()
user = the_person()
{ADD_STUDY}
print(project.id)
import os, sys; sys.stdout.flush(); os._exit(0)  # the ledger stays open
"""
CHECK = """
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.versions import digest_of_file
import sqlite3
project = Project.objects.get()
version = project.datasets.get().latest
ledger = sqlite3.connect(project.folder / "ledger.sqlite")
print(project.id, digest_of_file(version.path) == version.sha256, ledger.execute("SELECT y FROM x").fetchone()[0])
"""


def test_a_server_is_the_same_after_backup_and_restore(
    command: Callable[..., Any], script: Callable[..., str], tmp_path: Path
) -> None:
    home, other, file = tmp_path / "one", tmp_path / "other", tmp_path / "backup.tar"
    home.mkdir()
    project = script(PREPARE.replace("{ADD_STUDY}", ADD_STUDY), SFUMATO_HOME=str(home))
    ran = command("backup", file, "--json", SFUMATO_HOME=str(home))
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["files"] >= 4
    assert oct(file.stat().st_mode)[-3:] == "600"
    ran = command("restore", file, SFUMATO_HOME=str(other))
    assert ran.returncode == 0, ran.stderr
    assert script(CHECK + CHECK_STUDY, SFUMATO_HOME=str(other)) == f"{project} True 7\n{STUDY_KEPT}"
    assert (other / "key").read_text() == (home / "key").read_text()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files; the database is a file beside them."""
    folder = tmp_path / "home"
    (folder / "projects").mkdir(parents=True)
    (folder / "projects" / "data").write_text("rows")
    (folder / "link").write_text("not kept")

    def save(place: Path) -> str:
        (place / "database.sqlite3").write_text("tables")
        return "database.sqlite3"

    monkeypatch.setattr(backups, "save_snapshot", save)
    monkeypatch.setattr(backups, "load_snapshot", lambda *_: None)
    monkeypatch.setattr(backups, "is_empty", lambda: True)
    return folder


def test_a_backup_is_whole_or_is_not(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(backups, "_added", fail)
    with pytest.raises(OSError, match="no space"):
        backups.back_up(home, tmp_path / "backup.tar")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_backup_is_not_written_into_what_it_holds(home: Path) -> None:
    with pytest.raises(OutputError, match="outside of the private folder"):
        backups.back_up(home, home / "backup.tar")


def rewritten(file: Path, change: Callable[[tarfile.TarInfo, bytes], tuple[tarfile.TarInfo, bytes] | None]) -> None:
    """The archive with its entries changed, or left out."""
    import io

    with tarfile.open(file) as archive:
        entries = [(entry, archive.extractfile(entry).read()) for entry in archive]  # type: ignore[union-attr]
    with tarfile.open(file, "w") as archive:
        for entry, content in entries:
            changed = change(entry, content)
            if changed is not None:
                changed[0].size = len(changed[1])
                archive.addfile(changed[0], io.BytesIO(changed[1]))


@pytest.mark.parametrize("damage", ["content", "lost", "outside", "cut"])
def test_a_damaged_backup_restores_nothing(home: Path, tmp_path: Path, damage: str) -> None:
    file, other = tmp_path / "backup.tar", tmp_path / "other"
    other.mkdir()
    assert backups.back_up(home, file).files == 2

    def change(entry: tarfile.TarInfo, content: bytes) -> tuple[tarfile.TarInfo, bytes] | None:
        if entry.name == "home/projects/data":
            if damage == "lost":
                return None
            if damage == "outside":
                entry.name = "../../out"
            return entry, b"ROWS"
        return entry, content

    if damage == "cut":
        file.write_bytes(file.read_bytes()[:1000])
    else:
        rewritten(file, change)
    with pytest.raises(FileError, match=r"digest|exactly the files|no file of it|cannot be read"):
        backups.restore(other, file)
    assert list(other.iterdir()) == []
    assert not (tmp_path / "out").exists()


def test_an_undamaged_one_does_into_nothing(home: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.tar", tmp_path / "other"
    other.mkdir()
    backups.back_up(home, file)
    with pytest.raises(OutputError, match="a backup overwrites nothing"):
        backups.back_up(home, file)
    with pytest.raises(OutputError, match="a restore replaces nothing"):
        backups.restore(home, file)
    assert backups.restore(other, file).files == 2
    assert (other / "projects" / "data").read_text() == "rows"
    assert not (other / "link").exists()


def test_a_ledger_in_use_is_copied_in_one_state(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ledger")) as ledger:
        ledger.execute("PRAGMA journal_mode=WAL")
        ledger.execute("CREATE TABLE x (y)")
        ledger.execute("INSERT INTO x VALUES (1)")
        ledger.commit()
        place = tmp_path / "place"
        place.mkdir()
        copy = backups._steady(tmp_path / "ledger", place)
        assert [name for name, _ in backups._named(tmp_path, "") if "ledger-" in name] == []
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("SELECT y FROM x").fetchall() == [(1,)]
