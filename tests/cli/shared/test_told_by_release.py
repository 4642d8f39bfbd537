"""What a published directory tells of its original, and what an audit says where nobody can tell."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from sfumato.attacks import Finding
from sfumato.cli.shared.attack_release import _show


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    rows = ["a b", "a s", "b", "a b c", "c d", "c d s", "d", "a d"] * 3
    lines = [f"{at},{item}" for at, row in enumerate(rows, start=1) for item in row.split()]
    (tmp_path / "b.csv").write_text("\n".join(["record,item", *lines]) + "\n")
    (tmp_path / "tree.csv").write_text("node,parent\nall,\nl,all\nr,all\na,l\nb,l\nc,r\nd,r\ns,all\n")
    return tmp_path / "b.csv"


def test_the_command_of_advise_for_lm_runs_and_repeats(run, baskets: Path, tmp_path: Path) -> None:
    ran = run("advise", baskets, "--taxonomy", tmp_path / "tree.csv", "--promise", "lm", "--l", 2, "--m", 1,
              "--sensitive", "s", "--seconds", 60, "--jobs", 1, "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    words = shlex.split(said["command"])
    assert words[words.index("--sensitive") + 1] == "s"
    report = tmp_path / "report.json"
    again = run(*words[1:-1], tmp_path / "release", "--measure", "are", "--report", report)
    assert again.code == 0, again.err
    best = next(one for one in said["trials"] if one["recommended"])
    assert json.loads(report.read_text())["measures"]["are"] == best["are"]


def test_a_release_of_noise_whose_places_are_not_given_is_no_error(run, visits: Path, tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("location,x,y\na,0,0\nb,-1,0\nc,1,0\nd,-1,1.5\ne,1,1.6\n")
    out = tmp_path / "noise"
    made = run("anonymize", "ngrams", visits, "--places", tmp_path / "places.csv", "--epsilon", 5, "--out", out)
    assert made.code == 0, made.err
    ran = run("audit", visits, "--against", out, "--seed", 1)
    assert ran.code == 0, ran.err
    assert "1 of 2 promises were not measured; the others hold" in ran.out
    assert "needs a list of places that was not made from the data" in " ".join(ran.out.split())


def test_other_data_with_the_same_words_are_refused(run, visits: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other.csv"
    made = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    assert made.code == 0, made.err
    lines = visits.read_text().splitlines()
    other.write_text("\n".join([*lines, lines[-1]]) + "\n")
    ran = run("audit", other, "--against", out)
    assert (ran.code, ran.out) == (2, "")
    assert "it is a release of other data, or these data were prepared differently" in ran.err
    assert run("audit", visits, "--against", out).code == 0


def test_evaluate_takes_the_items_from_the_release(run, tmp_path: Path) -> None:
    rows = [f"{20 + at % 4},{'mf'[at % 2]},{'abc'[at % 3]} {'xy'[at % 2]}" for at in range(24)]
    people, out = tmp_path / "people.csv", tmp_path / "out"
    people.write_text("\n".join(["age,sex,ills", *rows]) + "\n")
    (tmp_path / "tree.csv").write_text("node,parent\nall,\n" + "".join(f"{item},all\n" for item in "abcxy"))
    made = run("anonymize", "r-first", people, "--items", "ills", "--k", 2, "--m", 1, "--quasi-identifiers", "age,sex",
               "--taxonomy", tmp_path / "tree.csv", "--out", out)  # fmt: skip
    assert made.code == 0, made.err
    ran = run("evaluate", people, out)
    assert ran.code == 0, ran.err


def test_the_network_of_the_release_is_the_default(run, tmp_path: Path) -> None:
    drives, out = tmp_path / "d.csv", tmp_path / "out"
    run("generate", "roads", "--nodes", 40, "--vehicles", 80, "--hours", 2, "--seed", 1, "--out", drives,
        "--streets", tmp_path / "net")  # fmt: skip
    made = run("anonymize", "icba", drives, "--network", tmp_path / "net", "--k", 3, "--out", out)
    assert made.code == 0, made.err
    for words in (
        ("verify", out, "--original", drives, "--network", tmp_path / "net"),
        ("evaluate", drives, out),
        ("audit", drives, "--against", out),
    ):
        ran = run(*words)
        assert ran.code == 0, ran.err
    claimed = run("verify", out, "--original", drives)
    assert claimed.code == 3
    assert "claimed by the release" in claimed.out


def test_advise_says_what_can_be_kept(run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("age,pay\n1,2\n1,3\n2,4\n")
    ran = run("advise", tmp_path / "p.csv", "--kind", "table", "--quasi-identifiers", "age", "--sensitive", "pay",
              "--promise", "t-closeness", "--t", 0.4, "--distance", "ordered")  # fmt: skip
    assert ran.code == 2
    assert "methods keep there: k-anonymity, l-diversity, t-closeness with distance=equal" in ran.err


def test_evaluate_names_the_measure(run, visits: Path, tmp_path: Path) -> None:
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", tmp_path / "out")
    ran = run("evaluate", visits, tmp_path / "out")
    assert "not measured: guessed-places: needs a taxonomy" in ran.out


def test_an_attack_on_nobody_has_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    _show("out", [Finding("inference", "inference", "nothing", "nothing", np.zeros(0), of=0, baseline=0.0)])
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(" inference"))
    assert row.split() == ["inference", "-", "-", "-", "-", "0"]
