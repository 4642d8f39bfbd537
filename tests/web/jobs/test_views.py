"""The pages of jobs: who sees and who cancels, and what a person reads while no worker is alive."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.jobs.queue import claim, close, enqueue
from sfumato.web.workbench.models import Member


@pytest.fixture
def job(project: Any, owner: Any) -> Job:
    return enqueue("example", {"example": "table"}, user=owner, project=project, title="Make <b>it</b>")


@pytest.mark.parametrize(("role", "sees", "cancels"), [("viewer", 200, 404), ("member", 200, 302), (None, 404, 404)])
def test_viewers_follow_a_job_and_members_cancel_it(
    job: Job, project: Any, django_user_model: Any, role: str | None, sees: int, cancels: int
) -> None:
    other = django_user_model.objects.create_user("bob")
    if role is not None:
        Member.objects.create(project=project, user=other, role=role)
    browser = Client()
    browser.force_login(other)
    answer = browser.get(f"/jobs/{job.pk}/")
    assert answer.status_code == sees
    if sees == 200:
        assert ("/cancel/" in answer.content.decode()) == (cancels == 302)
    assert browser.post(f"/jobs/{job.pk}/cancel/").status_code == cancels
    assert Event.objects.filter(verb="cancel", object=f"job {job.pk}").count() == (cancels == 302)
    job.refresh_from_db()
    assert job.state == (Job.CANCELLED if cancels == 302 else Job.WAITING)


def test_the_list_names_a_missing_worker_and_escapes_titles(client: Any, job: Job) -> None:
    page = client.get("/jobs/").content.decode()
    assert "No worker is running" in page
    assert "Make &lt;b&gt;it" in page
    Heartbeat.objects.create(worker="w", at=timezone.now())
    assert "No worker is running" not in client.get("/jobs/").content.decode()


def test_the_page_loads_itself_anew_when_a_job_has_ended(client: Any, job: Job) -> None:
    assert "HX-Refresh" not in client.get(f"/jobs/{job.pk}/?reload=1").headers
    held = claim("w")
    assert held is not None
    assert close(held, Job.FAILED, sentence="k=9 needs 9 records")
    answer = client.get(f"/jobs/{job.pk}/?reload=1")
    assert answer.headers["HX-Refresh"] == "true"
    assert "k=9 needs 9 records" in answer.content.decode()
    assert "Ended" in client.get("/jobs/").content.decode()


def test_jobs_of_a_deleted_project_are_out_of_sight(client: Any, job: Job, project: Any) -> None:
    project.deleted = timezone.now()
    project.save()
    assert client.get(f"/jobs/{job.pk}/").status_code == 404


def test_an_empty_list_offers_an_example(client: Any) -> None:
    assert "/p/examples/" in client.get("/jobs/").content.decode()
