"""The page of a rehearsal: try the form, filters, charts and a release with made-up patients."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import CallerError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study
from sfumato.web.studies.releasing.rehearsals import MOST_PEOPLE, rehearsal_of, rehearse, remove_rehearsal

__all__ = ["rehearsal", "remove"]

_USUAL = 200


@study_page("administrator")
def rehearsal(request: HttpRequest, study: Study) -> HttpResponse:
    """What a rehearsal is; posted, it is made, and its page is opened."""
    if study.rehearsal_of is not None:
        return (
            redirect("study-release-rehearse", study.rehearsal_of_id)
            if request.method != "POST"
            else redirect("study", study.id)
        )
    typed = request.POST.get("count", str(_USUAL))
    error = ""
    if request.method == "POST":
        try:
            return redirect("study", rehearse(study, request.user, _count(typed)).id)
        except CallerError as refusal:
            error = str(refusal)
    context = {
        "rehearsal": rehearsal_of(study, request.user),
        "typed": typed,
        "most": MOST_PEOPLE,
        "error": error,
        "questions": sum(question.is_answered for question, _group in Form.from_json(study.draft).walk()),
    }
    return render(request, "releasing/rehearsal.html", context, status=422 if error else 200)


@study_page("administrator")
@require_POST
def remove(request: HttpRequest, study: Study) -> HttpResponse:
    """Remove the rehearsal of a study, asked for on its own pages or on those of the study."""
    chosen = study if study.rehearsal_of is not None else rehearsal_of(study, request.user)
    origin = study.rehearsal_of or study
    if chosen is not None:
        remove_rehearsal(chosen, request.user)
        messages.success(request, _("The rehearsal and its made-up answers are removed."))
    return redirect("study-release-rehearse", origin.id)


def _count(typed: str) -> int:
    return int(typed) if typed.strip().isdecimal() and len(typed) < 7 else 0
