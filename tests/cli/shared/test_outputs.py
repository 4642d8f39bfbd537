"""No command writes over an input, a ledger or a release; private files are for their owner alone."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

SEQANON = ("anonymize", "seqanon", "{visits}", "--k", 2, "--m", 2)
# every command that writes a file, with the option that says where
WRITERS = {
    "report": (*SEQANON, "--out", "{new}", "--report", "{path}"),
    "evaluate": ("evaluate", "{visits}", "{release}", "--out", "{path}"),
    "audit": ("audit", "{visits}", "--out", "{path}"),
    "per person": ("audit", "{visits}", "--per-person", "{path}"),
    "mine": ("mine", "sequences", "{visits}", "--top", 2, "--out", "{path}"),
    "subgraphs": ("mine", "subgraphs", "{visits}", "--support", 2, "--out", "{path}"),
    "generate": ("generate", "checkins", "--trajectories", 3, "--locations", 3, "--out", "{path}"),
    "places": (
        "generate",
        "checkins",
        "--trajectories",
        3,
        "--locations",
        3,
        "--out",
        "{new}.csv",
        "--places",
        "{path}",
    ),
}
CASES = [
    (command, target)
    for target in ("input", "ledger", "journal", "release", "in the release", "link", "pipe")
    for command in WRITERS
    if (target != "input" or command not in ("generate", "places"))  # which read nothing
    and (target != "journal" or command == "report")  # the others want another ending
]


@pytest.fixture
def release(run, visits: Path, tmp_path: Path) -> Path:
    asked = ("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--ledger", tmp_path / "people.csv")
    assert run(*asked, "--out", tmp_path / "release").code == 0
    return tmp_path / "release"


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(("command", "target"), CASES)
def test_nothing_is_lost(run, visits: Path, release: Path, tmp_path: Path, command: str, target: str) -> None:
    path = {
        "input": visits,
        "ledger": tmp_path / "people.csv",
        "journal": tmp_path / "people.csv-journal",
        "release": release / "data.csv",
        "in the release": release / "context" / "more.csv",
        "link": tmp_path / "link.csv",
        "pipe": tmp_path / "pipe.csv",
    }[target]
    (release / "context").mkdir(exist_ok=True)
    if target == "link":
        path.symlink_to(visits.name)
    if target == "pipe":
        os.mkfifo(path)
    before = everything(tmp_path)
    words = {"visits": visits, "release": release, "path": path, "new": tmp_path / "new"}
    ran = run(*(str(word).format(**words) for word in WRITERS[command]))
    assert ran.code == 2, ran.out
    assert ran.err.startswith(f"sfumato: {path}: ")
    assert ran.err.count("\n") == 1
    assert everything(tmp_path) == before


def test_side_files_and_directories_are_inputs(run, visits: Path, tmp_path: Path) -> None:
    places = tmp_path / "places.csv"
    places.write_text("location,x,y\na,0,0\n")
    asked = ("anonymize", "seqanon", visits, "--places", places, "--k", 2, "--m", 2, "--out", tmp_path / "out")
    assert "would replace an input of this command" in run(*asked, "--report", places).err
    assert "would replace an input of this command" in run(*asked, "--ledger", places).err
    ran = run(*asked, "--ledger", tmp_path / "same", "--report", tmp_path / "same")
    assert "would replace an input of this command" in ran.err
    assert places.read_text() == "location,x,y\na,0,0\n"


@pytest.mark.parametrize("command", WRITERS)
def test_private_files_are_for_their_owner_alone(
    run, visits: Path, release: Path, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "private.csv"
    path.write_text("an older one")
    path.chmod(0o644)
    words = {"visits": visits, "release": release, "path": path, "new": tmp_path / "new"}
    ran = run(*(str(word).format(**words) for word in WRITERS[command]))
    assert ran.code == 0, ran.err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() != "an older one"


def test_a_report_that_cannot_be_written_leaves_no_release(
    run, visits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, ledger = tmp_path / "report.json", tmp_path / "people.ledger"
    report.write_text("an older one")
    asked = ("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", tmp_path / "out", "--report", report)
    replace = Path.replace

    def refused(self: Path, target: Path) -> Path:
        if target == report:
            raise OSError(30, "Read-only file system")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refused)
    for more in ((), ("--ledger", ledger)):
        ran = run(*asked, *more)
        assert (ran.code, ran.err) == (2, f"sfumato: {report}: cannot be written (Read-only file system)\n")
        assert not (tmp_path / "out").exists()
        assert report.read_text() == "an older one"
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    monkeypatch.undo()
    assert json.loads(run("ledger", ledger, "--json").out)["releases"] == []
    assert run(*asked, "--ledger", ledger, "--measure", "intact").code == 0
    assert "intact" in json.loads(report.read_text())["measures"]
    assert len(json.loads(run("ledger", ledger, "--json").out)["releases"]) == 1


def test_a_private_directory_is_for_its_owner_alone(run, visits: Path, tmp_path: Path) -> None:
    asked = ("advise", visits, "--promise", "km", "--k", 2, "--m", 1, "--seconds", 20, "--out", tmp_path / "advice")
    assert run(*asked).code in (0, 1)
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(
        'title = "t"\nrepetitions = 1\nmeasures = ["intact"]\n[data]\nfile = "visits.csv"\n'
        '[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }\n'
    )
    ran = run("compare", experiment, "--out", tmp_path / "compared", "--jobs", 1)
    assert ran.code == 0, ran.err
    for folder in (tmp_path / "advice", tmp_path / "compared"):
        for path in (folder, *folder.rglob("*")):
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_comparison_does_not_lie_around_its_data(run, visits: Path, tmp_path: Path) -> None:
    experiment = tmp_path / "experiment.toml"
    text = 'title = "t"\nrepetitions = 1\nmeasures = ["intact"]\n[data]\nfile = "{}"\n' \
        '[[configuration]]\nmethod = "seqanon"\nparameters = {{ k = 2, m = 1 }}\n'  # fmt: skip
    experiment.write_text(text.format("visits.csv"))
    assert run("compare", experiment, "--out", tmp_path / "compared", "--jobs", 1).code == 0
    (tmp_path / "compared" / "visits.csv").write_bytes(visits.read_bytes())
    experiment.write_text(text.format("compared/visits.csv"))
    ran = run("compare", experiment, "--out", tmp_path / "compared", "--jobs", 1)
    assert ran.code == 2
    assert "an input of this experiment; choose another directory" in ran.err
