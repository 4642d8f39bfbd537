"""People of a project: invite, change roles, remove, hand the project over; and what was done in it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import ROLES, project_page
from sfumato.web.accounts.audit_trail.listing import SHOWN, as_csv
from sfumato.web.accounts.housekeeping import ANNOUNCED_DAYS, WAITING_DAYS
from sfumato.web.accounts.invitations.making import invite, mail
from sfumato.web.accounts.models import Event, Invitation
from sfumato.web.accounts.quotas import used_bytes
from sfumato.web.workbench.members.roles import hand_over
from sfumato.web.workbench.models import Project

__all__ = ["change_role", "new_invitation", "page", "remove", "show", "trail", "transfer", "withdraw"]

_LATEST = 8


@project_page("owner")
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """The page."""
    return show(request, project)


def show(request: HttpRequest, project: Project, status: int = 200, **extra: Any) -> HttpResponse:
    """The page, with what a form has to say in `extra`."""
    now = timezone.now()
    context = {
        "members": project.members.select_related("user").order_by("user__username"),
        "invitations": Invitation.objects.filter(project=project, accepted=None, expires__gt=now).select_related(
            "inviter"
        ),
        "roles": [("viewer", _("viewer")), ("member", _("member")), ("owner", _("owner"))],
        "events": Event.objects.filter(project_id=project.id)[:_LATEST],
        "announced_days": ANNOUNCED_DAYS,
        "waiting_days": WAITING_DAYS,
        "earliest": now.date() + timedelta(days=ANNOUNCED_DAYS),
        "used": used_bytes(project.folder),
        "errors": {},
        **extra,
    }
    return render(request, "members/members.html", context, status=status)


@project_page("owner")
@require_POST
def new_invitation(request: HttpRequest, project: Project) -> HttpResponse:
    """Make a link and show it, this once."""
    if not settings.SFUMATO_TEAM:
        raise Http404
    role, email = request.POST.get("role", ""), request.POST.get("email", "").strip()
    if role not in ROLES:
        raise Http404
    try:
        if email:
            validate_email(email)
    except ValidationError:
        return show(request, project, 422, errors={"email": _("This is not an e-mail address.")})
    row, token = invite(request.user, email=email, project=project, role=role)
    link = request.build_absolute_uri(reverse("invite", args=[token]))
    return show(request, project, link=link, mailed=mail(request, row, token))


@project_page("owner")
@require_POST
def withdraw(request: HttpRequest, project: Project, invitation_id: uuid.UUID) -> HttpResponse:
    """Take an invitation back."""
    row = get_object_or_404(Invitation, project=project, pk=invitation_id, accepted=None)
    Event.record(request.user, "withdraw", f"invitation {row.id}", project=project)
    row.delete()
    return redirect("members", project.id)


@project_page("owner")
@require_POST
def change_role(request: HttpRequest, project: Project, user_id: uuid.UUID) -> HttpResponse:
    """Give a member another role."""
    member = get_object_or_404(project.members, user_id=user_id)
    role = request.POST.get("role", "")
    if role not in ROLES:
        raise Http404
    member.role = role
    member.save(update_fields=["role"])
    Event.record(request.user, "change role", f"user {user_id}", project=project, reason=role)
    return redirect("members", project.id)


@project_page("owner")
@require_POST
def remove(request: HttpRequest, project: Project, user_id: uuid.UUID) -> HttpResponse:
    """Take a person out of the project."""
    get_object_or_404(project.members, user_id=user_id).delete()
    Event.record(request.user, "remove", f"user {user_id}", project=project)
    return redirect("home" if user_id == request.user.pk else reverse("members", args=[project.id]))


@project_page("owner")
@require_POST
def transfer(request: HttpRequest, project: Project, user_id: uuid.UUID) -> HttpResponse:
    """Hand the project over to a member."""
    member = get_object_or_404(project.members.filter(user__is_active=True).select_related("user"), user_id=user_id)
    hand_over(project, member.user, request.user)
    return redirect("project", project.id)


@project_page("owner")
def trail(request: HttpRequest, project: Project) -> HttpResponseBase:
    """What was done in the project, as a page and as CSV."""
    events = Event.objects.filter(project_id=project.id)
    if request.method == "POST":
        Event.record(request.user, "download", "audit trail", project=project)
        return as_csv(events)
    return render(request, "members/trail.html", {"events": events[:SHOWN], "count": events.count(), "shown": SHOWN})
