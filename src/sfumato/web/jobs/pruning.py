"""Old jobs and workers that are gone leave the table."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from sfumato.web.jobs.models import Heartbeat, Job

__all__ = ["prune"]

_WORKER_GONE = timedelta(days=1)


def prune(before: datetime) -> int:
    """Delete jobs that ended before this time, except those of runs, whose pages show them; returns their number."""
    Heartbeat.objects.filter(at__lt=timezone.now() - _WORKER_GONE).delete()
    old = Job.objects.filter(state__in=Job.ENDED, finished__lt=before, run=None)
    return int(old.delete()[0])
