"""How long a study is kept, its deletion, and what was done in it."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.audit_trail.listing import SHOWN, as_csv
from sfumato.web.accounts.housekeeping import WAITING_DAYS
from sfumato.web.accounts.models import Event
from sfumato.web.accounts.retention import retention_day
from sfumato.web.studies.models import Study
from sfumato.web.studies.people.deletion import delete_study
from sfumato.web.studies.people.views import show

__all__ = ["delete", "retention", "trail"]


@study_page("administrator")
@require_POST
def retention(request: HttpRequest, study: Study) -> HttpResponse:
    """Set the day on which the study is deleted, or none."""
    text = request.POST.get("retention", "").strip()
    try:
        day = retention_day(text)
    except ParameterError as refusal:
        return show(request, study, 422, errors={"retention": str(refusal)})
    with transaction.atomic():
        for place in filter(None, (study, study.project)):  # the project holds snapshots of the answers
            place.retention = day
            place.save(update_fields=["retention"])
            Event.record(request.user, "set retention", text or "none", project=place)
    return redirect("study-people", study.id)


@study_page("administrator")
@require_POST
def delete(request: HttpRequest, study: Study) -> HttpResponse:
    """Delete the study; it can be restored for 30 days."""
    if request.POST.get("name", "").strip() != study.name:
        return show(request, study, 422, errors={"delete": _("Type the name of the study to confirm.")})
    delete_study(study, request.user)
    sentence = _("The study is deleted. Its administrators can restore it within %(days)s days on their own page.")
    messages.success(request, sentence % {"days": WAITING_DAYS})
    return redirect("home")


@study_page("inspector")
def trail(request: HttpRequest, study: Study) -> HttpResponseBase:
    """What was done in the study, as a page and as CSV."""
    events = Event.objects.filter(project_id=study.id)
    if request.method == "POST":
        Event.record(request.user, "download", "audit trail", project=study)
        return as_csv(events)
    return render(request, "people/trail.html", {"events": events[:SHOWN], "count": events.count(), "shown": SHOWN})
