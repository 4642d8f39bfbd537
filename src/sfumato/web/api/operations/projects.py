"""Projects: list, make, look at."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import ProjectAnswer
from sfumato.web.api.permission import viewer
from sfumato.web.api.service import ERRORS
from sfumato.web.workbench.models import Project

__all__ = ["router"]

router = Router(tags=["projects"])


class NewProject(Schema):
    """What a project begins with."""

    name: str = Field(min_length=1, max_length=200)


@router.get("/projects", response={200: list[ProjectAnswer], **ERRORS})
def list_projects(request: HttpRequest) -> Any:
    """The projects in which you have a role."""
    return [_answer(project, request.user) for project in Project.visible_to(request.user)]


@router.post("/projects", response={201: ProjectAnswer, **ERRORS})
def make_project(request: HttpRequest, body: NewProject) -> Any:
    """Make a project, of which you are the owner."""
    project = Project.objects.create(name=body.name, owner=request.user)
    Event.record(request.user, "create", f"project {project.id}", project=project)
    return Status(201, _answer(project, request.user))


@router.get("/projects/{project_id}", auth=viewer, response={200: ProjectAnswer, **ERRORS})
def show_project(request: HttpRequest, project_id: UUID) -> Any:  # noqa: ARG001
    """A project."""
    return _answer(request.project, request.user)


def _answer(project: Project, user: Any) -> dict[str, Any]:
    return {
        "id": project.id,
        "name": project.name,
        "role": project.role_of(user),
        "created": project.created,
        "datasets": project.datasets.count(),
        "releases": project.releases.count(),
    }
