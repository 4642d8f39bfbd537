"""From a file to a published directory."""

from __future__ import annotations

import json
from pathlib import Path


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
    assert "sfumato glossary" in ran.out
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


def test_a_broken_promise_is_not_written_unless_overridden(run, visits: Path, tmp_path: Path, monkeypatch) -> None:
    from sfumato.methods.trajectories.seqanon.location_recoding import Recoding

    monkeypatch.setattr(Recoding, "next_rare", lambda self, patterns, *_: len(patterns))  # a method gone wrong
    out = tmp_path / "out"
    asked = ("anonymize", "seqanon", visits, "--k", 9, "--m", 2, "--out", out, "--report", tmp_path / "report.json")
    monkeypatch.setattr("sfumato.methods.trajectories.seqanon.location_merging.require_units", lambda *_: None)
    ran = run(*asked)
    assert ran.code == 1
    assert "DOES NOT HOLD" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["visits.csv"]
    assert json.loads(run(*asked, "--json").out)["out"] is None
    assert run(*asked, "--override").code == 1
    assert json.loads((out / "certificate.json").read_text())["override"] is True
    assert run("verify", out).code == 1


def test_a_measure_that_fails_leaves_the_release(run, visits: Path, tmp_path: Path) -> None:
    """No release of seqanon has the taxonomy that these guesses read."""
    out, report = tmp_path / "out", tmp_path / "private.json"
    measures = ("--measure", "guessed-places", "--measure", "intact")
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out, "--report", report, *measures)
    assert ran.code == 0
    assert ran.err.startswith("sfumato: no figure: guessed-places: needs a taxonomy")
    assert run("verify", out).code == 3
    private = json.loads(report.read_text())
    assert set(private["measures"]) == {"intact"}
    assert private["unmeasured"]["guessed-places"].startswith("guessed-places: needs a taxonomy")


def test_a_measure_that_does_not_fit_is_refused_before_the_run(run, visits: Path, tmp_path: Path) -> None:
    """The advice is followed: evaluate takes what the method does not."""
    out = tmp_path / "out"
    made = ("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    ran = run(*made, "--measure", "semantic-penalty")
    assert ran.code == 2
    assert "semantic-penalty: needs taxonomy, which seqanon does not take; leave the measure out and give" in ran.err
    assert not out.exists()
    assert run(*made).code == 0
    (tmp_path / "tree.csv").write_text("node,parent\n*,\n" + "".join(f"{place},*\n" for place in "abcde"))
    measured = run("evaluate", visits, out, "--taxonomy", tmp_path / "tree.csv", "--measure", "semantic-penalty")
    assert measured.code == 0, measured.err
    (tmp_path / "b.dat").write_text("a b\n" * 4)
    baskets = ("anonymize", "coat", tmp_path / "b.dat", "--k", 2, "--privacy-policy", "all:1", "--out", tmp_path / "b")
    ran = run(*baskets, "--measure", "tkd-ml2")
    assert ran.code == 2
    assert "tkd-ml2: needs a taxonomy, these data carry none; give a taxonomy (--taxonomy FILE" in ran.err
    assert "wanted published chunks, found transactions" in run(*baskets, "--measure", "tlost").err
    assert not (tmp_path / "b").exists()


def test_a_measure_takes_parameters(run, visits: Path, tmp_path: Path) -> None:
    figures = []
    for number, measure in enumerate(("are:visits=2,draw=uniform", "are:visits=2,draw=uniform,seed=1", "are")):
        out, report = tmp_path / f"out{number}", tmp_path / f"report{number}.json"
        common = ("--k", 3, "--m", 2, "--out", out, "--report", report)
        assert run("anonymize", "seqanon", visits, *common, "--measure", measure).code == 0
        figures.append(json.loads(report.read_text())["measures"]["are"])
    assert len(set(figures)) == 3
    ran = run("anonymize", "seqanon", visits, "--k", 3, "--m", 2, "--out", tmp_path / "o", "--measure", "are:items=2")
    assert (ran.code, ran.err) == (2, "sfumato: items in a query: wanted data with items, found trajectories\n")


def test_a_measure_that_cannot_fit_is_refused_before_the_run(run, visits: Path, tmp_path: Path) -> None:
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", tmp_path / "out", "--measure", "ncp")
    assert (ran.code, ran.err) == (2, "sfumato: ncp: wanted table or mixed, found trajectories\n")
    assert not (tmp_path / "out").exists()
