"""Whether a condition fits a form, and what a text of a condition stands for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from sfumato.web.studies.entry.words import searchable, word_of
from sfumato.web.studies.filtering.tree import (
    ABOUT,
    STATES,
    About,
    All,
    Answered,
    AnyOf,
    Between,
    Condition,
    ConditionRefused,
    Contains,
    During,
    Has,
    Is,
    Not,
    OneOf,
    Test,
    Then,
)
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.forms.values import value_of

__all__ = ["Key", "check", "columns_of_type", "day_of", "is_numeric", "key_of", "tests_of"]

MOST_JOINED = 5
_TESTS: dict[str, tuple[type, ...]] = {
    "string": (OneOf, Contains, Answered),
    "integer": (OneOf, Between, Answered),
    "decimal": (OneOf, Between, Answered),
    "calculated": (OneOf, Between, Answered),
    "date": (OneOf, Between, Answered),
    "yes_no": (OneOf, Answered),
    "one": (OneOf, Answered),
    "many": (OneOf, Answered),
    "list": (OneOf, Answered),
}
_ABOUT: dict[str, tuple[type, ...]] = {
    "created": (Between,),
    "author": (OneOf,),
    "centre": (OneOf, Answered),
    "state": (OneOf,),
}


_DECIMAL = Question("", "decimal")  # bounds of whole numbers need not be whole


class Key(NamedTuple):
    """How the index holds a value: the column (word, number or day), and what is in it."""

    column: str
    value: str | float | int


def is_numeric(question: Question) -> bool:
    """Whether answers are compared as numbers."""
    return question.type in ("integer", "decimal", "calculated")


def columns_of_type(question: Question) -> tuple[str, ...]:
    """The columns of the index that hold answers to a question; a formula can give values of several kinds."""
    if question.type == "calculated":
        return ("number", "day", "word")
    return ("number",) if is_numeric(question) else ("day",) if question.type == "date" else ("word",)


def tests_of(question: Question) -> tuple[type, ...]:
    """The tests that answers to a question can be put to."""
    return _TESTS.get(question.type, ())


def key_of(question: Question, text: str) -> Key:
    """How the index holds a text; numbers are compared as floating-point numbers.  ValueError if it is no value."""
    value = value_of(_DECIMAL if question.type == "integer" else question, text)
    if isinstance(value, date):
        return Key("day", value.toordinal())
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return Key("number", float(value))
    return Key("word", word_of(text))


def day_of(text: str) -> int:
    """The day number of an ISO date."""
    return date.fromisoformat(text).toordinal()


def check(condition: Condition, form: Form) -> None:
    """Raise `ConditionRefused`, with one sentence, if a condition does not fit the form."""
    if condition != All():
        _check(condition, form, None)


def _check(condition: Condition, form: Form, group: Question | None) -> None:
    if isinstance(condition, All | AnyOf):
        if not condition.parts:
            raise ConditionRefused(_("wanted a condition inside of every group: add one or remove the group"))
        for part in condition.parts:
            _check(part, form, group)
    elif isinstance(condition, Not):
        _check(condition.part, form, group)
    elif isinstance(condition, Is):
        _check_is(condition, form, group)
    elif group is not None:
        raise ConditionRefused(
            _("wanted only answers of “%(name)s” inside of its episode") % {"name": _name(group, form)}
        )
    elif isinstance(condition, About):
        _check_about(condition)
    elif isinstance(condition, Has):
        _check_has(condition, form)
    else:
        _check_joined(condition, form)


def _check_is(condition: Is, form: Form, group: Question | None) -> None:
    if condition.question not in form.by_key or not form.question(condition.question).is_answered:
        raise ConditionRefused(_("wanted a question of the form: a question of this condition is no longer asked"))
    question, inside = form.by_key[condition.question]
    name = _name(question, form)
    if group is not None and (inside is None or inside.key != group.key):
        raise ConditionRefused(
            _("wanted only answers of “%(name)s” inside of its episode, not “%(other)s”")
            % {"name": _name(group, form), "other": name}
        )
    if not isinstance(condition.test, tests_of(question)):
        raise ConditionRefused(_("“%(name)s” cannot be tested this way, because of its type") % {"name": name})
    _check_test(condition.test, question, name)


def _check_test(test: Test, question: Question, name: str) -> None:
    if isinstance(test, OneOf):
        if not test.words:
            raise ConditionRefused(_("wanted at least one value of “%(name)s”") % {"name": name})
        for word in test.words:
            _require_value(question, word, name)
    elif isinstance(test, Between):
        if not (test.low or test.high):
            raise ConditionRefused(_("wanted a lowest or a highest value of “%(name)s”") % {"name": name})
        columns = {_require_value(question, bound, name).column for bound in (test.low, test.high) if bound}
        if len(columns) > 1 or "word" in columns:
            raise ConditionRefused(_("wanted two numbers or two dates as bounds of “%(name)s”") % {"name": name})
    elif isinstance(test, Contains) and not searchable(test.text):
        raise ConditionRefused(_("wanted letters that “%(name)s” contains") % {"name": name})


def _require_value(question: Question, text: str, name: str) -> Key:
    try:
        return key_of(question, text)
    except (ValueError, OverflowError):
        sentence = _("wanted dates such as 2026-12-31 for “%(name)s”")
        if question.type != "date":
            sentence = _("wanted numbers such as 38.5 for “%(name)s”")
        raise ConditionRefused(sentence % {"name": name}) from None


def _check_about(condition: About) -> None:
    field, test = condition.field, condition.test
    if field not in ABOUT or not isinstance(test, _ABOUT[field]):
        raise ConditionRefused(_("wanted the day an entry was created, its author, its centre or its state"))
    if isinstance(test, OneOf) and not test.words:
        raise ConditionRefused(_("wanted at least one value"))
    if field in ("author", "centre") and isinstance(test, OneOf) and not all(map(_is_id, test.words)):
        raise ConditionRefused(_("wanted ids of authors or centres"))
    if field == "state" and isinstance(test, OneOf) and not set(test.words) <= set(STATES):
        raise ConditionRefused(_("wanted the states draft, complete or withdrawn"))
    if isinstance(test, Between):
        _check_test(test, Question("created", "date"), "created")


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _check_has(condition: Has, form: Form) -> Question:
    if condition.group not in form.by_key or form.question(condition.group).type != "group":
        raise ConditionRefused(_("wanted a recurring group of the form: one of this condition is no longer asked"))
    group = form.question(condition.group)
    if condition.inside is not None:
        _check(condition.inside, form, group)
    return group


def _check_joined(condition: Then | During, form: Form) -> None:
    parts = condition.parts if isinstance(condition, Then) else (condition.first, condition.second)
    if not 2 <= len(parts) <= MOST_JOINED:
        raise ConditionRefused(_("wanted from 2 to %(most)s episodes, joined by then") % {"most": MOST_JOINED})
    for part in parts:
        group = _check_has(part, form)
        if part.at_least != 1:
            raise ConditionRefused(_("wanted single episodes where they are joined by then or during"))
        if not group.starts:
            name = _name(group, form)
            raise ConditionRefused(
                _("“%(name)s” has no start date, so its episodes cannot be put in order") % {"name": name}
            )


def _name(question: Question, form: Form) -> str:
    return question.text(form.languages[0])
