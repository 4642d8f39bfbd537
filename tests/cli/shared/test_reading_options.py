"""Input that people have, on the command line: markers, dates, sheets, columns, and what is said about the reading."""

from __future__ import annotations

import csv
import json
import re
import shlex
import stat
from pathlib import Path

import pytest

from sfumato.data.frames import columns_text

ROWS = [
    f"{30 + number % 4},{'cook' if number % 3 else '?'},2024-0{1 + number % 3}-1{number % 2}" for number in range(12)
]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,job,day\n" + "\n".join([*ROWS, "NA,cook,2024-02-11"]) + "\n")
    return path


def test_notes_are_on_stderr_and_in_the_description(run, people: Path) -> None:
    ran = run("describe", people)
    assert ran.code == 0
    assert ran.err.count("sfumato: note: ") == 2
    assert '(--missing MARKERS, or --missing "" for none)' in ran.err
    facts = json.loads(run("describe", people, "--json").out)
    assert [column["missing"] for column in facts["columns"]] == [1, 4, 0]
    assert facts["columns"][2]["type"] == "Date"
    assert len(facts["notes"]) == 2
    plain = json.loads(run("describe", people, "--missing", "", "--json").out)
    assert [column["missing"] for column in plain["columns"]] == [0, 0, 0]
    assert "notes" in plain  # age is text now, because of one value
    assert "line 14" in plain["notes"][0]
    named = json.loads(run("describe", people, "--missing", "NA,cook", "--json").out)
    assert [column["missing"] for column in named["columns"]] == [1, 9, 0]


@pytest.mark.parametrize("dates", ["month", "week"])
def test_from_a_file_with_markers_and_dates_to_an_evaluation(run, people: Path, tmp_path: Path, dates: str) -> None:
    out = tmp_path / "out"
    assert run("anonymize", "cluster", people, "--k", 3, "--out", out, "--dates", dates, "--seed", 1).code == 0
    published = (out / "data.csv").read_text()
    assert re.search(r"2024-W\d\d" if dates == "week" else r"2024-(Q1|0\d)(,|\n)|,2024\n", published)
    assert "?" not in published
    assert run("verify", out).code == 0
    assert run("verify", out, "--original", people, "--quasi-identifiers", "age,job,day").code == 0
    measured = json.loads(run("evaluate", people, out, "--measure", "ncp", "--json").out)
    assert 0 < measured["measures"]["ncp"] < 1


def test_a_file_is_verified_as_it_is(run, tmp_path: Path) -> None:
    path = tmp_path / "published.csv"
    path.write_text("job,n\n?,1\n?,1\n,1\nNA,1\n")
    strict = run("verify", path, "--model", "k-anonymity", "--k", 2)
    assert strict.code == 1
    assert run("verify", path, "--model", "k-anonymity", "--k", 2, "--missing", "?,NA").code == 0


@pytest.mark.parametrize("header", ["person_no,spot,when", '"who, really",spot,"the ""when"""', "a b,c=d,e"])
def test_the_suggestion_works_when_it_is_pasted(run, tmp_path: Path, header: str) -> None:
    path = tmp_path / "visits.csv"
    path.write_text(f"{header}\nann,home,x\nann,gym,y\nbob,home,z\n")
    trajectory, location, *_ = next(csv.reader([header]))
    for command in (["describe", str(path), "--kind", "trajectories"], ["audit", str(path)]):
        refused = run(*command)
        assert refused.code == 2
        suggestion = re.search(r"--columns trajectory=COLUMN,location=COLUMN", refused.err)
        assert suggestion is not None, refused.err  # these names say nothing, so nothing is guessed
        words = ["--columns", columns_text({"trajectory": trajectory, "location": location})]
        assert run(*command, *words).code == 0, words


def test_swapped_columns_can_be_pasted(run, tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("tid,poi,lat,lon\n1,a,116.4,39.9\n1,b,116.5,39.8\n")
    refused = run("describe", path)
    assert refused.code == 2
    suggestion = re.search(r"\((--columns .*)\)$", refused.err.strip())
    assert suggestion is not None
    assert run("describe", path, *shlex.split(suggestion[1])).code == 0


def test_ambiguous_dates_name_the_options(run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("day\n05/01/2024\n06/01/2024\n")
    refused = run("describe", path)
    assert refused.code == 2
    assert refused.err.endswith("(--dates day-first, month-first or text)\n")
    for word in ("day-first", "month-first", "text"):
        assert run("describe", path, "--dates", word).code == 0


def test_sheets(run, tmp_path: Path) -> None:
    import openpyxl

    workbook = openpyxl.Workbook()
    workbook.active.title = "summer"
    for row in (["age", "job"], [31, "cook"], [44, "nurse"]):
        workbook.active.append(row)
    workbook.create_sheet("winter").append(["town"])
    workbook["winter"].append(["Graz"])
    workbook.save(tmp_path / "book.xlsx")
    ran = run("describe", tmp_path / "book.xlsx")
    assert ran.code == 0
    assert "the others are winter; name another sheet to read that one (--sheet NAME)" in ran.err
    winter = json.loads(run("describe", tmp_path / "book.xlsx", "--sheet", "winter", "--json").out)
    assert winter["records"] == 1


def test_a_page(run, people: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("describe", people, "--out", page).code == 0
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert run("anonymize", "incognito", people, "--k", 2, "--out", tmp_path / "out").code == 0
    inside = run("describe", people, "--out", tmp_path / "out" / "page.html")
    assert (inside.code, "is private and must not be in" in inside.err) == (2, True)
    assert run("describe", people, "--out", people).code == 2
