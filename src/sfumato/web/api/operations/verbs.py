"""The verbs: evaluate, compare, advise, audit, attack.  Each starts a run, whose state and figures are asked for."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from sfumato.attacks import Audit, TableAudit
from sfumato.catalogue import measure_class, model_class
from sfumato.errors import ParameterError
from sfumato.web.api.answers import RunAnswer
from sfumato.web.api.definitions import (
    ChosenMeasure,
    Configuration,
    Vary,
    checked_measures,
    checked_method,
    checked_vary,
)
from sfumato.web.api.operations.datasets import version_of
from sfumato.web.api.permission import member
from sfumato.web.api.service import ERRORS
from sfumato.web.workbench.auditing.forms import attacks_for, audit_fields, target_of, targets_of
from sfumato.web.workbench.auditing.starting import start_run
from sfumato.web.workbench.comparison.drafts import EMPTY, put_configuration
from sfumato.web.workbench.comparison.experiments import start_comparison
from sfumato.web.workbench.evaluation.starting import start_evaluation

__all__ = ["router"]

router = Router(tags=["verbs"])
_LONGEST_S = 3600


class Evaluation(Configuration):
    """A method to run on the newest version of a dataset."""

    dataset: UUID
    measures: list[ChosenMeasure] = Field(default_factory=list)
    vary: Vary | None = None
    seed: int | None = Field(None, ge=0, lt=2**63, description="for trials; a release needs none")
    title: str = Field("", max_length=200)


class Comparison(Schema):
    """Several methods on the newest version of a dataset, over a parameter that varies."""

    dataset: UUID
    configurations: list[Configuration] = Field(min_length=1, max_length=50)
    measures: list[ChosenMeasure] = Field(default_factory=list)
    vary: Vary | None = None
    repetitions: int = Field(3, ge=1, le=100)
    seed: int = Field(1, ge=0, lt=2**31)
    title: str = Field("", max_length=200)


class Promise(Schema):
    """A privacy model with its parameters."""

    model: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Advice(Schema):
    """What a release must promise, and what should stay good."""

    dataset: UUID
    promises: list[Promise] = Field(min_length=1, max_length=10)
    care: list[str] = Field(default_factory=list, max_length=20, description="names of measures")
    seconds: float = Field(60, ge=5, le=_LONGEST_S)


class AuditRequest(Schema):
    """Data to audit as they are."""

    dataset: UUID
    parameters: dict[str, Any] = Field(
        default_factory=dict,
        description="of a table threshold, inference, largest_set and population_size; of visits and items known; of "
        "visits also ordered",
    )
    collude: list[str] = Field(default_factory=list, max_length=100, description="groups of owners of places")
    population: UUID | None = Field(None, description="a dataset of the whole population of a table")


class Target(Schema):
    """A release, or the unpublished release of an evaluation."""

    target: Literal["release", "run"]
    id: UUID


class AttackRequest(Target):
    """What is attacked, alone or together with a second release."""

    second: Target | None = None
    attacks: list[str] = Field(default_factory=list, max_length=50, description="none for all that fit")
    known: int = Field(2, ge=1, le=20, description="how many visits or items an attacker knows")
    ordered: bool = Field(True, description="whether an attacker knows the order of visits")


@router.post("/projects/{project_id}/evaluate", auth=member, response={202: RunAnswer, **ERRORS})
def evaluate(request: HttpRequest, project_id: UUID, body: Evaluation) -> Any:  # noqa: ARG001
    """Run a method and measure what comes out; a release can be made of the run."""
    version = version_of(request.project, body.dataset)
    checked_method(body, version.dataset.kind, body.vary)
    definition = {
        "version": str(version.id),
        "method": body.method,
        "parameters": body.parameters,
        "measures": checked_measures(body.measures, version),
        "promises": body.promises,
        "seed": body.seed,
        "vary": None if body.vary is None else checked_vary(body, body.vary),
    }
    return Status(202, start_evaluation(request.project, request.user, definition, title=body.title))


@router.post("/projects/{project_id}/compare", auth=member, response={202: RunAnswer, **ERRORS})
def compare(request: HttpRequest, project_id: UUID, body: Comparison) -> Any:  # noqa: ARG001
    """Run several methods over the values of a parameter; asked for while it runs, it has the results so far."""
    version = version_of(request.project, body.dataset)
    draft = {**EMPTY, "configurations": [], "title": body.title, "repetitions": body.repetitions, "seed": body.seed}
    draft["measures"] = checked_measures(body.measures, version)
    draft["vary"] = None if body.vary is None else {"parameter": body.vary.parameter, "values": body.vary.all_values()}
    for configuration in body.configurations:
        checked_method(configuration, version.dataset.kind, body.vary)
        put_configuration(request.project, draft, {"version": str(version.id), **configuration.dict()})
    return Status(202, start_comparison(request.project, request.user, draft))


@router.post("/projects/{project_id}/advise", auth=member, response={202: RunAnswer, **ERRORS})
def advise(request: HttpRequest, project_id: UUID, body: Advice) -> Any:  # noqa: ARG001
    """Try the methods that keep a promise, and recommend one."""
    version = version_of(request.project, body.dataset)
    for promise in body.promises:
        model_class(promise.model).from_json(promise.parameters)
    for name in body.care:
        measure_class(name)
    asked = {"promises": [promise.dict() for promise in body.promises], "care": body.care, "seconds": body.seconds}
    return Status(202, _started(request, "advise", {"source": version.source(), **asked}, version, asked))


@router.post("/projects/{project_id}/audit", auth=member, response={202: RunAnswer, **ERRORS})
def audit(request: HttpRequest, project_id: UUID, body: AuditRequest) -> Any:  # noqa: ARG001
    """Who can be singled out in the data as they are."""
    version = version_of(request.project, body.dataset)
    parameters = _audit_parameters(version.dataset.kind, body.parameters)
    population = None if body.population is None else version_of(request.project, body.population)
    arguments: dict[str, Any] = {
        "source": version.source(),
        "out": "",
        "parameters": parameters,
        "collude": body.collude,
        "population": None if population is None else population.source(),
    }
    definition = {"parameters": parameters, "population": population is not None, "collude": body.collude}
    return Status(202, _started(request, "audit", arguments, version, definition))


def _audit_parameters(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an audit of this kind of data, checked; those that are not given are left to their defaults."""
    names = {field.parameter for field in audit_fields(kind)}
    if unknown := [name for name in given if name not in names]:
        raise ParameterError(f"audit: wanted {', '.join(sorted(names))}, found {unknown[0][:40]!r}")
    for declared in (TableAudit, Audit):
        own = {parameter.name for parameter in declared.parameters()}
        declared.from_json({name: value for name, value in given.items() if name in own})
    return given


@router.post("/projects/{project_id}/attack", auth=member, response={202: RunAnswer, **ERRORS})
def attack(request: HttpRequest, project_id: UUID, body: AttackRequest) -> Any:  # noqa: ARG001
    """What an attacker learns from a release, beside guessing; or from two together."""
    targets = targets_of(request.project)
    sent = [body] if body.second is None else [body, body.second]
    chosen = [target_of(targets, f"{part.target} {part.id}") for part in sent]
    first = chosen[0]
    offered = [name for name, *_ in attacks_for(first.source["reading"]["kind"])]
    if unknown := [name for name in body.attacks if name not in offered]:
        raise ParameterError(f"attack: wanted {', '.join(offered)}, found {unknown[0][:40]!r}")
    asked = {"attacks": body.attacks, "known": body.known, "ordered": body.ordered}
    folders = [target.folder for target in chosen]
    arguments = {"source": first.source, "folders": folders, "report": first.report, **asked}
    definition = {"targets": [target.key for target in chosen], **asked}
    return Status(202, _started(request, "attack", arguments, first.version, definition))


def _started(
    request: HttpRequest, mode: str, arguments: dict[str, Any], version: Any, definition: dict[str, Any]
) -> Any:
    name = "" if version is None else version.dataset.name
    title = f"{mode.capitalize()}: {name}"
    return start_run(
        request.project, request.user, mode, arguments, version=version, title=title, definition=definition
    )
