"""People of a study: what they may do, for which centre, and the end of their part in it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.housekeeping import ANNOUNCED_DAYS, WAITING_DAYS
from sfumato.web.accounts.models import Event, Invitation
from sfumato.web.studies.models import Centre, Membership, Study
from sfumato.web.studies.overview.figures import Figures, by_person
from sfumato.web.studies.people.administrators import is_only_administrator, make_administrator
from sfumato.web.studies.releasing.projects import share_project

__all__ = ["add_administrator", "change", "chosen_centre", "chosen_grants", "end", "page", "show"]

_LATEST = 8


@study_page("inspector")
def page(request: HttpRequest, study: Study) -> HttpResponse:
    """The page."""
    return show(request, study)


def show(request: HttpRequest, study: Study, status: int = 200, **extra: Any) -> HttpResponse:
    """The page, with what a form has to say in `extra`."""
    now, figures = timezone.now(), by_person(study)
    rows = study.memberships.select_related("user", "centre").order_by("role", "user__username")
    waiting = Invitation.objects.filter(study=study, accepted=None, expires__gt=now)
    context = {
        "people": [(row, figures.get(row.user_id, Figures())) for row in rows if row.ended is None],
        "former": [(row, figures.get(row.user_id, Figures())) for row in rows if row.ended is not None],
        "centres": study.centres.all(),
        "invitations": waiting.select_related("inviter", "centre"),
        "grants_offered": _words(),
        "usual": list(Membership.GRANTS),
        "inspections": study.inspections.select_related("user"),
        "events": Event.objects.filter(project_id=study.id)[:_LATEST],
        "announced_days": ANNOUNCED_DAYS,
        "waiting_days": WAITING_DAYS,
        "earliest": now.date() + timedelta(days=ANNOUNCED_DAYS),
        "may_change": request.study_role == "administrator",
        "errors": {},
        **extra,
    }
    return render(request, "people/people.html", context, status=status)


def _words() -> list[tuple[str, str]]:
    """What a participant may be allowed, in words."""
    words = {
        "enter": _("enter"),
        "edit": _("change"),
        "delete": _("delete"),
        "filter": _("filter"),
        "chart": _("chart"),
        "export": _("export"),
    }
    return [(name, words[name]) for name in Membership.GRANTS]


def chosen_grants(request: HttpRequest) -> list[str]:
    """The ticked boxes of a form, in the usual order."""
    ticked = request.POST.getlist("grants")
    return [name for name in Membership.GRANTS if name in ticked]


def chosen_centre(request: HttpRequest, study: Study) -> Centre | None:
    """The centre that a form names; None for none, 404 for one that is not of this study or is closed."""
    name = request.POST.get("centre", "")
    return get_object_or_404(study.centres.filter(closed=None), pk=name) if name else None


@study_page("administrator")
@require_POST
def change(request: HttpRequest, study: Study, user_id: uuid.UUID) -> HttpResponse:
    """Give a person another centre, and other grants; entries that are there stay with their centre."""
    row = get_object_or_404(study.memberships.filter(ended=None), user_id=user_id)
    if request.POST.get("centre", "") != str(row.centre_id or ""):
        row.centre = chosen_centre(request, study)
    if row.role == "participant":
        row.grants = chosen_grants(request)
    row.save(update_fields=["centre", "grants"])
    Event.record(request.user, "change grants", f"user {user_id}", project=study, reason=", ".join(row.grants))
    return redirect("study-people", study.id)


@study_page("administrator")
@require_POST
def end(request: HttpRequest, study: Study, user_id: uuid.UUID) -> HttpResponse:
    """End the part of a person in the study: nothing opens any more, and the entries stay."""
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)  # two administrators do not end each other at once
        row = get_object_or_404(study.memberships.filter(ended=None), user_id=user_id)
        if is_only_administrator(study, row.user):
            sentence = _("A study needs an administrator. Add another one first.")
            return show(request, study, 422, errors={"end": sentence, "person": row.user_id})
        row.ended = timezone.now()
        row.save(update_fields=["ended"])
        Event.record(request.user, "end membership", f"user {user_id}", project=study)
        share_project(study)
    return redirect("home") if user_id == request.user.pk else redirect("study-people", study.id)


@study_page("administrator")
@require_POST
def add_administrator(request: HttpRequest, study: Study) -> HttpResponse:
    """Make somebody who leads studies an administrator of this one as well."""
    username = request.POST.get("username", "")
    problem = make_administrator(study, username, request.user)
    if problem:
        return show(request, study, 422, errors={"username": problem}, username=username)
    return redirect("study-people", study.id)
