"""Jobs: their state, and their cancellation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router

from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import JobAnswer
from sfumato.web.api.service import ERRORS
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import cancel

__all__ = ["router"]

router = Router(tags=["jobs"])
_SHOWN = 100


@router.get("/jobs", response={200: list[JobAnswer], **ERRORS})
def list_jobs(request: HttpRequest) -> Any:
    """The latest jobs that you may cancel: those of projects of which you are member or owner."""
    return Job.changeable_by(request.user).exclude(kind="warm")[:_SHOWN]


@router.get("/jobs/{job_id}", response={200: JobAnswer, **ERRORS})
def show_job(request: HttpRequest, job_id: UUID) -> Any:
    """How far a job is."""
    return get_object_or_404(Job.visible_to(request.user), pk=job_id)


@router.post("/jobs/{job_id}/cancel", response={200: JobAnswer, **ERRORS})
def cancel_job(request: HttpRequest, job_id: UUID) -> Any:
    """Cancel a job; one that runs ends within a second."""
    job = get_object_or_404(Job.changeable_by(request.user), pk=job_id)
    if not job.ended:
        cancel(job)
        Event.record(request.user, "cancel", f"job {job.pk}", project=job.project)
        job.refresh_from_db()
    return job
