"""Quotas: bytes of a person and of a project, the size of an upload, and jobs at a time.

The server has its own (settings), a person and a project may have others, which the IT administrator sets.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from sfumato.errors import ParameterError

__all__ = ["busy_people", "require_room", "used_by", "used_bytes"]


def used_bytes(folder: Path) -> int:
    """The size of all files in a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except FileNotFoundError:  # a job removed it at this moment
                continue
    return total


def used_by(user: Any) -> int:
    """The size of all projects of a person."""
    return sum(used_bytes(project.folder) for project in user.projects.all())


def require_room(project: Any, more: int = 0) -> None:
    """Refuse what would make the project, or all projects of its owner, larger than the quota.

    more : bytes that are about to be added.
    """
    quota = _first(project.quota_bytes, settings.SFUMATO_QUOTAS["project_bytes"])
    if quota is not None and used_bytes(project.folder) + more > quota:
        raise ParameterError(
            f"Quota: this project may hold {_size(quota)}; delete versions or runs, or ask an IT administrator"
        )
    quota = _first(project.owner.quota_bytes, settings.SFUMATO_QUOTAS["person_bytes"])
    if quota is not None and used_by(project.owner) + more > quota:
        raise ParameterError(
            f"Quota: the projects of this owner may hold {_size(quota)} in all; delete data, or ask an IT administrator"
        )


def busy_people() -> list[Any]:
    """The people who have as many jobs running as they may have at a time; their other jobs wait."""
    from sfumato.web.jobs.models import Job

    running = Job.objects.filter(state=Job.RUNNING, lease__gte=timezone.now(), user__isnull=False).order_by()
    counts = running.values("user", "user__jobs_at_once").annotate(count=Count("id"))
    limits = ((row, _first(row["user__jobs_at_once"], settings.SFUMATO_QUOTAS["jobs_at_once"])) for row in counts)
    return [row["user"] for row, limit in limits if limit is not None and row["count"] >= limit]


def _first(own: int | None, general: int | None) -> int | None:
    return general if own is None else own


def _size(number: int) -> str:
    return f"{number / 2**30:.3g} GB" if number >= 2**30 else f"{number / 2**20:.3g} MB"
