"""Disassociated data on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from sfumato.cli import main

BASKETS = "ale bread\nale bread\nale bread\nale\ntea oil\ntea\ntea\n\n"


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    path = tmp_path / "baskets.dat"
    path.write_text(BASKETS, encoding="utf-8")
    return path


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    return int(left.value.code or 0)


@pytest.fixture
def release(baskets: Path, tmp_path: Path) -> Path:
    out = tmp_path / "release"
    assert run("anonymize", "disassociate", baskets, "--k", 2, "--m", 2, "--sensitive", "oil", "--out", out) == 0
    return out


def test_a_release_is_verified_described_and_evaluated(
    baskets: Path, release: Path, capsys: pytest.CaptureFixture
) -> None:
    assert run("verify", release) == 0
    assert run("verify", release, "--original", baskets, "--sensitive", "oil") == 0
    assert run("verify", release, "--original", baskets) == 3, "what is sensitive is claimed"
    capsys.readouterr()
    assert run("describe", release, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["kind"], facts["records"], facts["clusters"]) == ("chunks", 7, 1)
    assert run("evaluate", baskets, release, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert {"tkd", "tkd-a", "re", "re-a", "tlost", "are", "patterns-preserved"} <= set(said["measures"])
    assert said["unmeasured"]["tkd-ml2"].startswith("tkd-ml2: needs a hierarchy of items")
    assert (release / "context" / "sensitive.csv").read_text() == "item\noil\n"


def test_a_changed_file_is_seen(release: Path, capsys: pytest.CaptureFixture) -> None:
    path = release / "clusters.csv"
    path.write_text(path.read_text().replace("1,7", "1,9"))
    assert run("verify", release) == 1
    said = capsys.readouterr().out
    assert "clusters.csv was altered" in said
    assert "holds 9" not in said, "what was altered is not parsed"


def test_a_truncated_file_is_seen(release: Path, capsys: pytest.CaptureFixture) -> None:
    path = release / "chunks.csv"
    path.write_text(path.read_text()[:-20])
    assert run("verify", release) == 1
    assert "chunks.csv" in capsys.readouterr().out


def test_an_audit_lists_what_items_give_away(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "covers.csv"
    assert run("audit", release, "--out", out, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["covered"], said["items"]) == (1, 3)
    assert pl.read_csv(out).rows() == [(1, 1, "bread", 3, "ale", 1)]
    assert (said["kind"], said["records"], said["smallest_cluster"]) == ("chunks", 7, 7)
    assert [part["smallest"] for part in said["known"]] == [3, 3]
    page = tmp_path / "audit.html"
    assert run("audit", release, "--out", page) == 0
    out_text = capsys.readouterr().out
    assert "(33.3%) are covered" in out_text
    assert "known items of one chunk" in out_text
    assert "Items that reveal other items" in page.read_text()
    assert run("audit", release, "--out", tmp_path / "audit.svg") == 0
    assert "known items" in (tmp_path / "audit.svg").read_text()


def test_an_audit_refuses_what_chunks_cannot_say(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert run("audit", release, "--population-size", 9) == 2
    assert "--population-size is for tables and mixed records, not for chunks" in capsys.readouterr().err
    assert run("audit", release, "--per-person", tmp_path / "a.csv") == 2
    assert "leave --per-person out" in capsys.readouterr().err
    assert not list(tmp_path.glob("a.*"))


def test_bad_input_writes_nothing(baskets: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "out"
    asked = ("anonymize", "disassociate", baskets, "--m", 2, "--out", out)
    assert run(*asked, "--k", 20) == 2
    assert "k=20 needs at least 20 records with an item, these data have 7" in capsys.readouterr().err
    assert run(*asked, "--k", 2, "--sensitive", "oli") == 2
    assert "wanted items of the data, found 'oli'" in capsys.readouterr().err
    assert run(*asked, "--k", 2, "--empty", "maybe") == 2
    assert not out.exists()


def test_chunks_without_a_certificate_are_checked_by_model(release: Path, capsys: pytest.CaptureFixture) -> None:
    (release / "certificate.json").unlink()
    asked = ("verify", release, "--model", "reconstruction", "--m", 2)
    assert run(*asked, "--k", 2) == 0
    assert run(*asked, "--k", 4) == 1
    assert "✗ reconstruction anonymity(k=4, m=2, l=1)" in capsys.readouterr().out
    assert run("verify", release / "nowhere", "--model", "reconstruction", "--m", 2, "--k", 2) == 2
    assert "clusters.csv" in capsys.readouterr().err
