"""Changes of a form, each a function that returns a new form: add, move, change, remove, duplicate, insert a template.

Where a question goes is said alike everywhere: after another question, before it, or into a group ("" is the form
itself) at its end, or at its start with after="".
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.formulas import renamed
from sfumato.web.studies.forms.tree import TYPES, Choice, Form, Question, When

__all__ = [
    "EditRefused",
    "add",
    "change",
    "duplicate",
    "insert_template",
    "move",
    "new_key",
    "part_of",
    "remove",
    "with_fresh_keys",
    "with_keys",
]

_FIELDS = frozenset(field.name for field in fields(Question)) - {"key", "questions"}
# the types that use a field; other fields are used by all
_USED_BY = {
    "required": frozenset(name for name, answered in TYPES.items() if answered and name != "calculated"),
    "choices": frozenset({"one", "many"}),
    "choice_list": frozenset({"list"}),
    "low": frozenset({"integer", "decimal", "date"}),
    "high": frozenset({"integer", "decimal", "date"}),
    "unit": frozenset({"integer", "decimal", "calculated"}),
    "formula": frozenset({"calculated"}),
    "questions": frozenset({"group"}),
    "starts": frozenset({"group"}),
    "ends": frozenset({"group"}),
    "most": frozenset({"group"}),
    "privacy": frozenset(name for name, answered in TYPES.items() if answered),
}
_BLANK = Question("", "string")


class EditRefused(ParameterError):
    """A change of a form that cannot be made; the sentence is shown where it was asked for."""


def new_key(form: Form | None = None, prefix: str = "q") -> str:
    """A key that no question of the form has; random, so that a removed question's key does not come back."""
    while True:
        key = prefix + secrets.token_hex(5)
        if form is None or key not in form.by_key:
            return key


def add(
    form: Form, question: Question, *, after: str | None = None, before: str | None = None, group: str | None = None
) -> Form:
    """The form with one more question."""
    if question.key in form.by_key:
        raise EditRefused(_("wanted a key that no other question has, found “%(key)s”") % {"key": question.key})
    return _inserted(form, [question], after, before, group)


def move(
    form: Form, key: str, *, after: str | None = None, before: str | None = None, group: str | None = None
) -> Form:
    """The form with a question in another place."""
    question = _question(form, key)
    if key in (after, before):
        return form
    inside = {inner.key for inner in question.questions}
    if question.type == "group" and (group == key or after in inside or before in inside):
        raise EditRefused(_("a group cannot be moved into itself"))
    return _inserted(remove(form, key), [question], after, before, group)


def change(form: Form, key: str, **values: Any) -> Form:
    """The form with other fields of a question; fields that its type does not use are emptied."""
    if unknown := set(values) - _FIELDS:
        raise EditRefused(_("wanted fields of a question, found %(names)s") % {"names": ", ".join(sorted(unknown))})
    question = _question(form, key)
    kind = values.get("type", question.type)
    if kind not in TYPES:
        raise EditRefused(_("wanted one of the types of questions"))
    if kind == "group" and form.group_of(key) is not None:
        raise EditRefused(_("a group cannot be inside another group"))
    if kind != "group" and question.questions:
        raise EditRefused(_("wanted a group without questions: move or remove its questions first"))
    changed = _tidy(replace(question, **values))
    return _replaced(form, key, [changed])


def remove(form: Form, key: str) -> Form:
    """The form without a question (and without the questions of a group); rules that name it stay, to be corrected."""
    _question(form, key)
    return _replaced(form, key, [])


def duplicate(form: Form, key: str) -> tuple[Form, str]:
    """The form with a copy of a question right after it, and the key of the copy."""
    copied, keys = with_fresh_keys([_question(form, key)], form)
    return _inserted(form, copied, key, None, None), keys[key]


def insert_template(
    form: Form, template: Form, *, after: str | None = None, before: str | None = None, group: str | None = None
) -> tuple[Form, dict[str, str]]:
    """The form with the questions of a template under fresh keys, and the new key of each.

    Branching and formulas inside the template follow.  A text that lacks the first language of the form gets it from
    the language that it has.
    """
    copied, keys = with_fresh_keys(template.questions, form)
    first = form.languages[0]
    return _inserted(form, [_in_language(question, first) for question in copied], after, before, group), keys


def part_of(form: Form, keys: Iterable[str]) -> Form:
    """The chosen questions of a form as a form of their own.

    A group without chosen questions of its own is taken whole; chosen questions of a group come with the group.  Rules
    that name a question that is not chosen are left out.
    """
    wanted = set(keys)
    chosen: list[Question] = []
    for question in form.questions:
        inner = tuple(part for part in question.questions if part.key in wanted)
        if question.key in wanted and not inner:
            chosen.append(question)
        elif question.key in wanted or inner:
            chosen.append(replace(question, questions=inner) if question.questions else question)
    kept = {question.key for question, _group in Form(form.languages, tuple(chosen)).walk()}
    return Form(form.languages, tuple(_only_within(question, kept) for question in chosen))


def with_fresh_keys(questions: Iterable[Question], form: Form) -> tuple[list[Question], dict[str, str]]:
    """Copies of questions with new keys, and the new key of each; rules and formulas among them follow."""
    originals = list(questions)
    keys = {part.key: new_key(form) for question in originals for part in (question, *question.questions)}
    return [with_keys(question, keys) for question in originals], keys


def with_keys(question: Question, keys: dict[str, str]) -> Question:
    """A question with other keys, and those of the questions inside it; rules and formulas follow.

    keys : the new key of each of these questions, and of others that rules and formulas name.
    """
    rules = tuple(replace(rule, question=keys.get(rule.question, rule.question)) for rule in question.when.rules)
    return replace(
        question,
        key=keys[question.key],
        when=replace(question.when, rules=rules),
        formula=renamed(question.formula, keys) if question.formula else "",
        starts=keys.get(question.starts, ""),
        ends=keys.get(question.ends, ""),
        questions=tuple(with_keys(inner, keys) for inner in question.questions),
    )


def _question(form: Form, key: str) -> Question:
    if key not in form.by_key:
        raise EditRefused(_("this question is no longer in the form"))
    return form.question(key)


def _inserted(form: Form, questions: list[Question], after: str | None, before: str | None, group: str | None) -> Form:
    """The form with questions put in a place."""
    if beside := after or before:
        place = _question(form, beside)
        parent = form.group_of(beside)
        row = [place, *questions] if after else [*questions, place]
    else:
        parent = _question(form, group) if group else None
        row = []
    if parent is not None and parent.type != "group":
        raise EditRefused(_("wanted a group to put the question into"))
    if parent is not None and any(question.type == "group" for question in questions):
        raise EditRefused(_("a group cannot be inside another group"))
    if beside:
        return _replaced(form, beside, row)
    if parent is None:
        both = (*questions, *form.questions) if after == "" else (*form.questions, *questions)
        return replace(form, questions=both)
    inner = (*questions, *parent.questions) if after == "" else (*parent.questions, *questions)
    return _replaced(form, parent.key, [replace(parent, questions=inner)])


def _replaced(form: Form, key: str, row: list[Question]) -> Form:
    """The form with other questions in the place of one."""

    def among(questions: tuple[Question, ...]) -> tuple[Question, ...]:
        return tuple(new for question in questions for new in (row if question.key == key else [question]))

    group = form.group_of(key)
    if group is None:
        return replace(form, questions=among(form.questions))
    parent = replace(group, questions=among(group.questions))
    others = tuple(parent if question.key == group.key else question for question in form.questions)
    return replace(form, questions=others)


def _tidy(question: Question) -> Question:
    unused = {name: getattr(_BLANK, name) for name, types in _USED_BY.items() if question.type not in types}
    return replace(question, **unused)


def _only_within(question: Question, kept: set[str]) -> Question:
    rules = tuple(rule for rule in question.when.rules if rule.question in kept)
    return replace(
        question,
        when=replace(question.when, rules=rules) if rules else When(),
        starts=question.starts if question.starts in kept else "",
        ends=question.ends if question.ends in kept else "",
        questions=tuple(_only_within(inner, kept) for inner in question.questions),
    )


def _in_language(question: Question, language: str) -> Question:
    def texts_of(part: Question | Choice) -> dict[str, str]:
        return part.texts if part.texts.get(language) else {**part.texts, language: part.text(language)}

    choices = tuple(replace(choice, texts=texts_of(choice)) for choice in question.choices)
    inner = tuple(_in_language(part, language) for part in question.questions)
    return replace(question, texts=texts_of(question), choices=choices, questions=inner)
