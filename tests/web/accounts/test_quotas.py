"""Quotas: room of projects and people, size of a request, jobs at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sfumato.errors import ParameterError
from sfumato.web.accounts.quotas import require_room, used_by, used_bytes
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import claim, enqueue
from sfumato.web.workbench.models import Project


def test_a_project_that_is_full_takes_no_jobs_and_no_uploads(client: Any, project: Any) -> None:
    (project.folder / "uploads" / "x").write_bytes(b"0" * 1000)
    assert used_bytes(project.folder) == 1000
    project.quota_bytes = 1000
    project.save()
    require_room(project)
    with pytest.raises(ParameterError, match=r"this project may hold 0\.000954 MB"):
        require_room(project, 1)
    answer = client.post(f"/p/{project.id}/members/retention/", {"retention": "x" * 2**21})
    assert answer.status_code == 422
    assert b"Quota: this project" in answer.content
    (project.folder / "uploads" / "y").write_bytes(b"0")
    with pytest.raises(ParameterError, match="Quota"):
        enqueue("warm", {}, project=project)


def test_all_projects_of_an_owner_count_together(project: Any, owner: Any, settings: Any) -> None:
    second = Project.objects.create(name="Second", owner=owner)
    for each in (project, second):
        (each.folder / "uploads" / "x").write_bytes(b"0" * 600)
    settings.SFUMATO_QUOTAS = {**settings.SFUMATO_QUOTAS, "person_bytes": 1000}
    assert used_by(owner) == 1200
    with pytest.raises(ParameterError, match="projects of this owner"):
        require_room(project)
    owner.quota_bytes = 5000
    owner.save()
    project.refresh_from_db()
    require_room(project)


def test_a_request_that_is_too_large_is_refused_before_it_is_read(client: Any, settings: Any) -> None:
    settings.SFUMATO_QUOTAS = {**settings.SFUMATO_QUOTAS, "upload_bytes": 2**20}
    answer = client.post("/me/name/", {"first_name": "x" * 2**20})
    assert answer.status_code == 413
    assert b"at most 1 MB" in answer.content


def test_jobs_of_a_busy_person_wait_while_others_go_on(owner: Any, django_user_model: Any, settings: Any) -> None:
    settings.SFUMATO_QUOTAS = {**settings.SFUMATO_QUOTAS, "jobs_at_once": 1}
    bob = django_user_model.objects.create_user("bob")
    first, second, third, nobody = (enqueue("warm", {}, user=user) for user in (owner, owner, bob, None))
    assert [claim("w"), claim("w"), claim("w"), claim("w")] == [first, third, nobody, None]
    owner.jobs_at_once = 2
    owner.save()
    assert claim("w") == second


def test_a_job_whose_worker_is_lost_does_not_count(owner: Any, settings: Any) -> None:
    settings.SFUMATO_QUOTAS = {**settings.SFUMATO_QUOTAS, "jobs_at_once": 1}
    job = enqueue("warm", {}, user=owner)
    assert claim("w") == job
    Job.objects.update(lease=timezone.now() - timedelta(seconds=1))
    assert claim("v") == job
