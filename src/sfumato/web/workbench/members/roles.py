"""Changes of who has which role in a project."""

from __future__ import annotations

from django.db import transaction

from sfumato.web.accounts.models import Event, User
from sfumato.web.workbench.models import Member, Project

__all__ = ["hand_over"]


@transaction.atomic
def hand_over(project: Project, heir: User, by: User) -> None:
    """Make somebody the owner; the owner so far stays as a member."""
    if project.owner_id == heir.pk:
        return
    Member.objects.filter(project=project, user=heir).delete()
    Member.objects.get_or_create(project=project, user=project.owner, defaults={"role": "member"})
    project.owner = heir
    project.save(update_fields=["owner"])
    Event.record(by, "hand over", f"user {heir.pk}", project=project)
