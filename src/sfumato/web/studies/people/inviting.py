"""Invitations to a study, for a centre and with grants."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.invitations.making import invite, mail
from sfumato.web.accounts.models import Event, Invitation
from sfumato.web.studies.models import Study
from sfumato.web.studies.people.views import chosen_centre, chosen_grants, show

__all__ = ["new_invitation", "withdraw"]


@study_page("administrator")
@require_POST
def new_invitation(request: HttpRequest, study: Study) -> HttpResponse:
    """Make a link for a participant and show it, this once."""
    if not settings.SFUMATO_TEAM:
        raise Http404
    email, grants, centre = request.POST.get("email", "").strip(), chosen_grants(request), chosen_centre(request, study)
    sentence = ""
    try:
        if email:
            validate_email(email)
    except ValidationError:
        sentence = _("This is not an e-mail address.")
    if sentence:
        errors, typed = {"email": sentence}, {"email": email, "centre": centre}
        return show(request, study, 422, errors=errors, typed=typed, usual=grants)
    row, token = invite(request.user, email=email, study=study, centre=centre, grants=grants, role="participant")
    link = request.build_absolute_uri(reverse("invite", args=[token]))
    return show(request, study, link=link, mailed=mail(request, row, token))


@study_page("administrator")
@require_POST
def withdraw(request: HttpRequest, study: Study, invitation_id: uuid.UUID) -> HttpResponse:
    """Take an invitation back."""
    row = get_object_or_404(Invitation, study=study, pk=invitation_id, accepted=None)
    Event.record(request.user, "withdraw", f"invitation {row.id}", project=study)
    row.delete()
    return redirect("study-people", study.id)
