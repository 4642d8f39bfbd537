"""`sfumato hierarchy`: derived, shown, checked, edited and used; a derived one is private and says so."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sfumato.io import read_taxonomy

PEOPLE = "age,zip,day,town\n" + "".join(
    f"{20 + row % 7},{13050 + row % 3},2026-0{1 + row % 4}-1{row % 5},{['Rome', 'Oslo', 'Bern'][row % 3]}\n"
    for row in range(40)
)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path / "people.csv"


def test_derived_hierarchies_are_private_files_that_a_release_does_not_show(run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "trees"
    done = run("hierarchy", "derive", people, "age", "zip", "--out", out, "--intervals", 3, "--fanout", 2)
    assert done.code == 0, done.err
    assert done.out.splitlines()[:2] == [
        f"age: 7 leaves, 4 levels in {out / 'age.csv'}, rule intervals:3:2",
        f"zip: 3 leaves, 4 levels in {out / 'zip.csv'}, rule intervals:3:2",
    ]
    assert f"Private: age, zip. The leaves are the values that occur in {people}" in done.out
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert stat.S_IMODE((out / "age.csv").stat().st_mode) == 0o600
    assert (out / "age.csv").read_text().splitlines()[0].endswith(";* (private: intervals:3:2)")
    release = tmp_path / "release"
    words = ("--quasi-identifiers", "age,zip", "--k", 5, "--hierarchies", out)
    assert run("anonymize", "incognito", people, *words, "--out", release).code == 0
    assert not (release / "context" / "taxonomy.csv").exists()
    assert "private:" not in (release / "data.csv").read_text() + (release / "members.csv").read_text()
    rules = json.loads((release / "certificate.json").read_text())["policy"]
    assert rules == {"hierarchies": "derived: age, zip"}
    assert (
        run("verify", release, "--original", people, "--quasi-identifiers", "age,zip", "--hierarchies", out).code == 0
    )


def test_a_stated_domain_is_public_and_published_whole(run, people: Path, tmp_path: Path) -> None:
    words = ("--domain", "0:119", "--width", 10, "--json")
    said = json.loads(run("hierarchy", "derive", people, "age", "--out", tmp_path / "age.csv", *words).out)
    facts = said["hierarchies"]["age"]
    assert (facts["private"], facts["rule"], facts["leaves"]) == (False, None, 120)
    assert read_taxonomy(tmp_path / "age.csv").rule == ""
    said = run(
        "hierarchy", "derive", people, "age", "--out", tmp_path / "a.csv", "--domain", "0:119", "--width", 10
    ).out
    assert "Public: age. The tree does not depend on the records." in said
    small = run("hierarchy", "derive", people, "age", "--out", tmp_path / "b.csv", "--domain", "0:19", "--width", 10)
    assert (small.code, (tmp_path / "b.csv").exists()) == (2, False)
    assert "wanted every number of the data in it, 7 others occur" in small.err


def test_every_kind_of_text(run, people: Path, tmp_path: Path) -> None:
    run("hierarchy", "derive", people, "zip", "--out", tmp_path / "zip.csv", "--rule", "prefix")
    assert read_taxonomy(tmp_path / "zip.csv").ancestors("13050") == ("1305*", "130**", "13***", "1****", "*****")
    run("hierarchy", "derive", people, "day", "--out", tmp_path / "day.csv")
    assert read_taxonomy(tmp_path / "day.csv").ancestors("2026-01-10") == ("2026-01", "2026-Q1", "2026", "*")
    run("hierarchy", "derive", people, "town", "--out", tmp_path / "town.csv", "--fanout", 2)
    assert read_taxonomy(tmp_path / "town.csv").to_paths()[0] == ("Bern", "group 1", "*")


def test_items_and_places(run, visits: Path, tmp_path: Path) -> None:
    (tmp_path / "b.dat").write_text("a b\na\nc a\n")
    done = run(
        "hierarchy",
        "derive",
        tmp_path / "b.dat",
        "--kind",
        "transactions",
        "--rule",
        "frequency",
        "--out",
        tmp_path / "i.csv",
    )
    assert done.code == 0, done.err
    assert read_taxonomy(tmp_path / "i.csv").leaves == ("a", "b", "c")
    done = run("hierarchy", "derive", visits, "--out", tmp_path / "p.csv", "--largest", 2)
    assert done.code == 0, done.err
    tree = read_taxonomy(tmp_path / "p.csv")
    assert (tree.rule, tree.height) == ("spatial:2", 3)
    places = "location,x,y,category\na,0,0,Food\nb,-1,0,Food\nc,1,0,Health\nd,-1,1.5,Food\ne,1,1.6,Food\n"
    (tmp_path / "places.csv").write_text(places)
    words = ("--places", tmp_path / "places.csv", "--sensitive", "Health")
    done = run("hierarchy", "derive", visits, "--out", tmp_path / "c.csv", *words)
    assert "Public: location" in done.out
    assert read_taxonomy(tmp_path / "c.csv").sensitive == {"Health", "Health 1", "c"}


def test_edit_keeps_the_mark(run, people: Path, tmp_path: Path) -> None:
    run("hierarchy", "derive", people, "town", "--out", tmp_path / "town.csv", "--fanout", 2)
    (tmp_path / "edits.txt").write_text('rename,group 1,"north, mostly"\n')
    words = (
        "--edits",
        tmp_path / "edits.txt",
        "--edit",
        "move,Rome,north, mostly".replace("north, mostly", '"north, mostly"'),
    )
    done = run("hierarchy", "edit", tmp_path / "town.csv", "--out", tmp_path / "new.csv", *words)
    assert done.code == 0, done.err
    assert "is private" in done.out
    tree = read_taxonomy(tmp_path / "new.csv")
    assert (tree.rule, tree.ancestors("Rome")) == ("edited balanced:2", ("north, mostly", "*"))
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o600
    refused = run("hierarchy", "edit", tmp_path / "town.csv", "--out", tmp_path / "x.csv", "--edit", "remove,Paris")
    assert (refused.code, (tmp_path / "x.csv").exists()) == (2, False)
    assert "edit 1: wanted a node of the hierarchy, found 'Paris', an unknown name" in refused.err
    assert run("hierarchy", "edit", tmp_path / "town.csv", "--out", tmp_path / "x.csv").code == 2
    assert (
        run("hierarchy", "edit", tmp_path / "town.csv", "--out", tmp_path / "town.csv", "--edit", "remove,Rome").code
        == 2
    )


def test_show(run, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;x;*\nb;x;*\nc;y;*\n")
    said = run("hierarchy", "show", tmp_path / "h.csv").out
    assert said.startswith("6 nodes, 3 leaves, 3 levels\n")
    assert "*  (3)\n  x  (2)\n    a\n    b\n  y  (1)\n    c\n" in said
    assert "    a\n" not in run("hierarchy", "show", tmp_path / "h.csv", "--levels", 1).out
    facts = json.loads(run("hierarchy", "show", tmp_path / "h.csv", "--json").out)
    assert (facts["private"], facts["leaves"], facts["height"], len(facts["nodes"])) == (False, 3, 2, 6)
    (tmp_path / "wide.csv").write_text("".join(f"{n};{n // 10}0s;*\n" for n in range(1000)))
    assert "more lines; --levels N draws all lines" in run("hierarchy", "show", tmp_path / "wide.csv").out


def test_check(run, people: Path, tmp_path: Path) -> None:
    run("hierarchy", "derive", people, "age", "--out", tmp_path / "age.csv")
    fine = run("hierarchy", "check", tmp_path / "age.csv", "--against", people, "--column", "age")
    assert fine.code == 0
    assert "7 of 7 values of the data are leaves; 0 leaves do not occur" in fine.out
    (tmp_path / "h.csv").write_text("20;x;*\n21;y;*\n20;y;*\n")
    broken = run("hierarchy", "check", tmp_path / "h.csv", "--against", people, "--column", "age")
    assert broken.code == 1
    assert "✗ 5 values of the data are no leaf" in broken.out
    assert "line 3" in broken.out
    assert json.loads(run("hierarchy", "check", tmp_path / "h.csv", "--json").out)["problems"]
    assert run("hierarchy", "check", tmp_path / "age.csv", "--against", people).code == 2
    assert run("hierarchy", "check", tmp_path / "age.csv", "--column", "age").code == 2


def test_refusals(run, people: Path, tmp_path: Path) -> None:
    assert "name the columns" in run("hierarchy", "derive", people, "--out", tmp_path / "h").err
    assert "wanted a column 'agee'" in run("hierarchy", "derive", people, "agee", "--out", tmp_path / "h").err
    several = run("hierarchy", "derive", people, "age", "zip", "--out", tmp_path / "h.csv")
    assert "wanted a directory for 2 hierarchies" in several.err
    assert run("hierarchy", "derive", people, "town", "--rule", "quantiles", "--out", tmp_path / "h").code == 2
    assert run("hierarchy", "derive", people, "age", "--rule", "nonsense", "--out", tmp_path / "h").code == 2
    assert not (tmp_path / "h").exists()
    assert not (tmp_path / "h.csv").exists()
