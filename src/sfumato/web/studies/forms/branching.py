"""Which questions of an entry are asked, given its answers.

A question is asked if its rules hold.  A rule reads the answer to its enabling question, which counts only while that
question is asked itself; inside a group it reads the same episode, or a question outside of groups.  A question of a
group is not asked where the group is not.  A question that depends on a circle is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.order import circle_of
from sfumato.web.studies.forms.tree import Form, Question, Rule
from sfumato.web.studies.forms.values import value_of

__all__ = ["asked", "cycle", "steps"]


def cycle(form: Form) -> list[str]:
    """Keys of questions that depend on each other in a circle, each on the next; empty if there is no circle."""
    return circle_of(form)


def asked(form: Form, answers: Answers) -> set[tuple[str, str]]:
    """The questions that are asked, as pairs of key and episode ("" outside of groups; a group itself with "").

    answers : with the calculated ones, if a rule reads one.
    """
    return {(question.key, episode) for question, _group, episode, _values in steps(form, answers)}


def steps(form: Form, answers: Answers) -> Iterator[tuple[Question, Question | None, str, dict[str, Stored]]]:
    """Each question that is asked, with its group, its episode and the values there, after all that it depends on.

    The caller may write the answer to a question into the values before it goes on.
    """
    reached: set[tuple[str, str]] = set()
    for key in form.order:
        question, group = form.by_key[key]
        if group is None:
            places = [("", answers.values)]
        elif (group.key, "") in reached:
            places = answers.episodes.get(group.key, [])
        else:
            continue
        for episode, values in places:
            if _hold(form, question, group, episode, values, answers.values, reached):
                reached.add((key, episode))
                yield question, group, episode, values


def _hold(
    form: Form,
    question: Question,
    group: Question | None,
    episode: str,
    inner: dict[str, Stored],
    outer: dict[str, Stored],
    reached: set[tuple[str, str]],
) -> bool:
    if not question.when.rules:
        return True
    join = any if question.when.join == "any" else all
    return join(_holds(form, rule, group, episode, inner, outer, reached) for rule in question.when.rules)


def _holds(
    form: Form,
    rule: Rule,
    group: Question | None,
    episode: str,
    inner: dict[str, Stored],
    outer: dict[str, Stored],
    reached: set[tuple[str, str]],
) -> bool:
    if rule.question not in form.by_key:
        return False
    enabling, other = form.by_key[rule.question]
    if other is not None and (group is None or other.key != group.key):
        return False  # answers of another group are no single answer
    place, values = (episode, inner) if other is not None else ("", outer)
    stored = values.get(rule.question)
    return stored is not None and (rule.question, place) in reached and _passes(enabling, stored, rule)


def _passes(question: Question, stored: Stored, rule: Rule) -> bool:
    if rule.values:
        return stored in rule.values if isinstance(stored, str) else not set(stored).isdisjoint(rule.values)
    if not (rule.low or rule.high):
        return True
    try:
        low, high = _bounds(question.type, rule.low, rule.high)
        value = value_of(question, stored)
        if isinstance(value, bool) or not isinstance(value, int | Decimal | date):
            return False
        return (low is None or low <= value) and (high is None or value <= high)
    except (ValueError, TypeError):  # TypeError: a calculated number beside a day
        return False


@lru_cache(maxsize=4096)
def _bounds(kind: str, low: str, high: str) -> tuple[Any, Any]:
    question = Question("", kind)
    return (value_of(question, low) if low else None), (value_of(question, high) if high else None)
