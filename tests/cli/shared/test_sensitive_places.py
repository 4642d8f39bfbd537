"""Sensitive places on the command line: the promise kept, checked again, and refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TOWN = {"a": (3, 0), "b": (5, 1), "c": (5, 5), "d": (3, 3), "e": (3, 5), "f": (9, 9), "g": (9, 8)}
DAYS = "d a c e\nb a e c\na d e f\nb d e c\nd g c\nd e\n"


@pytest.fixture
def days(tmp_path: Path) -> Path:
    (tmp_path / "days.txt").write_text(DAYS)
    for name, flags in (("town.csv", "fg"), ("plain.csv", "")):
        rows = [f"{place},{x},{y},{str(place in flags).lower()}" for place, (x, y) in TOWN.items()]
        (tmp_path / name).write_text("location,x,y,sensitive\n" + "\n".join(rows) + "\n")
    return tmp_path


def options(folder: Path, **more: object) -> list[object]:
    chosen = {"places": folder / "town.csv", "k": 2, "l": 2, "m": 2, "clusters": 2, **more}
    return [part for name, value in chosen.items() if value is not None for part in (f"--{name}", value)]


@pytest.mark.parametrize("method", ["zga", "sga"])
def test_a_release_is_made_and_verifies_from_its_files(run, days: Path, method: str) -> None:
    made = run("anonymize", method, days / "days.txt", "--out", days / "out", "--json", *options(days))
    assert made.code == 0, made.err
    certificate = json.loads((days / "out" / "certificate.json").read_text())
    assert certificate["parameters"]["clusters"] == 2
    flags = (days / "out" / "context" / "places.csv").read_text().splitlines()
    assert flags[0] == "location,sensitive"
    assert [row for row in flags if row.endswith("true")] == ["f,true", "g,true"]
    checked = run("verify", days / "out", "--json")
    assert checked.code == 0, checked.err
    (found,) = json.loads(checked.out)["guarantees"]
    assert found["verdict"]["holds"] is True
    assert found["verdict"]["measured"]["worst_association"]["probability"] <= 0.5


def test_names_do_as_well_as_a_column(run, days: Path) -> None:
    by_column, by_name = days / "one", days / "two"
    run("anonymize", "zga", days / "days.txt", "--out", by_column, *options(days))
    run("anonymize", "zga", days / "days.txt", "--out", by_name, "--sensitive", "f,g",
        *options(days, places=days / "plain.csv"))  # fmt: skip
    for file in ("data.csv", "members.csv", "context/places.csv"):
        assert (by_column / file).read_text() == (by_name / file).read_text()


def test_a_spoiled_release_does_not_verify(run, days: Path) -> None:
    run("anonymize", "zga", days / "days.txt", "--out", days / "out", *options(days))
    file = days / "out" / "data.csv"
    file.write_text(file.read_text() + "7,1,f\n7,2,e\n")
    checked = run("verify", days / "out")
    assert checked.code == 1
    assert "was altered" in checked.out


def test_any_file_can_be_asked(run, days: Path) -> None:
    asked = ["verify", days / "days.txt", "--model", "klm"]
    assert run(*asked, *options(days, clusters=None, m=1)).code == 0
    refused = run(*asked, *options(days, clusters=None))
    assert refused.code == 1
    assert "witness: pattern a -> d, support 1" in refused.out


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"clusters": 4},
            "sfumato: zga: clusters=4 of at least k=2 records need 8 records with a nonsensitive visit, these data have 6; "
            "take at most 3 clusters, or auto",
        ),
        (
            {"clusters": "some"},
            "sfumato: anonymize zga: Invalid value for '--clusters': clusters must be a whole number of at least 1, or "
            "'auto', got 'some'",
        ),
        (
            {"places": "plain.csv"},
            "sfumato: zga: needs sensitive locations, these data carry none; give places with a sensitive column, or "
            "name them (--places FILE or --sensitive NAMES)",
        ),
        (
            {"sensitive": "a,b,c,d,e,f,g"},
            "sfumato: zga: wanted visits to nonsensitive locations for k=2 records to share, found sensitive ones only; "
            "flag fewer locations as sensitive",
        ),
        (
            {"sensitive": "d", "clusters": "auto"},
            "sfumato: zga: l=2 allows the same sensitive location in at most one of 2 records, these data have it in 5 "
            "of 6; flag other locations",
        ),
        ({"l": 9, "clusters": "auto"}, "sfumato: zga: l=9 allows the same sensitive location in at most one of 9 "
         "records, these data have it in 1 of 6; take l=6 at most, or flag other locations"),
        ({"sensitive": "h"}, "wanted sensitive locations that are places, found 'h'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_nothing_is_written(run, days: Path, more: dict, sentence: str) -> None:
    if "places" in more:
        more = {"places": days / more["places"]}
    before = sorted(path.name for path in days.rglob("*"))
    ran = run("anonymize", "zga", days / "days.txt", "--out", days / "out", *options(days, **more))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert sentence in ran.err
    assert sorted(path.name for path in days.rglob("*")) == before
