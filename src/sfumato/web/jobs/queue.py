"""Put jobs into the table, take them, and write about them.

A worker holds a job by a lease that it extends while the process of the job is alive.  A lease that ended means that
the worker is lost: another one takes the job over, as a new attempt.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from sfumato.web.accounts.quotas import busy_people, require_room
from sfumato.web.jobs.kinds import KINDS, loaded
from sfumato.web.jobs.models import Job

__all__ = ["LEASE_S", "cancel", "claim", "close", "enqueue", "give_back", "is_cancelled", "update"]

LEASE_S = 6.0
_CHOOSING = 0x5F0A7000  # the number of the lock, of this program's own choice


def enqueue(kind: str, arguments: dict[str, Any], *, user: Any = None, project: Any = None, title: str = "") -> Job:
    """A new job that waits for a worker."""
    if kind not in KINDS:
        raise KeyError(kind)
    if project is not None:
        require_room(project)
    return Job.objects.create(kind=kind, arguments=arguments, user=user, project=project, title=title)


def cancel(job: Job) -> None:
    """Ask for the end of a job; one that waits ends at once, one that runs within a second."""
    with transaction.atomic():
        current = Job.objects.select_for_update().get(pk=job.pk)
        if current.ended:
            return
        current.cancel = True
        current.save(update_fields=["cancel"])
        if current.state == Job.WAITING:
            _end(current, Job.CANCELLED, "cancelled")


def claim(worker: str) -> Job | None:
    """The oldest job that may begin or whose worker is lost, now held by this worker."""
    while True:
        with transaction.atomic():
            job = _free_job()
            if job is None:
                return None
            if job.cancel:
                _end(job, Job.CANCELLED, "cancelled")
                continue
            if job.kind not in KINDS:
                _end_unknown(job)
                continue
            if job.attempt >= KINDS[job.kind].attempts:
                _end(job, Job.FAILED, "its worker was lost twice; start it again, or ask who runs this server")
                continue
            now = timezone.now()
            job.sentence = "worker lost, taken over" if job.attempt else ""
            job.state, job.worker, job.attempt = Job.RUNNING, worker, job.attempt + 1
            job.lease, job.started = now + timedelta(seconds=LEASE_S), job.started or now
            job.save()
            return job


def _free_job() -> Job | None:
    """The oldest job that may begin now, locked against other workers."""
    several = connection.features.has_select_for_update_skip_locked
    if several:
        _one_at_a_time()
    now = timezone.now()
    running = Job.objects.filter(state=Job.RUNNING, lease__gte=now)
    exclusive = [name for name, kind in KINDS.items() if kind.exclusive]
    writing = running.filter(kind__in=exclusive, project__isnull=False).values("project")
    free = (
        Job.objects.filter(Q(state=Job.WAITING) | Q(state=Job.RUNNING, lease__lt=now))
        .exclude(user_id__in=busy_people())
        .exclude(Q(kind__in=exclusive) & Q(project__isnull=False) & Q(project__in=writing))
        .order_by("created")
    )
    if several:
        free = free.select_for_update(skip_locked=True, of=("self",))
    return free.first()


def _one_at_a_time() -> None:
    """Let workers choose one after the other, so that the limits above are exact; the lock ends with the choice."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CHOOSING])


def update(job: Job, **fields: Any) -> bool:
    """Write about a job that this worker holds, and extend the lease; False if it holds it no longer."""
    lease = timezone.now() + timedelta(seconds=LEASE_S)
    return bool(_held(job).update(lease=lease, **fields))


def close(job: Job, state: str, *, sentence: str = "", remedy: str = "", result: Any = None) -> bool:
    """End a job that this worker holds, and record what came out in the same transaction."""
    with transaction.atomic():
        current = _held(job).select_for_update().first()
        if current is None:
            return False
        current.result, current.remedy = result, remedy
        _end(current, state, sentence)
        return True


def give_back(job: Job) -> bool:
    """Let a job that this worker holds wait again, because the worker was stopped; that is no attempt."""
    return bool(_held(job).update(state=Job.WAITING, attempt=job.attempt - 1, worker="", lease=None))


def is_cancelled(job: Job) -> bool:
    """Whether somebody asked for the end of a job."""
    return bool(Job.objects.filter(pk=job.pk, cancel=True).exists())


def _held(job: Job) -> Any:
    return Job.objects.filter(pk=job.pk, state=Job.RUNNING, worker=job.worker, attempt=job.attempt)


def _end_unknown(job: Job) -> None:
    """End a job of a kind that this version does not have."""
    job.state, job.finished = Job.FAILED, timezone.now()
    job.sentence = "this version of sfumato has no such kind of job; start it again"
    job.save()


def _end(job: Job, state: str, sentence: str) -> None:
    kind = KINDS[job.kind]
    job.state, job.sentence, job.finished = state, sentence.replace("\x00", "")[:1000], timezone.now()
    job.save()
    if state == Job.DONE and kind.finish:
        loaded(kind.finish)(job, job.result)
    elif state != Job.DONE and kind.failed:
        loaded(kind.failed)(job)
