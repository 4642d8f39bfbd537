"""Centres of a study: add, rename, close and open again."""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Centre, Study
from sfumato.web.studies.people.views import show

__all__ = ["change", "new"]


@study_page("administrator")
@require_POST
def new(request: HttpRequest, study: Study) -> HttpResponse:
    """Add a centre."""
    return _saved(request, study, Centre(study=study), "create", "new")


@study_page("administrator")
@require_POST
def change(request: HttpRequest, study: Study, centre_id: uuid.UUID) -> HttpResponse:
    """Rename a centre, close it (no more people are invited to it), or open it again."""
    centre = get_object_or_404(study.centres, pk=centre_id)
    act = request.POST.get("do", "")
    if act == "rename":
        return _saved(request, study, centre, "rename", str(centre.id))
    if act not in ("close", "open"):
        raise Http404
    centre.closed = timezone.now() if act == "close" else None
    centre.save(update_fields=["closed"])
    Event.record(request.user, act, f"centre {centre.id}", project=study)
    return redirect("study-people", study.id)


def _saved(request: HttpRequest, study: Study, centre: Centre, verb: str, place: str) -> HttpResponse:
    """Give a centre the typed name; what is wrong with it stands beside the field `place`."""
    name = " ".join(request.POST.get("name", "").split())[:200]
    sentence = "" if name else _("Give the centre a name.")
    if name:
        centre.name = name
        try:
            with transaction.atomic():
                centre.save()
        except IntegrityError:
            sentence = _("There is a centre with this name already.")
    if sentence:
        return show(request, study, 422, errors={"centre": sentence, "centre_place": place}, centre_name=name)
    Event.record(request.user, verb, f"centre {centre.id}", project=study)
    return redirect("study-people", study.id)
