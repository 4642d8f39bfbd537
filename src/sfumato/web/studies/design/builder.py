"""The page of the platform builder: the canvas, the panel of a question, and their buttons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.design import words
from sfumato.web.studies.design.drafts import DraftConflict, edit_draft, undo_edit
from sfumato.web.studies.design.edits import Outcome, edit_canvas
from sfumato.web.studies.design.page_context import builder_context, draft_of
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study

__all__ = ["builder", "edit", "find"]

_MOST_RESULTS = 20


@study_page("inspector")
def builder(request: HttpRequest, study: Study) -> HttpResponse:
    """The palette, the canvas and the panel of the chosen question (?q=its key)."""
    return render(request, "design/builder.html", _context(request, study, request.GET.get("q", "")))


@study_page("inspector")
@require_POST
def edit(request: HttpRequest, study: Study) -> HttpResponse:
    """What a button of the palette or the canvas does."""
    button, base = request.POST.get("do", ""), request.POST.get("base", "")
    chosen, sentence, problem, form = request.POST.get("chosen", ""), "", "", None
    try:
        if button == "undo":
            undone = undo_edit(study, request.user, base)
            sentence = _("The last change was undone.") if undone else _("There is nothing left to undo.")
        else:
            outcome = _edited(request, study, button, base)
            chosen, sentence, form = outcome.key, outcome.sentence, outcome.form
    except DraftConflict as error:
        study.refresh_from_db()
        problem = str(error)
    except ParameterError as error:
        problem = str(error)
    return _answer(request, study, chosen, sentence, problem, form)


@study_page("inspector")
@require_POST
def find(request: HttpRequest, study: Study) -> HttpResponse:
    """The questions whose text holds the typed text, or that have the typed number."""
    form, typed = draft_of(study), request.POST.get("text", "").strip().casefold()[:200]
    language = words.shown_language(form)
    results = [
        (number, question)
        for number, (question, _group) in enumerate(form.walk(), 1)
        if typed and (typed == str(number) or typed in question.text(language).casefold())
    ]
    context = {
        "results": [(number, question.key, question.text(language)) for number, question in results[:_MOST_RESULTS]],
        "more": max(len(results) - _MOST_RESULTS, 0),
        "typed": typed,
    }
    return render(request, "design/results.html" if request.htmx else "design/found.html", context)


def _edited(request: HttpRequest, study: Study, button: str, base: str) -> Outcome:
    kept: list[Outcome] = []

    def change(form: Any) -> Any:
        outcome = edit_canvas(form, button, request.POST, words.shown_language(form), request.user)
        kept.append(outcome)
        return outcome.form

    verb = button.partition(":")[0]
    edit_draft(study, request.user, base, change, verb)
    return kept[-1]


def _answer(
    request: HttpRequest, study: Study, chosen: str, sentence: str, problem: str, form: Form | None
) -> HttpResponse:
    if not request.htmx:
        (messages.error if problem else messages.success)(request, problem or sentence)
        place = f"?q={chosen}#q-{chosen}" if chosen in draft_of(study).by_key else ""
        return redirect(reverse("study-design", args=[study.id]) + place)
    more = {"form": form, "sentence": sentence, "refusal": problem, "focus": chosen}
    answer = render(request, "design/area_answer.html", _context(request, study, chosen, **more))
    answer.status_code = 422 if problem else 200
    answer["HX-Trigger"] = "form-changed"
    return answer


def _context(request: HttpRequest, study: Study, chosen: str, **more: Any) -> dict[str, Any]:
    return builder_context(study, request.user, chosen, strip=strip_of(study, "questions"), **more)
