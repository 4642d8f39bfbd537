"""The server: workers, jobs and projects without names or contents, quotas, backup."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import ita
from sfumato.web.accounts.models import Event, User
from sfumato.web.accounts.quotas import used_bytes
from sfumato.web.jobs.models import Heartbeat, Job
from sfumato.web.workbench.members.roles import hand_over
from sfumato.web.workbench.models import Project

__all__ = ["change_project", "page"]

_SHOWN = 50
_ALIVE = timedelta(seconds=30)


@ita
def page(request: HttpRequest) -> HttpResponse:
    """Workers, jobs, projects."""
    now = timezone.now()
    beats = Heartbeat.objects.filter(at__gt=now - timedelta(days=1)).order_by("-at")
    projects = Project.objects.select_related("owner").order_by("created")
    context = {
        "here": "server",
        "workers": [(beat, now - beat.at < _ALIVE) for beat in beats],
        "jobs": Job.objects.exclude(kind="warm").select_related("user")[:_SHOWN],
        "waiting": Job.objects.filter(state=Job.WAITING).count(),
        "projects": [(project, used_bytes(project.folder)) for project in projects],
        "quotas": settings.SFUMATO_QUOTAS,
        "postgresql": "postgresql" in settings.DATABASES["default"]["ENGINE"],
    }
    return render(request, "accounts/desk/server.html", context)


@ita
@require_POST
def change_project(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Set the quota of a project, or hand it over when its owner has left."""
    project = get_object_or_404(Project, pk=project_id)
    if request.POST.get("do") == "owner":
        heir = User.objects.filter(username__iexact=request.POST.get("owner", "").strip(), is_active=True).first()
        if heir is None:
            messages.error(request, _("No active account has this name."))
        else:
            hand_over(project, heir, request.user)
        return redirect("desk-server")
    size = request.POST.get("gigabytes", "").strip()
    if size and (not size.isdecimal() or len(size) > 6):
        messages.error(request, _("A quota is a whole number, or empty for the server's own."))
        return redirect("desk-server")
    project.quota_bytes = int(size) * 2**30 if size else None
    project.save(update_fields=["quota_bytes"])
    Event.record(request.user, "set quota", f"project {project.id}", project=project)
    return redirect("desk-server")
