"""The branching logic of a form as a table: a row for each question, edited in place."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.design import words
from sfumato.web.studies.design.drafts import edit_draft
from sfumato.web.studies.design.edits import edit_rules
from sfumato.web.studies.design.page_context import condition_in_words, draft_of, panel_context
from sfumato.web.studies.design.rules import require_order, when_of
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study

__all__ = ["branching"]

_ROWS = 100


@study_page("inspector")
def branching(request: HttpRequest, study: Study) -> HttpResponse:
    """The table; ?q=key opens the rules of a question, which are saved when they are posted."""
    if request.method != "POST":
        return render(request, "design/branching.html", _context(request, study, request.GET.get("q", ""), {}))
    key = request.POST.get("question", "")
    try:
        seen = (key, request.POST.get("seen", ""))
        edit_draft(study, request.user, request.POST.get("base", ""), _change(request, key), "branching", seen)
    except ParameterError as error:
        study.refresh_from_db()
        context = _context(request, study, key, {"rules": str(error)})
        return render(request, "design/branching.html", context, status=422)
    if not request.htmx:
        messages.success(request, _("Saved."))
        page = reverse("study-design-branching", args=[study.id])
        return redirect(f"{page}?q={key}#row-{key}")
    answer = render(request, "design/branching.html", _context(request, study, key, {}) | {"sentence": _("Saved.")})
    answer["HX-Trigger"] = "form-changed"
    return answer


def _change(request: HttpRequest, key: str) -> Any:
    def change(form: Form) -> Form:
        if key not in form.by_key:
            raise Http404
        when = when_of(form, form.question(key), request.POST, choices_of_form(form))
        if request.POST.get("do", "").startswith("rule-remove:"):
            when = edit_rules(when, request.POST["do"])
        changed = editing.change(form, key, when=when)
        require_order(changed, key, words.shown_language(form))
        return changed

    return change


def _context(request: HttpRequest, study: Study, chosen: str, errors: dict[str, str]) -> dict[str, Any]:
    form = draft_of(study)
    language, choices = words.shown_language(form), choices_of_form(form)
    rows = [(number, question, group) for number, (question, group) in enumerate(form.walk(), 1)]
    pages = Paginator(rows, _ROWS)
    page = pages.get_page(request.GET.get("page", "1"))
    if chosen in form.by_key:
        page = pages.page((list(form.by_key).index(chosen)) // _ROWS + 1)
    sentences = {problem.key: problem.sentence for problem in problems(form)} if rows else {}
    context = {
        "strip": strip_of(study, "branching"),
        "page": page,
        "rows": [
            {
                "number": number,
                "key": question.key,
                "text": question.text(language),
                "kind": words.type_name(question.type),
                "group": group.text(language) if group else "",
                "conditions": condition_in_words(form, question, choices, language),
                "join": question.when.join,
                "problem": sentences.get(question.key, ""),
            }
            for number, question, group in page.object_list
        ],
    }
    if chosen in form.by_key:
        context |= panel_context(study, request.user, form, chosen, choices) | {"errors": errors}
    return context
