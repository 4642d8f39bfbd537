"""The draft against the form in use: what would change, which answers are touched, and the button that publishes it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.design import words
from sfumato.web.studies.design.drafts import require_base
from sfumato.web.studies.design.impact import impact
from sfumato.web.studies.design.page_context import draft_of
from sfumato.web.studies.design.versions import problems_of_draft, publish_version
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.models import Study

__all__ = ["changes"]

_SHOWN = 200


@study_page("inspector")
def changes(request: HttpRequest, study: Study) -> HttpResponse:
    """The changes with their impact; posted, the draft becomes the form that is filled in."""
    sentence = ""
    if request.method == "POST":
        try:
            with transaction.atomic():
                require_base(study, request.POST.get("base", ""))
                version = publish_version(study, request.user)
        except ParameterError as error:
            study.refresh_from_db()
            sentence = str(error)
        else:
            messages.success(request, _("Version %(number)s is published.") % {"number": version.number})
            return redirect("study" if study.state == Study.DESIGN else "study-design-changes", study.id)
    return render(
        request,
        "design/changes.html",
        _context(study, request.user) | {"sentence": sentence},
        status=422 if sentence else 200,
    )


def _context(study: Study, user: Any) -> dict[str, Any]:
    form, version = draft_of(study), study.form_version
    language = words.shown_language(form)
    wrong = [
        (problem.key, form.question(problem.key).text(language) if problem.key in form.by_key else "", problem.sentence)
        for problem in problems_of_draft(study, user)
    ]
    touched = [] if wrong or version is None else impact(study)
    return {
        "strip": strip_of(study, "publish"),
        "base": study.draft_revision,
        "version": version,
        "versions": study.form_versions.select_related("by").defer("tree"),
        "total": len(form.by_key),
        "wrong": wrong[:_SHOWN],
        "wrong_count": len(wrong),
        "changes": touched[:_SHOWN],
        "change_count": len(touched),
        "refused": [change for change in touched if not change.allowed],
        "is_new": version is None or bool(touched),
    }
