"""The commands, as a person and as a machine use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.cli import COMMANDS


@pytest.mark.parametrize(
    "args", [["--help"], *([name, "--help"] for name in COMMANDS), ["anonymize", "seqanon", "--help"]]
)
def test_help_answers(run, args) -> None:
    ran = run(*args)
    assert ran.code == 0
    assert "Usage: sfumato" in ran.out


def test_version(run) -> None:
    import sfumato

    assert run("--version").out.strip() == sfumato.__version__


def test_methods(run) -> None:
    assert "seqanon-f" in run("methods").out
    found = json.loads(run("methods", "--json").out)
    assert found[0]["name"] == "seqanon"
    assert found[0]["promises"] == ["km"]
    assert [parameter["name"] for parameter in found[0]["parameters"]] == ["k", "m"]
    assert found[0]["needs"] == ["places"]


def test_help_names_the_glossary(run) -> None:
    assert "docs/glossary.md" in run("--help").out


def test_anonymize_then_verify(run, visits: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    ran = run(
        "anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out, "--report", report, "--measure", "intact"
    )
    assert ran.code == 0, ran.err
    assert "holds" in ran.out
    assert "secret-" not in ran.out + ran.err
    certificate = json.loads((out / "certificate.json").read_text())
    limits = [line for line in ran.out.partition("Not covered by the promise:\n")[2].splitlines() if line[:4] == "  - "]
    assert len(limits) == 3
    assert {line[4:] for line in limits} < {limit["text"] for limit in certificate["not_covered"]}
    others = len(certificate["not_covered"]) - 3
    assert f"  and {others} more in {out / 'certificate.json'}, field not_covered\n" in ran.out
    assert "docs/glossary.md" in ran.out
    assert certificate["unit"] == "person"
    private = json.loads(report.read_text())
    assert private["private"] is True
    assert set(private["measures"]) == {"intact"}
    assert private["guarantees"][0]["verdict"]["measured"]["unit"] == "person"
    whole = run("verify", out)
    assert whole.code == 3
    assert "cannot be fully checked" in whole.out
    assert run("verify", out, "--original", visits).code == 0
    assert (
        json.loads(run("verify", out, "--original", visits, "--json").out)["guarantees"][0]["verdict"]["holds"] is True
    )
    assert run("describe", out).code == 0


def test_anonymize_speaks_json(run, visits: Path, tmp_path: Path) -> None:
    ran = run("anonymize", "seqanon-f", visits, "--k", 2, "--m", 1, "--out", tmp_path / "out", "--json", "--seed", 3)
    said = json.loads(ran.out)
    assert ran.code == 0
    assert said["holds"] is True
    assert said["certificate"]["method"] == "seqanon-f"
    assert said["certificate"]["seeded"] is True


def test_columns_places_and_gzip(run, tmp_path: Path) -> None:
    import gzip

    (tmp_path / "v.csv.gz").write_bytes(gzip.compress(b"tid;who;poi\n1;u;a\n2;v;b\n3;w;a\n"))
    (tmp_path / "places.csv").write_text("location,lat,lon\na,40,-73\nb,40.01,-73\n")
    ran = run(
        "anonymize", "seqanon", tmp_path / "v.csv.gz", "--columns", "trajectory=tid,location=poi", "--person", "who",
        "--places", tmp_path / "places.csv", "--k", 2, "--m", 1, "--out", tmp_path / "out",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert (tmp_path / "out" / "members.csv").read_text() == "attribute,label,member\nlocation,g1,a\nlocation,g1,b\n"


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "txt"])
def test_generate_and_describe(run, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"town.{ending}"
    small = ["--trajectories", 50, "--locations", 9, "--seed", 1, "--out", path]
    assert run("generate", "checkins", *small).code == 0
    facts = json.loads(run("describe", path, "--json").out)
    assert facts["kind"] == "trajectories"
    assert facts["records"] == 50
    assert sum(facts["records_by_length"].values()) == 50
    again = json.loads(run("generate", "checkins", *small, "--json").out)
    assert again["parameters"]["locations"] == 9


def test_describe_every_kind(run, tmp_path: Path) -> None:
    (tmp_path / "baskets.dat").write_text("milk bread\nmilk\n")
    (tmp_path / "people.csv").write_text("age;job;codes\n31;cook;401 250\n44;;250\n")
    assert json.loads(run("describe", tmp_path / "baskets.dat", "--json").out)["distinct_items"] == 2
    table = json.loads(run("describe", tmp_path / "people.csv", "--sensitive", "job", "--json").out)
    assert [(c["column"], c["role"], c["missing"]) for c in table["columns"]][1] == ("job", "sensitive", 1)
    mixed = json.loads(run("describe", tmp_path / "people.csv", "--items", "codes", "--json").out)
    assert (mixed["kind"], mixed["items"]) == ("mixed", 3)
    for extra in ([], ["--items", "codes"]):
        assert run("describe", tmp_path / "people.csv", *extra).code == 0


def test_verify_any_file(run, tmp_path: Path) -> None:
    (tmp_path / "walks.txt").write_text("a b\na b\nc\n")
    ran = run("verify", tmp_path / "walks.txt", "--model", "km", "--k", 2, "--m", 2)
    assert ran.code == 1
    assert "DOES NOT HOLD" in ran.out
    assert "witness: pattern c, support 1" in ran.out
    said = json.loads(run("verify", tmp_path / "walks.txt", "--model", "km", "--k", 2, "--m", 2, "--json").out)
    assert said["verdict"]["measured"]["violating_patterns"] == 1
    baskets = ("verify", tmp_path / "walks.txt", "--kind", "transactions", "--model", "km", "--k", 2, "--m", 2)
    assert run(*baskets).code == 1
    (tmp_path / "people.csv").write_text("age,town\n30,Rome\n30,Rome\n")
    assert run("verify", tmp_path / "people.csv", "--model", "k-anonymity", "--k", 2).code == 0


def test_an_altered_label_and_a_forged_digest_are_refused(run, visits: Path, tmp_path: Path) -> None:
    import hashlib

    out = tmp_path / "out"
    run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    data = out / "data.csv"
    data.write_text(data.read_text().replace(",d\n", ",elsewhere\n", 1))
    ran = run("verify", out)
    assert ran.code == 1
    assert "data.csv was altered" in ran.out
    certificate = json.loads((out / "certificate.json").read_text())
    certificate["files"]["data.csv"] = hashlib.sha256(data.read_bytes()).hexdigest()
    (out / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    ran = run("verify", out)
    assert ran.code == 1
    assert "data.csv was altered" not in ran.out
    assert "DOES NOT HOLD" in ran.out


def test_a_broken_promise_is_not_written_unless_overridden(run, visits: Path, tmp_path: Path, monkeypatch) -> None:
    from sfumato.methods.trajectories.seqanon.location_recoding import Recoding

    monkeypatch.setattr(Recoding, "next_rare", lambda self, patterns, *_: len(patterns))  # a method gone wrong
    out = tmp_path / "out"
    asked = ("anonymize", "seqanon", visits, "--k", 9, "--m", 2, "--out", out, "--report", tmp_path / "report.json")
    monkeypatch.setattr("sfumato.methods.trajectories.seqanon.seqanon.require_crowd", lambda *_: None)
    ran = run(*asked)
    assert ran.code == 1
    assert "DOES NOT HOLD" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["visits.csv"]
    assert json.loads(run(*asked, "--json").out)["out"] is None
    assert run(*asked, "--override").code == 1
    assert json.loads((out / "certificate.json").read_text())["override"] is True
    assert run("verify", out).code == 1


def test_evaluate(run, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", out)
    said = json.loads(run("evaluate", visits, out, "--json").out)
    assert {"are", "kl", "intact", "label-size"} <= set(said["measures"])
    sentence = "displacement: needs the run itself; measure it while anonymizing (anonymize --measure displacement --report FILE)"
    assert said["unmeasured"]["displacement"] == sentence
    assert all(said["unmeasured"].values())
    assert not set(said["unmeasured"]) & set(said["measures"])
    ran = run("evaluate", visits, out, "--measure", "intact", "--measure", "displacement")
    assert ran.code == 0
    assert "not measured: displacement: needs the run itself" in ran.out
    assert run("evaluate", visits, out, "--measure", "nonsense").code == 2
    assert run("evaluate", visits, tmp_path, "--measure", "intact").code == 2


def test_demo(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("demo")
    assert ran.code == 0, ran.err
    assert "Persons who are unique" in ran.out
    assert run("verify", "demo-release").code == 3, "persons are counted, and files do not name them"
    said = json.loads(run("demo", "--json").out)
    assert said["out"] == "demo-release-2"
    assert said["holds"] is True
    assert said["unique_before"]["2"] > said["unique_after"]["2"] == 0


def test_a_measure_that_fails_leaves_the_release(run, visits: Path, tmp_path: Path) -> None:
    """The semantic penalty needs a taxonomy, which seqanon does not take."""
    out, report = tmp_path / "out", tmp_path / "private.json"
    measures = ("--measure", "semantic-penalty", "--measure", "intact")
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out, "--report", report, *measures)
    assert ran.code == 0
    assert ran.err.startswith("sfumato: no figure: semantic-penalty: wanted ")
    assert run("verify", out).code == 3
    private = json.loads(report.read_text())
    assert set(private["measures"]) == {"intact"}
    assert private["unmeasured"]["semantic-penalty"].startswith("semantic-penalty: wanted ")


def test_a_measure_that_cannot_fit_is_refused_before_the_run(run, visits: Path, tmp_path: Path) -> None:
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", tmp_path / "out", "--measure", "ncp")
    assert (ran.code, ran.err) == (2, "sfumato: ncp: wanted table or mixed, found trajectories\n")
    assert not (tmp_path / "out").exists()
