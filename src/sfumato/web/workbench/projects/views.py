"""Home, a new project, and the first page of a project: the five steps with what is done and what comes next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page, signed_in
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.studies.overview.listing import studies_of
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.projects.steps import next_of, steps_of

__all__ = ["home", "new", "project", "rename"]

_LATEST = 6


@signed_in
def home(request: HttpRequest) -> HttpResponse:
    """Projects, studies and running jobs; a dropped file becomes a project."""
    projects = list(Project.visible_to(request.user).prefetch_related("datasets", "releases"))
    studies = studies_of(request.user)
    running = Job.visible_to(request.user).filter(state__in=(Job.WAITING, Job.RUNNING)).exclude(kind="warm")
    context = {
        "own": [item for item in projects if not item.example],
        "examples": [item for item in projects if item.example],
        "jobs": running.select_related("project"),
        "studies": [item for item in studies if not item.example],
        "example_studies": [item for item in studies if item.example],
        "command": "sfumato serve",
    }
    return render(request, "projects/home.html", context)


@signed_in
@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """Make a project and go to its page."""
    name = request.POST.get("name", "").strip()[:200] or _("Untitled")
    created = Project.objects.create(name=name, owner=request.user)
    Event.record(request.user, "create", f"project {created.id}", project=created)
    return redirect("project", created.id)


@project_page("viewer")
def project(request: HttpRequest, project: Project) -> HttpResponse:
    """The first page of a project."""
    jobs = Job.objects.filter(project=project, state__in=(Job.WAITING, Job.RUNNING)).exclude(kind="warm")
    context = {
        "steps": steps_of(project, request.role),
        "next": next_of(project, request.role),
        "jobs": jobs if request.role != "viewer" else jobs.none(),
        "runs": project.runs.select_related("job", "version__dataset")[:_LATEST],
        "releases": project.releases.select_related("version__dataset")[:_LATEST],
        "datasets": project.datasets.all() if request.role != "viewer" else (),
    }
    return render(request, "projects/project.html", context)


@project_page("owner")
@require_POST
def rename(request: HttpRequest, project: Project) -> HttpResponse:
    """Give the project another name."""
    name = request.POST.get("name", "").strip()[:200]
    if name:
        project.name = name
        project.save(update_fields=["name"])
        Event.record(request.user, "rename", f"project {project.id}", project=project)
    return redirect("project", project.id)
