"""What is recorded when a job of a comparison has ended."""

from __future__ import annotations

from typing import Any

from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Dataset, Run
from sfumato.web.workbench.versions import add_version
from sfumato.web.workbench.withdrawals import keep_snapshots

__all__ = ["finish", "kept"]


def finish(job: Any, result: dict[str, Any]) -> None:
    """Keep the figures of a comparison that is done."""
    Run.objects.filter(job=job).update(summary=result)


def kept(job: Any, result: dict[str, Any]) -> None:
    """Make a dataset of what a run published."""
    dataset = Dataset.objects.create(project=job.project, name=job.title, kind=result["reading"]["kind"])
    version = add_version(
        dataset,
        result["file"],
        result["reading"],
        rows=result["rows"],
        by=job.user,
        operation={"verb": "kept", "run": job.arguments["run"]},
    )
    run = Run.objects.filter(pk=job.arguments["run"].rsplit("/", 1)[-1]).select_related("version").first()
    keep_snapshots(version, None if run is None else run.version)
    Event.record(job.user, "create", f"dataset {dataset.id}", project=job.project)
