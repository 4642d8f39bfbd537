"""Opening and writing files: plain or gzipped, whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from sfumato.errors import FileError, OutputError
from sfumato.io import files
from sfumato.io.files import fresh_directory, read_bytes, read_text, require_fresh, suffix_of, write_bytes, write_json


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("v.csv", ".csv"),
        ("v.CSV.GZ", ".csv"),
        ("a.b/v.txt", ".txt"),
        ("v", ""),
        ("v.gz", ""),
        (".csv", ""),
        ("v.dat.gz", ".dat"),
    ],
)
def test_the_ending_says_the_format(name: str, ending: str) -> None:
    assert suffix_of(name) == ending
    assert suffix_of(Path(name)) == ending


@pytest.mark.parametrize("name", ["plain.txt", "zipped.txt.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    write_bytes("päth\n".encode(), tmp_path / name)
    assert read_text(tmp_path / name) == "päth\n"
    assert ((tmp_path / name).read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_gzip_file_says_nothing_about_when_it_was_made(tmp_path: Path) -> None:
    write_bytes(b"x", tmp_path / "a.gz")
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)


def test_gzip_is_recognised_whatever_the_name(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_bytes(gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n"))
    assert read_bytes(tmp_path / "v.csv") == b"a,b\n1,2\n"
    assert files.first_line_of(tmp_path / "v.csv") == b"a,b\n"


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_bytes(b"\xef\xbb\xbfa b\n")
    assert read_text(tmp_path / "v.txt") == "a b\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "v.txt: the file is empty"),
        (b" \n\t\n", "v.txt: the file is empty"),
        (b"zelda\nb\n\xe9\n", "v.txt, line 3: wanted text in UTF-8, found something else"),
        ("zelda".encode("utf-16"), "v.txt, line 1: wanted text in UTF-8, found something else"),
        (gzip.compress(b"zelda" * 99, mtime=0)[:-9], "v.txt: the gzip file ends early or is damaged"),
        (b"\x1f\x8b zelda", "v.txt: the gzip file ends early or is damaged"),
        (gzip.compress(b"zelda" * 99, mtime=0)[:-8] + b"12345678", "v.txt: the gzip file ends early or is damaged"),
    ],
)
def test_text_that_cannot_be_read(refused, content: bytes, sentence: str) -> None:
    assert refused("v.txt", content, read_text) == sentence


def test_a_name_that_promises_gzip(refused) -> None:
    for content in (b"", b"a b\n"):
        assert (
            refused("v.txt.gz", content, read_text)
            == "v.txt.gz: wanted a gzip file, found another format or a damaged file"
        )


def test_no_file_a_directory_and_a_forbidden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileError, match=r"nothing.txt: no such file$"):
        read_text(tmp_path / "nothing.txt")
    with pytest.raises(FileError, match=rf"{tmp_path}: wanted a file, found a directory$"):
        read_text(tmp_path)
    (tmp_path / "v.txt").write_text("a")

    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(FileError, match=r"v.txt: cannot be read \(Permission denied\)$"):
        read_text(tmp_path / "v.txt")


def test_json_is_readable_and_complete(tmp_path: Path) -> None:
    write_json({"näme": [1, None]}, tmp_path / "v.json")
    text = (tmp_path / "v.json").read_text(encoding="utf-8")
    assert "näme" in text
    assert text.endswith("}\n")
    assert json.loads(text) == {"näme": [1, None]}


# ---- whole or not at all


def test_a_file_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.txt"
    path.write_text("old")

    def full(self: Path, content: bytes) -> int:
        with open(self, "wb") as file:
            file.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError) as refusal:
        write_bytes(b"new", path)
    assert str(refusal.value) == f"{path}: cannot be written (No space left on device)"
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["v.txt"]


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
