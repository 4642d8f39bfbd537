"""`sfumato report`, and the pages of `verify --out` and `audit --against --out`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import sfumato
from hostile_documents import Page
from sfumato.experiments.reports.documents.document import PRIVATE


@pytest.fixture
def release(run, visits: Path, tmp_path: Path) -> Path:
    out = tmp_path / "release"
    report = tmp_path / "private.json"
    run("anonymize", "seqanon", visits, "--person", "person", "--k", 3, "--m", 2, "--out", out, "--report", report)
    return out


def test_a_public_report(run, release: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.html"
    ran = run("report", release, "--out", out)
    assert ran.code == 0
    assert "is the public edition" in ran.out
    assert out.read_text() == sfumato.report(release).to_html()
    shown = Page(out.read_text())
    shown.require_alone()
    shown.require_accessible()
    assert "sfumato verify DIRECTORY" in shown.text
    assert PRIVATE not in shown.text
    assert (
        "An attacker who knows up to 2 visits of a person finds at least 3 persons that match, never fewer."
        in shown.text
    )


def test_a_private_report(run, release: Path, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.html"
    given = ["--original", visits, "--person", "person", "--report", tmp_path / "private.json"]
    ran = run("report", release, *given, "--out", out, "--json")
    said = json.loads(ran.out)
    assert (ran.code, said["edition"], said["code"]) == (0, "private", 0)
    assert said["sections"] == [
        "summary", "release", "promise", "verification", "attacks", "losses", "limits", "ledger", "digests",
    ]  # fmt: skip
    assert out.stat().st_mode & 0o777 == 0o600
    shown = Page(out.read_text()).text
    report = tmp_path / "private.json"
    assert f"sfumato verify {release} --original {visits} --person person --report {report}" in shown
    command = f"sfumato audit {visits} --against {release} --person person --report {report} --seed 0"
    assert command in shown
    assert run(*command.split()[1:]).code == 0
    assert "Every promise holds in these attacks." in shown
    assert "name-" not in shown
    assert "secret-" not in shown


def test_a_pdf(run, release: Path, tmp_path: Path) -> None:
    assert run("report", release, "--out", tmp_path / "board.pdf").code == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-")


def test_only_the_private_report_makes_a_private_edition(run, release: Path, tmp_path: Path) -> None:
    ran = run("report", release, "--report", tmp_path / "private.json", "--out", tmp_path / "board.html")
    assert "is the private edition" in ran.out
    assert (tmp_path / "board.html").stat().st_mode & 0o777 == 0o600


def test_a_report_inside_a_release_is_refused(run, release: Path, visits: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(release, target_is_directory=True)
    for out in (release / "board.html", release / "new.pdf", tmp_path / "link" / "board.html"):
        public, private = (run("report", release, *given, "--out", out) for given in ([], ["--original", visits]))
        assert (public.code, private.code) == (2, 2)
        assert "published and complete" in public.err
        assert "is private and must not be in" in private.err
    assert run("verify", release).code == 3


def test_mistakes(run, release: Path, visits: Path, tmp_path: Path) -> None:
    def refusal(*args: object) -> str:
        ran = run("report", *args)
        assert ran.code == 2
        assert not (tmp_path / "b.html").exists()
        return ran.err

    assert "--out is required: the report, a .html or .pdf file" in refusal(release)
    assert "wanted a file that ends in .html or .pdf for a report" in refusal(release, "--out", tmp_path / "b.txt")
    assert "wanted a published directory, found none" in refusal(visits, "--out", tmp_path / "b.html")
    assert "does not exist" in refusal(release, "--out", tmp_path / "no" / "b.html")
    out = ["--out", tmp_path / "b.html"]
    assert "would replace an input" in refusal(release, "--original", tmp_path / "b.html", *out)
    assert "found another file" in refusal(release, "--report", release / "certificate.json", *out)
    other = json.loads((tmp_path / "private.json").read_text())
    (tmp_path / "other.json").write_text(json.dumps({**other, "parameters": {"k": 9, "m": 2}}))
    assert "this is the report of another release" in refusal(release, "--report", tmp_path / "other.json", *out)
    (tmp_path / "odd.json").write_text(json.dumps({**other, "records": 3}))
    assert "this is the report of another release" in refusal(release, "--report", tmp_path / "odd.json", *out)
    assert "wanted a ledger" in refusal(release, "--ledger", visits, *out)


def test_a_missing_package_is_named_before_the_work(run, release: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    ran = run("report", release, "--out", tmp_path / "board.pdf")
    assert (ran.code, ran.err) == (
        2,
        "sfumato: typst is not installed: pip install 'sfumato[report]', or in a checkout pip install '.[report]'\n",
    )
    monkeypatch.setitem(sys.modules, "altair", None)
    assert run("report", release, "--out", tmp_path / "board.html").code == 0


def test_a_failed_check_ends_with_1_and_is_written(run, release: Path, tmp_path: Path) -> None:
    (release / "data.csv").write_text((release / "data.csv").read_text() + "\n")
    ran = run("report", release, "--out", tmp_path / "board.html")
    assert ran.code == 1
    assert "Do not rely on this release" in (tmp_path / "board.html").read_text()


# --- sections of other commands --------------------------------------------------------------------------------------


def test_verify_writes_its_checks(run, release: Path, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "checks.html"
    ran = run("verify", release, "--out", out)
    assert (ran.code, ran.out.splitlines()[-1]) == (3, f"Written to {out}.")
    shown = Page(out.read_text())
    shown.require_accessible()
    assert PRIVATE not in shown.text
    assert "Who checked what" in shown.text
    assert "What was lost" not in shown.text
    given = ["--original", visits, "--person", "person", "--report", tmp_path / "private.json"]
    ran = run("verify", release, *given, "--out", tmp_path / "checks.pdf")
    assert (ran.code, ran.out.splitlines()[-1]) == (
        0,
        f"{tmp_path / 'checks.pdf'} is private: it holds figures about the original.",
    )
    assert (tmp_path / "checks.pdf").stat().st_mode & 0o777 == 0o600
    run("verify", release, *given, "--out", out, "--json")
    assert out.read_text().count(PRIVATE) == 3
    assert out.stat().st_mode & 0o777 == 0o600


def test_verify_refuses_a_page_that_cannot_be(run, release: Path, visits: Path, tmp_path: Path) -> None:
    assert "published and complete" in run("verify", release, "--out", release / "checks.html").err
    assert "ends in .html or .pdf" in run("verify", release, "--out", tmp_path / "checks.png").err
    ran = run("verify", visits, "--model", "km", "--k", 2, "--m", 1, "--out", tmp_path / "checks.html")
    assert "--out needs a published directory" in ran.err


def test_audit_writes_its_attacks(run, release: Path, visits: Path, tmp_path: Path) -> None:
    for ending in ("html", "pdf"):
        out = tmp_path / f"attacks.{ending}"
        ran = run("audit", visits, "--person", "person", "--against", release, "--out", out)
        assert (ran.code, ran.out.splitlines()[-1]) == (0, f"{out} is private: it holds figures about the original.")
        assert out.stat().st_mode & 0o777 == 0o600
    shown = Page((tmp_path / "attacks.html").read_text())
    shown.require_accessible()
    assert "Attacks on release" in shown.text
    assert "record linkage" in shown.text
    assert (
        "is private and must not be in" in run("audit", visits, "--against", release, "--out", release / "a.html").err
    )
    assert "ends in .html or .pdf" in run("audit", visits, "--against", release, "--out", tmp_path / "a.csv").err
    ran = run("audit", visits, "--attack", "reidentify", "--out", tmp_path / "a.html")
    assert "--out cannot be used together with --attack" in ran.err
    assert (
        "would replace an input"
        in run(
            "audit",
            visits,
            "--against",
            release,
            "--out",
            visits.with_suffix(".html"),
            "--report",
            visits.with_suffix(".html"),
        ).err
    )
