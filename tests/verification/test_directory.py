"""Published directories, checked again by whoever receives them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from datasets import PLACES
from sfumato import SeqAnon, Trajectories, Transactions, verify
from sfumato.errors import CallerError, FileError

VERDICT = {"holds": True, "checked_from": "files", "measured": {}, "witnesses": []}
ROWS = ["dace", "baec", "ade", "bdec", "dc", "de"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = Trajectories.from_lists(ROWS, places=PLACES)
    return SeqAnon(k=2, m=2).anonymize(data).write(tmp_path / "out")


def redo_digest(folder: Path, name: str = "data.csv", **changes: Any) -> None:
    """Make the certificate fit the altered file, as a clever forger would."""
    certificate = json.loads((folder / "certificate.json").read_text())
    certificate["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    text = json.dumps(certificate | changes, indent=2, ensure_ascii=False) + "\n"
    (folder / "certificate.json").write_text(text)


def alter(folder: Path, old: str, new: str) -> None:
    text = (folder / "data.csv").read_text()
    assert old in text
    (folder / "data.csv").write_text(text.replace(old, new, 1))


def test_an_untouched_release_holds(folder: Path) -> None:
    check = verify(folder)
    assert check.holds
    assert check.problems == ()
    (model, verdict), *_ = check.verdicts
    assert (model.name, model.to_json(), verdict.holds) == ("km", {"k": 2, "m": 2}, True)


def test_an_altered_label_breaks_the_digest(folder: Path) -> None:
    alter(folder, ",g1\n", ",e\n")
    assert verify(folder).problems == ("data.csv was altered: its digest is not the one in the certificate",)
    assert not verify(folder).holds


def test_an_altered_label_with_a_redone_digest_breaks_the_promise(folder: Path) -> None:
    alter(folder, ",g1\n", ",elsewhere\n")
    redo_digest(folder)
    check = verify(folder)
    assert check.code == 1
    assert check.verdicts[0][1].witnesses[0]["pattern"] == ["elsewhere"]


def test_a_milder_promise_in_the_certificate_is_checked_as_stated(folder: Path) -> None:
    parameters = {"k": 7, "m": 2}
    redo_digest(folder, guarantees=[{"model": "km", "parameters": parameters, "verdict": VERDICT}])
    assert not verify(folder).holds


def test_missing_added_and_lost_records_are_seen(folder: Path) -> None:
    (folder / "notes.txt").write_text("hello")
    assert verify(folder).problems == ("notes.txt is not listed in the certificate",)
    (folder / "notes.txt").unlink()
    text = (folder / "data.csv").read_text().splitlines()
    (folder / "data.csv").write_text("\n".join(line for line in text if not line.startswith("6,")) + "\n")
    redo_digest(folder)
    assert "the certificate states 6 records, data.csv holds 5" in verify(folder).problems
    (folder / "members.csv").unlink()
    assert "members.csv is missing" in verify(folder).problems


def test_a_certificate_without_a_promise_is_no_certificate(folder: Path) -> None:
    redo_digest(folder, guarantees=[])
    assert "the certificate states no guarantee" in verify(folder).problems


def test_a_release_written_in_spite_of_its_verdict_says_so(folder: Path) -> None:
    redo_digest(folder, override=True)
    assert "the release was written although its promise did not hold" in verify(folder).problems


def test_persons_need_the_original(tmp_path: Path) -> None:
    rows = ["ab", "ab", "ab", "ba", "ba"]
    data = Trajectories.from_lists(rows, places=PLACES, persons=["u", "v", "v", "u", "w"])
    folder = SeqAnon(k=2, m=2).anonymize(data).write(tmp_path / "out")
    files_only = verify(folder).verdicts[0][1]
    assert files_only.holds == "not checkable"
    assert files_only.reason.remedy == "give-original-and-report"
    assert (verify(folder).code, verify(folder).holds) == (3, False), "nothing is wrong, but not all was checked"
    assert verify(folder, original=data).code == 0
    someone_else = Trajectories.from_lists(rows, places=PLACES, persons=["u", "u", "u", "u", "w"])
    assert not verify(folder, original=someone_else).holds
    with pytest.raises(CallerError, match="the original holds transactions, the release trajectories"):
        verify(folder, original=Transactions.from_lists(rows))


@pytest.mark.parametrize(
    ("guarantees", "message"),
    [
        (
            [{"model": "km", "parameters": {"k": 1, "m": 1}, "verdict": VERDICT}],
            "KmAnonymity: k must be a whole number of at least 2, got 1",
        ),
        (
            [{"model": "km", "parameters": {"k": 2}, "verdict": VERDICT}],
            "KmAnonymity: m is required: a whole number of at least 1",
        ),
        (["km"], "wanted guarantee 1 as an object, found something else"),
    ],
)
def test_a_certificate_that_cannot_be_read_is_refused(folder: Path, guarantees: Any, message: str) -> None:
    redo_digest(folder, guarantees=guarantees)
    with pytest.raises(FileError) as refusal:
        verify(folder)
    assert str(refusal.value) == f"{folder / 'certificate.json'}: {message}"
