"""Pages of jobs: the list, the state of one (polled while it runs), and its cancellation."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import signed_in
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.jobs.queue import cancel

__all__ = ["jobs", "state", "stop"]

_SHOWN = 50


@signed_in
def jobs(request: HttpRequest) -> HttpResponse:
    """The jobs that the user may cancel: those under way, then the latest that ended."""
    rows = Job.changeable_by(request.user).exclude(kind="warm").select_related("project", "run", "user")
    context = {
        "open": rows.exclude(state__in=Job.ENDED).order_by("created"),
        "ended": rows.filter(state__in=Job.ENDED).order_by("-finished")[:_SHOWN],
        "worker": Heartbeat.any_alive(),
    }
    return render(request, "jobs/jobs.html", context)


@signed_in
def state(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """How far a job is, as a part of a page.

    When it has ended, the page that shows it loads itself anew.
    """
    return _state(request, get_object_or_404(Job.visible_to(request.user), pk=job_id))


@signed_in
@require_POST
def stop(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Cancel a job."""
    job = get_object_or_404(Job.changeable_by(request.user), pk=job_id)
    if not job.ended:
        cancel(job)
        Event.record(request.user, "cancel", f"job {job.pk}", project=job.project)
    if request.htmx:
        return _state(request, Job.objects.get(pk=job.pk))
    return redirect(request.POST.get("next") if request.POST.get("next", "").startswith("/p/") else "jobs")


def _state(request: HttpRequest, job: Job) -> HttpResponse:
    may_cancel = Job.changeable_by(request.user).filter(pk=job.pk).exists()
    answer = render(request, "jobs/state.html", {"job": job, "may_cancel": may_cancel})
    if job.ended and request.GET.get("reload"):
        answer["HX-Refresh"] = "true"
    return answer
