"""`sfumato audit`, as a person and as a machine use it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest


def test_for_people(run, visits: Path) -> None:
    ran = run("audit", visits, "--known", 2)
    assert ran.code == 0, ran.err
    assert "Of 6 persons, 67% are unique to an attacker who knows their worst 2 visits" in ran.out
    assert "persons by the size of their smallest anonymity set, 2 known" in ran.out
    assert "in order, other visits may lie between" in ran.out
    assert "exact" in ran.out
    assert "not known here" not in ran.out
    assert "name-" not in ran.out
    assert "secret-" not in ran.out


def test_for_machines(run, visits: Path) -> None:
    found = json.loads(run("audit", visits, "--known", 2, "--json").out)
    assert (found["kind"], found["unit"], found["units"], found["records"]) == ("trajectories", "person", 6, 12)
    assert found["parameters"] == {"known": 2, "ordered": True, "budget": 1_000_000_000}
    assert [one["known"] for one in found["known"]] == [1, 2, 3, 4]
    two = found["known"][1]
    assert two["exact"] is True
    assert two["unique_worst"] == {"value": pytest.approx(4 / 6), "low": None, "high": None}
    assert two["smallest_anonymity_set"] == 1
    assert sum(share["value"] for share in two["anonymity_sets"].values()) == pytest.approx(1)
    assert len(json.loads(run("audit", visits, "--known", 6, "--json").out)["known"]) == 6


def test_unordered(run, tmp_path: Path) -> None:
    (tmp_path / "walks.txt").write_text("a b\nb a\na b a\n")
    assert json.loads(run("audit", tmp_path / "walks.txt", "--json").out)["known"][1]["smallest_anonymity_set"] == 1
    ran = run("audit", tmp_path / "walks.txt", "--unordered")
    assert "as a set" in ran.out
    assert "Persons are not known here: trajectories are counted" in ran.out
    found = json.loads(run("audit", tmp_path / "walks.txt", "--unordered", "--json").out)
    assert found["parameters"]["ordered"] is False
    assert found["known"][1]["smallest_anonymity_set"] == 3


def test_transactions_are_always_sets(run, tmp_path: Path) -> None:
    (tmp_path / "baskets.dat").write_text("milk bread\nbread milk\nmilk\n")
    found = json.loads(run("audit", tmp_path / "baskets.dat", "--json").out)
    assert found["parameters"]["ordered"] is False
    assert [one["smallest_anonymity_set"] for one in found["known"]] == [2, 2, 2, 2]
    assert "records by the size of their smallest anonymity set" in run("audit", tmp_path / "baskets.dat").out


def test_a_sample_says_so_and_a_seed_repeats_it(run, tmp_path: Path) -> None:
    town = tmp_path / "town.csv"
    run(
        "generate", "checkins", "--trajectories", 900, "--locations", 40, "--mean-length", 8, "--seed", 1, "--out", town
    )
    asked = ("audit", town, "--known", 3, "--budget", 20_000, "--seed", 5)
    ran = run(*asked)
    assert (
        "With 2 or more known, an exact answer exceeds the budget: 200 of 900 trajectories were drawn at random"
        in ran.out
    )
    assert "(in a sample of 200)" in ran.out
    assert run(*asked).out == ran.out
    three = json.loads(run(*asked, "--json").out)["known"][2]
    assert three["examined"] == 200
    assert three["risk_random"]["low"] < three["risk_random"]["value"] < three["risk_random"]["high"]


def test_a_published_directory_as_it_is(run, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    ran = run("audit", out, "--known", 2)
    assert ran.code == 0, ran.err
    assert "Of 12 trajectories, 0% are unique" in ran.out
    assert "ersons are not known here" in ran.out
    assert "The certificate counts persons" in ran.out
    assert "Labels are compared as they are published" in ran.out
    (out / "data.csv").write_text((out / "data.csv").read_text().replace(",d\n", ",elsewhere\n", 1))
    ran = run("audit", out, "--json")
    assert ran.code == 2
    assert ran.err.endswith("data.csv was altered: its digest is not the one in the certificate\n")


def test_files(run, visits: Path, tmp_path: Path) -> None:
    page, people = tmp_path / "audit.html", tmp_path / "people.csv"
    ran = run("audit", visits, "--out", page, "--per-person", people)
    assert ran.code == 0, ran.err
    assert f"Written to {page}." in ran.out
    assert f"{people} is private: it names persons" in ran.out
    assert "name-" not in page.read_text()
    found = pl.read_csv(people)
    assert found.columns == [
        "person",
        "patterns",
        "anonymity_set",
        "risk_worst",
        "risk_random",
        "unique_random",
        "exact",
    ]
    assert sorted(found["person"]) == [f"name-{number}" for number in range(6)]
    assert run("audit", visits, "--per-person", tmp_path / "people.parquet").code == 0
    assert pl.read_parquet(tmp_path / "people.parquet").equals(found)


REFUSED = {
    "known": (["--known", 0], "audit: Invalid value for '--known': known must be a whole number of at least 1 and at most 20, got 0"),
    "a word": (["--known", "two"], "audit: Invalid value for '--known': known must be a whole number of at least 1 and at most 20, got 'two'"),
    "budget": (["--budget", -1], "audit: Invalid value for '--budget': budget must be a whole number of at least 0, got -1"),
    "ending": (["--out", "audit.gif"], "audit.gif: wanted a file that ends in .html, .png, .svg, .pdf, .jpg, .bmp or .csv for an audit"),
    "directory": (["--out", "nowhere/audit.csv"], "nowhere/audit.csv: the directory nowhere does not exist; make it first"),
    "people": (["--per-person", "people.xls"], "people.xls: --per-person: wanted a file that ends in .csv or .parquet"),
    "the input": (["--out", "visits.csv"], "visits.csv: the audit would replace an input of this command; choose another name"),
    "twice": (["--out", "a.csv", "--per-person", "a.csv"], "a.csv: the file of risks would replace another output of this command; choose another name"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refusals(run, visits: Path, monkeypatch, what: str) -> None:
    monkeypatch.chdir(visits.parent)
    before = visits.read_bytes()
    asked, sentence = REFUSED[what]
    ran = run("audit", "visits.csv", *asked)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"sfumato: {sentence}\n"
    assert [path.name for path in visits.parent.iterdir()] == ["visits.csv"]
    assert visits.read_bytes() == before


def test_data_that_cannot_be_audited(run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,town\n30,Rome\n")
    for more in ((), ("--kind", "table")):
        ran = run("audit", tmp_path / "people.csv", *more)
        assert ran.code == 2
        assert ran.err == (
            f"sfumato: {tmp_path / 'people.csv'}: the audit of a table needs quasi-identifiers, and this one has the columns age, town "
            "(if it is not a table, name its columns, e.g. --columns trajectory=age,location=town); name the columns that an attacker "
            "may know, or all of them (--quasi-identifiers COLUMNS, or --quasi-identifiers all)\n"
        )
    assert run("audit", tmp_path / "nothing.csv").err == f"sfumato: {tmp_path / 'nothing.csv'}: no such file\n"


def test_a_broken_release(run, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    (out / "data.csv").write_text("nonsense\n")
    ran = run("audit", out)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "data.csv" in ran.err
