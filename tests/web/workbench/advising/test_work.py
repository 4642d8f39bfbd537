"""Advice as its page shows it, and what becomes of a candidate."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sfumato import Cluster, Local
from sfumato.catalogue import measure_class
from sfumato.errors import CallerError
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.candidates import Candidate
from sfumato.privacy import KAnonymity
from sfumato.web.workbench.advising.taking import add_policy, definition_of
from sfumato.web.workbench.advising.work import advice_figures, advise_work
from sfumato.web.workbench.models import Run


def advice() -> Advice:
    """Two candidates that ran, and one that did not."""
    trials = (
        Trial(Candidate(Cluster(k=3)), "ran", seconds=0.1, figures={"ncp": (0.2, "")}, front=True, recommended=True),
        Trial(Candidate(Local(k=3)), "ran", seconds=0.2, figures={"ncp": (0.3, "")}),
        Trial(Candidate(Cluster(k=4), policy_size=2), "stopped", why="it needs more than 5 s"),
    )
    return Advice((KAnonymity(k=3),), (measure_class("ncp")(),), trials, ("incognito: needs hierarchies",), 0, 5.0, 1.0)


def test_every_candidate_has_a_reason_and_can_be_taken(version: Any, project: Any, owner: Any) -> None:
    result = json.loads(json.dumps(advice_figures(advice())))
    reasons = [candidate["reason"] for candidate in result["candidates"]]
    assert reasons == ["No candidate is better on ncp.", "Cluster is better on ncp.", "It needs more than 5 s."]
    assert [candidate["compared"] for candidate in result["candidates"]] == [True, True, False]
    assert result["charts"][0]["width"] == "container"
    run = Run.objects.create(project=project, mode="advise", version=version, summary=result)
    definition = definition_of(run, 0)
    assert definition["method"] == "cluster"
    assert definition["parameters"]["k"] == 3
    assert definition["version"] == str(version.id)
    with pytest.raises(CallerError):
        definition_of(run, 3)
    assert definition["preparation"] == []
    run.summary["candidates"][1]["preparation"] = ["grid:cells=20"]
    assert definition_of(run, 1)["preparation"] == ["grid:cells=20"]
    assert add_policy(run, 0, owner) is None
    assert add_policy(run, 2, owner).text == "all:2"
    assert add_policy(run, 2, owner) is None


def test_the_job_hands_on_the_promises_and_the_progress(
    version: Any, project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def given(data: Any, promises: Any, care: Any, *, seconds: float, tell: Any) -> Advice:
        asked.update(kind=data.kind, promises=promises, care=care, seconds=seconds)
        tell(1, 3, "cluster")
        return advice()

    monkeypatch.setattr("sfumato.experiments.advice.advising.advise", given)
    monkeypatch.chdir(project.folder)
    phases: list[tuple[str, int, int]] = []
    promises = [{"model": "k-anonymity", "parameters": {"k": 3}}]
    result = advise_work(
        source=version.source(), promises=promises, care=["ncp"], seconds=5, progress=lambda *part: phases.append(part)
    )
    assert result["kind"] == "table"
    assert asked == {"kind": "table", "promises": [KAnonymity(k=3)], "care": ["ncp"], "seconds": 5}
    assert ("cluster", 1, 3) in phases
