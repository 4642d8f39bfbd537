"""A command parses and hashes each file of a published directory once, with the original at hand as without it."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import sfumato
from sfumato.io.published import directory as published
from sfumato.io.published import directory_files
from sfumato.io.published.certificate import CERTIFICATE, Certificate


@dataclass
class Counted:
    """How often a command parsed certificates and data, and hashed and opened files, by path or by name."""

    certificates: Counter[str] = field(default_factory=Counter)
    datasets: Counter[str] = field(default_factory=Counter)
    hashed: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)


@contextmanager
def counting() -> Iterator[Counted]:
    counted = Counted()
    parse, read_data = Certificate.parse.__func__, published._read_data  # type: ignore[attr-defined]
    digest_of, os_open, io_open = directory_files.digest_of, os.open, io.open

    def parsed(cls: Any, raw: bytes, path: Any) -> Any:
        counted.certificates[str(path)] += 1
        return parse(cls, raw, path)

    def read(folder: Path, *more: Any) -> Any:
        counted.datasets[str(folder)] += 1
        return read_data(folder, *more)

    def hashed(folder: Path, name: str) -> Any:
        counted.hashed[str(Path(folder) / name)] += 1
        return digest_of(folder, name)

    def opened(way: Any) -> Any:
        def counted_open(path: Any, *more: Any, **options: Any) -> Any:
            counted.opened[str(path)] += 1
            return way(path, *more, **options)

        return counted_open

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Certificate, "parse", classmethod(parsed))
        patch.setattr(published, "_read_data", read)
        patch.setattr(directory_files, "digest_of", hashed)
        patch.setattr(os, "open", opened(os_open))
        patch.setattr(io, "open", opened(io_open))
        yield counted


def require_once(counted: Counted, *folders: Path) -> None:
    assert counted.certificates == {str(folder / CERTIFICATE): 1 for folder in folders}
    assert counted.datasets == {str(folder): 1 for folder in folders}
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix == ".csv"]
    assert counted.hashed == {str(path): 1 for path in files}
    for folder in folders:
        assert counted.opened[str(folder / CERTIFICATE)] == 1


@pytest.fixture
def release(run: Any, visits: Path) -> Path:
    out = visits.parent / "out"
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--person", "person", "--out", out,
              "--report", visits.parent / "report.json")  # fmt: skip
    assert ran.code == 0, ran.err
    return out


COMMANDS = {
    "verify": "verify OUT",
    "verify --original": "verify OUT --original VISITS --person person",
    "verify --report": "verify OUT --original VISITS --person person --report REPORT",
    "evaluate": "evaluate VISITS OUT",
    "audit": "audit OUT",
    "audit --original": "audit OUT --original VISITS --places PLACES",
    "audit --against": "audit VISITS --against OUT --person person --seed 1",
    "audit --against --report": "audit VISITS --against OUT --person person --report REPORT --seed 1",
    "audit --attack leaks": "audit VISITS --against OUT --attack leaks",
    "describe": "describe OUT",
    "mine": "mine sequences OUT --support 2",
}


@pytest.mark.parametrize("what", COMMANDS)
def test_each_command_reads_the_directory_once(what: str, run: Any, visits: Path, release: Path) -> None:
    places = visits.parent / "places.csv"
    places.write_text("location,owner\n" + "".join(f"{spot},{'AB'[at % 2]}\n" for at, spot in enumerate("abcde")))
    paths = {"OUT": release, "VISITS": visits, "REPORT": visits.parent / "report.json", "PLACES": places}
    words = [str(paths.get(word, word)) for word in COMMANDS[what].split()]
    with counting() as counted:
        ran = run(*words)
    assert ran.code in (0, 3), ran.err
    require_once(counted, release)


def test_what_is_promised_of_sensitive_places_is_not_read_again(run: Any, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("trajectory,location\n1,b1\n1,c1\n2,b2\n2,c1\n3,b1\n")
    tree = "node,parent,sensitive\nall,,\nbar,all,\nb1,bar,\nb2,bar,\nclinic,all,true\nc1,clinic,\nc2,clinic,\n"
    (tmp_path / "tree.csv").write_text(tree)
    made = run("anonymize", "cast", tmp_path / "visits.csv", "--c", 0.4, "--group-size", 3, "--taxonomy",
               tmp_path / "tree.csv", "--out", tmp_path / "out")  # fmt: skip
    assert made.code == 0, made.err
    with counting() as counted:
        ran = run("audit", tmp_path / "out", "--seed", 1)
    assert "the promise is 0.4." in ran.out
    require_once(counted, tmp_path / "out")


def test_two_directories_are_read_once_each(run: Any, visits: Path, release: Path) -> None:
    other = visits.parent / "other"
    assert run("anonymize", "seqanon", visits, "--k", 3, "--m", 1, "--person", "person", "--out", other).code == 0
    with counting() as counted:
        ran = run("audit", visits, "--against", release, "--against", other, "--person", "person", "--seed", 1)
    assert ran.code in (0, 1), ran.err
    require_once(counted, release, other)


def test_a_directory_is_verified_and_signed_by_one_reading(run: Any, visits: Path, release: Path) -> None:
    key = visits.parent / "key"
    assert run("sign", "--new-key", key).code == 0
    with counting() as counted:
        ran = run("sign", release, "--key", key)
    assert ran.code == 0, ran.err
    require_once(counted, release)


@pytest.fixture
def roads(run: Any, tmp_path: Path) -> tuple[Path, Path]:
    drives, out = tmp_path / "d.csv", tmp_path / "roads"
    run("generate", "roads", "--nodes", 40, "--vehicles", 80, "--hours", 2, "--seed", 1, "--out", drives,
        "--streets", tmp_path / "net")  # fmt: skip
    made = run("anonymize", "icba", drives, "--network", tmp_path / "net", "--k", 3, "--out", out)
    assert made.code == 0, made.err
    return drives, out


@pytest.fixture
def mixed(run: Any, tmp_path: Path) -> tuple[Path, Path]:
    rows = [f"{20 + at % 4},{'mf'[at % 2]},{'abc'[at % 3]} {'xy'[at % 2]}" for at in range(24)]
    people, out = tmp_path / "people.csv", tmp_path / "mixed"
    people.write_text("\n".join(["age,sex,ills", *rows]) + "\n")
    (tmp_path / "tree.csv").write_text("node,parent\nall,\n" + "".join(f"{item},all\n" for item in "abcxy"))
    made = run("anonymize", "r-first", people, "--items", "ills", "--k", 2, "--m", 1, "--quasi-identifiers", "age,sex",
               "--taxonomy", tmp_path / "tree.csv", "--out", out)  # fmt: skip
    assert made.code == 0, made.err
    return people, out


LOOKED = {
    "roads": (),  # equal by their digests to what is written again, and the names of its records are numbers
    "mixed": ("context/roles.csv", "data.csv", "members.csv"),
}


@pytest.mark.parametrize("kind", ["roads", "mixed"])
@pytest.mark.parametrize("words", [("verify", "OUT", "--original", "DATA"), ("evaluate", "DATA", "OUT")])
def test_what_the_release_tells_of_its_original_is_not_read_again(
    run: Any, kind: str, words: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    """The network and the column of items come from the data that were read."""
    data, out = request.getfixturevalue(kind)
    with counting() as alone:
        run("describe", out)
    with counting() as counted:
        ran = run(*({"OUT": out, "DATA": data}.get(word, word) for word in words))
    assert ran.code in (0, 3), ran.err
    require_once(counted, out)
    inside = {path: count for path, count in counted.opened.items() if path.startswith(f"{out}{os.sep}")}
    before = {path: count for path, count in alone.opened.items() if path.startswith(f"{out}{os.sep}")}
    # the leak checks read the context and the rows of tables whole, once; other files are compared by their digests
    looked = {f"{out}{os.sep}{name}" for name in LOOKED[kind]} if words[0] == "verify" else set()
    assert inside == {path: count + (path in looked) for path, count in before.items()}


FUNCTIONS = {
    "verify": lambda out, data: sfumato.verify(out, original=data),
    "evaluate": lambda out, data: sfumato.evaluate(data, out),
    "audit": lambda out, data: sfumato.audit(out),
    "audit against": lambda out, data: sfumato.audit(data, against=out, seed=1),
    "compare": lambda out, data: sfumato.compare(data, [out]),
    "read": lambda out, data: sfumato.read(out),
}


@pytest.mark.parametrize("what", FUNCTIONS)
def test_each_function_reads_the_directory_once(what: str, visits: Path, release: Path) -> None:
    with counting() as counted:
        FUNCTIONS[what](release, visits)
    require_once(counted, release)
