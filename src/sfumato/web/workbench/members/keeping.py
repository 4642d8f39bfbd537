"""How long a project is kept, and its deletion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.housekeeping import WAITING_DAYS, delete_project
from sfumato.web.accounts.models import Event
from sfumato.web.accounts.retention import retention_day
from sfumato.web.workbench.members.views import show
from sfumato.web.workbench.models import Project

__all__ = ["delete", "retention"]


@project_page("owner")
@require_POST
def retention(request: HttpRequest, project: Project) -> HttpResponse:
    """Set the day on which the project is deleted, or none."""
    text = request.POST.get("retention", "").strip()
    try:
        day = retention_day(text)
    except ParameterError as refusal:
        return show(request, project, 422, errors={"retention": str(refusal)})
    project.retention = day
    project.save(update_fields=["retention"])
    Event.record(request.user, "set retention", text or "none", project=project)
    return redirect("members", project.id)


@project_page("owner")
@require_POST
def delete(request: HttpRequest, project: Project) -> HttpResponse:
    """Delete the project; it can be restored for 30 days."""
    if request.POST.get("name", "").strip() != project.name:
        return show(request, project, 422, errors={"delete": _("Type the name of the project to confirm.")})
    delete_project(project, request.user)
    days = {"days": WAITING_DAYS}
    messages.success(
        request, _("The project is deleted. You can restore it within %(days)s days on your own page.") % days
    )
    return redirect("home")
