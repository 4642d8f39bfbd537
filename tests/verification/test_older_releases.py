"""Releases of earlier versions, one for each kind of data and more, still verify in the words of their time."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import sfumato
from sfumato.attacks import find_leaks
from sfumato.attacks.leaks.wordings import _older
from sfumato.verification import verify

RELEASES = sorted(path for path in (Path(__file__).parents[1] / "releases").glob("*/*") if path.is_dir())
UNCHECKED = {"seqanon-persons", "cluster-persons", "ngrams"}  # persons and noise cannot be told from files


def test_every_kind_is_there() -> None:
    kinds = {json.loads((folder / "certificate.json").read_text())["kind"] for folder in RELEASES}
    assert kinds == {"trajectories", "roads", "transactions", "chunks", "table", "mixed"}


@pytest.mark.parametrize("folder", RELEASES, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_an_older_release_verifies(folder: Path) -> None:
    assert json.loads((folder / "certificate.json").read_text())["sfumato"] != sfumato.__version__
    check = verify(folder)
    assert check.problems == ()
    assert check.code == (3 if folder.name in UNCHECKED else 0)


@pytest.mark.parametrize("folder", RELEASES, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
@pytest.mark.parametrize("change", ["emptied", "reworded", "shortened", "newer"])
def test_changed_limits_are_noticed(folder: Path, change: str, tmp_path: Path) -> None:
    out = Path(shutil.copytree(folder, tmp_path / "out"))
    certificate = json.loads((out / "certificate.json").read_text())
    limits = certificate["not_covered"]
    if change == "emptied":
        certificate["not_covered"] = []
    elif change == "reworded":
        limits[0] = "nothing at all"
    elif change == "shortened":
        limits.pop()
    else:
        certificate["sfumato"] = sfumato.__version__
    (out / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    assert "certificate" in {leak.check for leak in find_leaks(out)}
    assert verify(out).code == 1


def test_the_words_of_this_version_are_not_frozen_yet() -> None:
    assert sfumato.__version__ not in _older()
