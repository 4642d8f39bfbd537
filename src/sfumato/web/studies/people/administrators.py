"""Administrators of a study: only people who lead studies, and never none."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event, User
from sfumato.web.studies.models import Membership, Study
from sfumato.web.studies.releasing.projects import share_project

__all__ = ["is_only_administrator", "make_administrator", "studies_without_others"]


def make_administrator(study: Study, username: str, by: Any, reason: str = "") -> str:
    """Make somebody who leads studies an administrator of this one; a sentence if that is not possible, or ""."""
    person = User.objects.filter(username__iexact=username.strip(), is_active=True, leads_studies=True).first()
    if person is None:
        return _("No study administrator of this server has this sign-in name. An IT administrator makes them.")
    Membership.objects.update_or_create(
        study=study,
        user=person,
        defaults={"role": "administrator", "grants": list(Membership.GRANTS), "ended": None},
    )
    Event.record(by, "make administrator", f"user {person.pk}", project=study, reason=reason)
    share_project(study)
    return ""


def is_only_administrator(study: Study, user: Any) -> bool:
    """Whether a study would have no administrator without this person."""
    active = study.memberships.filter(role="administrator", ended=None, user__is_active=True)
    return active.filter(user=user).exists() and not active.exclude(user=user).exists()


def studies_without_others(user: Any) -> list[Study]:
    """The studies whose only administrator this person is."""
    leading = Study.objects.filter(
        deleted=None, memberships__user=user, memberships__role="administrator", memberships__ended=None
    )
    return [study for study in leading if is_only_administrator(study, user)]
