"""Runs: what was started, how far it is, what came out, and its cancellation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router

from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import RunAnswer
from sfumato.web.api.permission import member, viewer
from sfumato.web.api.service import ERRORS
from sfumato.web.jobs.queue import cancel
from sfumato.web.workbench.models import Run

__all__ = ["router"]

router = Router(tags=["runs"])


@router.get("/projects/{project_id}/runs", auth=viewer, response={200: list[RunAnswer], **ERRORS})
def list_runs(request: HttpRequest, project_id: UUID, count: int = Query(100, ge=1, le=1000)) -> Any:  # noqa: ARG001
    """The latest runs of a project."""
    return request.project.runs.select_related("job")[:count]


@router.get("/projects/{project_id}/runs/{run_id}", auth=viewer, response={200: RunAnswer, **ERRORS})
def show_run(request: HttpRequest, project_id: UUID, run_id: UUID) -> Any:  # noqa: ARG001
    """A run: its state and its figures."""
    return get_object_or_404(request.project.runs, pk=run_id)


@router.post("/projects/{project_id}/runs/{run_id}/cancel", auth=member, response={200: RunAnswer, **ERRORS})
def cancel_run(request: HttpRequest, project_id: UUID, run_id: UUID) -> Any:  # noqa: ARG001
    """Cancel a run; one that has ended stays as it is."""
    run = get_object_or_404(request.project.runs, pk=run_id)
    if run.job is not None and not run.job.ended:
        cancel(run.job)
        Event.record(request.user, "cancel", f"run {run.id}", project=request.project)
    return Run.objects.get(pk=run.pk)
