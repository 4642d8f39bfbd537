"""`anonymize cast`, its side files, and what the audit says of sensitive places."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

TREE = "node,parent,sensitive\nall,,\nbar,all,\nb1,bar,\nb2,bar,\nclinic,all,true\nc1,clinic,\nc2,clinic,\n"
VISITS = "trajectory,person,location\n1,ann,b1\n1,ann,c1\n2,bob,b2\n2,bob,c1\n3,col,b1\n"


@pytest.fixture
def cast(run, tmp_path: Path):
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "tree.csv").write_text(TREE)

    def running(*more: object, tree: str = "tree.csv", c: object = 0.4, group_size: object = 3) -> object:
        options = ["--c", c, "--group-size", group_size, "--taxonomy", tmp_path / tree, "--out", tmp_path / "out"]
        return run("anonymize", "cast", tmp_path / "visits.csv", *options, *more)

    return running


def test_publish_verify_and_audit(run, cast, tmp_path: Path) -> None:
    ran = cast("--report", tmp_path / "report.json", "--measure", "generalization-cost")
    assert ran.code == 0, ran.err
    assert "✓ c-safety(c=0.4) holds" in ran.out
    assert "worst place c1, worst known bar" in ran.out
    lines = "trajectory,step,location\n1,1,bar\n2,1,bar\n2,2,clinic\n3,1,bar\n3,2,clinic\n"
    assert (tmp_path / "out" / "data.csv").read_text() == lines
    members = "attribute,label,member\nlocation,bar,b1\nlocation,bar,b2\nlocation,clinic,c1\nlocation,clinic,c2\n"
    assert (tmp_path / "out" / "members.csv").read_text() == members
    assert json.loads((tmp_path / "report.json").read_text())["counts"]["sensitive_only_records"] == 0
    assert run("verify", tmp_path / "out").code == 3, "persons are counted"
    ran = run("audit", tmp_path / "out", "--seed", 1, "--json")
    found = json.loads(ran.out)["sensitive_places"]
    assert found["c"] == 0.4
    assert [row["known"] for row in found["known"]] == [1, 2, 3, 4]
    assert all(row["mean"] == row["worst"] == pytest.approx(1 / 3) for row in found["known"])
    ran = run("audit", tmp_path / "out", "--seed", 1)
    assert "of at least 0.33 at worst; the promise is 0.4." in ran.out


def test_the_audit_of_a_file_as_it_is(run, cast, tmp_path: Path) -> None:
    audit = ("audit", tmp_path / "visits.csv", "--seed", 1, "--json")
    cast()
    assert "sensitive_places" not in json.loads(run(*audit).out)
    found = json.loads(run(*audit, "--taxonomy", tmp_path / "tree.csv").out)["sensitive_places"]
    assert found["c"] is None
    assert found["known"][0]["worst"] == 1.0  # b2 was bob's alone


def test_workplaces(cast, tmp_path: Path) -> None:
    (tmp_path / "work.csv").write_text("person,location\nann,c1\n")
    ran = cast("--workplaces", tmp_path / "work.csv", "--person", "person")
    assert ran.code == 0, ran.err
    assert "suppressed as workplace: 1" in ran.out
    assert (tmp_path / "out" / "data.csv").read_text().count("clinic") == 0  # c1 is now one of three: 1/3
    assert (tmp_path / "out" / "data.csv").read_text().count("c1") == 1
    everything = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert "ann" not in everything


@pytest.mark.parametrize(
    ("tree", "options", "problem"),
    [
        (TREE.replace("true", ""), {}, "cast: wanted a taxonomy with sensitive nodes, found none; mark them in its column 'sensitive'"),
        (TREE.replace("bar,all", "bar,"), {}, "bad.csv, line 3: wanted one root, found 2, the second one here"),
        (TREE.replace("b2,bar,\n", ""), {}, "bad.csv: wanted a leaf for every location of the data, found none for 1"),
        (TREE, {"c": 0}, "Invalid value for '--c': c must be a number above 0 and at most 1, got 0.0"),
        (TREE, {"c": 1.01}, "Invalid value for '--c': c must be a number above 0 and at most 1, got 1.01"),
        (TREE, {"group_size": 1}, "Invalid value for '--group-size': group_size must be a whole number of at least 2, got 1"),
        (TREE, {"group_size": 4}, "cast: group_size=4 needs at least 4 persons with a visit, these data have 3"),
    ],
)  # fmt: skip
def test_bad_input(cast, tree: str, options: dict[str, object], problem: str, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(tree)
    ran = cast(tree="bad.csv", **options)
    assert ran.code == 2, ran.out
    assert problem in ran.err.replace(str(tmp_path) + os.sep, "")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("who,where\nann,c1\n", "wanted the columns person, location or trajectory, location, found who, where"),
        ("person,location\nann,\n", "line 2: wanted a location, found nothing"),
        ("person,location\nzoe,c1\n", "wanted workplaces of a person that occurs in the data, found none"),
    ],
)
def test_bad_workplaces(cast, text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "work.csv").write_text(text)
    ran = cast("--workplaces", tmp_path / "work.csv", "--person", "person")
    assert ran.code == 2, ran.out
    assert problem in ran.err
    assert "zoe" not in ran.err
    assert not (tmp_path / "out").exists()


def test_generate_with_a_taxonomy(run, tmp_path: Path) -> None:
    visits, tree = tmp_path / "v.csv", tmp_path / "t.csv"
    small = ("--trajectories", 30, "--places", 40, "--seed", 1)
    ran = run("generate", "semantic", *small, "--out", visits, "--taxonomy", tree)
    assert ran.code == 0, ran.err
    options = ("--taxonomy", tree, "--c", 0.3, "--group-size", 5, "--out", tmp_path / "out")
    assert run("anonymize", "cast", visits, *options).code == 0


def test_an_audit_with_the_original_knows_whose_place_it_is(run, cast, tmp_path: Path) -> None:
    cast()
    ran = run("audit", tmp_path / "out", "--original", tmp_path / "visits.csv", "--seed", 1, "--json")
    assert ran.code == 0, ran.err
    rows = json.loads(ran.out)["sensitive_places"]["known"]
    assert all(row["own_mean"] <= row["own_worst"] <= row["worst"] for row in rows)
    assert 0 < rows[0]["own_attackers"] < rows[0]["attackers"]
