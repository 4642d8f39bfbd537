"""Published files and other files, checked again."""

from __future__ import annotations

import json
from pathlib import Path


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
