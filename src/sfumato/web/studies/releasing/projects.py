"""The project of the workbench in which the answers of a study are published."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Study
from sfumato.web.workbench.models import Member, Project

__all__ = ["project_of", "share_project"]


def project_of(study: Study, user: Any) -> Project:
    """The project of a study, made at its first use; the study's administrators own it, and no others are in it."""
    with transaction.atomic():
        current = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if current.project is None or current.project.deleted is not None:
            name = _("%(study)s: releases") % {"study": current.name}
            current.project = Project.objects.create(name=name[:200], owner=user, retention=current.retention)
            current.save(update_fields=["project"])
            Event.record(user, "create", f"project {current.project.id}", project=current.project)
        share_project(current)
    study.project = current.project
    return current.project


def share_project(study: Study) -> None:
    """Make the administrators of a study, and no other people of the study, owners of its project."""
    project = study.project
    if project is None:
        return
    memberships = study.memberships.select_related("user")
    administrators = {
        membership.user_id: membership.user
        for membership in memberships
        if membership.role == "administrator" and membership.ended is None
    }
    with transaction.atomic():
        if administrators and project.owner_id not in administrators:
            project.owner = administrators[min(administrators)]
            project.save(update_fields=["owner"])
            Event.record(None, "hand over", f"project {project.id}", project=project)
        for number, user in administrators.items():
            if number != project.owner_id:
                Member.objects.update_or_create(project=project, user=user, defaults={"role": "owner"})
        others = [membership.user_id for membership in memberships if membership.user_id not in administrators]
        project.members.filter(user__in=others).delete()
