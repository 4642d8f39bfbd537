"""What a worker does from time to time: seals, retention dates, deletion of what has waited long enough."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from sfumato.web.accounts.audit_trail.seals import seal
from sfumato.web.accounts.former_accounts import close_account
from sfumato.web.accounts.models import Event, Invitation, Session, User
from sfumato.web.studies.entries.removing import remove_old_entries
from sfumato.web.studies.models import Study
from sfumato.web.studies.people.deletion import delete_study, remove_study
from sfumato.web.workbench.models import Project

__all__ = ["ANNOUNCED_DAYS", "WAITING_DAYS", "delete_project", "housekeeping", "housekeeping_if_due", "restore_project"]

ANNOUNCED_DAYS = 14
WAITING_DAYS = 30
_EVERY_S = 600.0
_last = {"time": -_EVERY_S}


def housekeeping_if_due() -> None:
    """Do it every ten minutes; a failure is logged, and does not stop the worker."""
    if time.monotonic() - _last["time"] < _EVERY_S:
        return
    _last["time"] = time.monotonic()
    try:
        housekeeping()
    except Exception:
        logging.getLogger(__name__).exception("housekeeping")


def housekeeping() -> None:
    """Seal events, announce and apply retention dates, remove what was deleted 30 days ago, end old sessions."""
    now = timezone.now()
    seal(now)
    for place, delete in ((Project, delete_project), (Study, delete_study)):
        for row in place.objects.filter(deleted=None, retention__lte=now.date() + timedelta(days=ANNOUNCED_DAYS)):
            _announce_or_delete(row, delete, now)
    limit = now - timedelta(days=WAITING_DAYS)
    for project in Project.objects.filter(deleted__lte=limit):
        _remove(project)
    for study in Study.objects.filter(deleted__lte=limit):
        remove_study(study)
    remove_old_entries(now)
    for user in User.objects.filter(left__lte=limit, projects=None):
        close_account(user)
    Session.objects.filter(expire_date__lt=now).delete()
    Invitation.objects.filter(expires__lt=limit).delete()


def _announce_or_delete(place: Any, delete: Callable[..., None], now: datetime) -> None:
    """Announce the retention date of a project or study; delete it on that day, if it was announced long enough."""
    subject = f"retention {place.retention.isoformat()}"
    announced = Event.objects.filter(project_id=place.id, verb="announce", object=subject).order_by("id").first()
    if announced is None:
        Event.record(None, "announce", subject, project=place)
    elif place.retention <= now.date() and now - announced.at >= timedelta(days=ANNOUNCED_DAYS):
        delete(place, None, reason="retention")


def delete_project(project: Project, user: User | None, reason: str = "") -> None:
    """Take a project out of sight and stop its jobs; it can be restored for 30 days."""
    from sfumato.web.jobs.models import Job
    from sfumato.web.jobs.queue import cancel

    project.deleted = timezone.now()
    project.save(update_fields=["deleted"])
    Event.record(user, "delete", f"project {project.id}", project=project, reason=reason)
    for job in Job.objects.filter(project=project).exclude(state__in=Job.ENDED):
        cancel(job)


def restore_project(project: Project, user: User) -> None:
    """Bring a deleted project back; a retention date that has passed no longer holds."""
    project.deleted = None
    if project.retention is not None and project.retention <= timezone.now().date():
        project.retention = None
    project.save(update_fields=["deleted", "retention"])
    Event.record(user, "restore", f"project {project.id}", project=project)


def _remove(project: Project) -> None:
    """Remove files first: if this stops in between, the next time goes on."""
    with transaction.atomic():
        if not Project.objects.select_for_update().filter(pk=project.pk).exclude(deleted=None).exists():
            return  # another worker removed it, or it was restored at this moment
        shutil.rmtree(project.folder)
        for release in project.releases.exclude(published=None).filter(withdrawn=None):
            Event.record(None, "withdraw", f"release {release.id}", project=project, reason="project removed")
        Event.record(None, "remove", f"project {project.id}", project=project)
        project.delete()
