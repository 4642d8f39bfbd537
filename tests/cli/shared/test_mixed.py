"""Mixed data on the command line: hierarchies, items and roles reach the method, and mistakes end in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PEOPLE = "who,age,town,job,ills\n" + "".join(
    f"p{n},{30 + n % 9},{'Rome' if n % 3 else 'Oslo'},{'cook' if n % 2 else 'none'},{'flu gout' if n % 4 else 'cough'}\n"
    for n in range(24)
)
ILLS = "flu;lung;any\ncough;lung;any\ngout;any\nhiv;any\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "x_ills.csv").write_text(ILLS)
    (tmp_path / "trees" / "x_town.csv").write_text("Rome;Italy;*\nBari;Italy;*\nOslo;Norway;*\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMON = ("people.csv", "--items", "ills", "--person", "who", "--quasi-identifiers", "age,town", "--k", 3, "--m", 2)


def test_from_a_file_to_a_checked_release(run, folder: Path) -> None:
    ran = run("anonymize", "rum-bound", *COMMON, "--delta", 0.9, "--merge", "t", "--relational", "local",
              "--transaction", '{"method": "lra", "parts": 2}', "--hierarchies", "trees", "--out", "out",
              "--measure", "ncp", "--measure", "ul", "--measure", "are", "--report", "report.json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "near-total loss" in ran.err
    assert "✓ (k,k^m)-anonymity(k=3, m=2) holds" in ran.out
    certificate = json.loads((folder / "out" / "certificate.json").read_text())
    assert certificate["parameters"]["transaction"] == {"method": "lra", "parts": 2}
    assert certificate["parameters"]["relational"] == "local"
    assert json.loads((folder / "report.json").read_text())["measures"]["ncp"] <= 0.9
    assert run("verify", "out").code == 3, "persons are counted"
    assert "p1" not in (folder / "out" / "data.csv").read_text()
    assert run("evaluate", "people.csv", "out", "--measure", "ul", "--items", "ills", "--person", "who").code == 0


def test_sensitive_names_are_columns_or_items(run, folder: Path) -> None:
    ran = run("anonymize", "r-first", *COMMON, "--l", 2, "--sensitive", "job,cough", "--hierarchies", "trees",
              "--out", "out", "--json")  # fmt: skip
    assert ran.code == 0
    assert (folder / "out" / "context" / "sensitive.csv").read_text() == "item\ncough\n"
    assert "job,sensitive" in (folder / "out" / "context" / "roles.csv").read_text()
    assert json.loads(ran.out)["certificate"]["guarantees"][0]["model"] == "klm-diversity"
    assert run("verify", "out").code == 3, "persons are counted"


@pytest.mark.usefixtures("folder")
def test_a_file_can_be_checked_as_it_is(run) -> None:
    ran = run("verify", "people.csv", "--model", "kkm", "--k", 2, "--m", 1, "--items", "ills", "--person", "who",
              "--quasi-identifiers", "town")  # fmt: skip
    assert ran.code == 0
    ran = run("verify", "people.csv", "--model", "kkm", "--k", 9, "--m", 1, "--items", "ills",
              "--quasi-identifiers", "town")  # fmt: skip
    assert ran.code == 1
    told = run("verify", "people.csv", "--model", "klm-diversity", "--k", 2, "--l", 2, "--m", 1, "--items", "ills",
               "--quasi-identifiers", "town")  # fmt: skip
    assert told.code == 2
    assert "needs to know which items are sensitive" in told.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--delta", 1.5), "delta must be a number of at least 0 and at most 1, got 1.5"),
        (("--delta", -1), "delta must be a number of at least 0 and at most 1, got -1"),
        (("--delta", 0.001), "rum-bound: delta=0.001 cannot be met, the best loss reached is 0."),
        (("--delta", 1, "--k", 30), "rum-bound: k=30 needs at least 30 persons, these data have 24"),
        (("--delta", 1, "--relational", "lra"), "relational must be a method for tables ("),
        (("--delta", 1, "--transaction", "disassociate"), "transaction must be a method for sets of items (apriori"),
        (("--delta", 1, "--transaction", '{"method": "lra", "parts": 0}'), "Lra: parts must be a whole number"),
        (("--delta", 1, "--merge", "x"), "merge must be one of 'r', 't', 'rt', got 'x'"),
        (("--delta", 1, "--weights", "age:1"), "wanted weights as name=number"),
        (("--delta", 1, "--sensitive", "hiv"), "wanted items of the data, found 'hiv'"),
        (("--delta", 1, "--l", 2), "l=2 needs sensitive items, these data name none"),
        (
            ("--delta", 1, "--taxonomy", "few.csv"),
            "few.csv: wanted a leaf for every item of the data, found none for 1",
        ),
        (("--delta", 1, "--hierarchies", "strange"), "the hierarchy of 'town' lacks"),
        (("--delta", 1, "--hierarchies", "knotted"), "line 2: wanted one parent for each node, found a second one"),
    ],
)
def test_mistakes_end_in_one_sentence(run, folder: Path, options: tuple, sentence: str) -> None:
    (folder / "few.csv").write_text("node,parent\nany,\nflu,any\ncough,any\n")
    for name, towns in {"strange": "Rome;*\nBari;*\n", "knotted": "Rome;Italy;*\nOslo;Italy;Norway;*\n"}.items():
        (folder / name).mkdir()
        (folder / name / "x_ills.csv").write_text(ILLS)
        (folder / name / "x_town.csv").write_text(towns)
    sides = () if "--hierarchies" in options else ("--hierarchies", "trees")
    ran = run("anonymize", "rum-bound", *COMMON, *sides, *options, "--out", "out")
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not (folder / "out").exists()
