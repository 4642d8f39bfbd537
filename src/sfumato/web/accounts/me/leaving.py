"""Restore one's deleted projects and studies, and delete one's own account."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import signed_in
from sfumato.web.accounts.housekeeping import restore_project
from sfumato.web.accounts.me.views import show
from sfumato.web.accounts.models import Event, User
from sfumato.web.accounts.sessions import end_sessions
from sfumato.web.studies.people.administrators import studies_without_others
from sfumato.web.studies.people.deletion import restorable_by, restore_study
from sfumato.web.workbench.models import Project

__all__ = ["is_last_administrator", "leave", "restore", "restore_own_study"]


@signed_in
@require_POST
def restore(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Bring a deleted project back."""
    project = get_object_or_404(Project.objects.exclude(deleted=None), owner=request.user, pk=project_id)
    restore_project(project, request.user)
    return redirect("project", project.id)


@signed_in
@require_POST
def restore_own_study(request: HttpRequest, study_id: uuid.UUID) -> HttpResponse:
    """Bring a deleted study back, of which one is an administrator."""
    study = get_object_or_404(restorable_by(request.user), pk=study_id)
    restore_study(study, request.user)
    return redirect("study", study.id)


@signed_in
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Close the account now; it is removed after 30 days."""
    if not settings.SFUMATO_TEAM:
        raise Http404
    user = request.user
    count = Project.objects.filter(owner=user, deleted=None).count()
    if count:
        sentence = ngettext(
            "You own %(count)s project. Hand it over or delete it first.",
            "You own %(count)s projects. Hand them over or delete them first.",
            count,
        )
        return show(request, 422, errors={"leave": sentence % {"count": count}})
    count = len(studies_without_others(user))
    if count:
        sentence = ngettext(
            "You are the only administrator of %(count)s study. Add another one or delete it first.",
            "You are the only administrator of %(count)s studies. Add others or delete them first.",
            count,
        )
        return show(request, 422, errors={"leave": sentence % {"count": count}})
    if is_last_administrator(user):
        return show(request, 422, errors={"leave": _("You are the only IT administrator. Make another one first.")})
    if request.POST.get("username", "") != user.username:
        return show(request, 422, errors={"leave": _("Type your sign-in name to confirm.")})
    user.is_active, user.left = False, timezone.now()
    user.save(update_fields=["is_active", "left"])
    user.tokens.all().delete()
    Event.record(user, "delete", f"user {user.pk}")
    logout(request)
    end_sessions(user)
    return redirect("sign-in")


def is_last_administrator(user: User) -> bool:
    """Whether there is no other active IT administrator."""
    return user.is_ita and not User.objects.filter(is_ita=True, is_active=True).exclude(pk=user.pk).exists()
