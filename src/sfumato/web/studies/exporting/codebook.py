"""The codebook of a study: every question with its type, texts, options, range, branching and role in privacy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from sfumato.web.studies.design.impact import all_questions
from sfumato.web.studies.design.words import language_name, type_name
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule
from sfumato.web.studies.models import Study

__all__ = ["Line", "codebook", "codebook_table", "options_table"]


@dataclass(frozen=True)
class Line:
    """A question of the codebook, in words."""

    key: str
    kind: str
    texts: tuple[str, ...]
    group: str
    options: tuple[str, ...]
    range: str
    unit: str
    formula: str
    asked: str
    required: bool
    privacy: str
    retired: bool


def codebook(study: Study, language: str, *, retired: bool) -> tuple[tuple[str, ...], list[Line]]:
    """The languages of the form, and a line for each question; titles are left out."""
    live = form_of(study)
    form = all_questions(study) if retired else live
    choices = choices_of_form(form)
    return form.languages, [
        _line(form, question, group, choices, language, question.key not in live.by_key)
        for question, group in form.walk()
        if question.type != "title"
    ]


def codebook_table(study: Study, language: str, *, retired: bool) -> tuple[list[str], list[list[str]]]:
    """The headings and rows of the codebook as a table."""
    languages, lines = codebook(study, language, retired=retired)
    heads = [
        _("Key"),
        _("Type"),
        *_text_heads(languages),
        _("Group"),
    ]
    heads += [
        _("Options"),
        _("Range"),
        _("Unit"),
        _("Formula"),
        _("Asked if"),
        _("Required"),
        _("Privacy"),
        _("In use"),
    ]
    yes_no = (_("no"), _("yes"))
    return heads, [
        [
            line.key,
            line.kind,
            *line.texts,
            line.group,
            "; ".join(line.options),
            line.range,
            line.unit,
            line.formula,
            line.asked,
            yes_no[line.required],
            line.privacy,
            yes_no[not line.retired],
        ]
        for line in lines
    ]


def options_table(study: Study, *, retired: bool) -> tuple[list[str], list[list[str]]]:
    """The headings and rows of a table of all options, in all languages."""
    form = all_questions(study) if retired else form_of(study)
    yes_no = (_("no"), _("yes"))
    heads = [
        _("Question"),
        _("Key"),
        *_text_heads(form.languages),
    ]
    return [*heads, _("Groups"), _("In use")], [
        [
            key,
            choice.key,
            *(choice.texts.get(code, "") for code in form.languages),
            "; ".join(choice.ancestors),
            yes_no[not choice.retired],
        ]
        for key, choices in choices_of_form(form).items()
        for choice in choices
    ]


def _text_heads(languages: Iterable[str]) -> list[str]:
    return [_("Text (%(language)s)") % {"language": language_name(code)} for code in languages]


def _line(
    form: Form,
    question: Question,
    group: Question | None,
    choices: Mapping[str, Iterable[Choice]],
    language: str,
    retired: bool,
) -> Line:
    privacy = {
        "identifying": _("identifying"),
        "known": _("known to others"),
        "sensitive": _("sensitive"),
        "items": _("items"),
        "": "",
    }
    return Line(
        key=question.key,
        kind=type_name(question.type),
        texts=tuple(question.texts.get(code, "") for code in form.languages),
        group="" if group is None else group.text(language),
        options=tuple(f"{choice.key} = {choice.text(language)}" for choice in choices.get(question.key, ())),
        range=_range(question.low, question.high),
        unit=question.unit,
        formula=question.formula,
        asked=_asked(form, question, choices, language),
        required=question.required,
        privacy=privacy.get(question.privacy, question.privacy),
        retired=retired,
    )


def _range(low: str, high: str) -> str:
    if low and high:
        return f"{low}\N{EN DASH}{high}"
    return _("from %(low)s") % {"low": low} if low else _("up to %(high)s") % {"high": high} if high else ""


def _asked(form: Form, question: Question, choices: Mapping[str, Iterable[Choice]], language: str) -> str:
    """The branching of a question in words."""
    parts = [_rule(form, rule, choices, language) for rule in question.when.rules]
    return (_(" or ") if question.when.join == "any" else _(" and ")).join(parts)


def _rule(form: Form, rule: Rule, labels: Mapping[str, Iterable[Choice]], language: str) -> str:
    name = form.question(rule.question).text(language) if rule.question in form.by_key else rule.question
    if rule.values:
        texts = {choice.key: choice.text(language) for choice in labels.get(rule.question, ())}
        texts |= {"yes": _("yes"), "no": _("no")} if not texts else {}
        return f"{name} = {' / '.join(texts.get(value, value) for value in rule.values)}"
    if rule.low or rule.high:
        return f"{name}: {_range(rule.low, rule.high)}"
    return _("%(question)s is answered") % {"question": name}
