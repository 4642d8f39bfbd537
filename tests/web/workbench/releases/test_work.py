"""Publishing, verifying and reporting, as jobs do it: in the folder of the project."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sfumato.io.published.ledger import ReleaseLedger
from sfumato.web.workbench.releases.making import arguments_of, make_release
from sfumato.web.workbench.releases.work import LEDGER, publish_work, report_work, verify_work


def ignored(phase: str, done: int, total: int) -> None:
    """Progress that nothing shows."""


@pytest.fixture
def release(evaluated: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    made = make_release(evaluated(), owner, name="First")
    monkeypatch.chdir(made.project.folder)
    return made


def test_a_release_is_entered_once(release: Any) -> None:
    results = [publish_work(**arguments_of(release), override=False, progress=ignored) for _ in range(2)]
    assert [result["number"] for result in results] == [1, 1]
    with ReleaseLedger.reading(release.project.folder / LEDGER) as book:
        (entry,) = book.entries()
    assert entry.directory == release.folder.resolve()


def test_it_is_verified_with_its_original(release: Any) -> None:
    assert verify_work(**arguments_of(release), progress=ignored) == {"code": 0}
    result = json.loads((release.project.folder / f"reports/{release.id}.check.json").read_text())
    assert [promise["holds"] for promise in result["promises"]] == [True]
    assert str(release.project.folder) not in json.dumps(result)


def test_both_editions_of_the_report(release: Any) -> None:
    publish_work(**arguments_of(release), override=False, progress=ignored)
    public = {**arguments_of(release), "source": None, "report": ""}
    assert report_work(**public, edition="public", progress=ignored)["code"] == 0
    report_work(**arguments_of(release), edition="private", progress=ignored)
    folder = release.project.folder
    pages = {name: (folder / f"reports/{release.id}.{name}.html").read_text() for name in ("public", "private")}
    assert "Do not publish" in pages["private"] or "PRIVATE" in pages["private"].upper()
    assert all(str(folder) not in page for page in pages.values())


def test_a_moved_project_is_found_again(release: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = arguments_of(release)
    publish_work(**arguments, override=False, progress=ignored)
    moved = tmp_path / "elsewhere"
    release.project.folder.rename(moved)
    monkeypatch.chdir(moved)
    assert publish_work(**arguments, override=False, progress=ignored)["number"] == 1
