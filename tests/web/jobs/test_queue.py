"""The table of jobs: leases, fences, limits for each person and project, and old jobs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sfumato.web.jobs.kinds import KINDS, Kind
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.jobs.pruning import prune
from sfumato.web.jobs.queue import cancel, claim, close, enqueue, give_back, update

pytestmark = pytest.mark.django_db


def held(worker: str) -> Job:
    job = claim(worker)
    assert job is not None
    return job


def lose(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease=timezone.now() - timedelta(seconds=1))


def test_a_waiting_job_is_cancelled_at_once() -> None:
    job = enqueue("warm", {})
    cancel(job)
    job.refresh_from_db()
    assert job.state == Job.CANCELLED
    assert claim("a") is None


def test_the_job_of_a_lost_worker_is_taken_over_once_and_the_lost_one_writes_nothing_more() -> None:
    enqueue("warm", {})
    first = held("a")
    assert claim("b") is None
    lose(first)
    second = held("b")
    assert (second.pk, second.attempt, second.sentence) == (first.pk, 2, "worker lost, taken over")
    assert not update(first, done=1)
    assert not close(first, Job.DONE, result={})
    assert not give_back(first)
    assert update(second, done=2)
    lose(second)
    assert claim("c") is None
    second.refresh_from_db()
    assert second.state == Job.FAILED
    assert second.sentence.startswith("its worker was lost twice")


def test_a_lost_job_that_was_cancelled_is_not_begun_again() -> None:
    enqueue("warm", {})
    other = enqueue("warm", {})
    first = held("a")
    cancel(first)
    lose(first)
    assert held("b").pk == other.pk
    first.refresh_from_db()
    assert first.state == Job.CANCELLED


def test_a_person_runs_a_few_jobs_at_a_time(owner: Any, settings: Any) -> None:
    settings.SFUMATO_QUOTAS = {**settings.SFUMATO_QUOTAS, "jobs_at_once": 1}
    first, second, third = enqueue("warm", {}, user=owner), enqueue("warm", {}, user=owner), enqueue("warm", {})
    assert held("a").pk == first.pk
    assert held("b").pk == third.pk
    assert claim("c") is None
    first = Job.objects.get(pk=first.pk)
    assert close(first, Job.DONE, result={})
    assert held("c").pk == second.pk


def test_a_project_writes_its_ledger_one_job_at_a_time(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "publish", Kind("x:y", exclusive=True))
    enqueue("publish", {}, project=project)
    second = enqueue("publish", {}, project=project)
    enqueue("warm", {}, project=project)
    assert held("a").kind == "publish"
    assert held("b").kind == "warm"
    assert claim("c") is None
    assert close(Job.objects.get(worker="a"), Job.DONE, result={})
    assert held("c").pk == second.pk


def test_a_kind_that_this_version_does_not_have_fails_with_a_sentence() -> None:
    job = Job.objects.create(kind="of yesterday")
    assert claim("a") is None
    job.refresh_from_db()
    assert (job.state, job.sentence) == (
        Job.FAILED,
        "this version of sfumato has no such kind of job; start it again",
    )


def test_old_jobs_leave_the_table_but_not_those_of_runs(project: Any) -> None:
    from sfumato.web.workbench.models import Run

    for _ in range(3):
        enqueue("warm", {})
    old, of_run, _waiting = Job.objects.order_by("created")
    for job in (old, of_run):
        assert close(held("a"), Job.DONE, result={})
        Job.objects.filter(pk=job.pk).update(finished=timezone.now() - timedelta(days=40))
    Run.objects.create(project=project, mode="audit", job=of_run)
    Heartbeat.objects.create(worker="gone", at=timezone.now() - timedelta(days=2))
    assert prune(timezone.now() - timedelta(days=30)) == 1
    assert set(Job.objects.values_list("state", flat=True)) == {Job.DONE, Job.WAITING}
    assert not Heartbeat.objects.exists()
