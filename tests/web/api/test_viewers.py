"""What a viewer, or somebody who has left a project, gets by JSON: figures, and no values of the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Member, Release, Run

VALUE = "Zyxomma"


@pytest.fixture
def failed(users: dict[str, Any], world: dict[str, Any]) -> Job:
    """A job of the member that failed with a sentence that quotes a value."""
    sentence = f"line 3: wanted a number, found '{VALUE}'"
    job = Job.objects.create(
        kind="read", project_id=world["project_id"], user=users["member"], state=Job.FAILED, sentence=sentence
    )
    Run.objects.filter(pk=world["run_id"]).update(job=job, definition={"method": "cluster", "source": {"file": VALUE}})
    return job


@pytest.mark.parametrize(("person", "visible"), [("viewer", False), ("member", True)])
def test_why_a_job_failed_is_for_people_who_see_rows(
    person: str, visible: bool, failed: Job, call: Callable[..., Any], users: dict[str, Any], world: dict[str, Any]
) -> None:
    project = world["project_id"]
    paths = (f"/jobs/{failed.id}", f"/projects/{project}/runs", f"/projects/{project}/runs/{world['run_id']}", "/jobs")
    answers = [call("GET", path, person) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    browser = Client()
    browser.force_login(users[person])
    texts = [answer.content.decode() for answer in answers]
    texts.append(browser.get(f"/jobs/{failed.id}/").content.decode())
    assert [VALUE in text for text in texts] == [visible] * 5


def test_the_files_of_a_run_are_not_named(failed: Job, call: Callable[..., Any], world: dict[str, Any]) -> None:
    answer = call("GET", f"/projects/{world['project_id']}/runs/{world['run_id']}").json()
    assert answer["definition"] == {"method": "cluster"}


def test_a_viewer_sees_a_certificate_without_records(call: Callable[..., Any], world: dict[str, Any]) -> None:
    promises = [{"model": "k-anonymity", "witnesses": [{"values": {"zip": VALUE}}]}]
    Release.objects.filter(pk=world["release_id"]).update(certificate={"promises": promises})
    path = f"/projects/{world['project_id']}/releases"
    for address in (path, f"{path}/{world['release_id']}"):
        assert VALUE not in call("GET", address, "viewer").content.decode()
        assert VALUE in call("GET", address, "member").content.decode()


def test_who_has_left_a_project_sees_none_of_its_jobs(
    failed: Job, call: Callable[..., Any], users: dict[str, Any]
) -> None:
    assert call("GET", f"/jobs/{failed.id}", "member").status_code == 200
    Member.objects.filter(user=users["member"]).delete()
    assert call("GET", f"/jobs/{failed.id}", "member").status_code == 404
    assert call("POST", f"/jobs/{failed.id}/cancel", "member").status_code == 404
    assert call("GET", "/jobs", "member").json() == []
