"""Start audits and attacks as runs, and keep what came out."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.models import Project, Run, Version
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["finish", "start_run"]


def start_run(
    project: Project,
    user: Any,
    mode: str,
    arguments: dict[str, Any],
    *,
    kind: str = "",
    version: Version | None,
    title: str,
    definition: dict[str, Any],
) -> Run:
    """A new run with its job; `kind` of the job, if it is not the mode.  A job that writes files gets its folder."""
    if mode == "advise":  # what comes of it is a release; audits and attacks stay private
        require_nobody_withdrew(version)
    run = Run(project=project, mode=mode, version=version, title=title[:200], definition=definition, by=user)
    if "out" in arguments:
        arguments = {**arguments, "out": run.file}
    with transaction.atomic():
        run.job = enqueue(kind or mode, arguments, user=user, project=project, title=title[:200])
        run.save()
        Event.record(user, mode, f"run {run.id}", project=project)
    return run


def finish(job: Job, result: dict[str, Any]) -> None:
    """Keep the figures of a run."""
    Run.objects.filter(job=job).update(summary=result)
