"""Example projects in the database: a project at once, its data when its job is done."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.models import Asset, Dataset, Project
from sfumato.web.workbench.versions import add_version, digest_of_file

__all__ = ["EXAMPLES", "example_of", "first_examples", "new_example", "record_example"]

EXAMPLES = {
    "table": gettext_noop("Example: patients, a table"),
    "transactions": gettext_noop("Example: baskets, sets of items"),
    "mixed": gettext_noop("Example: patients with diagnoses, a table with items"),
    "trajectories": gettext_noop("Example: visits to places, trajectories"),
    "roads": gettext_noop("Example: drives on roads"),
}
"""The title of the example of each data kind."""


def first_examples(user: Any) -> None:
    """The examples of a server that has no project yet; those that were deleted later are not made again."""
    with transaction.atomic():
        if not Project.objects.exists():
            projects = [_project(user, example) for example in reversed(EXAMPLES)]  # the newest is listed first
            for project in reversed(projects):
                _fill(project)


def example_of(user: Any, example: str) -> Project:
    """The user's own example of a data kind; it is made now if the user has no such project."""
    present = Project.objects.filter(owner=user, example=example, deleted=None).first()
    return new_example(user, example) if present is None else present


def new_example(user: Any, example: str) -> Project:
    """A new example project; a job fills it."""
    with transaction.atomic():
        project = _project(user, example)
        _fill(project)
    return project


def _project(user: Any, example: str) -> Project:
    project = Project.objects.create(name=_(EXAMPLES[example]), owner=user, example=example)
    Event.record(user, "create", f"project {project.id}", project=project)
    return project


def _fill(project: Project) -> None:
    title = _("Make the example")
    enqueue("example", {"example": project.example}, user=project.owner, project=project, title=title)


def record_example(job: Job, result: dict[str, Any]) -> None:
    """Enter the files that the job wrote."""
    project: Project = job.project
    dataset = Dataset.objects.create(project=project, name=result["name"], kind=result["reading"]["kind"])
    operation = {"verb": "generated", "example": project.example}
    add_version(dataset, result["file"], result["reading"], rows=result["rows"], by=job.user, operation=operation)
    for asset in result["assets"]:
        path = project.folder / asset["file"] if "file" in asset else None
        digest = "" if path is None or path.is_dir() else digest_of_file(path)
        Asset.objects.create(dataset=dataset, by=job.user, sha256=digest, **asset)
