"""Every command that opens a published directory, with data files in Parquet."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def releases(run: Any, visits: Path) -> dict[str, Path]:
    """The same release in both formats."""
    folders = {format: visits.parent / format for format in ("csv", "parquet")}
    for format, out in folders.items():
        ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out, "--format", format, "--seed", 1,
                  "--report", visits.parent / f"{format}.json")  # fmt: skip
        assert ran.code == 0, ran.err
    return folders


COMMANDS = {
    "verify": "verify OUT --json",
    "verify --original": "verify OUT --original VISITS --json",
    "verify --report": "verify OUT --original VISITS --report REPORT --json",
    "evaluate": "evaluate VISITS OUT --json",
    "audit": "audit OUT --seed 1 --json",
    "audit --against": "audit VISITS --against OUT --seed 1 --json",
    "leaks": "audit VISITS --against OUT --attack leaks --json",
    "describe": "describe OUT --json",
    "mine": "mine sequences OUT --support 2 --json",
}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_command_says_the_same_of_both_formats(what: str, run: Any, visits: Path, releases: dict[str, Path]) -> None:
    answers = []
    for format, out in releases.items():
        paths = {"OUT": out, "VISITS": visits, "REPORT": visits.parent / f"{format}.json"}
        ran = run(*(paths.get(word, word) for word in COMMANDS[what].split()))
        answers.append((ran.code, ran.out.replace(str(out), "OUT"), ran.err.replace(str(out), "OUT")))
    assert answers[0][0] in (0, 3)
    assert answers[0] == answers[1]


def test_files_are_drawn_reported_and_signed(run: Any, visits: Path, releases: dict[str, Path]) -> None:
    out, folder = releases["parquet"], visits.parent
    for words in (("map", visits, out, "--out", folder / "m.html"), ("report", out, "--out", folder / "board.html")):
        ran = run(*words)
        assert ran.code == 0, ran.err
    assert "data.parquet" in (folder / "board.html").read_text()
    assert run("sign", "--new-key", folder / "key").code == 0
    assert run("sign", out, "--key", folder / "key").code == 0
    assert run("verify", out, "--signer", folder / "key.pub").code == 3


def test_chunks_are_reconstructed(run: Any, tmp_path: Path) -> None:
    (tmp_path / "b.dat").write_text("\n".join(["a b c", "a b", "b c", "a c", "a b c"] * 4) + "\n")
    worlds = []
    for format in ("csv", "parquet"):
        out, world = tmp_path / format, tmp_path / f"{format}-world.csv"
        ran = run("anonymize", "disassociate", tmp_path / "b.dat", "--k", 2, "--m", 2, "--out", out, "--format", format)
        assert ran.code == 0, ran.err
        assert {path.name for path in out.iterdir()} >= {f"chunks.{format}", f"clusters.{format}"}
        assert run("verify", out).code == 0
        assert run("reconstruct", out, "--out", world, "--seed", 1).code == 0
        worlds.append(world.read_text())
    assert worlds[0] == worlds[1]


def test_a_truncated_file_is_one_sentence(run: Any, releases: dict[str, Path]) -> None:
    out = releases["parquet"]
    content = (out / "data.parquet").read_bytes()
    (out / "data.parquet").write_bytes(content[: len(content) // 2])
    ran = run("verify", out)
    assert ran.code == 1
    assert "data.parquet was altered" in ran.out
    certificate = json.loads((out / "certificate.json").read_text())
    certificate["files"]["data.parquet"] = hashlib.sha256((out / "data.parquet").read_bytes()).hexdigest()
    (out / "certificate.json").write_text(json.dumps(certificate))
    ran = run("describe", out)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "data.parquet: wanted a Parquet file, found another format, or a damaged or truncated file" in ran.err


def test_two_formats_at_once_are_refused(run: Any, releases: dict[str, Path]) -> None:
    out, content = releases["parquet"], (releases["csv"] / "data.csv").read_bytes()
    (out / "data.csv").write_bytes(content)
    assert "data.csv is not listed" in run("describe", out).err
    certificate = json.loads((out / "certificate.json").read_text())
    certificate["files"]["data.csv"] = hashlib.sha256(content).hexdigest()
    (out / "certificate.json").write_text(json.dumps(certificate))
    assert run("verify", out).code == 1
    ran = run("describe", out)
    assert ran.code == 2
    assert "data.csv and data.parquet are both listed; published data have one format" in ran.err


def test_a_format_that_nobody_knows(run: Any, visits: Path, tmp_path: Path) -> None:
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "out", "--format", "xlsx")
    assert ran.code == 2
    assert "xlsx" in ran.err
    assert not (tmp_path / "out").exists()
