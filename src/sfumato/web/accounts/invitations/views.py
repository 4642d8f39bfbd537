"""The page of an invitation."""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from sfumato.web.accounts.access import anyone
from sfumato.web.accounts.invitations.making import SESSION_NAME, by_token, join, still_valid
from sfumato.web.accounts.models import Event, Invitation, User
from sfumato.web.accounts.sessions import end_sessions

__all__ = ["page"]


class _Password(forms.Form):
    """A new password of somebody who has an account."""

    user: User
    password = forms.CharField(max_length=200, strip=False)

    def clean_password(self) -> str:
        """The password, if it is hard to guess."""
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user)
        return password


class _Account(_Password):
    """A new account."""

    username = forms.CharField(max_length=150, validators=[UnicodeUsernameValidator()])
    first_name = forms.CharField(max_length=150, required=False)
    last_name = forms.CharField(max_length=150, required=False)
    field_order = ("username", "first_name", "last_name", "password")

    def clean_username(self) -> str:
        """The name, if it is free; the password must not resemble it."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError(_("Somebody has this name already."))
        self.user.username = name
        return name


@anyone
@sensitive_post_parameters("password")
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Make an account, join a project or study with the account one has, or set a new password."""
    invitation = by_token(token) if settings.SFUMATO_TEAM else None
    if invitation is None:
        raise Http404
    if not still_valid(invitation):
        return render(request, "accounts/invitation_over.html", {"invitation": invitation}, status=410)
    if request.user.is_authenticated and invitation.account is None:
        if request.method == "POST":
            join(invitation, request.user)
            return redirect(_target(invitation))
        context = {"invitation": invitation, "role_word": _role(invitation), "joining": True}
        return render(request, "accounts/invitation.html", context)
    form = _form(request, invitation)
    if request.method == "POST" and form.is_valid():
        user = _saved(form, invitation)
        answer: HttpResponse = perform_login(request, Login(user=user, redirect_url=_target(invitation)))
        return answer
    request.session[SESSION_NAME] = invitation.token_sha256
    context = {
        "invitation": invitation,
        "role_word": _role(invitation),
        "form": form,
        "single_sign_on": settings.SFUMATO_OIDC_ISSUER and invitation.account is None,
        "provider": settings.SFUMATO_OIDC_PROVIDER,
    }
    return render(request, "accounts/invitation.html", context, status=422 if form.errors else 200)


def _target(invitation: Invitation) -> str:
    """Where the person goes next: the project or study, or home."""
    if invitation.project_id:
        return reverse("project", args=[invitation.project_id])
    return reverse("study", args=[invitation.study_id]) if invitation.study_id else reverse("home")


def _role(invitation: Invitation) -> str:
    words = {"viewer": _("viewer"), "member": _("member"), "owner": _("owner")}
    return words.get(invitation.role, "")


def _form(request: HttpRequest, invitation: Invitation) -> _Password:
    kind = _Password if invitation.account else _Account
    form = kind(request.POST if request.method == "POST" else None)
    form.user = invitation.account or User(email=invitation.email)
    return form


@transaction.atomic
def _saved(form: _Password, invitation: Invitation) -> User:
    user = form.user
    user.set_password(form.cleaned_data["password"])
    if invitation.account is None:
        user.first_name, user.last_name = form.cleaned_data["first_name"], form.cleaned_data["last_name"]
    user.save()
    if invitation.account is not None:
        end_sessions(user)
        Event.record(user, "change password", f"user {user.pk}")
    join(invitation, user)
    return user
