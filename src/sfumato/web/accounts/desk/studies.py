"""Studies of the server without their data, and the way into one: with a reason that the study sees, for an hour."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import ita
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Inspection, Membership, Study
from sfumato.web.studies.people.administrators import make_administrator

__all__ = ["INSPECTION", "add_administrator", "close_study", "open_study", "page"]

INSPECTION = timedelta(minutes=60)
_SHORTEST = 10  # characters of a reason


@ita
def page(request: HttpRequest) -> HttpResponse:
    """Names, states and numbers."""
    return _show(request)


def _show(request: HttpRequest, status: int = 200, **extra: Any) -> HttpResponse:
    leading = Membership.objects.filter(role="administrator", ended=None).select_related("user")
    rows = (
        Study.objects.annotate(
            entry_count=Count("entries", filter=Q(entries__deleted=None), distinct=True),
            centre_count=Count("centres", distinct=True),
            person_count=Count("memberships", filter=Q(memberships__ended=None), distinct=True),
        )
        .order_by("-created")
        .prefetch_related(Prefetch("memberships", queryset=leading, to_attr="leading"))
    )
    now = timezone.now()
    opened = dict(Inspection.objects.filter(user=request.user, until__gt=now).values_list("study_id", "until"))
    context = {
        "here": "studies",
        "studies": [(row, opened.get(row.id)) for row in rows],
        "minutes": int(INSPECTION.total_seconds() // 60),
        "errors": {},
        "administrator_errors": {},
        **extra,
    }
    return render(request, "accounts/desk/studies.html", context, status=status)


@ita
@require_POST
def open_study(request: HttpRequest, study_id: uuid.UUID) -> HttpResponse:
    """Look into a study for an hour; the study sees who, when and why."""
    study = get_object_or_404(Study, pk=study_id, deleted=None)
    reason, sentence = _reason(request)
    if sentence:
        return _show(request, 422, errors={study.id: sentence}, reason=reason)
    Inspection.objects.create(study=study, user=request.user, reason=reason, until=timezone.now() + INSPECTION)
    Event.record(request.user, "inspect", f"study {study.id}", project=study, reason=reason)
    return redirect("study", study.id)


def _reason(request: HttpRequest) -> tuple[str, str]:
    """The typed reason, and a sentence if it is too short."""
    reason = request.POST.get("reason", "").strip()[:500]
    return reason, "" if len(reason) >= _SHORTEST else _("Write why in a sentence; the study reads it.")


@ita
@require_POST
def close_study(request: HttpRequest, study_id: uuid.UUID) -> HttpResponse:
    """End one's own look into a study before its time."""
    now = timezone.now()
    rows = Inspection.objects.filter(study_id=study_id, user=request.user, until__gt=now)
    study = get_object_or_404(Study, pk=study_id)
    if rows.update(until=now):
        Event.record(request.user, "end inspection", f"study {study.id}", project=study)
    return redirect("desk-studies")


@ita
@require_POST
def add_administrator(request: HttpRequest, study_id: uuid.UUID) -> HttpResponse:
    """Give a study another administrator, for instance when the one it had has left; the study sees who and why."""
    study = get_object_or_404(Study, pk=study_id, deleted=None)
    username, (reason, problem) = request.POST.get("username", ""), _reason(request)
    problem = problem or make_administrator(study, username, request.user, reason)
    if problem:
        return _show(request, 422, administrator_errors={study.id: problem}, username=username, reason=reason)
    messages.success(request, _("The study has another administrator."))
    return redirect("desk-studies")
