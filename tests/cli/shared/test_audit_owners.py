"""Owners of places on the command line: `sfumato audit` and `sfumato verify --model projection`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FIGURE_1A = ["a1 b2 b3", "b1 a2 b2 a3", "a2 b3 a3", "a2 a3 b1", "a3 a1 b1", "a3 a1 b1", "a3 b2 a1", "a3 b2 b3"]
FIGURE_1D = ["b2 b3", "a2 a3", "a2 a3", "a2 a3", "a3 a1", "a3 a1", "a3 a1", "b2 b3"]


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    for name, rows in (("walks", FIGURE_1A), ("safe", FIGURE_1D)):
        (tmp_path / f"{name}.txt").write_text("\n".join(rows) + "\n")
    places = [f"{place},{place[0].upper()}" for place in ("a1", "a2", "a3", "b1", "b2", "b3")]
    (tmp_path / "places.csv").write_text("\n".join(["location,owner", *places]) + "\n")
    return tmp_path / "walks.txt"


def test_verify_a_file(run, walks: Path) -> None:
    options = ("--model", "projection", "--threshold", 0.5, "--places", walks.parent / "places.csv")
    refused = run("verify", walks, *options)
    assert refused.code == 1
    assert "problematic pairs 14, problems 19, worst probability 1.0" in refused.out
    assert "witness: owner A, projection a1, location b2, count 1, of 1, unit record, probability 1.0" in refused.out
    found = json.loads(run("verify", walks, *options, "--json").out)
    assert found["verdict"]["measured"]["problems"] == 19
    assert found["parameters"] == {"threshold": 0.5, "collude": None}
    assert run("verify", walks.parent / "safe.txt", *options).code == 0
    together = run("verify", walks, *options, "--collude", "A,B")
    assert together.code == 0
    assert "nothing to protect: A+B owns every visited place" in together.out


@pytest.mark.parametrize(
    ("options", "places", "message"),
    [
        ({"--threshold": 1.2}, "", "projection: threshold must be a number above 0 and at most 1, got 1.2"),
        ({"--threshold": 0}, "", "projection: threshold must be a number above 0 and at most 1, got 0.0"),
        ({}, "a1,B\n", "line 8: wanted one owner for each location, found a second one"),
        ({}, "a1,\n", "line 8: wanted one owner for each location, found a second one"),
        ({}, ",C\n", "line 8: wanted a location, found nothing"),
        ({"--collude": "A,Zed"}, "", "projection: collude names 'Zed', who owns no place"),
        ({"--collude": "A"}, "", "projection: collude must be groups of two owners or more, such as A,B;C,D, got 'A'"),
    ],
)
def test_mistakes(run, walks: Path, options: dict[str, object], places: str, message: str) -> None:
    file = walks.parent / "places.csv"
    file.write_text(file.read_text() + places)
    said = [str(part) for pair in {"--threshold": 0.5, "--places": file, **options}.items() for part in pair]
    ran = run("verify", walks, "--model", "projection", *said)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.rstrip().endswith(message)
    assert ran.err.count("\n") == 1


def test_owners_that_the_data_do_not_have(run, walks: Path) -> None:
    ran = run("verify", walks, "--model", "projection", "--threshold", 0.5)
    assert ran.code == 2
    assert "projection: needs owners, these data carry none; give places with an owner column" in ran.err
    ran = run("audit", walks, "--collude", "A,B")
    assert ran.code == 2
    assert "audit: needs owners, these data carry none; give places with an owner column (--places FILE)" in ran.err
    assert "owners of places" not in run("audit", walks).out


def test_audit_for_people(run, walks: Path) -> None:
    file = walks.parent / "places.csv"
    file.write_text(file.read_text() + "c1,C\n")
    ran = run("audit", walks, "--places", file, "--out", walks.parent / "page.html")
    assert ran.code == 0, ran.err
    assert "B sees 8 trajectories. It can infer a visit to a place that it does not own with certainty for 6" in ran.out
    assert "- No place of C occurs in these data." in ran.out
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["A", "8", "2", "0", "6", "0", "0", "75%"] in rows
    assert ["B", "8", "6", "0", "0", "2", "0", "88%"] in rows
    page = (walks.parent / "page.html").read_text()
    assert "<h2>Owners of places</h2>" in page
    assert "<td>B</td><td>8</td><td>6</td>" in page


def test_audit_for_machines_with_a_coalition(run, walks: Path) -> None:
    file = walks.parent / "places.csv"
    file.write_text(file.read_text().replace("b3,B", "b3,C").replace("b2,B", "b2,D"))
    found = json.loads(run("audit", walks, "--places", file, "--collude", "A,B", "--collude", "D,C", "--json").out)
    assert found["owners"]["collude"] == "A,B;D,C"
    assert [row["owner"] for row in found["owners"]["owners"]] == ["A+B", "C+D"]
    assert sum(found["owners"]["owners"][0]["certainties"].values()) == 8
    assert "owners" not in json.loads(run("audit", walks, "--json").out)


def test_audit_of_a_release_tries_elimination(run, walks: Path) -> None:
    out, file = walks.parent / "release", walks.parent / "places.csv"
    lines = [f"{number},{place}" for number, row in enumerate(FIGURE_1A, start=1) for place in row.split()]
    (walks.parent / "walks.csv").write_text("\n".join(["trajectory,location", *lines]) + "\n")
    file.write_text(
        "location,owner,x,y\n" + "".join(f"{p},{p[0].upper()},0,0\n" for p in ("a1", "a2", "a3", "b1", "b2", "b3"))
    )
    made = run("anonymize", "seqanon", walks.parent / "walks.csv", "--places", file, "--k", 2, "--m", 1, "--out", out)
    assert made.code == 0, made.err
    ran = run("audit", out, "--places", file, "--original", walks.parent / "walks.csv")
    assert ran.code == 0, ran.err
    assert "matched" in ran.out
    assert ["A", "8", "2", "0", "6", "0", "0", "75%", "2"] in [line.split() for line in ran.out.splitlines()]
    ran = run("audit", walks, "--places", file, "--original", walks)
    assert ran.code == 2
    assert "--original needs a published directory" in ran.err
