"""Verbs take the same parameters as the pages; what belongs to somebody else, or names a file, is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Asset, Project
from sfumato.web.workbench.versions import new_dataset
from web.conftest import SALES, TABLE

CLUSTER = {"method": "cluster", "parameters": {"k": 2}}


@pytest.fixture
def ask(call: Callable[..., Any], world: dict[str, Any]) -> Callable[..., Any]:
    """Call a verb on the dataset of the world."""

    def asked(verb: str, **body: Any) -> Any:
        path = f"/projects/{world['project_id']}/{verb}"
        return call("POST", path, body={"dataset": str(world["dataset_id"]), **body})

    return asked


@pytest.fixture
def foreign(users: dict[str, Any]) -> Any:
    """A version of somebody else."""
    project = Project.objects.create(name="Other", owner=users["stranger"])
    return new_dataset(project, "theirs", SALES, dict(TABLE))


def test_a_parameter_varies_by_start_end_and_step(ask: Callable[..., Any]) -> None:
    answer = ask("evaluate", **CLUSTER, vary={"parameter": "k", "start": 2, "end": 6, "step": 2})
    assert answer.status_code == 202
    assert answer.json()["definition"]["vary"] == {"parameter": "k", "values": [2, 4, 6]}
    configurations = [CLUSTER]
    vary = {"parameter": "k", "start": 2, "end": 3, "step": 1}
    answer = ask("compare", configurations=configurations, vary=vary, repetitions=1)
    assert answer.json()["definition"]["vary"]["values"] == [2, 3]


@pytest.mark.parametrize(
    "vary",
    [
        {"parameter": "k"},
        {"parameter": "k", "start": 2, "end": 3, "step": 0},
        {"parameter": "k", "start": 2, "end": 900, "step": 1},
        {"parameter": "k", "start": 2, "end": 3, "step": 1, "values": [2, 3]},
        {"parameter": "k", "start": 2, "end": float("inf"), "step": 1},
        {"parameter": "k", "values": [1, 2]},
        {"parameter": "file", "values": ["/etc/passwd"]},
    ],
)
def test_a_range_that_makes_no_sense_is_refused(ask: Callable[..., Any], vary: dict[str, Any]) -> None:
    assert ask("evaluate", **CLUSTER, vary=vary).status_code == 422


def test_an_audit_takes_the_parameters_of_its_page(ask: Callable[..., Any], world: dict[str, Any]) -> None:
    parameters = {"threshold": 0.5, "largest_set": 2}
    answer = ask("audit", parameters=parameters, population=str(world["dataset_id"]))
    assert answer.status_code == 202
    job = Job.objects.get(pk=answer.json()["job"]["id"])
    assert job.arguments["parameters"] == parameters
    assert job.arguments["population"]["file"] == job.arguments["source"]["file"]
    assert ask("audit", parameters={"threshold": 2}).status_code == 422
    assert ask("audit", parameters={"known": 2}).status_code == 422  # a table is audited by its columns


def test_what_belongs_to_others_is_not_found(ask: Callable[..., Any], foreign: Any, world: dict[str, Any]) -> None:
    dataset = foreign.dataset
    asset = Asset.objects.create(dataset=dataset, kind="workload", name="w", file="assets/w.csv")
    workload = [{"measure": "are", "parameters": {"workload": str(asset.id)}}]
    assert ask("evaluate", **CLUSTER, measures=workload).status_code == 422
    assert ask("audit", population=str(dataset.id)).status_code == 404
    for verb in ("evaluate", "audit"):
        assert ask(verb, **{**CLUSTER, "dataset": str(dataset.id)}).status_code == 404
    run = dataset.project.runs.create(mode="evaluate", version=foreign)
    assert ask("attack", target="run", id=str(run.id)).status_code == 422
    assert ask("releases", run=str(run.id)).status_code == 404


def test_a_parameter_never_names_a_file(ask: Callable[..., Any]) -> None:
    measures = [{"measure": "are", "parameters": {"workload": "../../../etc/passwd"}}]
    assert ask("evaluate", **CLUSTER, measures=measures).status_code == 422
    nested = {"method": "cluster", "parameters": {"k": {"method": "cluster", "network": "/etc"}}}
    assert "names a file" in ask("evaluate", **nested).json()["sentence"]


def test_a_sentence_does_not_say_where_the_files_of_the_server_are(ask: Callable[..., Any], settings: Any) -> None:
    vary = {"parameter": "data.file", "values": ["a.csv", "b.csv"]}
    answer = ask("compare", configurations=[{**CLUSTER, "name": 'x"\n[data]\nfile="/etc/passwd'}], vary=vary)
    assert answer.status_code == 422
    assert str(settings.SFUMATO_HOME) not in answer.content.decode()


def test_a_text_that_no_database_keeps_is_refused(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(**_: Any) -> None:
        raise ValueError("A string literal cannot contain NUL (0x00) characters.")  # as psycopg does

    monkeypatch.setattr(Project.objects, "create", refusing)
    assert call("POST", "/projects", body={"name": "a\x00b"}).status_code == 400
