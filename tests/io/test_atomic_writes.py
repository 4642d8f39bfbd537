"""Writing files and directories: whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import BinaryIO

import pytest

from sfumato.errors import OutputError
from sfumato.io.atomic_writes import fresh_directory, write_bytes, write_json, write_parts, write_texts
from sfumato.io.outputs import require_fresh


def test_a_gzip_file_says_nothing_about_when_it_was_made(tmp_path: Path) -> None:
    write_bytes(b"x", tmp_path / "a.gz")
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)


def test_json_is_readable_and_complete(tmp_path: Path) -> None:
    write_json({"näme": [1, None]}, tmp_path / "v.json")
    text = (tmp_path / "v.json").read_text(encoding="utf-8")
    assert "näme" in text
    assert text.endswith("}\n")
    assert json.loads(text) == {"näme": [1, None]}


# ---- whole or not at all


@pytest.mark.parametrize("name", ["v.txt", "v.txt.gz"])
def test_a_file_is_replaced_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("old")

    def full(file: BinaryIO) -> None:
        file.write(b"n")
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError) as refusal:
        write_parts(full, path)
    assert str(refusal.value) == f"{path}: cannot be written (No space left on device)"
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == [name]
    write_bytes(b"new", path)
    assert (gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()) == b"new"


def test_parts_are_the_bytes(tmp_path: Path) -> None:
    for name in ("v", "v.gz"):
        write_bytes(b"new" * 9, tmp_path / f"whole-{name}")
        write_parts(lambda file: file.writelines([b"new"] * 9), tmp_path / f"parts-{name}")
    assert (tmp_path / "parts-v").read_bytes() == (tmp_path / "whole-v").read_bytes()
    assert gzip.decompress((tmp_path / "parts-v.gz").read_bytes()) == b"new" * 9
    assert (tmp_path / "parts-v.gz").read_bytes()[3:8] == bytes(5)  # no name, no time


def test_a_file_that_cannot_go_where_it_should(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"v.txt: cannot be written \(No such file or directory\)$"):
        write_bytes(b"x", tmp_path / "nowhere" / "v.txt")
    with pytest.raises(OutputError, match="wanted the name of a file"):
        write_bytes(b"x", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_files_and_directories_obey_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_bytes(b"x", tmp_path / "v.txt")
        with fresh_directory(tmp_path / "out"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "v.txt").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


def test_a_directory_appears_when_everything_is_in_it(tmp_path: Path) -> None:
    with fresh_directory(tmp_path / "out") as folder:
        (folder / "a").write_text("1")
        assert not (tmp_path / "out").exists()
    assert (tmp_path / "out" / "a").read_text() == "1"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_an_empty_directory_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with fresh_directory(tmp_path / "out") as folder:
        (folder / "a").write_text("1")
    assert (tmp_path / "out" / "a").exists()


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_interrupted_directory_leaves_nothing(tmp_path: Path, interruption: type[BaseException]) -> None:
    def interrupted() -> None:
        with fresh_directory(tmp_path / "out") as folder:
            (folder / "a").write_text("1")
            raise interruption

    with pytest.raises(interruption):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_swept_and_a_living_one_is_not(tmp_path: Path) -> None:
    dead = 2**22 + 1  # above the highest process number
    for name in (f".out.{dead}.ab.partial", f".out.{os.getpid()}.ab.partial", f".other.{dead}.ab.partial"):
        (tmp_path / name).mkdir()
    with fresh_directory(tmp_path / "out"):
        pass
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f".other.{dead}.ab.partial",
        f".out.{os.getpid()}.ab.partial",
        "out",
    ]


def test_an_output_that_exists_is_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "file"):
        with pytest.raises(OutputError, match=rf"{name}: exists already; choose another name or remove it first$"):
            require_fresh(tmp_path / name)
    assert (tmp_path / "full" / "a").read_text() == "mine"
    with pytest.raises(OutputError, match=r"out: the directory .*nowhere does not exist"):
        require_fresh(tmp_path / "nowhere" / "out")


def test_a_forbidden_output_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OutputError, match=r"out: the directory .* cannot be written to$"):
        require_fresh(tmp_path / "out")


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    def late() -> None:
        with fresh_directory(tmp_path / "out") as folder:
            (folder / "a").write_text("1")
            (tmp_path / "out").write_text("somebody was faster")

    with pytest.raises(OutputError, match=r"out: cannot be written \(Not a directory\)$"):
        late()
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_several_texts_appear_together_or_not_at_all(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "missing" / "b.csv"
    with pytest.raises(OutputError):
        write_texts({first: "x\n", second: "y\n"})
    assert list(tmp_path.iterdir()) == []
    write_texts({first: "x\n", tmp_path / "b.csv": "y\n"})
    assert first.read_text() == "x\n"
