"""Make an invitation, find it by its token, and use it once."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event, Invitation, User
from sfumato.web.studies.models import Membership
from sfumato.web.workbench.models import Member

__all__ = ["administrator_invitation", "by_token", "invitation_of_session", "invite", "join", "mail", "still_valid"]

VALID_DAYS = 7
SESSION_NAME = "invitation"
_MARKS = {"ita": "is_ita", "leads studies": "leads_studies"}  # roles of the whole server: fields of a user


def invite(
    inviter: User | None,
    *,
    email: str = "",
    project: Any = None,
    study: Any = None,
    centre: Any = None,
    grants: Sequence[str] = (),
    role: str = "",
    account: User | None = None,
) -> tuple[Invitation, str]:
    """A new invitation and its token, which is shown once and stored as a digest.

    project or study : to what it invites, with the role; centre, grants : of a participant of the study.
    """
    token = secrets.token_urlsafe(32)
    row = Invitation.objects.create(
        token_sha256=_digest(token),
        inviter=inviter,
        email=email,
        project=project,
        study=study,
        centre=centre,
        grants=list(grants),
        role=role,
        account=account,
        expires=timezone.now() + timedelta(days=VALID_DAYS),
    )
    verb = "reset password" if account else "invite"
    subject = f"user {account.pk}" if account else f"invitation {row.id}"
    Event.record(inviter, verb, subject, project=project or study, reason=role)
    return row, token


def administrator_invitation() -> str:
    """The token that makes the first IT administrator of a new server; refused once there is one."""
    if User.objects.filter(is_ita=True, is_active=True).exists():
        raise ParameterError("Server: it has an IT administrator already, who can invite others on the page /desk/")
    return invite(None, role="ita")[1]


def by_token(token: str) -> Invitation | None:
    """The invitation with this token, also an expired or used one."""
    rows = Invitation.objects.select_related("inviter", "project", "study", "centre", "account")
    return rows.filter(token_sha256=_digest(token)).first()


def still_valid(invitation: Invitation) -> bool:
    """Whether it can be used: not used, not expired, and who made it could still make it."""
    return invitation.accepted is None and invitation.expires > timezone.now() and _still_allowed(invitation)


def invitation_of_session(request: HttpRequest) -> Invitation | None:
    """The invitation that was opened in this browser before single sign-on, if it can be used."""
    digest = request.session.get(SESSION_NAME, "")
    rows = Invitation.objects.select_related("inviter", "project", "study", "centre")
    row = rows.filter(token_sha256=digest, account=None).first()
    return row if row is not None and still_valid(row) else None


def join(invitation: Invitation, user: User) -> None:
    """Use the invitation: the user gets what it promises, and it is used up."""
    with transaction.atomic():
        used = Invitation.objects.filter(pk=invitation.pk, accepted=None).update(
            accepted=timezone.now(), accepted_by=user
        )
        if not used:
            raise ParameterError("Invitation: it was used already; ask for another")
        if invitation.project is not None and invitation.project.role_of(user) is None:
            Member.objects.create(project=invitation.project, user=user, role=invitation.role)
        elif invitation.study is not None:
            _join_study(invitation, user)
        elif invitation.role in _MARKS:
            setattr(user, _MARKS[invitation.role], True)
            user.save(update_fields=[_MARKS[invitation.role]])
        place = invitation.project or invitation.study
        Event.record(user, "join", f"invitation {invitation.id}", project=place, reason=invitation.role)


def _join_study(invitation: Invitation, user: User) -> None:
    """Make the user a participant; who left the study takes part again, and who is in it stays as they are."""
    row, _created = Membership.objects.get_or_create(
        study=invitation.study, user=user, defaults={"role": invitation.role, "ended": timezone.now()}
    )
    if row.ended is not None:
        row.role, row.centre, row.grants, row.ended = invitation.role, invitation.centre, invitation.grants, None
        row.save()


def mail(request: HttpRequest, invitation: Invitation, token: str) -> bool:
    """Send the link, if there is an address and a mail server; say whether it was sent."""
    if not (settings.EMAIL_HOST and invitation.email):
        return False
    link = request.build_absolute_uri(reverse("invite", args=[token]))
    body = _("%(name)s invites you to Sfumato. This link can be used once within seven days:") % {
        "name": invitation.inviter
    }
    try:
        send_mail(_("Invitation to Sfumato"), f"{body}\n\n{link}\n", None, [invitation.email])
    except OSError:
        return False
    return True


def _still_allowed(invitation: Invitation) -> bool:
    inviter, project, study = invitation.inviter, invitation.project, invitation.study
    if inviter is None:
        return True
    if project is not None:
        return bool(inviter.is_active and project.deleted is None and project.role_of(inviter) == "owner")
    if study is not None:
        is_open = study.deleted is None and (invitation.centre is None or invitation.centre.closed is None)
        return bool(inviter.is_active and is_open and study.role_of(inviter) == "administrator")
    return bool(inviter.is_active and inviter.is_ita)


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
