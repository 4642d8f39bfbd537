"""`python -m trials`: its options, its table and its exit code."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from trials.__main__ import main
from trials.parts import PARTS, Result
from trials.table import page


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    mutants, kills = ModuleType("trials.mutants"), ModuleType("trials.kills")
    mutants.run = lambda count, seed: {"csv": (count, [f"hang with seed {seed}"] if seed else [])}  # type: ignore[attr-defined]
    kills.run = lambda count, seed, kinds: [f"lost {count} {kinds}"] if seed else []  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "trials.mutants", mutants)
    monkeypatch.setitem(sys.modules, "trials.kills", kills)


@pytest.mark.usefixtures("stubs")
def test_counts_per_reader_and_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--only", "mutants", "--only", "kills", "--mutants", "12", "--kills", "6", "--cores", "1"]
    assert main([*words, "--out", str(tmp_path / "T.md")]) == 0
    text = (tmp_path / "T.md").read_text()
    assert text.strip() == capsys.readouterr().out.strip()
    assert "| csv | 12 | 0 |" in text
    assert "| killed after a random time | 3 | 0 |" in text
    assert "`python -m trials --only mutants" in text
    assert "**Found: 0.**" in text
    assert main([*words, "--seed", "4", "--out", str(tmp_path / "T.md")]) == 1
    assert "hang with seed 4" in (tmp_path / "T.md").read_text()


def test_every_model_is_counted(tmp_path: Path) -> None:
    words = ["--only", "compared", "--compared", "2", "--cores", "1", "--out", str(tmp_path / "T.md")]
    main(words)
    lines = (tmp_path / "T.md").read_text().splitlines()
    assert sum(line.startswith(("| km | 2 |", "| epsilon | 2 |", "| c-safety | 2 |")) for line in lines) == 3


def test_releases_are_counted_by_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from trials import releases

    monkeypatch.setitem(PARTS["releases"].__globals__, "_BATCH", 2)
    monkeypatch.setattr(releases, "AIMS", {"km": ("seqanon", "apriori")})
    words = ["--only", "releases", "--releases", "3", "--cores", "1", "--out", str(tmp_path / "T.md")]
    assert main(words) == 0
    text = (tmp_path / "T.md").read_text()
    assert re.search(r"^\| km \| [34] \| 0 \|$", text, re.M)
    assert re.search(r"Refused in one sentence, by method: apriori \d+%, seqanon \d+%", text)


def test_a_case_is_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--case", "seqanon-0", "--case", "km=3", "--case", "seqanon-0 / wrong count"]) == 0
    said = capsys.readouterr().out
    assert "models=('km',)" in said
    assert "tamper='wrong count'" in said


def test_findings_that_differ_in_names_alone_are_one_line() -> None:
    found = [("zga-1", "klm broken: 'a' has 1 of 2"), ("zga-2", "klm broken: 'b' has 2 of 3"), ("x", "other")]
    text = page(["--seed", "1"], [Result("Title", ("model", "n", "found"), [("klm", 1000, 2)], found)], 60.0)
    assert "- 2 times, such as `zga-1`: klm broken: 'a' has 1 of 2" in text
    assert "| klm | 1,000 | 2 |" in text
    assert "**Found: 3.**" in text


def test_the_parts_are_those_of_the_page() -> None:
    assert list(PARTS) == ["releases", "compared", "tampered", "mutants", "kills"]
