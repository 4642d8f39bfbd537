"""Reading files: plain or gzipped."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.io import files
from sfumato.io.atomic_writes import write_bytes
from sfumato.io.files import read_bytes, read_text, suffix_of


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
