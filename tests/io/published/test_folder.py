"""Published directories that somebody else wrote: one sentence for each trick, and nothing is read outside them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import socket
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato.data import Table, Trajectories
from sfumato.errors import FileError
from sfumato.io.published import directory as published
from sfumato.io.published import folder as folders
from sfumato.io.published.certificate import Certificate
from sfumato.io.published.certificate_schema import CERTIFICATE_BYTES, FIELDS, OPTIONAL_FIELDS

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


# ---- what is no plain file


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


# ---- names


@pytest.mark.parametrize(
    "name",
    [
        "../secret.csv",
        "/etc/passwd.csv",
        "context/../../x.csv",
        "context//x.csv",
        "./data.csv",
        "data.csv\0",
        "a\x1b[2J.csv",
        "a\nb.csv",
        "\ud800.csv",
        "",
        "x" * 5000 + ".csv",
        "data.csv.gz",
        "context/context/x.csv",
        "a\u202eb.csv",
    ],
)
def test_names_that_no_file_of_a_release_has(out: Path, name: str) -> None:
    listed(out, name, "0" * 64)
    with pytest.raises(FileError) as refusal:
        published.read(out)
    sentence = str(refusal.value)
    assert sentence.isprintable()
    assert len(sentence) < 400


def test_names_of_files_in_the_directory(out: Path) -> None:
    (out / os.fsdecode(b"\xff\x1b[2J")).touch()
    assert published.read(out).problems == (r"\udcff\x1b[2J is not listed in the certificate",)


# ---- sizes, and what expands


def test_a_huge_file_is_not_read(out: Path) -> None:
    with open(out / "data.csv", "r+b") as file:
        file.truncate(folders.DIRECTORY_BYTES + 1)  # sparse: it takes no room
    found = published.read(out)
    assert found.data is None
    assert found.problems == ("the listed files are larger than the 4 GB that are read of a published directory",)


def test_a_large_file_is_digested_in_little_memory(out: Path) -> None:
    with open(out / "data.csv", "r+b") as file:
        file.truncate(256 << 20)
    tracemalloc.start()
    found = published.read(out)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.problems == ("data.csv was altered: its digest is not the one in the certificate",)
    assert found.data is None
    assert most < 16 << 20


def test_a_huge_certificate_is_not_read(out: Path) -> None:
    with open(out / "certificate.json", "r+b") as file:
        file.truncate(CERTIFICATE_BYTES + 1)
    with pytest.raises(FileError, match=r"certificate\.json: wanted at most 4 MB"):
        published.read(out)


def test_compressed_content_is_refused_and_not_expanded(out: Path) -> None:
    bomb = gzip.compress(bytes(1 << 20))
    (out / "data.csv").write_bytes(bomb)
    listed(out, "data.csv", sha(bomb))
    found = published.read(out)
    assert found.data is None
    assert found.problems == ("data.csv is compressed; published files are plain text",)


# ---- nothing is parsed whose digest is wrong


@pytest.mark.parametrize("name", ["data.csv", "members.csv", "context/taxonomy.csv"])
def test_an_unlisted_file_is_never_parsed(out: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads((out / "certificate.json").read_text())
    found["files"].pop(name, None)
    (out / "certificate.json").write_text(json.dumps(found))
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text((out / name).read_text() if (out / name).exists() else "x")
    monkeypatch.setattr(published, "_read_data", lambda *_: pytest.fail("parsed"))
    assert published.read(out).problems == (f"{name} is not listed in the certificate",)


def test_an_altered_file_of_the_context_stops_the_parsing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table({"age": [1, 2]}).published()[0]
    out = published.write(table, claimed(kind="table", records={"published": 2}), tmp_path / "out")
    assert published.read(out).problems == ()
    (out / "context" / "roles.csv").write_text("column,role\nage,other\n")
    monkeypatch.setattr(published, "_read_data", lambda *_: pytest.fail("parsed"))
    assert published.read(out).problems == (
        "context/roles.csv was altered: its digest is not the one in the certificate",
    )


# ---- the certificate


def test_a_whole_certificate_is_read() -> None:
    policy = {"privacy_policy": "rare:2:3", "hierarchies": {"age": "intervals"}}
    whole = told(
        override=True,
        policy=policy,
        records={"published": 1, "suppressed": 0, "added": 2, "split": 3},
        guarantees=[{**GUARANTEE, "beyond": {"share": 0.5}, "verdict": {**VERDICT, "reason": "why"}}],
        files={"data.csv": "0" * 64, "context/roles.csv": "f" * 64},
    )
    raw = json.dumps(whole).encode()
    found = Certificate.parse(raw, "c")
    assert found.to_json() == whole
    assert Certificate.parse(b"\xef\xbb\xbf" + raw, "c") == found
    assert Certificate.parse(found.to_bytes(), "c") == found
    assert found.to_json().keys() == {*FIELDS, *OPTIONAL_FIELDS}


def _in(**changed: Any) -> bytes:
    return json.dumps(told(**changed)).encode()


def _guaranteed(**changed: Any) -> bytes:
    return _in(guarantees=[GUARANTEE | changed])


def _decided(**changed: Any) -> bytes:
    return _guaranteed(verdict=VERDICT | changed)


def _raw(field: str, value: bytes) -> bytes:
    return _in(**{field: "@"}).replace(b'"@"', value)


def _given(value: bytes) -> bytes:
    return _raw("parameters", value)


COUNT = "wanted a whole number of at least 0 in 'records.added', found something else"
DEEP = "wanted at most 64 lists and objects inside each other, found more"
LARGE = "wanted whole numbers of at most 64 bits, found a larger one"
HALF = "wanted valid Unicode in every text, found half of a surrogate pair"
SENTENCES = "wanted texts, or objects of a key and a text, in 'not_covered', found something else"
CERTIFICATES = {
    "unknown field": (_in(seed=7), "wanted only fields of a certificate, found 'seed'"),
    "unknown, unprintable field": (_in(**{"\x1b[2J": 7}), r"wanted only fields of a certificate, found '\x1b[2J'"),
    "version": (_in(sfumato="0.1 or so"), "wanted a version in 'sfumato', found something else"),
    "unit": (_in(unit="people"), "wanted record or person in 'unit', found something else"),
    "method": (_in(method=["x"]), "wanted a name in 'method', found something else"),
    "parameters": (_in(parameters=[]), "wanted an object in 'parameters', found something else"),
    "seeded": (_in(seeded=1), "wanted true or false in 'seeded', found something else"),
    "override": (_in(override=False), "wanted true or no field in 'override', found something else"),
    "unknown record": (_in(records={"original": 3}), "wanted only fields of 'records', found 'original'"),
    "negative count": (_in(records={"added": -1}), COUNT),
    "count as truth": (_in(records={"added": True}), COUNT),
    "count as text": (_in(records={"added": "1"}), COUNT),
    "unknown in guarantee": (_guaranteed(n=1), "wanted only fields of guarantee 1, found 'n'"),
    "no verdict": (
        _in(guarantees=[{"model": "km", "parameters": {}}]),
        "wanted the fields model, parameters, verdict of guarantee 1, found no verdict",
    ),
    "model": (_guaranteed(model=3), "wanted a name in 'guarantee 1.model', found something else"),
    "beyond": (_guaranteed(beyond=[]), "wanted an object in 'guarantee 1.beyond', found something else"),
    "unknown in verdict": (_decided(n=1), "wanted only fields of the verdict of guarantee 1, found 'n'"),
    "holds": (
        _decided(holds="yes"),
        "wanted true, false or \"not checkable\" in 'guarantee 1.verdict.holds', found something else",
    ),
    "checked from": (
        _decided(checked_from="air"),
        "wanted one of files, original, ledger in 'guarantee 1.verdict.checked_from', found something else",
    ),
    "measured": (_decided(measured=[1]), "wanted an object in 'guarantee 1.verdict.measured', found something else"),
    "witnesses": (
        _decided(witnesses=["a"]),
        "wanted a list of objects in 'guarantee 1.verdict.witnesses', found something else",
    ),
    "reason": (_decided(reason=1), "wanted a text in 'guarantee 1.verdict.reason', found something else"),
    "not covered": (_in(not_covered=[1]), SENTENCES),
    "not covered, more": (_in(not_covered=[{"key": "a", "text": "b", "x": "c"}]), SENTENCES),
    "policy": (_in(policy={"seed": "x"}), "wanted only fields of 'policy', found 'seed'"),
    "rule": (_in(policy={"taxonomy": 1}), "wanted the text of a rule in 'policy.taxonomy', found something else"),
    "digest": (
        _in(files={"data.csv": "F" * 64}),
        "wanted a SHA-256 digest in lower case in 'files.data.csv', found something else",
    ),
    "twice": (_in()[:-1] + b', "unit": "person"}', "wanted every field once, found 'unit' twice"),
    "twice inside": (_raw("records", b'{"added": 1, "added": 2}'), "wanted every field once, found 'added' twice"),
    "deep": (_given(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), DEEP),
    "deep and open": (b"[" * 1_000_000, DEEP),
    "huge number": (_given(b'{"k": ' + b"9" * 5000 + b"}"), LARGE),
    "large number": (_given(b'{"k": 9223372036854775808}'), LARGE),
    "not a number": (_given(b'{"k": NaN}'), "wanted finite numbers, found NaN"),
    "infinity": (_given(b'{"k": -Infinity}'), "wanted finite numbers, found -Infinity"),
    "exponent": (_given(b'{"k": 1e999}'), "wanted finite numbers, found a number that is too large"),
    "surrogate": (_given(b'{"k": "\\ud800"}'), HALF),
    "surrogate in a name": (_given(b'{"\\udfff": 1}'), HALF),
}


@pytest.mark.parametrize("what", CERTIFICATES)
def test_a_certificate_outside_the_schema(what: str) -> None:
    raw, sentence = CERTIFICATES[what]
    with pytest.raises(FileError) as refusal:
        Certificate.parse(raw, "certificate.json")
    assert str(refusal.value) == f"certificate.json: {sentence}"
