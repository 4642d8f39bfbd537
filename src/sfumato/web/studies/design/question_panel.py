"""The panel of a question: shown, and saved field by field."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.choice_lists.lines import read_lines
from sfumato.web.studies.choice_lists.options import list_from_lines
from sfumato.web.studies.design import words
from sfumato.web.studies.design.canvas import Card
from sfumato.web.studies.design.drafts import DraftConflict, edit_draft
from sfumato.web.studies.design.edits import edit_options, edit_rules
from sfumato.web.studies.design.formula_words import formula_in_keys
from sfumato.web.studies.design.page_context import builder_context, draft_of, lists_for, live_of, panel_context
from sfumato.web.studies.design.panel import changes_of, error_places
from sfumato.web.studies.design.rules import require_order
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study

__all__ = ["posted_change", "question"]


@study_page("inspector")
def question(request: HttpRequest, study: Study, question_key: str) -> HttpResponse:
    """The panel of a question; posted, it is saved, and fields that cannot be are explained."""
    form = draft_of(study)
    if question_key not in form.by_key:
        raise Http404
    if request.method != "POST":
        if not request.htmx:
            return redirect(_address(study, question_key))
        return render(request, "design/panel.html", panel_context(study, request.user, form, question_key))
    before, errors, base = form.question(question_key), dict[str, str](), request.POST.get("base", "")
    merged = base != str(study.draft_revision)
    try:
        change = posted_change(request, study, question_key, errors)
        seen = (question_key, request.POST.get("seen", ""))
        form = edit_draft(study, request.user, base, change, "change", seen)
    except DraftConflict as error:
        study.refresh_from_db()
        return _conflict(request, study, question_key, str(error))
    context = builder_context(study, request.user, question_key, form, errors=errors, kept=_kept(request, errors))
    after = form.question(question_key)
    sentence = "" if errors else _("Saved.")
    if merged and sentence:
        sentence = _("Saved. Somebody else changed other questions meanwhile; load the page again to see them.")
    if not request.htmx:
        if not errors:
            messages.success(request, sentence)
            return redirect(_address(study, question_key))
        return render(request, "design/builder.html", context | {"strip": strip_of(study, "questions")}, status=422)
    rebuilt = bool(request.POST.get("do")) or after.type != before.type or _enabling(after) != _enabling(before)
    context |= {
        "sentence": sentence,
        "rebuilt": rebuilt,
        "merged": merged,
        "card": _card(context, question_key),
        "fields": error_places(after),
    }
    answer = render(request, "design/panel_answer.html", context, status=422 if errors else 200)
    answer["HX-Trigger"] = "form-changed"
    if not rebuilt:
        answer["HX-Reswap"] = "none"
    return answer


def posted_change(
    request: HttpRequest, study: Study, key: str, errors: dict[str, str], button: str | None = None
) -> Any:
    """The change of the form that a posted panel asks for; sentences about what cannot be done go to `errors`.

    button : what is pressed, "" for nothing; otherwise what was posted.
    """
    live, button = live_of(study), request.POST.get("do", "") if button is None else button

    def change(form: Form) -> Form:
        if key not in form.by_key:
            raise Http404
        language, asked = words.shown_language(form), form.question(key)
        lists = frozenset(str(row.id) for row in lists_for(request.user, asked))
        changes, refused = changes_of(form, asked, request.POST, choices_of_form(form), lists)
        errors.update(refused)
        if "formula" in changes:
            changes["formula"] = formula_in_keys(form, changes["formula"], language)
        if button.startswith("rule-remove:") and "when" in changes:
            changes["when"] = edit_rules(changes["when"], button)
        if button == "list-new" and asked.type == "list" and request.study_role == "administrator":
            changes |= _new_list(request, form.languages[0], errors)
        changed = _changed(form, key, changes, errors, language)
        if button.startswith("option-"):
            known = live.question(key).choices if live is not None and key in live.by_key else ()
            kept = frozenset(choice.key for choice in known)
            options = edit_options(changed.question(key), button, request.POST, form.languages[0], kept).choices
            changed = editing.change(changed, key, choices=options)
        return changed

    return change


def _changed(form: Form, key: str, changes: dict[str, Any], errors: dict[str, str], language: str) -> Form:
    """The changed form; rules, a formula or a type that cannot be are left as they were."""
    try:
        changed = editing.change(form, key, **changes)
        require_order(changed, key, language)
    except ParameterError as error:
        asked = form.question(key)
        names = [name for name in ("when", "formula", "type") if name in changes]
        cause = next((name for name in names if changes[name] != getattr(asked, name)), "type")
        errors.setdefault("rules" if cause == "when" else cause, str(error))
        for name in names:
            del changes[name]
        changed = editing.change(form, key, **changes)
    return changed


def _new_list(request: HttpRequest, language: str, errors: dict[str, str]) -> dict[str, str]:
    """A list that is made for a question from a name and lines, or a sentence why it is not."""
    try:
        lines = read_lines(request.POST.get("new-lines", ""))
        return {"choice_list": str(list_from_lines(request.user, request.POST.get("new-list", ""), lines, language).id)}
    except ParameterError as error:
        errors["choice_list"] = str(error)
        return {}


def _enabling(asked: Any) -> tuple[str, ...]:
    return tuple(rule.question for rule in asked.when.rules)


def _kept(request: HttpRequest, errors: dict[str, str]) -> dict[str, str]:
    """What was typed into fields that could not be saved."""
    kept = {name: request.POST.get(name, "") for name in errors}
    if "choice_list" in errors:
        kept |= {"new_list": request.POST.get("new-list", ""), "new_lines": request.POST.get("new-lines", "")}
    return kept


def _address(study: Study, key: str) -> str:
    return f"{reverse('study-design', args=[study.id])}?q={key}#q-{key}"


def _card(context: dict[str, Any], key: str) -> Card:
    cards = [card for part in context["parts"] for card in part.cards]
    return next(card for outer in cards for card in (outer, *outer.cards) if card.question.key == key)


def _conflict(request: HttpRequest, study: Study, key: str, sentence: str) -> HttpResponse:
    """The form as it is now; the panel keeps what was typed, which is saved when it is posted again."""
    form, errors = draft_of(study), dict[str, str]()
    chosen = key if key in form.by_key else ""
    context = builder_context(study, request.user, chosen, form, strip=strip_of(study, "questions"))
    if chosen:
        sentence = _(
            "This question was changed elsewhere meanwhile. Nothing is saved yet. "
            "Save what you typed, or choose the question again to see how it is now."
        )
        typed = posted_change(request, study, key, errors, button="")(form)
        names = {"new_options": "new-options", "new_list": "new-list", "new_lines": "new-lines"}
        kept = _kept(request, errors) | {name: request.POST.get(field, "") for name, field in names.items()}
        context |= panel_context(study, request.user, typed, key) | {"seen": context["seen"], "form": form}
        context |= {"errors": errors, "kept": kept, "unsaved": True}
    context["refusal"] = sentence
    if not request.htmx:
        return render(request, "design/builder.html", context, status=422)
    answer = render(request, "design/area_answer.html", context, status=422)
    answer["HX-Retarget"], answer["HX-Reswap"] = "#builder", "outerHTML"
    return answer
