"""The files of a published directory: which are sound, and what they hold."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from sfumato.io.published import directory_files
from sfumato.io.published.directory_files import DirectoryFiles


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {"data.csv": b"a\n", "certificate.json": b"{}", "notes.txt": b"hello"}.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_a_sound_file_is_plain_and_as_listed(folder: Path) -> None:
    (folder / "members.csv").write_bytes(gzip.compress(b"x"))
    (folder / "certificate.json.sig").write_text("no signature")
    zipped = sha((folder / "members.csv").read_bytes())
    found = DirectoryFiles.inspect(folder, {"data.csv": sha(b"a\n"), "members.csv": zipped, "chunks.csv": "0" * 64})
    assert found.sound == {"data.csv"}
    assert found.digests == {"data.csv": sha(b"a\n"), "members.csv": zipped}
    assert found.trusted is False
    assert found.problems == (
        "members.csv is compressed; published files are plain text",
        "chunks.csv is missing",
        "notes.txt is not listed in the certificate",
        "certificate.json.sig is not listed in the certificate and is not a signature",
    )


def test_an_altered_file_keeps_the_digest_that_was_found(folder: Path) -> None:
    found = DirectoryFiles.inspect(folder, {"data.csv": sha(b"b\n")})
    assert found.digests == {"data.csv": sha(b"a\n")}
    assert found.sound == frozenset()
    assert found.trusted is False


def test_contents_are_read_when_they_are_asked_for_and_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "link.csv").symlink_to(folder / "data.csv")
    read, plain = [], directory_files.read_plain
    monkeypatch.setattr(directory_files, "read_plain", lambda where, name: read.append(name) or plain(where, name))
    found = DirectoryFiles.inspect(folder, {"data.csv": sha(b"a\n")})
    assert read == []
    assert found.contents == found.contents == {"data.csv": b"a\n", "notes.txt": b"hello"}
    assert read == ["data.csv", "notes.txt"]
