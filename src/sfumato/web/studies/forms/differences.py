"""Two versions of a form compared: what was added, removed, moved, and which answers are read or asked differently."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sfumato.web.studies.forms.order import dependencies
from sfumato.web.studies.forms.tree import Choice, Form, Question

__all__ = ["affected", "every_question", "moved", "with_kept_options"]


def affected(before: Form, after: Form) -> set[str]:
    """Keys of questions of either form whose stored answer may be read, asked or calculated differently.

    Texts, order, bounds and options make no difference.
    """
    keys = before.by_key.keys() | after.by_key.keys()
    differing = {key for key in keys if _meaning(before, key) != _meaning(after, key)}
    followers: dict[str, set[str]] = {}
    for form in (before, after):
        for key, needed in dependencies(form).items():
            for other in needed:
                followers.setdefault(other, set()).add(key)
    waiting = list(differing)
    while waiting:
        for key in followers.get(waiting.pop(), set()) - differing:
            differing.add(key)
            waiting.append(key)
    return differing


def moved(before: Form, after: Form) -> list[str]:
    """Keys of the questions that changed their place among those of the same group: as few as explain it."""
    places = {**{"": after.questions}, **{group.key: group.questions for group in after.questions}}
    old = {key: number for number, key in enumerate(question.key for question, _group in before.walk())}
    keys: list[str] = []
    for group, questions in places.items():
        stayed = [question.key for question in questions if _group_key(before, question.key) == group]
        kept = _longest_rise([old[key] for key in stayed])
        keys += [key for key in stayed if old[key] not in kept]
    return keys


def every_question(forms: Iterable[Form]) -> Form:
    """One form with every question of several versions, newest first: each as it was last defined.

    Questions that are no longer asked follow those that are, in their group if it is still there.
    """
    versions = list(forms)
    if not versions:
        return Form()
    questions = {question.key: question for question in versions[0].questions}
    known = {question.key for question, _group in versions[0].walk()}
    for form in versions[1:]:
        for question, group in form.walk():
            if question.key in known:
                continue
            known.add(question.key)
            bare = replace(question, questions=())
            if group is None:
                questions[question.key] = bare
            elif group.key in questions and questions[group.key].type == "group":
                parent = questions[group.key]
                questions[group.key] = replace(parent, questions=(*parent.questions, bare))
    return Form(versions[0].languages, tuple(questions.values()))


def with_kept_options(after: Form, before: Form) -> Form:
    """The form with the options that its questions had and no longer name: retired, so that their texts stay."""
    return replace(after, questions=tuple(_kept(question, before) for question in after.questions))


def _kept(question: Question, before: Form) -> Question:
    if question.type == "group":
        return replace(question, questions=tuple(_kept(inner, before) for inner in question.questions))
    if question.type not in ("one", "many") or question.key not in before.by_key:
        return question
    named = {choice.key for choice in question.choices}
    dropped: Sequence[Choice] = before.question(question.key).choices
    gone = tuple(replace(choice, retired=True) for choice in dropped if choice.key not in named)
    return replace(question, choices=(*question.choices, *gone)) if gone else question


def _meaning(form: Form, key: str) -> Any:
    """What decides how the answer to a question is read and whether it is asked."""
    if key not in form.by_key:
        return None
    question, group = form.by_key[key]
    return question.type, group.key if group else "", question.when, question.formula, question.starts, question.ends


def _group_key(form: Form, key: str) -> str | None:
    if key not in form.by_key:
        return None
    group = form.group_of(key)
    return group.key if group else ""


def _longest_rise(numbers: list[int]) -> set[int]:
    """The numbers of a longest rising subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    previous: dict[int, int | None] = {}
    for number in numbers:
        place = bisect_left(tails, number)
        previous[number] = ends[place - 1] if place else None
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [number]
    chosen: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        chosen.add(last)
        last = previous[last]
    return chosen
