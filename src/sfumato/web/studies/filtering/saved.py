"""Saved views: a condition and columns under a name, of the person who saved them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.filtering.checking import check
from sfumato.web.studies.filtering.conditions import from_json, to_json
from sfumato.web.studies.filtering.drafts import condition_of, draft_of
from sfumato.web.studies.filtering.posted import posted_draft
from sfumato.web.studies.filtering.results import columns_of, posted_columns
from sfumato.web.studies.filtering.tree import ConditionRefused
from sfumato.web.studies.filtering.views import shown
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.models import Study, View

__all__ = ["delete", "open_view", "rename", "save"]

MOST = 200  # views of a person in a study


@study_page("participant", grant="filter")
@require_GET
@never_cache
def open_view(request: HttpRequest, study: Study, view_id: Any) -> HttpResponse:
    """The filtering tool with a saved view."""
    view, visible = _own(request, study, view_id), Visible.of(request, study)
    columns = [key for key in columns_of(visible) if key in view.projection]
    return shown(request, visible, draft_of(from_json(view.condition)), columns, view)


@study_page("participant", grant="filter")
@require_POST
def save(request: HttpRequest, study: Study) -> HttpResponse:
    """Save the condition and the columns under a name; a view of the same name is replaced."""
    visible, name = Visible.of(request, study), _name(request)
    draft = posted_draft(request.POST, visible.form)
    columns = posted_columns(request.POST, visible)
    try:
        condition = condition_of(draft, visible.form)
        check(condition, visible.form)
    except ConditionRefused:
        return shown(request, visible, draft, columns, save_error=_("Mend the condition before you save it."))
    if not name:
        return shown(request, visible, draft, columns, save_error=_("Give the view a name."))
    own = View.objects.filter(study=study, owner=request.user)
    known = own.filter(name=name).first()
    if known is not None and known.chart:
        return shown(request, visible, draft, columns, save_error=_("A chart of yours has this name."))
    if known is None and own.count() >= MOST:
        return shown(request, visible, draft, columns, save_error=_("Delete a view before you save another one."))
    with transaction.atomic():
        view = known or View(study=study, owner=request.user, name=name)
        view.condition, view.projection = to_json(condition), columns
        view.save()
        Event.record(request.user, "save view", f"view {view.id}", project=study)
    return redirect("study-filter-view", study.id, view.id)


@study_page("participant", grant="filter")
@require_POST
def rename(request: HttpRequest, study: Study, view_id: Any) -> HttpResponse:
    """Give a saved view another name."""
    view, name = _own(request, study, view_id), _name(request)
    try:
        with transaction.atomic():
            if name and name != view.name:
                view.name = name
                view.save(update_fields=["name"])
                Event.record(request.user, "rename view", f"view {view.id}", project=study)
    except IntegrityError:
        messages.error(request, _("Another view of yours has this name."))
    if not name:
        messages.error(request, _("Give the view a name."))
    return redirect("study-filter-view", study.id, view.id)


@study_page("participant", grant="filter")
@require_POST
def delete(request: HttpRequest, study: Study, view_id: Any) -> HttpResponse:
    """Delete a saved view."""
    view = _own(request, study, view_id)
    with transaction.atomic():
        Event.record(request.user, "delete view", f"view {view.id}", project=study)
        view.delete()
    return redirect("study-filter", study.id)


def _own(request: HttpRequest, study: Study, view_id: Any) -> View:
    return get_object_or_404(View, study=study, owner=request.user, id=view_id, chart={})


def _name(request: HttpRequest) -> str:
    return request.POST.get("name", "").strip()[:200]
