"""The questions of a form as rows of a page: text, type, options, and when each is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.design.words import language_name, type_name
from sfumato.web.studies.form_templates.keeping import SIMPLE_TYPES
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule
from sfumato.web.studies.models import ChoiceList

__all__ = ["Row", "rows_of"]


@dataclass
class Row:
    """inside : whether it is a question of a group.  when : a sentence.  texts : code, name of the language, text."""

    question: Question
    text: str
    type: str
    inside: bool
    details: str
    when: str
    is_simple: bool
    texts: list[tuple[str, str, str]] = field(default_factory=list)


def rows_of(form: Form, language: str) -> list[Row]:
    """The questions of a form in their order."""
    lists = {question.choice_list for question, _group in form.walk()} - {""}
    names = {str(row.id): row.name for row in ChoiceList.objects.filter(id__in=lists)}
    return [
        Row(
            question,
            question.text(language),
            type_name(question.type),
            group is not None,
            _details(question, language, names),
            _when(form, question, language),
            question.type in SIMPLE_TYPES,
            [(code, language_name(code), question.texts.get(code, "")) for code in form.languages],
        )
        for question, group in form.walk()
    ]


def _details(question: Question, language: str, lists: dict[str, str]) -> str:
    if question.type in ("one", "many"):
        return ", ".join(_texts(question.choices, language))
    if question.type == "list":
        return lists.get(question.choice_list, _("choose a list after inserting it"))
    if question.type == "calculated":
        return question.formula
    if question.low and question.high:
        return _("%(low)s to %(high)s %(unit)s") % {"low": question.low, "high": question.high, "unit": question.unit}
    return question.unit


def _when(form: Form, question: Question, language: str) -> str:
    if not question.when.rules:
        return ""
    joined = (_(" and ") if question.when.join == "all" else _(" or ")).join(
        _rule(form, rule, language) for rule in question.when.rules
    )
    return _("asked if %(rules)s") % {"rules": joined}


def _rule(form: Form, rule: Rule, language: str) -> str:
    if rule.question not in form.by_key:
        return _("a question that is not here is answered")
    enabling = form.question(rule.question)
    texts = {choice.key: choice.text(language) for choice in enabling.choices}
    parts: dict[str, Any] = {"question": enabling.text(language), "low": rule.low, "high": rule.high}
    if rule.values:
        parts["values"] = _(" or ").join(texts.get(value, value) for value in rule.values)
        return _("%(question)s is %(values)s") % parts
    if rule.low and rule.high:
        return _("%(question)s is between %(low)s and %(high)s") % parts
    if rule.low:
        return _("%(question)s is at least %(low)s") % parts
    if rule.high:
        return _("%(question)s is at most %(high)s") % parts
    return _("%(question)s is answered") % parts


def _texts(choices: tuple[Choice, ...], language: str) -> list[str]:
    return [choice.text(language) for choice in choices if not choice.retired]
