"""The commands, as a person and as a machine use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.cli import COMMANDS


@pytest.mark.parametrize(
    "args", [["--help"], *([name, "--help"] for name in COMMANDS), ["anonymize", "seqanon", "--help"]]
)
def test_help_answers(run, args) -> None:
    ran = run(*args)
    assert ran.code == 0
    assert "Usage: sfumato" in ran.out


def test_version(run) -> None:
    import sfumato

    assert run("--version").out.strip() == sfumato.__version__


def test_help_names_the_glossary(run) -> None:
    assert "sfumato glossary" in run("--help").out


def test_evaluate(run, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", out)
    said = json.loads(run("evaluate", visits, out, "--json").out)
    assert {"are", "kl", "intact", "label-size"} <= set(said["measures"])
    sentence = "displacement: needs the run itself; measure it while anonymizing (anonymize --measure displacement --report FILE)"
    assert said["unmeasured"]["displacement"] == sentence
    assert all(said["unmeasured"].values())
    assert not set(said["unmeasured"]) & set(said["measures"])
    ran = run("evaluate", visits, out, "--measure", "intact", "--measure", "displacement")
    assert ran.code == 0
    assert "not measured: displacement: needs the run itself" in ran.out
    assert run("evaluate", visits, out, "--measure", "nonsense").code == 2
    assert run("evaluate", visits, tmp_path, "--measure", "intact").code == 2
