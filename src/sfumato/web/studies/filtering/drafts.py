"""A condition while it is edited: parts may still be without a value, and those are left out of the condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from sfumato.web.studies.filtering.tree import (
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
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["ROOT", "Draft", "condition_of", "draft_of", "walk"]

ROOT = "r"  # the path of the outermost group; those of its parts are r-0, r-1, ...


@dataclass
class Draft:
    """A part of the page: kind is all, any, is, about, has, then or during.

    key : the question, the group, or the field of `About`.  test : one_of, between, contains or answered.  at_least,
    within : numbers as they were typed.  search : letters of the values that are offered.  parts : of an episode (has)
    there is one, the group of what holds inside.
    """

    kind: str
    key: str = ""
    negated: bool = False
    test: str = ""
    words: list[str] = field(default_factory=list)
    low: str = ""
    high: str = ""
    strict: bool = False
    text: str = ""
    at_least: str = "1"
    within: str = ""
    search: str = ""
    parts: list[Draft] = field(default_factory=list)


def walk(draft: Draft, path: str = ROOT) -> Iterator[tuple[str, Draft]]:
    """Every part with its path, the outer ones first."""
    yield path, draft
    for number, part in enumerate(draft.parts):
        yield from walk(part, f"{path}-{number}")


def draft_of(condition: Condition) -> Draft:
    """The draft of a condition; its outermost part is a group."""
    draft = _draft(condition)
    return draft if draft.kind in ("all", "any") and not draft.negated else Draft("all", parts=[draft])


def _draft(condition: Condition) -> Draft:
    if isinstance(condition, Not):
        draft = _draft(condition.part)
        draft.negated = not draft.negated
        return draft
    if isinstance(condition, All | AnyOf):
        return Draft("all" if isinstance(condition, All) else "any", parts=[_draft(part) for part in condition.parts])
    if isinstance(condition, Is):
        return _tested(Draft("is", condition.question), condition.test)
    if isinstance(condition, About):
        return _tested(Draft("about", condition.field), condition.test)
    if isinstance(condition, Has):
        inside = Draft("all") if condition.inside is None else draft_of(condition.inside)
        return Draft("has", condition.group, at_least=str(condition.at_least), parts=[inside])
    if isinstance(condition, Then):
        return Draft("then", within=str(condition.within_days or ""), parts=[_draft(part) for part in condition.parts])
    return Draft("during", parts=[_draft(condition.first), _draft(condition.second)])


def _tested(draft: Draft, test: Test) -> Draft:
    if isinstance(test, OneOf):
        draft.test, draft.words = "one_of", list(test.words)
    elif isinstance(test, Between):
        draft.test, draft.low, draft.high, draft.strict = "between", test.low, test.high, test.strict
    elif isinstance(test, Contains):
        draft.test, draft.text = "contains", test.text
    else:
        draft.test = "answered"
    return draft


def condition_of(draft: Draft, form: Form) -> Condition:
    """The condition of a draft, without the parts that have no value yet.  It is not checked against the form."""
    return _condition(draft, form) or All()


def _condition(draft: Draft, form: Form) -> Condition | None:
    condition = _plain(draft, form)
    return Not(condition) if condition is not None and draft.negated else condition


def _plain(draft: Draft, form: Form) -> Condition | None:
    if draft.kind in ("all", "any"):
        parts = [part for part in (_condition(part, form) for part in draft.parts) if part is not None]
        if len(parts) < 2:
            return parts[0] if parts else None
        return All(tuple(parts)) if draft.kind == "all" else AnyOf(tuple(parts))
    if draft.kind == "is":
        question = form.question(draft.key) if draft.key in form.by_key else Question(draft.key, "string")
        test = _test(draft, question)
        return None if test is None else Is(draft.key, test)
    if draft.kind == "about":
        test = _test(draft, Question("created", "date"))
        return None if test is None else About(draft.key, test)
    if draft.kind == "has":
        return _has(draft, form)
    episodes = [_has(part, form) for part in draft.parts if part.kind == "has"]
    if draft.kind == "then":
        return Then(tuple(episodes), _count(draft.within) if draft.within else None)
    if len(episodes) != 2:
        raise ConditionRefused(_("wanted two episodes, joined by during"))
    return During(*episodes)


def _has(draft: Draft, form: Form) -> Has:
    inside = _condition(draft.parts[0], form) if draft.parts else None
    return Has(draft.key, inside, _count(draft.at_least))


def _count(typed: str) -> int:
    if not (typed.isascii() and typed.isdecimal()) or not 0 < int(typed[:9]) <= 100_000:
        raise ConditionRefused(_("wanted a whole number from 1 to 100000"))
    return int(typed)


def _test(draft: Draft, question: Question) -> Test | None:
    if draft.test == "one_of":
        return OneOf(tuple(dict.fromkeys(draft.words))) if draft.words else None
    if draft.test == "between":
        low, high = (_bound(question, typed) for typed in (draft.low, draft.high))
        return Between(low, high, draft.strict) if low or high else None
    if draft.test == "contains":
        return Contains(draft.text.strip()) if draft.text.strip() else None
    return Answered() if draft.test == "answered" else None


def _bound(question: Question, typed: str) -> str:
    """A bound as it is stored: 38,5 as 38.5 and 31/12/2026 as 2026-12-31; `check` names what cannot be read."""
    kind = "date" if question.type == "date" or "-" in typed[1:] or "/" in typed else "decimal"
    try:
        stored = canonical(Question("", kind), typed)
    except AnswerRefused:
        return typed.strip()
    return stored if isinstance(stored, str) else ""
