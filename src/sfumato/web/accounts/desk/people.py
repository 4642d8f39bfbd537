"""People of the server: invite, deactivate, make administrator, quotas, help with sign-in."""

from __future__ import annotations

import uuid
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import ita
from sfumato.web.accounts.invitations.making import invite, mail
from sfumato.web.accounts.me.leaving import is_last_administrator
from sfumato.web.accounts.models import Event, Invitation, User
from sfumato.web.accounts.quotas import used_by
from sfumato.web.accounts.sessions import end_sessions

__all__ = ["change", "new_invitation", "page", "withdraw"]

_ROLES = ("", "leads studies", "ita")


@ita
def page(request: HttpRequest) -> HttpResponse:
    """The list of people."""
    return _show(request)


def _show(request: HttpRequest, status: int = 200, **extra: Any) -> HttpResponse:
    people = User.objects.order_by("-is_active", "username").prefetch_related("projects")
    protected = set(Authenticator.objects.values_list("user_id", flat=True))
    rows = [(user, used_by(user), user.pk in protected) for user in people]
    waiting = Invitation.objects.filter(accepted=None, expires__gt=timezone.now(), project=None, study=None)
    context = {
        "here": "people",
        "people": rows,
        "invitations": waiting.select_related("inviter"),
        "quotas": settings.SFUMATO_QUOTAS,
        **extra,
    }
    return render(request, "accounts/desk/people.html", context, status=status)


@ita
@require_POST
def new_invitation(request: HttpRequest) -> HttpResponse:
    """Make a link and show it, this once."""
    if not settings.SFUMATO_TEAM:
        raise Http404
    email = request.POST.get("email", "").strip()
    try:
        if email:
            validate_email(email)
    except ValidationError:
        return _show(request, 422, error=_("This is not an e-mail address."))
    role = request.POST.get("role", "")
    if role not in _ROLES:
        raise Http404
    row, token = invite(request.user, email=email, role=role)
    link = request.build_absolute_uri(reverse("invite", args=[token]))
    return _show(request, link=link, mailed=mail(request, row, token))


@ita
@require_POST
def withdraw(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Take an invitation to the server back."""
    row = get_object_or_404(Invitation, pk=invitation_id, accepted=None, project=None, study=None)
    Event.record(request.user, "withdraw", f"invitation {row.id}")
    row.delete()
    return redirect("desk")


@ita
@require_POST
def change(request: HttpRequest, user_id: uuid.UUID) -> HttpResponse:
    """Do what the pressed button says to a person."""
    user = get_object_or_404(User, pk=user_id)
    act = {
        "deactivate": _deactivate,
        "activate": _activate,
        "promote": _promote,
        "demote": _demote,
        "lead": _lead,
        "unlead": _unlead,
        "quota": _quota,
        "unlock": _unlock,
    }.get(request.POST.get("do", ""))
    if request.POST.get("do") == "password" and settings.SFUMATO_TEAM and user.is_active:
        _row, token = invite(request.user, account=user)
        link = request.build_absolute_uri(reverse("invite", args=[token]))
        return _show(request, link=link, link_of=user)
    if act is None:
        raise Http404
    act(request, user)
    return redirect("desk")


def _deactivate(request: HttpRequest, user: User) -> None:
    if is_last_administrator(user):
        messages.error(request, _("This is the only IT administrator. Make another one first."))
        return
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_sessions(user)
    Event.record(request.user, "deactivate", f"user {user.pk}")


def _activate(request: HttpRequest, user: User) -> None:
    user.is_active, user.left = True, None
    user.save(update_fields=["is_active", "left"])
    Event.record(request.user, "activate", f"user {user.pk}")


def _promote(request: HttpRequest, user: User) -> None:
    user.is_ita = True
    user.save(update_fields=["is_ita"])
    Event.record(request.user, "make administrator", f"user {user.pk}")


def _demote(request: HttpRequest, user: User) -> None:
    if is_last_administrator(user):
        messages.error(request, _("This is the only IT administrator. Make another one first."))
        return
    user.is_ita = False
    user.save(update_fields=["is_ita"])
    Event.record(request.user, "unmake administrator", f"user {user.pk}")


def _lead(request: HttpRequest, user: User) -> None:
    user.leads_studies = True
    user.save(update_fields=["leads_studies"])
    Event.record(request.user, "make study administrator", f"user {user.pk}")


def _unlead(request: HttpRequest, user: User) -> None:
    """Take the right to make studies away; the person stays administrator of the studies that exist."""
    user.leads_studies = False
    user.save(update_fields=["leads_studies"])
    Event.record(request.user, "unmake study administrator", f"user {user.pk}")


def _quota(request: HttpRequest, user: User) -> None:
    size, jobs = request.POST.get("gigabytes", "").strip(), request.POST.get("jobs", "").strip()
    if any(text and not text.isdecimal() for text in (size, jobs)) or len(size) > 6 or len(jobs) > 3:
        messages.error(request, _("A quota is a whole number, or empty for the server's own."))
        return
    user.quota_bytes = int(size) * 2**30 if size else None
    user.jobs_at_once = int(jobs) if jobs else None
    user.save(update_fields=["quota_bytes", "jobs_at_once"])
    Event.record(request.user, "set quota", f"user {user.pk}")


def _unlock(request: HttpRequest, user: User) -> None:
    """Take the second factor of somebody away who lost it."""
    Authenticator.objects.filter(user=user).delete()
    Event.record(request.user, "remove second factor", f"user {user.pk}")
