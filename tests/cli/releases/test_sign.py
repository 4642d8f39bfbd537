"""`sfumato sign` and `sfumato verify --signer`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def signed(run, visits: Path, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    assert run("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out).code == 0
    assert run("sign", "--new-key", tmp_path / "key").code == 0
    ran = run("sign", out, "--key", tmp_path / "key")
    assert (ran.code, ran.out) == (0, f"✓ signed: {out / 'certificate.json.sig'}\n")
    return out


def test_a_right_signature_changes_nothing_else(run, signed: Path, tmp_path: Path) -> None:
    plain = run("verify", signed)
    assert "- signed; the signature was not checked" in plain.out
    ran = run("verify", signed, "--signer", tmp_path / "key.pub")
    assert ran.code == plain.code
    assert f"✓ signed with the key {tmp_path / 'key.pub'}\n" in ran.out
    asked = ("verify", signed, "--json")
    assert run(*asked, "--signer", tmp_path / "key.pub").out == run(*asked).out


@pytest.mark.parametrize("what", ["missing", "changed", "other key"])
def test_a_missing_or_false_signature_is_a_failure(run, signed: Path, tmp_path: Path, what: str) -> None:
    key = tmp_path / "key.pub"
    if what == "missing":
        (signed / "certificate.json.sig").unlink()
    elif what == "changed":
        text = (signed / "certificate.json").read_text()
        (signed / "certificate.json").write_text(text.replace('"seqanon"', '"zga"'))
    else:
        run("sign", "--new-key", tmp_path / "other")
        key = tmp_path / "other.pub"
    ran = run("verify", signed, "--signer", key)
    assert ran.code == 1
    assert ran.out.startswith("✗ the ")
    assert ran.out.endswith(f"nothing else in {signed} was checked\n")
    ran = run("verify", signed, "--signer", key, "--json")
    assert ran.code == 1
    told = json.loads(ran.out)
    assert (told["holds"], len(told["problems"]), told["guarantees"]) == (False, 1, [])


def test_what_does_not_verify_is_not_signed(run, signed: Path, tmp_path: Path) -> None:
    (signed / "certificate.json.sig").unlink()
    (signed / "data.csv").write_text("trajectory,step,location\n")
    ran = run("sign", signed, "--key", tmp_path / "key")
    assert ran.code == 1
    assert ran.out.startswith("✗ not signed, because the directory does not verify: data.csv was altered")
    assert json.loads(run("sign", signed, "--key", tmp_path / "key", "--json").out)["signed"] is False
    assert not (signed / "certificate.json.sig").exists()


def test_mistakes_of_the_caller(run, signed: Path, visits: Path, tmp_path: Path) -> None:
    for asked, sentence in {
        ("sign",): "wanted DIR and --key FILE, or --new-key FILE",
        ("sign", signed): "wanted DIR and --key FILE, or --new-key FILE",
        ("sign", signed, "--new-key", tmp_path / "k"): "leave DIR and --key out",
        ("sign", "--new-key", tmp_path / "key"): "exists already, and a key is never replaced",
        ("sign", "--new-key", signed / "key"): "the key is private and must not be in",
        ("sign", signed, "--key", tmp_path / "key"): "is signed already; remove the signature first",
        ("sign", signed, "--key", tmp_path / "key.pub"): "key.pub: wanted a private",
        ("verify", signed, "--signer", tmp_path / "none"): "none: no such file",
        ("verify", signed, "--signer", visits): "wanted a public Ed25519 key of OpenSSH",
        (
            "verify",
            visits,
            "--model",
            "km",
            "--k",
            2,
            "--m",
            1,
            "--signer",
            tmp_path / "key.pub",
        ): "--signer needs a published directory",
    }.items():
        ran = run(*asked)
        assert ran.code == 2, asked
        assert sentence in ran.err
        assert ran.err.count("\n") == 1
    ran = run("sign", "--new-key", tmp_path / "third", "--json")
    assert json.loads(ran.out) == {"private_key": str(tmp_path / "third"), "public_key": str(tmp_path / "third.pub")}


def test_a_signed_release_stays_what_the_ledger_knows(run, visits: Path, tmp_path: Path) -> None:
    common = ("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--ledger", tmp_path / "people.ledger")
    assert run(*common, "--out", tmp_path / "one").code == 0
    run("sign", "--new-key", tmp_path / "key")
    assert run("sign", tmp_path / "one", "--key", tmp_path / "key").code == 0
    assert run(*common, "--out", tmp_path / "two").code == 0
