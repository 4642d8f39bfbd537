"""The form of a study as an XLSForm, which KoboToolbox, ODK and others read.

Columns that XLSForm does not have (such as unit, privacy and formula, and ancestors of options) keep what our forms
have besides, so that the same form comes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sfumato.web.studies.exporting.workbooks import Sheet
from sfumato.web.studies.exporting.xlsform_formulas import xpath_of
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule

__all__ = ["constraint", "form_id_of", "relevant", "xlsform"]

_TYPES = {"string": "text", "integer": "integer", "decimal": "decimal", "date": "date", "title": "note"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
EXTRA = ("unit", "privacy", "formula", "starts", "ends", "choice_list")


def form_id_of(study_id: object) -> str:
    """The name by which the form of a study is known again."""
    return f"study_{re.sub(r'[^A-Za-z0-9]', '_', str(study_id))}"


def xlsform(form: Form, choices: Mapping[str, Sequence[Choice]], title: str, form_id: str) -> list[Sheet]:
    """The sheets survey, choices and settings."""
    names = _names(form)
    languages = form.languages
    heads = ["type", "name", *(f"label::{_language(code)}" for code in languages)]
    heads += [f"hint::{_language(code)}" for code in languages]
    heads += ["required", "relevant", "constraint", "calculation", "repeat_count", "key", *EXTRA]
    rows: list[list[str | int | None]] = []
    for question in form.questions:
        rows += _survey(form, question, names)
    listed: dict[str, list[list[str | None]]] = {}
    for question, _group in form.walk():
        if question.type == "yes_no":
            listed["yes_no"] = [["yes_no", key, *_yes_no(key, languages), None, None] for key in ("yes", "no")]
        elif question.type in ("one", "many", "list"):
            name = f"list_{names[question.key]}"
            listed[name] = [
                [
                    name,
                    choice.key,
                    *(choice.text(code) for code in languages),
                    "yes" if choice.retired else None,
                    "; ".join(choice.ancestors) or None,
                ]
                for choice in choices.get(question.key, ())
            ]
    options = [row for rows_of_list in listed.values() for row in rows_of_list]
    heads_of_choices = [
        "list_name",
        "name",
        *(f"label::{_language(code)}" for code in languages),
        "retired",
        "ancestors",
    ]
    settings = [[title, form_id, _language(languages[0]), "pages"]]
    return [
        ("survey", heads, rows),
        ("choices", heads_of_choices, options),
        ("settings", ["form_title", "form_id", "default_language", "style"], settings),
    ]


def _language(code: str) -> str:
    names = {"en": "English (en)", "el": "Ελληνικά (el)"}
    return names.get(code, f"{code} ({code})")


def _yes_no(key: str, languages: Iterable[str]) -> list[str]:
    words = {"yes": {"el": "ναι"}, "no": {"el": "όχι"}}  # noqa: RUF001
    return [words[key].get(code, key) for code in languages]


def _names(form: Form) -> dict[str, str]:
    """The name of each question: its key, or another one where XLSForm does not take it."""
    names: dict[str, str] = {}
    for number, (question, _group) in enumerate(form.walk(), 1):
        valid = _NAME.fullmatch(question.key) is not None
        names[question.key] = question.key if valid else f"q_{number}_{re.sub(r'[^A-Za-z0-9]', '', question.key)}"
    return names


def _survey(form: Form, question: Question, names: Mapping[str, str]) -> list[list[str | int | None]]:
    """The rows of a question; of a group also those of its questions and its end."""
    name, languages = names[question.key], form.languages
    kinds = {
        "yes_no": "select_one yes_no",
        "one": f"select_one list_{name}",
        "list": f"select_one list_{name}",
        "many": f"select_multiple list_{name}",
        "group": "begin repeat",
        "calculated": "calculate",
    }
    row: list[str | int | None] = [kinds.get(question.type) or _TYPES[question.type], name]
    # a calculation has no label in a questionnaire, but ours has a text, which comes back
    row += [question.texts.get(code) or question.text(languages[0]) for code in languages]
    row += [question.hints.get(code) for code in languages]
    row.append("yes" if question.required else None)
    row.append(relevant(form, question, names) or None)
    row.append(constraint(question) or None)
    row.append(xpath_of(question.formula, form, names) if question.type == "calculated" else None)
    row.append(question.most if question.type == "group" else None)
    row.append(question.key if name != question.key else None)
    row += [getattr(question, extra) or None for extra in EXTRA]
    if question.type != "group":
        return [row]
    rows = [row]
    for inner in question.questions:
        rows += _survey(form, inner, names)
    return [*rows, ["end repeat", name]]


def relevant(form: Form, question: Question, names: Mapping[str, str]) -> str:
    """The branching of a question as an expression; chains need nothing more: what is not asked has no answer."""
    parts = [_rule(form, rule, names) for rule in question.when.rules]
    if len(parts) == 1:
        return parts[0]
    return (" or " if question.when.join == "any" else " and ").join(f"({part})" for part in parts)


def _rule(form: Form, rule: Rule, names: Mapping[str, str]) -> str:
    enabling = form.question(rule.question)
    name = f"${{{names[rule.question]}}}"
    if rule.values:
        if enabling.type == "many":
            return " or ".join(f"selected({name}, '{value}')" for value in rule.values)
        return " or ".join(f"{name} = '{value}'" for value in rule.values)
    bounds = _bounds(enabling.type, name, rule.low, rule.high)
    return bounds or f"{name} != ''"


def constraint(question: Question) -> str:
    """The range of a question as an expression."""
    if question.type not in ("integer", "decimal", "date"):
        return ""
    return _bounds(question.type, ".", question.low, question.high)


def _bounds(kind: str, name: str, low: str, high: str) -> str:
    parts = [f"{name} {sign} {_value(kind, bound)}" for sign, bound in ((">=", low), ("<=", high)) if bound]
    return " and ".join(parts)


def _value(kind: str, text: str) -> str:
    return f"date('{text}')" if kind == "date" or re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text
