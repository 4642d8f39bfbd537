"""The list of side knowledge of every dataset: what there is, and which methods wait for what is missing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sfumato.web.accounts.access import project_page
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.configuration.knowledge import entries_of, waiting_methods
from sfumato.web.workbench.models import Project

__all__ = ["overview"]

_JOBS = ("derive", "check-policy")


@project_page("member")
def overview(request: HttpRequest, project: Project) -> HttpResponse:
    """The side knowledge of every dataset of a project."""
    datasets = []
    for dataset in project.datasets.prefetch_related("assets"):
        if dataset.latest is None:
            continue
        ready, waiting = waiting_methods(dataset)
        entries = entries_of(dataset)
        datasets.append(
            {
                "dataset": dataset,
                "usual": [entry for entry in entries if entry.usual],
                "others": [entry for entry in entries if not entry.usual],
                "ready": ready,
                "waiting": waiting,
            }
        )
    jobs = Job.objects.filter(project=project, kind__in=_JOBS)
    context = {
        "datasets": datasets,
        "jobs": [job for job in jobs.order_by("-created")[:5] if not job.ended or job.state == Job.FAILED][:3],
        "command": "sfumato hierarchy derive DATA.csv COLUMN --out COLUMN.csv",
    }
    return render(request, "configuration/overview.html", context)
