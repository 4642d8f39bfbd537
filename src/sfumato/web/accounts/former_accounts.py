"""The end of an account whose person left: removed, or without anything personal where studies rest on it.

Entries are kept when their author leaves, and their history says which changes are of one person.  So the account of
an author stays as a row with a name that says nothing, without a way to sign in.
"""

from __future__ import annotations

from django.db import transaction

from sfumato.web.accounts.models import Event, User
from sfumato.web.studies.models import ChoiceList, Entry, Inspection, Note, Revision

__all__ = ["close_account", "is_kept"]


def is_kept(user: User) -> bool:
    """Whether a study rests on the account: entries, changes, notes, inspections, or lists that its forms use."""
    return any(
        rows.exists()
        for rows in (
            Entry.objects.filter(author=user),
            Revision.objects.filter(by=user),
            Note.objects.filter(by=user),
            Inspection.objects.filter(user=user),
            ChoiceList.objects.filter(owner=user),
        )
    )


@transaction.atomic
def close_account(user: User) -> None:
    """Remove the account of somebody who left, or take everything personal from it; again, it changes nothing."""
    if not is_kept(user):
        Event.record(None, "remove", f"user {user.pk}")
        user.delete()
        return
    name = f"former-{user.pk.hex[:12]}"
    if user.username == name:
        return
    _forget(user, name)
    Event.record(None, "remove", f"user {user.pk}", reason="entries stay")


def _forget(user: User, name: str) -> None:
    """Take names, address, and every way to sign in."""
    from allauth.account.models import EmailAddress
    from allauth.mfa.models import Authenticator
    from allauth.socialaccount.models import SocialAccount

    for rows in (
        user.tokens.all(),
        user.certificates.all(),
        user.sessions.all(),
        EmailAddress.objects.filter(user=user),
        Authenticator.objects.filter(user=user),
        SocialAccount.objects.filter(user=user),
    ):
        rows.delete()
    user.invitations.filter(accepted=None).delete()
    user.study_memberships.filter(ended=None).update(ended=user.left)
    user.username, user.first_name, user.last_name, user.email = name, "", "", ""
    user.is_active, user.is_ita, user.leads_studies = False, False, False
    user.set_unusable_password()
    user.save()
