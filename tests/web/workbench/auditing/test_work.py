"""Audits and attacks, as jobs do them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sfumato.web.workbench.auditing.forms import target_of, targets_of
from sfumato.web.workbench.auditing.work import attack_work, audit_work
from sfumato.web.workbench.ledger.work import compose_work
from sfumato.web.workbench.releases.making import arguments_of, make_release
from sfumato.web.workbench.releases.work import publish_work


def ignored(phase: str, done: int, total: int) -> None:
    """Progress that nothing shows."""


def test_an_audit_has_figures_charts_and_tables(version: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(version.dataset.project.folder)
    result = audit_work(source=version.source(), out="runs/one", parameters={"threshold": 0.2}, progress=ignored)
    assert result["summary"].startswith("Of 12 records, 12 (100%) are unique in 3 quasi-identifiers")
    assert result["sections"][0]["rows"][0][0] == "prosecutor"
    assert [spec["width"] for spec in result["charts"]] == ["container", "container"]
    assert len((version.dataset.project.folder / "runs/one/persons.csv").read_text().splitlines()) == 13
    assert json.loads(json.dumps(result)) is not None


def test_attacks_stand_beside_guessing_and_unfit_ones_are_named(
    evaluated: Any, project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated()
    (target,) = targets_of(project)
    monkeypatch.chdir(project.folder)
    result = attack_work(
        source=target.source,
        folders=[target.folder],
        report=target.report,
        attacks=[],
        known=2,
        ordered=True,
        progress=ignored,
    )
    assert not result["beaten"]
    assert {"linkage", "reidentify"} <= {attack["name"] for attack in result["attacks"]}
    assert any("composition" in sentence for sentence in result["unfit"])
    assert result["chart"]["data"]["values"]
    assert target_of([target], target.key) is target


def test_a_planned_release_is_attacked_with_an_earlier_one(
    evaluated: Any, project: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_release(evaluated(k=3), owner, name="First")
    monkeypatch.chdir(project.folder)
    publish_work(**arguments_of(first), override=False, progress=ignored)
    evaluated(k=4)
    planned = next(target for target in targets_of(project) if target.key.startswith("run"))
    result = compose_work(source=planned.source, folder=planned.folder, report=planned.report, progress=ignored)
    assert [part["release"] for part in result["earlier"]] == [1]
    assert str(project.folder) not in json.dumps(result)
