"""Datasets: upload, list, describe, read a window of rows, download."""

from __future__ import annotations

import json
from typing import Any, Literal
from uuid import UUID

import polars as pl
from django.http import FileResponse, Http404, HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from sfumato.errors import DataError
from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import Described, JobAnswer, Rows, VersionAnswer, file_answer
from sfumato.web.api.permission import member, sender, viewer
from sfumato.web.api.service import ERRORS
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.datasets.exports import csv_parts
from sfumato.web.workbench.datasets.reading_forms import KINDS
from sfumato.web.workbench.datasets.uploads import receiving, sweep_uploads
from sfumato.web.workbench.models import Dataset, Version
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["router", "version_of"]

router = Router(tags=["datasets"])
_MOST = 1000
_UNPACKED = 8 << 30
_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "CSV, Parquet, Excel or lines, also gzipped"},
        "name": {"type": "string", "description": "of the dataset; that of the file if it is not given"},
        "kind": {"type": "string", "enum": list(KINDS), "description": "guessed if it is not given"},
        "roles": {"type": "string", "description": "roles of columns as a JSON object; the others are guessed"},
    },
}


@router.get("/projects/{project_id}/datasets", auth=viewer, response={200: list[VersionAnswer], **ERRORS})
def list_datasets(request: HttpRequest, project_id: UUID) -> Any:  # noqa: ARG001
    """The datasets of a project, each with its newest version."""
    return [_answer(dataset, request.role) for dataset in request.project.datasets.all()]


@router.post(
    "/projects/{project_id}/datasets",
    auth=sender,
    response={202: JobAnswer, **ERRORS},
    openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}},
)
def upload_dataset(request: HttpRequest, project_id: UUID) -> Any:  # noqa: ARG001
    """Upload a file; a job reads it and makes a dataset of it.  The file is streamed, so it may be large."""
    project = request.project
    sweep_uploads(project.folder / "uploads")
    with receiving(request, project.folder / "uploads") as take:
        upload = take()
        kind = request.POST.get("kind", "")
        if kind not in ("", *KINDS):
            raise DataError(f"kind: wanted one of {', '.join(KINDS)}, found another word")
        arguments = {
            "file": f"uploads/{upload.path.name}",
            "name": upload.name,
            "title": request.POST.get("name", "").strip()[:200] or upload.stem,
            "options": {"kind": kind} if kind else {},
            "roles": _roles(request.POST.get("roles", "")),
            "unpacked": _UNPACKED,
            "accepted": True,
        }
        job = enqueue("read", arguments, user=request.user, project=project, title="Read a file")
        Event.record(request.user, "upload", f"job {job.id}", project=project)
    return Status(202, job)


def _roles(text: str) -> dict[str, str]:
    try:
        roles = json.loads(text or "{}")
    except (ValueError, RecursionError):
        roles = None
    if not isinstance(roles, dict) or not all(isinstance(role, str) for role in roles.values()):
        raise DataError("roles: wanted a JSON object of columns and their roles, found another text")
    return roles


@router.get("/projects/{project_id}/datasets/{dataset_id}", auth=viewer, response={200: VersionAnswer, **ERRORS})
def show_dataset(request: HttpRequest, project_id: UUID, dataset_id: UUID) -> Any:  # noqa: ARG001
    """A dataset with its newest version."""
    return _answer(get_object_or_404(request.project.datasets, pk=dataset_id), request.role)


@router.get("/projects/{project_id}/datasets/{dataset_id}/describe", auth=member, response={200: Described, **ERRORS})
def describe_dataset(request: HttpRequest, project_id: UUID, dataset_id: UUID) -> Any:  # noqa: ARG001
    """What is in the newest version: sizes, histograms, columns."""
    profile = version_of(request.project, dataset_id).profile
    return {
        "figures": profile.get("figures", {}),
        "histograms": profile.get("histograms", {}),
        "columns": profile.get("columns", []),
        "notes": profile.get("notes", []),
    }


@router.get("/projects/{project_id}/datasets/{dataset_id}/rows", auth=member, response={200: Rows, **ERRORS})
def read_rows(
    request: HttpRequest,
    project_id: UUID,  # noqa: ARG001
    dataset_id: UUID,
    first: int = Query(0, ge=0, le=2**40),
    count: int = Query(100, ge=1, le=_MOST),
) -> Any:
    """A window of the rows of the newest version."""
    version = version_of(request.project, dataset_id)
    window = pl.scan_parquet(version.path, glob=False).slice(first, count).collect()
    return {
        "columns": window.columns,
        "rows": [list(row.values()) for row in json.loads(window.write_json())],
        "first": first,
        "total": version.rows,
    }


@router.get(
    "/projects/{project_id}/datasets/{dataset_id}/file",
    auth=member,
    response={200: None, **ERRORS},
    openapi_extra=file_answer("text/csv", "application/vnd.apache.parquet"),
)
def download_dataset(
    request: HttpRequest,
    project_id: UUID,  # noqa: ARG001
    dataset_id: UUID,
    form: Literal["csv", "parquet"] = "csv",
) -> Any:
    """The newest version as a file; it is private."""
    version = version_of(request.project, dataset_id)
    require_nobody_withdrew(version)
    if form == "csv":
        answer: Any = StreamingHttpResponse(csv_parts(version.path, version.rows), content_type="text/csv")
        answer["Content-Disposition"] = f'attachment; filename="{version.id}.csv"'
    else:
        kind = "application/vnd.apache.parquet"
        answer = FileResponse(
            version.path.open("rb"), as_attachment=True, filename=f"{version.id}.{form}", content_type=kind
        )
    answer["Cache-Control"] = "no-store"
    Event.record(request.user, "download", f"version {version.id}", project=request.project)
    return answer


def version_of(project: Any, dataset_id: UUID) -> Version:
    """The newest version of a dataset of a project."""
    latest = get_object_or_404(project.datasets, pk=dataset_id).latest
    if latest is None:
        raise Http404
    version: Version = latest
    return version


def _answer(dataset: Dataset, role: str) -> dict[str, Any]:
    latest = dataset.latest
    return {
        "id": dataset.id,
        "name": dataset.name,
        "kind": dataset.kind,
        "version": None if latest is None else latest.id,
        "number": None if latest is None else latest.number,
        "rows": None if latest is None else latest.rows,
        "sha256": None if latest is None or role == "viewer" else latest.sha256,
        "reading": {} if latest is None or role == "viewer" else latest.reading,
    }
