"""Releases: make, verify, publish, withdraw, download; and the ledger."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Router, Schema, Status

from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import JobAnswer, ReleaseAnswer, file_answer
from sfumato.web.api.permission import member, viewer
from sfumato.web.api.service import ERRORS
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.ledger.entries import entries_of, named
from sfumato.web.workbench.releases.downloads import attached, zip_of
from sfumato.web.workbench.releases.making import arguments_of, make_release, publish_release, withdraw_release

__all__ = ["router"]

router = Router(tags=["releases"])


class NewRelease(Schema):
    """An evaluation of which a release is made.  An override needs the owner and a reason."""

    run: UUID
    name: str = Field("", max_length=200)
    override: bool = False
    reason: str = Field("", max_length=500)


class Override(Schema):
    """Publish although a promise does not hold: the owner alone, with a reason."""

    override: bool = False
    reason: str = Field("", max_length=500)


class Reason(Schema):
    """Why."""

    reason: str = Field(min_length=1, max_length=500)


class LedgerAnswer(Schema):
    """A release in the ledger."""

    number: int
    written: str
    release: str = Field(description="its name")
    method: str
    kind: str
    unit: str
    state: str
    files: str = Field(description="whether the files are as written, changed or gone")
    people: int | None
    guarantees: list[dict[str, Any]]
    attacked: list[dict[str, Any]]


@router.get("/projects/{project_id}/releases", auth=viewer, response={200: list[ReleaseAnswer], **ERRORS})
def list_releases(request: HttpRequest, project_id: UUID) -> Any:  # noqa: ARG001
    """The releases of a project, also withdrawn ones."""
    return request.project.releases.all()


@router.post("/projects/{project_id}/releases", auth=member, response={201: ReleaseAnswer, **ERRORS})
def make(request: HttpRequest, project_id: UUID, body: NewRelease) -> Any:  # noqa: ARG001
    """Make a release of an evaluation: exactly the files that it wrote.  It is not yet published."""
    run = get_object_or_404(request.project.runs, pk=body.run)
    release = make_release(run, request.user, name=body.name, override=body.override, reason=body.reason)
    return Status(201, release)


@router.get("/projects/{project_id}/releases/{release_id}", auth=viewer, response={200: ReleaseAnswer, **ERRORS})
def show_release(request: HttpRequest, project_id: UUID, release_id: UUID) -> Any:  # noqa: ARG001
    """A release with its certificate."""
    return get_object_or_404(request.project.releases, pk=release_id)


@router.post("/projects/{project_id}/releases/{release_id}/verify", auth=member, response={202: JobAnswer, **ERRORS})
def verify(request: HttpRequest, project_id: UUID, release_id: UUID) -> Any:  # noqa: ARG001
    """Check a release again, with its original; a job."""
    release = get_object_or_404(request.project.releases, pk=release_id)
    job = enqueue("verify", arguments_of(release), user=request.user, project=request.project, title="Verify a release")
    Event.record(request.user, "verify", f"release {release.id}", project=request.project)
    return Status(202, job)


@router.post("/projects/{project_id}/releases/{release_id}/publish", auth=member, response={202: JobAnswer, **ERRORS})
def publish(request: HttpRequest, project_id: UUID, release_id: UUID, body: Override) -> Any:  # noqa: ARG001
    """Publish a release: it is attacked together with earlier ones and entered into the ledger; a job."""
    release = get_object_or_404(request.project.releases, pk=release_id)
    return Status(202, publish_release(release, request.user, override=body.override, reason=body.reason))


@router.post(
    "/projects/{project_id}/releases/{release_id}/withdraw", auth=member, response={200: ReleaseAnswer, **ERRORS}
)
def withdraw(request: HttpRequest, project_id: UUID, release_id: UUID, body: Reason) -> Any:  # noqa: ARG001
    """Withdraw a published release; it stays listed."""
    release = get_object_or_404(request.project.releases, pk=release_id)
    withdraw_release(release, request.user, body.reason)
    return release


@router.get(
    "/projects/{project_id}/releases/{release_id}/files",
    auth=member,
    response={200: None, **ERRORS},
    openapi_extra=file_answer("application/zip"),
)
def download_release(request: HttpRequest, project_id: UUID, release_id: UUID) -> Any:  # noqa: ARG001
    """The published directory as a zip file."""
    releases = request.project.releases.filter(withdrawn=None, published__isnull=False)
    release = get_object_or_404(releases, pk=release_id)
    content = zip_of(release)
    Event.record(request.user, "download", f"release {release.id}", project=request.project)
    return attached(content, f"{release.id}.zip", "application/zip")


@router.get("/projects/{project_id}/ledger", auth=viewer, response={200: list[LedgerAnswer], **ERRORS})
def show_ledger(request: HttpRequest, project_id: UUID) -> Any:  # noqa: ARG001
    """Every published release, and what an attacker learns from it together with earlier ones."""
    project = request.project
    return [
        {
            "number": entry.number,
            "written": entry.written,
            "release": named(project, f"releases/{entry.directory.name}").strip("“”"),
            "method": entry.method,
            "kind": entry.kind,
            "unit": entry.unit,
            "state": entry.state,
            "files": entry.files,
            "people": None if request.role == "viewer" else entry.people,
            "guarantees": list(entry.guarantees),
            "attacked": [{**attack, "sentence": named(project, attack["sentence"])} for attack in entry.attacked],
        }
        for entry in entries_of(project)
    ]
