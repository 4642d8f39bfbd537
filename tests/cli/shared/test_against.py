"""`sfumato audit INPUT --against DIR`: attacks on a release, as a person and as a machine use them."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

from sfumato.attacks.promises.weighing import weigh_directory


@pytest.fixture
def release(run, visits: Path) -> Path:
    out = visits.parent / "out"
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--person", "person", "--out", out,
              "--report", visits.parent / "report.json")  # fmt: skip
    assert ran.code == 0, ran.err
    return out


def test_for_people(run, visits: Path, release: Path) -> None:
    ran = run("audit", visits, "--against", release, "--seed", 1)
    assert ran.code == 0, ran.err
    for words in (
        "success rates of attacks",
        "The attacker knows the whole original record of a person.",
        "The same attack on an unprotected copy achieves",
        "not tried: timed-visits needs times of visits, and the release has none",
        "k^m-anonymity(k=2, m=2)",
        "an anonymity set",
        "Every promise holds in these attacks.",
    ):
        assert words in ran.out
    assert "name-" not in ran.out
    assert "secret-" not in ran.out


def test_for_machines(run, visits: Path, release: Path) -> None:
    report = visits.parent / "report.json"
    asked = ("audit", visits, "--against", release, "--report", report, "--seed", 1, "--json")
    found = json.loads(run(*asked).out)
    assert found["beaten"] is False
    assert {one["attack"] for one in found["attacks"]} >= {"reidentify", "linkage", "home-work", "top-places", "leaks"}
    linkage = next(one for one in found["attacks"] if one["attack"] == "linkage")
    assert linkage["at_most"] is False
    assert linkage["mean"] <= linkage["control"] <= 1.0
    assert found["promises"][0]["promised"] == "an anonymity set of at least 2"
    assert run(*asked).out == run(*asked).out


def test_single_attacks(run, visits: Path, release: Path) -> None:
    ran = run("audit", visits, "--against", release, "--attack", "linkage", "--json")
    assert [one["attack"] for one in json.loads(ran.out)["attacks"]] == ["linkage"]
    alone = json.loads(run("audit", visits, "--attack", "home-work", "--attack", "reidentify", "--json").out)
    assert [one["attack"] for one in alone["attacks"]] == ["home-work", "reidentify"]
    two = run("audit", visits, "--against", release, "--against", release, "--attack", "composition", "--json")
    assert json.loads(two.out)["attacks"][0]["attack"] == "composition"


def with_digests(release: Path, *names: str) -> None:
    """Make the certificate fit these files, and no others."""
    path = release / "certificate.json"
    told = json.loads(path.read_text())
    told["files"] = {name: sha256((release / name).read_bytes()).hexdigest() for name in names}
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def test_a_broken_promise_is_beaten(run, visits: Path, release: Path) -> None:
    """Somebody publishes the data as they are under the same certificate."""
    frame = pl.read_csv(visits).select("trajectory", "location")
    rows = frame.group_by("trajectory", maintain_order=True).agg("location")["location"].to_list()
    lines = ["trajectory,step,location"]
    for number, row in enumerate(sorted(rows), start=1):
        lines += [f"{number},{step},{spot}" for step, spot in enumerate(row, start=1)]
    (release / "data.csv").write_text("\n".join(lines) + "\n")
    (release / "members.csv").unlink(missing_ok=True)
    ran = run("audit", visits, "--against", release, "--seed", 1)
    assert ran.code == 1
    assert "data.csv was altered" in ran.out
    assert "A PROMISE DOES NOT HOLD: " in ran.out
    with_digests(release, "data.csv")
    ran = run("audit", visits, "--against", release, "--seed", 1)
    assert ran.code == 1
    assert "A PROMISE DOES NOT HOLD." in ran.out


def test_planted_leaks_end_with_1(run, visits: Path, release: Path) -> None:
    path = release / "certificate.json"
    before = path.read_text()
    path.write_text(before.replace('"seeded": false', '"seeded": false,\n  "seed": 42'))
    ran = run("audit", visits, "--against", release)
    assert ran.code == 2
    assert ran.err.endswith("certificate.json: wanted only fields of a certificate, found 'seed'\n")
    path.write_text(before.replace('"parameters": {', '"parameters": {\n    "seed": 42,', 1))
    ran = run("audit", visits, "--against", release)
    assert ran.code == 1
    assert "certificate.json: a seed ('parameters.seed')." in ran.out
    path.write_text(before)
    frame = pl.read_csv(release / "data.csv")
    frame.with_row_index("index").select(*frame.columns, "index").write_csv(release / "data.csv")
    ran = run("audit", visits, "--against", release)
    assert ran.code == 1
    assert "data.csv: a column 'index' that the format does not have." in ran.out
    assert json.loads(run("audit", visits, "--against", release, "--json").out)["beaten"] is True


def test_tables_and_mixed_records_take_their_roles_from_the_release(run, tmp_path: Path) -> None:
    ills = ("flu", "cold", "hiv")
    rows = [f"{20 + at % 4},{'mf'[at % 2]},{'abc'[at % 3]} {'xy'[at % 2]},{ills[at % 3]}" for at in range(24)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,items,ill", *rows]) + "\n")
    out = tmp_path / "out"
    made = run("anonymize", "cluster", tmp_path / "people.csv", "--k", 3, "--quasi-identifiers", "age,sex",
               "--sensitive", "ill", "--out", out)  # fmt: skip
    assert made.code == 0, made.err
    found = json.loads(run("audit", tmp_path / "people.csv", "--against", out, "--seed", 1, "--json").out)
    assert found["beaten"] is False
    assert {one["attack"] for one in found["attacks"]} >= {"reidentify", "linkage", "inference", "leaks"}
    mixed = tmp_path / "mixed"
    (tmp_path / "tree.csv").write_text("node,parent\nall,\n" + "".join(f"{item},all\n" for item in "abcxy"))
    made = run("anonymize", "r-first", tmp_path / "people.csv", "--items", "items", "--k", 2, "--m", 1,
               "--quasi-identifiers", "age,sex", "--taxonomy", tmp_path / "tree.csv", "--out", mixed)  # fmt: skip
    assert made.code == 0, made.err
    assert run("audit", tmp_path / "people.csv", "--against", mixed, "--seed", 1).code == 0
    frame = pl.read_csv(mixed / "data.csv", infer_schema=False)
    frame.with_row_index("row").select(*frame.columns, "row").write_csv(mixed / "data.csv")
    ran = run("audit", tmp_path / "people.csv", "--against", mixed)
    assert ran.code == 1
    assert "data.csv: a column 'row' that the original does not have." in ran.out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--attack", "linkag"), "no attack is called 'linkag'; did you mean 'linkage'?"),
        (("--attack", "timed-visits"), "attacks that fit are reidentify, home-work, top-places, linkage, "),
        (("--attack", "composition"), "(--against DIR, twice)"),
        (("--kind", "table"), "--kind table: "),
        (("--report", "nowhere.json"), "nowhere.json"),
    ],
)
def test_mistakes(run, visits: Path, release: Path, more: tuple[str, ...], said: str) -> None:
    ran = run("audit", visits, "--against", release, *more)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_directory_that_cannot_be_read(run, visits: Path, release: Path) -> None:
    path = release / "certificate.json"
    whole = path.read_text()
    path.write_text(whole.replace('"model": "km"', '"model": "kn"'))
    ran = run("audit", visits, "--against", release)
    assert ran.code == 1
    assert "installed here" in ran.out
    assert "certificate.json: guarantees that are not the method's." in ran.out
    path.write_text(whole[:40])
    assert run("audit", visits, "--against", release).code == 2
    path.write_text(whole)
    members = release / "members.csv"
    members.write_text("attribute,label,member\nlocation,zz,zz612\n")
    ran = run("audit", visits, "--against", release)
    assert ran.code == 1
    assert "✗ members.csv" in ran.out or "members.csv: wanted labels that data.csv uses" in ran.out
    (release / "data.csv").unlink()
    ran = run("audit", visits, "--against", release)
    assert ran.code == 1
    assert "✗ data.csv is missing" in ran.out
    assert json.loads(run("audit", visits, "--against", release, "--json").out)["beaten"] is True


def test_what_does_not_fit_together_ends_with_1(run, visits: Path, release: Path) -> None:
    """A cross is never followed by success, even if nothing else is found."""
    leaks = type("Found", (), {"facts": {"leaks": []}})()
    assert weigh_directory(leaks).beaten is False
    assert weigh_directory(leaks, ["data.csv is missing"]).beaten is True
    path = release / "certificate.json"
    told = json.loads(path.read_text())
    told["files"]["data.csv"] = "0" * 64
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    ran = run("audit", visits, "--against", release, "--attack", "leaks")
    assert ran.code == 1
    assert "✗ data.csv was altered" in ran.out


def test_both_directories_are_looked_through(run, visits: Path, release: Path) -> None:
    second = release.parent / "second"
    shutil.copytree(release, second)
    asked = ("audit", visits, "--against", release, "--against", second, "--seed", 1, "--json")
    found = json.loads(run(*asked).out)
    promises = [one["promise"] for one in found["promises"]]
    assert promises == ["out: k^m-anonymity(k=2, m=2)", "second: k^m-anonymity(k=2, m=2)", "soundness of the directory"]
    assert found["promises"][-1]["beaten"] is False
    path = second / "certificate.json"
    (second / "notes.txt").write_text("612 persons")
    ran = run(*asked)
    found = json.loads(ran.out)
    assert ran.code == 1
    assert "second: notes.txt is not listed in the certificate" in found["problems"]
    leaks = next(one for one in found["attacks"] if one["attack"] == "leaks")["leaks"]
    assert {one["file"] for one in leaks} == {"second/certificate.json", "second/notes.txt"}
    told = json.loads(path.read_text())
    told["files"]["data.csv"] = "0" * 64
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    ran = run(*asked)
    assert ran.code == 1
    assert (
        "second: data.csv was altered: its digest is not the one in the certificate" in json.loads(ran.out)["problems"]
    )
    (second / "data.csv").unlink()
    assert run(*asked).code == 1
    same = run("audit", visits, "--against", release, "--against", release, "--json")
    assert json.loads(same.out)["problems"] == []


def test_other_mistakes(run, visits: Path, release: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("x y\ny z\n")
    ran = run("audit", other, "--against", release)
    assert ran.code == 2
    assert "it is a release of other data" in ran.err
    assert (
        "is a published directory; with --against, give its original" in run("audit", release, "--against", release).err
    )
    assert "wanted a published directory, found none" in run("audit", visits, "--against", tmp_path / "no").err
    assert "--report needs a release" in run("audit", visits, "--report", "r.json").err
    assert (
        "linkage attacks a release; name its directory (--against DIR)"
        in run("audit", visits, "--attack", "linkage").err
    )
    assert "or two for composition" in run("audit", visits, *(("--against", release) * 3)).err
    (tmp_path / "baskets.dat").write_text("a b\n")
    said = run("audit", tmp_path / "baskets.dat", "--attack", "home-work").err
    assert "home-work fits trajectories, and these are transactions; attacks that fit are reidentify" in said
    report = visits.parent / "report.json"
    report.write_text(report.read_text().replace('"digest": "', '"digest": "0'))
    assert "a run on other data" in run("audit", visits, "--against", release, "--report", report).err
