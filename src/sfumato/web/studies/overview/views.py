"""A new study, the first page of a study, and its state."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import leads_studies, study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry, Membership, Study
from sfumato.web.studies.overview.figures import by_centre, figures_of, together
from sfumato.web.studies.overview.states import FOLLOWING, change_state

__all__ = ["new", "state", "study"]

_LATEST = 5


@leads_studies
@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """Make a study, whose administrator is who makes it, and go to its page."""
    name = request.POST.get("name", "").strip()[:200] or _("Untitled")
    language = get_language() or "en"
    with transaction.atomic():
        draft = {"languages": [language], "questions": []}
        created = Study.objects.create(name=name, languages=[language], draft=draft)
        Membership.objects.create(
            study=created, user=request.user, role="administrator", grants=list(Membership.GRANTS)
        )
        Event.record(request.user, "create", f"study {created.id}", project=created)
    return redirect("study-design-start", created.id)


@study_page("participant")
def study(request: HttpRequest, study: Study) -> HttpResponse:
    """The first page of a study: its state and how far it is; a participant sees own figures only."""
    return _show(request, study)


@study_page("administrator")
@require_POST
def state(request: HttpRequest, study: Study) -> HttpResponse:
    """Open, pause or close the study."""
    problem = change_state(study, request.POST.get("state", ""), request.user)
    return _show(request, study, 422, problem=problem) if problem else redirect("study", study.id)


def _show(request: HttpRequest, study: Study, status: int = 200, **extra: Any) -> HttpResponse:
    context: dict[str, Any] = {
        "following": FOLLOWING[study.state],
        "has_form": study.form_versions.exists(),
        "inspections": study.inspections.select_related("user")[:_LATEST],
        **extra,
    }
    if request.study_role == "participant":
        context["figures"] = figures_of(Entry.visible_in(study, request.user, request.study_role))
        context["centre"] = study.memberships.select_related("centre").get(user=request.user).centre
    else:
        context["centres"] = by_centre(study)
        context["figures"] = together(context["centres"])
    return render(request, "overview/study.html", context, status=status)
