"""Only regular files of a published directory are opened."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato.data import Trajectories
from sfumato.errors import FileError
from sfumato.io.published import directory as published
from sfumato.io.published import folder as folders
from sfumato.io.published.certificate import Certificate

VERDICT = {"holds": True, "checked_from": "files", "measured": {"smallest": 2}, "witnesses": [{"pattern": ["a"]}]}


GUARANTEE = {"model": "km", "parameters": {"k": 2, "m": 1}, "verdict": VERDICT}


def told(**changed: Any) -> dict[str, Any]:
    return {
        "sfumato": "0.1.0",
        "kind": "trajectories",
        "unit": "record",
        "method": "test",
        "parameters": {"k": 2},
        "seeded": False,
        "guarantees": [GUARANTEE],
        "records": {"published": 1},
        "not_covered": ["a sentence", {"key": "times", "text": "times"}],
        "files": {},
    } | changed


def claimed(**changed: Any) -> Certificate:
    return Certificate.parse(json.dumps(told(**changed)).encode(), "certificate.json")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return published.write(Trajectories.from_lists([["a", "b"]]).published()[0], claimed(), tmp_path / "out")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "secret.csv"
    path.parent.mkdir()
    path.write_text("trajectory,step,location\n1,1,SECRET\n")
    return path


def listed(out: Path, name: str, digest: str) -> None:
    found = json.loads((out / "certificate.json").read_text())
    found["files"][name] = digest
    (out / "certificate.json").write_text(json.dumps(found))


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_linked_data_file_is_not_followed(out: Path, secret: Path) -> None:
    (out / "data.csv").unlink()
    (out / "data.csv").symlink_to(secret)
    listed(out, "data.csv", sha(secret.read_bytes()))
    found = published.read(out)
    assert found.data is None
    assert found.problems == ("data.csv is a symbolic link; a published directory holds plain files",)


def test_a_linked_context_is_not_followed(out: Path, secret: Path) -> None:
    (secret.parent / "taxonomy.csv").write_text("node,parent,sensitive\nall,,\na,all,\nb,all,\n")
    (out / "context").symlink_to(secret.parent)
    listed(out, "context/taxonomy.csv", sha((secret.parent / "taxonomy.csv").read_bytes()))
    found = published.read(out)
    assert found.data is None
    assert found.problems == (
        "context/taxonomy.csv is missing",
        "context is a symbolic link; a published directory holds plain files",
    )


def test_a_linked_certificate_is_refused(out: Path, tmp_path: Path) -> None:
    (out / "certificate.json").rename(tmp_path / "certificate.json")
    (out / "certificate.json").symlink_to(tmp_path / "certificate.json")
    with pytest.raises(FileError, match=r"certificate\.json: wanted a plain file, found a symbolic link"):
        published.read(out)


def test_the_directory_itself_may_be_a_link(out: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(out)
    assert published.read(tmp_path / "latest").problems == ()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        here = os.getcwd()
        try:
            os.chdir(path.parent)
            one.bind(path.name)
        finally:
            os.chdir(here)


@pytest.mark.parametrize("make", [_pipe, _socket])
@pytest.mark.parametrize("name", ["data.csv", "certificate.json", "context/taxonomy.csv", "notes.txt"])
def test_pipes_and_sockets_are_never_opened(out: Path, name: str, make: Callable[[Path], None]) -> None:
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).unlink(missing_ok=True)
    make(out / name)
    if name == "certificate.json":
        with pytest.raises(FileError, match=r"wanted a plain file, found a pipe, a socket or a device$"):
            published.read(out)
        return
    found = published.read(out)
    assert f"{name} is a pipe, a socket or a device; a published directory holds plain files" in found.problems
    assert (found.data is None) == (name != "notes.txt")


def test_directories_and_nothing_inside_them(out: Path) -> None:
    (out / "deep").mkdir()
    (out / "deep" / "x.csv").write_text("x")
    (out / "context").mkdir()
    assert published.read(out).problems == (
        "context is an empty directory; a published directory holds plain files",
        "deep is a directory; a published directory holds plain files",
    )


def test_too_many_files(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "ENTRIES", 10)
    for number in range(12):
        (out / f"{number}.txt").touch()
    with pytest.raises(FileError, match="wanted at most 10 files in a published directory"):
        published.read(out)


def test_names_of_files_in_the_directory(out: Path) -> None:
    (out / os.fsdecode(b"\xff\x1b[2J")).touch()
    assert published.read(out).problems == (r"\udcff\x1b[2J is not listed in the certificate",)
