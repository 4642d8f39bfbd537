"""The draft as participants will see it, on a phone and on a desktop; nothing is stored."""

from __future__ import annotations

from csp.decorators import csp_replace, csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.clickjacking import xframe_options_sameorigin

from sfumato.web.accounts.access import study_page
from sfumato.web.studies.design import words
from sfumato.web.studies.design.page_context import draft_of
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.entry.rendering import preview_of
from sfumato.web.studies.models import Study

__all__ = ["preview", "preview_form"]

_FRAMES = ("phone", "desktop")


@study_page("inspector")
@csp_update({"frame-src": ["'self'"]})
def preview(request: HttpRequest, study: Study) -> HttpResponse:
    """A frame of the size of a phone or a desktop with the form inside; ?on=phone or desktop, ?language=code."""
    form = draft_of(study)
    on, language = request.GET.get("on", ""), request.GET.get("language", "")
    context = {
        "on": on if on in _FRAMES else "phone",
        "shown_language": language if language in form.languages else words.shown_language(form),
        "form_languages": [(code, words.language_name(code)) for code in form.languages],
        "total": len(form.by_key),
        "strip": strip_of(study, ""),
    }
    return render(request, "design/preview.html", context)


@study_page("inspector")
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": ["'self'"]})
def preview_form(request: HttpRequest, study: Study) -> HttpResponse:
    """The form itself, for the frame."""
    form = draft_of(study)
    language, section = request.GET.get("language", ""), request.GET.get("section", "0")
    language = language if language in form.languages else words.shown_language(form)
    number = int(section) if section.isdecimal() and len(section) < 6 else 0
    context = preview_of(form, choices_of_form(form), language, section=number)
    with override(language):
        return render(request, "design/preview_form.html", context | {"shown_language": language})
