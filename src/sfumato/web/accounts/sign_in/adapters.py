"""How allauth works here: no sign-up, keys of the second factor encrypted, accounts by issuer and subject."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event, User
from sfumato.web.interface.failures import page_of

__all__ = ["Accounts", "SingleSignOn", "TwoFactor"]


class Accounts(DefaultAccountAdapter):
    """Accounts come from invitations only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Accounts come from invitations only."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address, which the middleware took from a trusted proxy if there is one."""
        return str(request.META.get("REMOTE_ADDR") or "unknown")

    def add_message(self, *args: Any, message: str | None = None, **kwargs: Any) -> None:
        """Only sentences that say what went wrong; a page shows by itself what went well."""
        if message is not None:
            super().add_message(*args, message=message, **kwargs)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:  # noqa: ARG002
        """Note it in the audit trail, without the name that was typed: it may be a password."""
        user = User.objects.filter(username__iexact=credentials.get("username", "")).first()
        Event.record(None, "sign-in failed", "unknown name" if user is None else f"user {user.pk}")

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:  # noqa: ARG002
        """The same as a wrong password."""
        return redirect("sign-in")


class TwoFactor(DefaultMFAAdapter):
    """Keys of authenticator apps are encrypted with the key of the server."""

    def encrypt(self, text: str) -> str:
        """The text, encrypted."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The text again."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: Any) -> str:
        """The name under which an authenticator app lists the account."""
        return str(user.username)


class SingleSignOn(DefaultSocialAccountAdapter):
    """A person is known by issuer and subject; a new person needs an invitation."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Let in whom we know, make an account for whom was invited, refuse others."""
        from sfumato.web.accounts.invitations.making import invitation_of_session, join

        identity = sociallogin.account.extra_data.get("id_token") or {}
        if identity.get("iss") != settings.SFUMATO_OIDC_ISSUER:
            raise ImmediateHttpResponse(page_of(request, 403, _("Single sign-on did not work. Try again.")))
        if sociallogin.is_existing or request.user.is_authenticated:
            return
        invitation = invitation_of_session(request)
        if invitation is None:
            sentence = _("You have no account here yet. Ask somebody who has one to invite you.")
            raise ImmediateHttpResponse(page_of(request, 403, sentence))
        user = User(username=_free_name(str(identity.get("preferred_username") or "person")))
        user.first_name = str(identity.get("given_name") or "")[:150]
        user.last_name = str(identity.get("family_name") or "")[:150]
        user.set_unusable_password()
        with transaction.atomic():  # no account is left if somebody used the invitation at this moment
            user.save()
            join(invitation, user)
            sociallogin.connect(request, user)

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:  # noqa: ARG002
        """Accounts come from invitations only."""
        return False

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        """The page from which an account was connected."""
        Event.record(request.user, "connect", f"single sign-on {socialaccount.pk}")
        return reverse("me")


def _free_name(wanted: str) -> str:
    """The name, with a number behind it if somebody has it."""
    stem = "".join(letter for letter in wanted if letter.isalnum() or letter in "@.+-_")[:140] or "person"
    name, number = stem, 1
    while User.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"{stem}-{number}"
    return name


def _cipher() -> Any:
    from cryptography.fernet import Fernet

    return Fernet(base64.urlsafe_b64encode(sha256(b"two-factor:" + settings.SECRET_KEY.encode()).digest()))
