"""What the pages of the builder show: cards with conditions and problems, and the panel of the chosen question."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.design import words
from sfumato.web.studies.design.canvas import Card, parts_of, place_of
from sfumato.web.studies.design.drafts import seen_of
from sfumato.web.studies.design.formula_words import formula_in_words
from sfumato.web.studies.design.panel import fields_of, types_for
from sfumato.web.studies.design.rules import MOST_OFFERED, candidates, rule_rows, values_in_words
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.form_templates.using import available
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.tree import Choice, Form, Question
from sfumato.web.studies.models import ChoiceList, Study
from sfumato.web.studies.releasing.roles import guess

__all__ = ["builder_context", "condition_in_words", "draft_of", "lists_for", "live_of", "panel_context"]

Choices = dict[str, tuple[Choice, ...]]
_PROBLEM_PLACES = {"calculated": "formula", "list": "choice_list", "one": "options", "many": "options"}
_PROBLEMS = 12  # that the head of the page lists


def draft_of(study: Study) -> Form:
    """The form that is being designed."""
    return Form.from_json(study.draft)


def live_of(study: Study) -> Form | None:
    """The form that is filled in now."""
    version = study.form_version
    return None if version is None else Form.from_json(version.tree)


def lists_for(user: Any, question: Question) -> list[ChoiceList]:
    """The lists that a person may choose for a question, and the one that it has."""
    lists = list(ChoiceList.visible_to(user))
    if question.choice_list and all(str(row.id) != question.choice_list for row in lists):
        lists += ChoiceList.objects.filter(id=question.choice_list)
    return lists


def builder_context(study: Study, user: Any, chosen: str, form: Form | None = None, **more: Any) -> dict[str, Any]:
    """The canvas, the palette and the panel; `form` is the draft, if it is read already."""
    form = draft_of(study) if form is None else form
    language, choices = words.shown_language(form), choices_of_form(form)
    by_key = _first_problems(form) if form.questions else {}
    parts = parts_of(form, chosen, language)
    for part in parts:
        _describe(part.cards, form, choices, language, by_key)
    context = {
        "form": form,
        "base": study.draft_revision,
        "language": language,
        "parts": parts,
        "total": len(form.by_key),
        "problem_count": len(by_key),
        "first_problems": [
            (key, form.question(key).text(language) if key in form.by_key else "", sentence)
            for key, sentence in list(by_key.items())[:_PROBLEMS]
        ],
        "palette": [
            (kind, _(name), _(example) if example else "", sign) for kind, (name, example, sign) in words.TYPES.items()
        ],
        "templates": available(user),
        "last_edit": study.draft_edits.select_related("by").defer("draft").first(),
        "chosen": chosen if chosen in form.by_key else "",
    }
    if chosen in form.by_key:
        context |= panel_context(study, user, form, chosen, choices, by_key)
    return context | more


def _first_problems(form: Form) -> dict[str, str]:
    """The first problem of each question that has one."""
    return {problem.key: problem.sentence for problem in reversed(problems(form))}


def panel_context(
    study: Study,
    user: Any,
    form: Form,
    key: str,
    choices: Choices | None = None,
    sentences: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The panel of a question; `choices` and `sentences` (problems by key) are those of the form, if they are known."""
    choices = choices_of_form(form) if choices is None else choices
    sentences = _first_problems(form) if sentences is None else sentences
    language, (question, group) = words.shown_language(form), form.by_key[key]
    rows = rule_rows(form, question, choices, language)
    return {
        "study": study,
        "form": form,
        "base": study.draft_revision,
        "seen": seen_of(form, key),
        "language": language,
        "chosen": key,
        "question": question,
        "group": group,
        "shown": fields_of(question),
        "kinds": [(kind, words.type_name(kind)) for kind in types_for(question, group)],
        "texts": [(code, words.language_name(code), question.texts.get(code, "")) for code in form.languages],
        "hints": [(code, words.language_name(code), question.hints.get(code, "")) for code in form.languages],
        "formula": formula_in_words(form, question.formula, language),
        "usable": [text for _key, text in candidates(form, key, language)] if question.type == "calculated" else [],
        "lists": lists_for(user, question) if question.type == "list" else [],
        "dates": [(inner.key, inner.text(language)) for inner in question.questions if inner.type == "date"],
        "roles": [(role, _(name), _(meaning)) for role, (name, meaning) in words.PRIVACY.items()],
        "offered": [choice for choice in question.choices if not choice.retired],
        "retired": [choice for choice in question.choices if choice.retired],
        "rules": rows,
        "new_rule": candidates(form, key, language),
        "many_questions": len(form.by_key) > MOST_OFFERED,
        "place": place_of(form, key),
        "problem_place": _PROBLEM_PLACES.get(question.type, "type"),
        "problem": sentences.get(key, ""),
        "changed_type": _changed_type(study, question),
        "suggestion": _suggestion(question, group),
        "errors": {},
    }


def _suggestion(question: Question, group: Question | None) -> tuple[str, str] | None:
    """The role that a question without one probably has, and the reason."""
    if question.privacy or not question.is_answered:
        return None
    role, reason = guess(question, group)
    return (_(words.PRIVACY[role][0]), reason) if role in words.PRIVACY else None


def _changed_type(study: Study, question: Question) -> str:
    """The name of the type that a question has in the form in use, if it has another there."""
    kind = study.questions.filter(key=question.key).values_list("type", flat=True).first()
    return words.type_name(kind) if kind and kind != question.type else ""


def condition_in_words(form: Form, question: Question, choices: Choices, language: str) -> list[tuple[str, str]]:
    """The enabling questions of a question and the answers that enable it."""
    return [
        (
            form.question(rule.question).text(language) if rule.question in form.by_key else "?",
            values_in_words(form, rule, choices, language),
        )
        for rule in question.when.rules
    ]


def _describe(cards: list[Card], form: Form, choices: Choices, language: str, sentences: dict[str, str]) -> None:
    """Put the words of their questions on cards."""
    for card in cards:
        card.text, card.kind = card.question.text(language), words.type_name(card.question.type)
        card.privacy = _(words.PRIVACY.get(card.question.privacy, ("",))[0]) if card.question.privacy else ""
        card.conditions = condition_in_words(form, card.question, choices, language)
        card.problem = sentences.get(card.question.key, "")
        card.into_text = card.into.text(language) if card.into else ""
        _describe(card.cards, form, choices, language, sentences)
