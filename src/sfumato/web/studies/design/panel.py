"""The panel of a question: its fields, and the changes that a posted panel asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.design.rules import when_of
from sfumato.web.studies.design.words import tidy
from sfumato.web.studies.forms.tree import TYPES, Choice, Form, Question
from sfumato.web.studies.forms.values import canonical
from sfumato.web.studies.models import Question as QuestionRow

__all__ = ["changes_of", "error_places", "fields_of", "types_for"]

_LONGEST = {"text": 1000, "hint": 2000, "option": 500, "unit": 40, "formula": 2000}
_MOST_EPISODES = 10_000
_ERRORS = {
    "range": ("low", "high"),
    "formula": ("formula",),
    "list": ("choice_list",),
    "episodes": ("most",),
    "options": ("options",),
}


def fields_of(question: Question) -> frozenset[str]:
    """The parts of the panel that a question of its type has."""
    kind, names = question.type, {"rules"}
    if kind != "title":
        names.add("hint")
    if TYPES[kind]:
        names.add("privacy")
    if TYPES[kind] and kind != "calculated":
        names.add("required")
    if kind in ("integer", "decimal", "date"):
        names.add("range")
    if kind in ("integer", "decimal", "calculated"):
        names.add("unit")
    names |= {"one": {"options"}, "many": {"options"}, "list": {"list"}, "group": {"episodes"}}.get(kind, set())
    return frozenset(names | ({"formula"} if kind == "calculated" else set()))


def error_places(question: Question) -> list[str]:
    """The fields of the panel of a question beside which a sentence can stand."""
    shown = fields_of(question)
    return ["type", "text", "rules", *(name for part, names in _ERRORS.items() if part in shown for name in names)]


def types_for(question: Question, group: Question | None) -> list[str]:
    """The types that a question can have where it is: a group stays a group, and no group is inside of another."""
    if question.questions:
        return ["group"]
    return [kind for kind in TYPES if group is None or kind != "group"]


def changes_of(
    form: Form, question: Question, post: Any, choices: Mapping[str, Sequence[Choice]], lists: frozenset[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What a posted panel changes, as arguments of `editing.change`, and the sentences about fields that it cannot.

    lists : ids of the lists that the person may use.
    """
    changes: dict[str, Any] = {}
    errors: dict[str, str] = {}
    kind = post.get("type", question.type)
    if kind in types_for(question, form.group_of(question.key)):
        changes["type"] = kind
    changes["texts"] = _texts(form, question.texts, post, "text")
    if not changes["texts"].get(form.languages[0]):
        errors["text"] = _("Every question needs a text in the first language.")
        del changes["texts"]
    shown = fields_of(question)
    if "hint" in shown:
        changes["hints"] = _texts(form, question.hints, post, "hint")
    if "required" in shown:
        changes["required"] = "required" in post
    if "privacy" in shown and post.get("privacy", "") in QuestionRow.PRIVACY:
        changes["privacy"] = post.get("privacy", "")
    for name in ("unit", "formula"):
        if name in shown:
            changes[name] = tidy(post.get(name, ""), _LONGEST[name])
    if "range" in shown:
        _range(question, post, changes, errors)
    if "list" in shown and (post.get("choice_list", "") in lists or not post.get("choice_list")):
        changes["choice_list"] = post.get("choice_list", "")
    if "options" in shown:
        changes["choices"] = _options(form, question, post)
    if "episodes" in shown:
        _episodes(question, post, changes, errors)
    try:
        changes["when"] = when_of(form, question, post, choices)
    except ParameterError as error:
        errors["rules"] = str(error)
    return changes, errors


def _texts(form: Form, before: Mapping[str, str], post: Any, name: str) -> dict[str, str]:
    """Texts by language; those of languages that the form no longer has are kept."""
    texts = {language: text for language, text in before.items() if language not in form.languages}
    for language in form.languages:
        text = tidy(post.get(f"{name}-{language}", before.get(language, "")), _LONGEST[name.partition("-")[0]])
        if text:
            texts[language] = text
    return texts


def _range(question: Question, post: Any, changes: dict[str, Any], errors: dict[str, str]) -> None:
    for name in ("low", "high"):
        try:
            changes[name] = canonical(Question(question.key, question.type), post.get(name, "")) or ""
        except ParameterError as error:
            errors[name] = str(error)
    low, high = changes.get("low", question.low), changes.get("high", question.high)
    if low and high and not errors and _is_above(question, low, high):
        errors["high"] = _("The greatest is less than the least.")
        changes.pop("low"), changes.pop("high")


def _is_above(question: Question, low: str, high: str) -> bool:
    try:
        canonical(Question(question.key, question.type, low=low), high)
    except ParameterError:
        return True
    return False


def _options(form: Form, question: Question, post: Any) -> tuple[Choice, ...]:
    return tuple(
        Choice(choice.key, _texts(form, choice.texts, post, f"option-{choice.key}"), choice.ancestors, choice.retired)
        for choice in question.choices
    )


def _episodes(question: Question, post: Any, changes: dict[str, Any], errors: dict[str, str]) -> None:
    dates = {inner.key for inner in question.questions if inner.type == "date"}
    for name in ("starts", "ends"):
        key = post.get(name, "")
        if not key or key in dates:
            changes[name] = key
    most = post.get("most", "").strip()
    if most and not (most.isdecimal() and len(most) <= 6 and 1 <= int(most) <= _MOST_EPISODES):
        errors["most"] = _("Wanted a whole number from 1 to 10,000, or nothing.")
    else:
        changes["most"] = int(most) if most else None
