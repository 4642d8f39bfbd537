"""Example projects: made by a job, opened by a button, not made again after they were deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.examples.projects import EXAMPLES, first_examples
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Project


def test_a_new_server_gets_one_example_of_each_kind(owner: Any) -> None:
    first_examples(owner)
    assert set(Project.objects.values_list("example", flat=True)) == set(EXAMPLES)
    Project.objects.update(deleted=timezone.now())
    first_examples(owner)
    assert Project.objects.count() == len(EXAMPLES) == Job.objects.count()


def test_the_button_opens_the_example_and_a_job_fills_it(client: Any, run_jobs: Callable[[], int]) -> None:
    assert client.get("/p/examples/").status_code == 200
    answer = client.post("/p/examples/", {"example": "table"})
    assert client.post("/p/examples/", {"example": "table"}).url == answer.url
    assert run_jobs() == 1
    project = Project.objects.get()
    version = project.datasets.get().latest
    assert version is not None
    data = load(version.source(), project.folder)
    assert set(data.hierarchies) == {"age", "sex", "education", "marital"}
    assert client.post("/p/examples/", {"example": "table", "again": "1"}).url != answer.url
    assert client.post("/p/examples/", {"example": "nonsense"}).status_code == 404
