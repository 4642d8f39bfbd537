"""Delete an entry; for 30 days an administrator can restore it, then it is removed with its history."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry

__all__ = ["KEPT_DAYS", "delete_entry", "remove_old_entries", "restore_entry"]

KEPT_DAYS = 30


def delete_entry(entry: Entry, user: Any, reason: str) -> None:
    """Take an entry out of sight.  If it is the first of a pair, the second takes its place."""
    with transaction.atomic():
        current = Entry.objects.select_for_update(no_key=True).get(pk=entry.pk)
        if current.deleted is not None:
            return
        second = current.doubles.filter(deleted=None).first()
        if second is not None:
            second.double_of, current.double_of = None, second
            second.save(update_fields=["double_of"])
        current.deleted = timezone.now()
        current.save(update_fields=["deleted", "double_of"])
        Event.record(user, "delete", f"entry {current.id}", project=current.study, reason=reason[:500])


def restore_entry(entry: Entry, user: Any) -> None:
    """Bring a deleted entry back."""
    with transaction.atomic():
        current = Entry.objects.select_for_update(no_key=True).get(pk=entry.pk)
        if current.deleted is None:
            return
        first = current.double_of
        if first is not None and (first.deleted is not None or first.doubles.filter(deleted=None).exists()):
            current.double_of = None
        current.deleted = None
        current.save(update_fields=["deleted", "double_of"])
        Event.record(user, "restore", f"entry {current.id}", project=current.study)


def remove_old_entries(now: datetime) -> None:
    """Remove entries that were deleted 30 days ago."""
    for entry in Entry.objects.filter(deleted__lte=now - timedelta(days=KEPT_DAYS)).select_related("study"):
        Event.record(None, "remove", f"entry {entry.id}", project=entry.study)
        entry.delete()
