"""Delete a study, bring it back within 30 days, and remove it for good."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from sfumato.web.accounts.models import Event, Invitation
from sfumato.web.studies.models import Entry, Study

__all__ = ["delete_study", "remove_study", "restorable_by", "restore_study"]

_AT_ONCE = 500


def delete_study(study: Study, user: Any, reason: str = "") -> None:
    """Take a study out of everybody's sight; it can be restored for 30 days."""
    study.deleted = timezone.now()
    study.save(update_fields=["deleted"])
    Event.record(user, "delete", f"study {study.id}", project=study, reason=reason)


def restorable_by(user: Any) -> Any:
    """The deleted studies whose administrator a person is."""
    own = Study.objects.filter(memberships__user=user, memberships__role="administrator", memberships__ended=None)
    return own.exclude(deleted=None)


def restore_study(study: Study, user: Any) -> None:
    """Bring a deleted study back; a retention date that has passed no longer holds."""
    study.deleted = None
    if study.retention is not None and study.retention <= timezone.now().date():
        study.retention = None
    study.save(update_fields=["deleted", "retention"])
    Event.record(user, "restore", f"study {study.id}", project=study)


def remove_study(study: Study) -> None:
    """Remove a deleted study with entries, history, notes and rehearsals; datasets and releases in projects stay.

    Entries go in parts, so that no long transaction holds others up; if this stops in between, the next time goes on.
    """
    while True:
        with transaction.atomic():
            if not Study.objects.select_for_update().filter(pk=study.pk).exclude(deleted=None).exists():
                return  # another worker removed it, or it was restored at this moment
            entries = Entry.objects.filter(Q(study=study) | Q(study__rehearsal_of=study))
            part = list(entries.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
            if part:
                Entry.objects.filter(pk__in=part).delete()
                continue
            Invitation.objects.filter(study=study).delete()
            Event.record(None, "remove", f"study {study.id}", project=study)
            study.delete()
            return
