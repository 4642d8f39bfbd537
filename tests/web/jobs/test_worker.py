"""A worker: results, failures, cancellation of a process that listens to nothing, limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from sfumato.errors import Infeasible
from sfumato.web.jobs.kinds import KINDS, Kind
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.jobs.queue import cancel, claim, enqueue
from sfumato.web.jobs.worker import Worker, patiently

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are listed by /proc")


def ended(job: Job) -> Job:
    job.refresh_from_db()
    assert job.ended
    return job


def processes_of_session(leader: int) -> list[str]:
    """The processes of a session that still run; those that have ended and wait for their parent do not."""
    rows = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, IndexError):
            continue
        if entry.name.isdigit() and int(fields[3]) == leader and fields[0] != "Z":
            rows.append(entry.name)
    return rows


def test_a_job_runs_in_a_process_of_its_own(
    project: Any, works: Path, run_jobs: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_SECRET", "not for jobs")
    job = enqueue("add", {"a": 1, "b": 2}, project=project)
    assert run_jobs() == 1
    result = {"sum": 3, "nothing": None, "key": "", "folder": str(project.folder)}
    assert (ended(job).state, job.result, job.sentence, job.attempt) == (Job.DONE, result, "", 1)
    assert (job.phase, job.percent) == ("adding", 50)


def test_failures_are_sentences_without_values(works: Path, run_jobs: Callable[[], int]) -> None:
    refused, broken, died = enqueue("refuse", {}), enqueue("break_down", {}), enqueue("die", {})
    assert run_jobs() == 3
    assert (ended(refused).state, refused.sentence) == (Job.FAILED, "k=9 needs 9 records")
    assert ended(broken).sentence == "ValueError inside sfumato; this is a bug, please report it"
    assert ended(died).sentence.startswith("its process ended (by signal 9) before the work was done")


@linux
def test_a_process_that_listens_to_nothing_is_cancelled_within_a_second(works: Path, transactional_db: Any) -> None:
    job = enqueue("stubborn", {})
    held = claim("w")
    assert held is not None
    asked: list[float] = []
    sessions: list[int] = []

    def ask_for_the_end() -> bool:
        if not asked and Job.objects.get(pk=job.pk).phase:
            sessions.extend(_children())
            asked.append(time.monotonic())
            cancel(job)
        return False

    Worker("w").do(held, ask_for_the_end)
    assert time.monotonic() - asked[0] < 1.0
    assert (ended(job).state, job.sentence) == (Job.CANCELLED, "cancelled")
    assert sessions
    assert not [pid for leader in sessions for pid in processes_of_session(leader)]


def _children() -> list[int]:
    tasks = Path("/proc/self/task").iterdir()
    return [int(word) for task in tasks for word in (task / "children").read_text().split()]


@linux
def test_a_job_that_is_too_large_or_too_long_is_stopped(
    works: Path, run_jobs: Callable[[], int], settings: Any
) -> None:
    settings.SFUMATO_JOB_LIMITS = {"seconds": 1}
    long = enqueue("stubborn", {})
    assert run_jobs() == 1
    assert ended(long).sentence == "stopped after 1 seconds, the limit of this server"
    settings.SFUMATO_JOB_LIMITS = {"memory": 300 << 20}
    large = enqueue("grow", {})
    assert run_jobs() == 1
    assert "memory" in ended(large).sentence or "300 MB" in large.sentence


def test_a_stopped_worker_gives_its_job_back(works: Path, transactional_db: Any) -> None:
    job = enqueue("stubborn", {})
    held = claim("w")
    assert held is not None
    Worker("w").do(held, lambda: True)
    job.refresh_from_db()
    assert (job.state, job.attempt, job.worker) == (Job.WAITING, 0, "")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(Infeasible("no room"), "no room"), (KeyError("hiv"), "KeyError inside sfumato; this is a bug, please report it")],
)
def test_a_result_that_cannot_be_recorded_leaves_nothing(
    works: Path, run_jobs: Callable[[], int], monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    def finish(job: Job, result: Any) -> None:
        Heartbeat.objects.create(worker="half", at=job.created)
        raise error

    monkeypatch.setattr("sfumato.web.jobs.queue.loaded", lambda _: finish)
    monkeypatch.setitem(KINDS, "add", Kind("work_of_tests:add", finish="x:y"))
    job = enqueue("add", {"a": 1, "b": 2})
    assert run_jobs() == 1
    assert (ended(job).state, job.sentence) == (Job.FAILED, sentence)
    assert not Heartbeat.objects.filter(worker="half").exists()


def test_a_short_outage_of_the_database_is_waited_for(transactional_db: Any) -> None:
    calls = []

    def call() -> bool:
        calls.append(1)
        if len(calls) < 3:
            raise OperationalError
        return True

    assert patiently(call, pause=0.01)
    calls.clear()
    with pytest.raises(OperationalError):
        patiently(call, seconds=0, pause=0.01)


def test_jobs_that_read_nobodys_data_share_a_process_and_others_do_not(
    works: Path, transactional_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "number", Kind("work_of_tests:number", shares_process=True))
    monkeypatch.setitem(KINDS, "own number", Kind("work_of_tests:number"))
    worker = Worker("w")
    numbers = []
    for kind in ("number", "number", "own number", "own number"):
        job = enqueue(kind, {})
        held = claim("w")
        assert held is not None
        worker.do(held)
        numbers.append(ended(job).result["pid"])
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3]
    worker.end_spare()


def test_a_process_waits_for_the_next_job(works: Path, transactional_db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.web.jobs.processes._MODULES", ["work_of_tests"])
    monkeypatch.setattr("sfumato.web.jobs.warming._mark", lambda: works)  # compiled already
    monkeypatch.setitem(KINDS, "number", Kind("work_of_tests:number"))
    worker = Worker("w", warms=True)
    jobs: list[Job] = []

    def stopped() -> bool:
        if worker._spare is not None and not jobs:
            waiting.append(worker._spare.pid)
            jobs.append(enqueue("number", {}))
        return bool(jobs) and Job.objects.get(pk=jobs[0].pk).ended

    waiting: list[int] = []
    worker.run(stopped)
    assert ended(jobs[0]).result["pid"] == waiting[0]
    assert worker._spare is None
