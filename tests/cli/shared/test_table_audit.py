"""`sfumato audit` of tables and mixed records, as a person and as a machine use it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

ROWS = """patient,age,sex,town,ill
name-1,30,f,Oslo,flu
name-2,30,f,Oslo,flu
name-3,30,f,Rome,hiv
name-4,41,m,Rome,
name-5,41,m,,flu
name-5,52,m,Rome,hiv
"""
ASKED = ("--quasi-identifiers", "age,sex,town", "--sensitive", "ill")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(ROWS)
    return path


def test_for_people(run, people: Path) -> None:
    ran = run("audit", people, *ASKED)
    assert ran.code == 0, ran.err
    assert (
        "Of 6 records, 4 (67%) are unique in 3 quasi-identifiers, and 6 (100%) have a prosecutor risk above 20%"
        in ran.out
    )
    for title in ("re-identification risk", "singling out", "riskiest sets", "columns", "attribute disclosure"):
        assert title in ran.out
    assert "records by the size of their equivalence class" in ran.out
    assert "1 of 6 records lack the value of a quasi-identifier." in ran.out
    assert "data are taken as the population" in ran.out
    assert "name-5" not in ran.out


def test_for_machines_with_persons(run, people: Path) -> None:
    shown = json.loads(run("audit", people, *ASKED, "--person", "patient", "--threshold", 0.5, "--json").out)
    assert (shown["unit"], shown["units"], shown["records"]) == ("person", 5, 6)
    assert shown["parameters"]["threshold"] == 0.5
    assert (shown["unique"], shown["prosecutor"]["above"]) == (3, 3)
    assert shown["prosecutor"]["average"] == pytest.approx((3 + 2 / 2) / 5)
    assert shown["disclosure"][0]["column"] == "ill"
    assert shown["singling_out"][-1]["units"] == 3


def test_all_columns(run, people: Path) -> None:
    shown = json.loads(run("audit", people, "--quasi-identifiers", "all", "--sensitive", "ill", "--json").out)
    assert shown["quasi_identifiers"] == ["patient", "age", "sex", "town"]


def test_a_population(run, people: Path, tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    register.write_text("age,sex,town\n" + "30,f,Oslo\n" * 8 + "30,f,Rome\n" * 4 + "41,m,Rome\n41,m,\n52,m,Rome\n")
    shown = json.loads(run("audit", people, *ASKED, "--population", register, "--json").out)
    assert shown["journalist"]["average"] == pytest.approx((2 / 8 + 1 / 4 + 3) / 6)
    assert shown["journalist"]["exact"] is True
    assert shown["population"]["uniques_in_data"] == 3
    ran = run("audit", people, *ASKED, "--population-size", 600)
    assert "the data are 1.00% of it" in ran.out
    assert "estimate" in ran.out


def test_files(run, people: Path, tmp_path: Path) -> None:
    page, who = tmp_path / "audit.html", tmp_path / "who.csv"
    ran = run("audit", people, *ASKED, "--person", "patient", "--out", page, "--per-person", who)
    assert ran.code == 0, ran.err
    assert f"{who} is private: it names persons" in ran.out
    text = page.read_text()
    assert "name-5" not in text
    assert "How to read it" in text
    assert page.stat().st_mode & 0o777 == who.stat().st_mode & 0o777 == 0o600
    frame = pl.read_csv(who)
    assert frame.columns == [
        "person",
        "class_size",
        "prosecutor_risk",
        "journalist_risk",
        "fewest_columns",
        "probability of ill",
    ]
    assert sorted(frame["person"]) == ["name-1", "name-2", "name-3", "name-4", "name-5"]
    assert run("audit", people, *ASKED, "--out", tmp_path / "figures.csv").code == 0
    assert pl.read_csv(tmp_path / "figures.csv").columns == ["section", "subject", "figure", "value", "exact"]


def test_mixed_records(run, tmp_path: Path) -> None:
    path = tmp_path / "patients.csv"
    path.write_text("age,codes\n30,a b\n30,a\n30,a b\n41,c\n")
    asked = ("audit", path, "--items", "codes", "--quasi-identifiers", "age")
    shown = json.loads(run(*asked, "--known", 2, "--json").out)
    assert [(part["known"], part["unique"], part["smallest"]) for part in shown["known_items"]] == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]  # fmt: skip
    assert "known items beside the quasi-identifiers" in run(*asked).out


def test_a_published_table(run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("anonymize", "top-down", people, *ASKED, "--person", "patient", "--k", 2, "--out", out).code == 0
    ran = run("audit", out)
    assert ran.code == 0, ran.err
    assert "0 (0%) are unique in 3 quasi-identifiers" in ran.out
    assert "The certificate counts persons" in ran.out
    shown = json.loads(run("audit", out, "--quasi-identifiers", "sex", "--json").out)
    assert shown["quasi_identifiers"] == ["sex"]
    assert run("audit", out, "--out", out / "audit.html").code == 2
    ran = run("audit", out, "--population", people)
    assert (ran.code, "holds published labels instead of values" in ran.err) == (2, True)


REFUSED = {
    "unknown column": (("--quasi-identifiers", "agee"), "wanted a column 'agee', found none; did you mean 'age'?"),
    "two roles": (("--quasi-identifiers", "age", "--sensitive", "age"), "wanted one role for a column"),
    "threshold": ((*ASKED, "--threshold", 0), "threshold must be a number above 0 and at most 1, got 0.0"),
    "population size": ((*ASKED, "--population-size", 3), "population_size must be at least the 6 records of the data, got 3"),
    "population": ((*ASKED, "--population", "nowhere.csv"), "nowhere.csv: no such file"),
    "owners": ((*ASKED, "--collude", "A,B"), "--collude is for data with visits or items, not for tables"),
    "known": ((*ASKED, "--known", 2), "--known is for data with visits or items, not for tables"),
    "ending": ((*ASKED, "--out", "a.docx"), "wanted a file that ends in"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refusals(run, people: Path, what: str) -> None:
    asked, sentence = REFUSED[what]
    ran = run("audit", people, *asked)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_options_of_tables_are_refused_for_visits(run, visits: Path, tmp_path: Path) -> None:
    ran = run("audit", visits, "--threshold", 0.1)
    assert ran.err == "sfumato: audit: --threshold is for tables and mixed records, not for trajectories\n"
    ran = run("audit", visits, "--against", tmp_path, "--population-size", 9)
    assert "not for attacks on a release" in ran.err
