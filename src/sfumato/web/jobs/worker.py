"""A worker: takes jobs, runs each in a process of its own, writes its progress, and stops it when asked."""

from __future__ import annotations

import logging
import os
import tempfile
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from sfumato.errors import SfumatoError
from sfumato.web.accounts.housekeeping import housekeeping_if_due
from sfumato.web.home import project_folder
from sfumato.web.jobs.kinds import KINDS
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.jobs.processes import JobProcess
from sfumato.web.jobs.pruning import prune
from sfumato.web.jobs.queue import LEASE_S, claim, close, give_back, is_cancelled, update

__all__ = ["Worker", "patiently", "run_waiting"]

_TICK_S = 0.25  # between two looks at the table while a job runs
_IDLE_S = 0.5
_REST_S = 3.0  # after a job, before kernels are compiled
_WEIGH_S = 1.0  # between two looks at its memory
_DATABASE_GONE_S = 1.0
_OUTAGE_S = 60.0  # of the database, for which a job goes on
_PRUNE_S = 3600.0
_LOG = logging.getLogger(__name__)


class Worker:
    """Takes jobs until it is to stop.

    warms : whether it keeps a process ready and compiles kernels in the background while nothing waits.
    """

    def __init__(self, name: str = "", *, warms: bool = False) -> None:
        self.name = name or f"{os.uname().nodename if hasattr(os, 'uname') else 'worker'}-{uuid.uuid4().hex[:8]}"
        self._warms = warms
        self._beat = self._pruned = 0.0
        self._spare: JobProcess | None = None

    def run(self, stopped: Callable[[], bool]) -> None:
        """Take one job after another until `stopped()`; a database that is away for a while does no harm."""
        from sfumato.web.jobs.warming import Warming

        warming, worked = Warming() if self._warms else None, 0.0
        while not stopped():
            try:
                close_old_connections()
                self._live()
                job = claim(self.name)
                if job is not None:
                    if warming is not None:
                        warming.pause()
                    self.do(job, stopped)
                    worked = time.monotonic()
                    continue
                self._prune()
                housekeeping_if_due()
            except (DatabaseError, InterfaceError):
                _LOG.exception("database")
                time.sleep(_DATABASE_GONE_S)
            if warming is not None and self._has_spare() and time.monotonic() - worked > _REST_S:
                warming.start()
            time.sleep(_IDLE_S)
        self.end_spare()
        if warming is not None:
            warming.stop()

    def _has_spare(self) -> bool:
        """Whether a process waits for the next job already; if none does, start one."""
        if self._spare is not None and self._spare.waits:
            return True
        self.end_spare()
        self._spare = JobProcess()
        self._spare.prepare()
        return False

    def end_spare(self) -> None:
        """End the process that waits for the next job."""
        if self._spare is not None:
            self._spare.end()
            self._spare = None

    def _waiting_process(self) -> JobProcess:
        """A process for a job: the one that waits, or a new one."""
        if self._spare is not None and not self._spare.waits:
            self.end_spare()
        spare, self._spare = self._spare, None
        return spare or JobProcess()

    def do(self, job: Job, stopped: Callable[[], bool] = lambda: False) -> None:
        """Run a job to its end."""
        folder = Path(tempfile.gettempdir()) if job.project_id is None else project_folder(job.project_id)
        process, status = self._waiting_process(), 0
        limits, workers = settings.SFUMATO_JOB_LIMITS, max(1, Heartbeat.alive())
        process.order(job.kind, job.arguments, folder, limits=limits, workers=workers)
        outcome = None
        try:
            outcome = self._watched(job, process, stopped)
        finally:
            if outcome is not None and "result" in outcome and KINDS[job.kind].shares_process:
                self._spare = process
            else:
                status = process.end()
        if outcome is None:
            return
        if not outcome:
            how = f"by signal {-status}" if status < 0 else f"with status {status}"
            outcome = {"sentence": f"its process ended ({how}) before the work was done, perhaps for lack of memory"}
        if "result" in outcome:
            self._record(job, outcome["result"])
        else:
            state = Job.CANCELLED if outcome.get("cancelled") else Job.FAILED
            patiently(lambda: close(job, state, sentence=outcome["sentence"], remedy=outcome.get("remedy", "")))

    def _watched(self, job: Job, process: JobProcess, stopped: Callable[[], bool]) -> dict[str, Any] | None:
        """The outcome, empty if the process ended without one; nothing if the job is not this worker's any more."""
        written = weighed = time.monotonic()
        outcome: dict[str, Any] = {}
        while True:
            progress, last, ended = process.collected(_TICK_S)
            outcome = last or outcome
            now = time.monotonic()
            if progress or now - written > LEASE_S / 3:
                written = now
                if not patiently(partial(update, job, **progress)):
                    return None  # another worker took it over
                self._live()
            if ended or outcome:
                return outcome
            if stopped():
                give_back(job)
                return None
            if patiently(partial(is_cancelled, job)):
                return {"cancelled": True, "sentence": "cancelled"}
            if now - weighed > _WEIGH_S:
                weighed = now
                if (sentence := _beyond_limits(process)) is not None:
                    return {"sentence": sentence}

    def _record(self, job: Job, result: Any) -> None:
        """Record the result; if that fails, nothing of it is recorded and the job has failed."""
        try:
            patiently(lambda: close(job, Job.DONE, result=result))
        except SfumatoError as error:
            close(job, Job.FAILED, sentence=str(error), remedy=error.remedy)
        except Exception as error:
            _LOG.exception("finish")
            close(job, Job.FAILED, sentence=f"{type(error).__name__} inside sfumato; this is a bug, please report it")

    def _live(self) -> None:
        """Show that this worker is alive, at most once a second."""
        if time.monotonic() - self._beat > 1.0:
            self._beat = time.monotonic()
            Heartbeat.objects.update_or_create(worker=self.name, defaults={"at": timezone.now()})

    def _prune(self) -> None:
        if self._pruned == 0.0 or time.monotonic() - self._pruned > _PRUNE_S:
            self._pruned = time.monotonic()
            prune(timezone.now() - timedelta(days=settings.SFUMATO_JOB_DAYS))


def patiently(call: Callable[[], bool], *, seconds: float = _OUTAGE_S, pause: float = _DATABASE_GONE_S) -> bool:
    """The answer of a call to the database, tried again while it cannot be reached; a job survives a short outage.

    Fences make it harmless that a call whose answer was lost is made twice.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return call()
        except (OperationalError, InterfaceError):
            if time.monotonic() > end:
                raise
            close_old_connections()
            time.sleep(pause)


def run_waiting(worker: str = "now") -> int:
    """Run every job that waits, one after the other, and say how many there were; for tests and small tools."""
    count, runner = 0, Worker(worker)
    while (job := claim(worker)) is not None:
        runner.do(job)
        count += 1
    runner.end_spare()
    return count


def _beyond_limits(process: JobProcess) -> str | None:
    """Why the process has to end now: too long, or too large together with its children."""
    limits = settings.SFUMATO_JOB_LIMITS
    if "seconds" in limits and process.seconds > limits["seconds"]:
        return f"stopped after {limits['seconds']:,} seconds, the limit of this server"
    if "memory" in limits and process.resident() > limits["memory"]:
        return f"stopped because it used more than {limits['memory'] // 2**20:,} MB, the limit of this server"
    return None
