"""One's own account: name, password, language, theme, sessions, and lists of what lets one in."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.core.internal import ratelimit
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import signed_in
from sfumato.web.accounts.housekeeping import WAITING_DAYS
from sfumato.web.accounts.models import Event
from sfumato.web.accounts.sessions import end_sessions, public_id
from sfumato.web.accounts.sign_in.client_certificates import fingerprint_of
from sfumato.web.studies.people.deletion import restorable_by
from sfumato.web.workbench.models import Project

__all__ = ["end_session", "look", "name", "page", "password", "show"]

THEMES = ("", "light", "dark")


@signed_in
def page(request: HttpRequest) -> HttpResponse:
    """The page."""
    return show(request)


def show(request: HttpRequest, status: int = 200, **extra: Any) -> HttpResponse:
    """The page, with what a form has to say in `extra`."""
    user = request.user
    here = request.session.session_key
    alive = user.sessions.filter(expire_date__gt=timezone.now()).order_by("-seen")
    deleted = Project.objects.filter(owner=user).exclude(deleted=None)
    context = {
        "languages": settings.LANGUAGES,
        "themes": [("", _("as the system")), ("light", _("light")), ("dark", _("dark"))],
        "sessions": [(public_id(row), row, row.session_key == here) for row in alive],
        "tokens": user.tokens.all(),
        "certificates": user.certificates.filter(revoked=None).order_by("-created"),
        "presented": fingerprint_of(request),
        "authenticators": Authenticator.objects.filter(user=user).order_by("type", "created_at"),
        "accounts": SocialAccount.objects.filter(user=user),
        "single_sign_on": settings.SFUMATO_OIDC_ISSUER,
        "deleted": [(project, project.deleted + timedelta(days=WAITING_DAYS)) for project in deleted],
        "deleted_studies": [(study, study.deleted + timedelta(days=WAITING_DAYS)) for study in restorable_by(user)],
        "errors": {},
        **extra,
    }
    return render(request, "accounts/me.html", context, status=status)


@signed_in
@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Language and theme."""
    language, theme = request.POST.get("language", ""), request.POST.get("theme", "")
    if language not in dict(settings.LANGUAGES) or theme not in THEMES:
        raise Http404
    request.user.language, request.user.theme = language, theme
    request.user.save(update_fields=["language", "theme"])
    return redirect("me")


@signed_in
@require_POST
def name(request: HttpRequest) -> HttpResponse:
    """The name that others see."""
    request.user.first_name = request.POST.get("first_name", "").strip()[:150]
    request.user.last_name = request.POST.get("last_name", "").strip()[:150]
    request.user.save(update_fields=["first_name", "last_name"])
    return redirect("me")


@signed_in
@require_POST
@sensitive_post_parameters()
def password(request: HttpRequest) -> HttpResponse:
    """A new password; all other sessions end."""
    if not settings.SFUMATO_TEAM:
        raise Http404
    user, new = request.user, request.POST.get("new", "")
    if not ratelimit.consume(request, app="allauth.account", action="change_password", user=user):
        return show(request, 422, errors={"old": _("Too many attempts failed. Wait a minute, then try again.")})
    if user.has_usable_password() and not user.check_password(request.POST.get("old", "")):
        return show(request, 422, errors={"old": _("This is not your password.")})
    try:
        validate_password(new, user)
    except ValidationError as error:
        return show(request, 422, errors={"new": " ".join(error.messages)})
    user.set_password(new)
    user.save()
    update_session_auth_hash(request, user)
    end_sessions(user, but=request.session.session_key)
    Event.record(user, "change password", f"user {user.pk}")
    messages.success(request, _("The password is changed, and you are signed out everywhere else."))
    return redirect("me")


@signed_in
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """End one session, or all but this one."""
    chosen = request.POST.get("session", "")
    if chosen == "others":
        end_sessions(request.user, but=request.session.session_key)
    else:
        rows = [row for row in request.user.sessions.all() if public_id(row) == chosen]
        if not rows:
            raise Http404
        rows[0].delete()
    Event.record(request.user, "end session")
    return redirect("me")
