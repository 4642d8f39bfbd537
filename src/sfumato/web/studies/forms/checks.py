"""What is wrong with a form: everything that must be corrected before it can be published."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from sfumato.web.studies.forms.formula_kinds import formula_problem
from sfumato.web.studies.forms.order import circle_of
from sfumato.web.studies.forms.tree import TYPES, Choice, Form, Question, Rule
from sfumato.web.studies.forms.values import value_of

__all__ = ["LONGEST_KEY", "LONGEST_TEXT", "MOST_QUESTIONS", "PRIVACY", "Problem", "problems"]

LONGEST_KEY = 40
LONGEST_TEXT = 2000
MOST_QUESTIONS = 10_000
PRIVACY = ("identifying", "known", "sensitive", "items", "")
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
_RANGED = ("integer", "decimal", "date", "calculated")


class Problem(NamedTuple):
    """key : of the question, or "" for the form.  sentence : what is wanted and what is there."""

    key: str
    sentence: str


def problems(form: Form, lists: Collection[str] | None = None) -> list[Problem]:
    """All problems of a form, in its order; empty if it can be published.

    lists : ids of the lists that it may use; None does not check them.
    """
    questions = list(form.walk())
    if not any(question.is_answered for question, _group in questions if question.type in TYPES):
        return [Problem("", _("Wanted at least one question that is answered, found none."))]
    if len(questions) > MOST_QUESTIONS:
        return [
            Problem(
                "",
                _("Wanted at most %(most)s questions, found %(count)s.")
                % {"most": MOST_QUESTIONS, "count": len(questions)},
            )
        ]
    report = [Problem(key, sentence) for key, sentence in _of_keys(form)]
    if report:  # what follows looks questions up by their key
        return report
    position = {question.key: number for number, (question, _group) in enumerate(questions)}
    for question, group in questions:
        for sentences in (
            _of_text(question, form.languages[0]),
            _of_type(question, group, lists),
            _of_range(question),
            _of_group(question),
            _of_rules(form, question, group, position),
        ):
            report += [Problem(question.key, sentence) for sentence in sentences]
        if question.type == "calculated" and (sentence := formula_problem(form, question.key, question.formula)):
            report.append(Problem(question.key, _("Formula: %(sentence)s.") % {"sentence": sentence}))
    circle = circle_of(form)
    report += [Problem(key, _("Depends on itself: %(path)s.") % {"path": _path(form, circle, key)}) for key in circle]
    return report


def _of_keys(form: Form) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for question, _group in form.walk():
        key = question.key
        if len(key) > LONGEST_KEY or not _KEY.fullmatch(key):
            yield (
                key,
                _("Wanted a key of 1 to %(most)s letters, digits, points, hyphens or underscores.")
                % {"most": LONGEST_KEY},
            )
        elif key in seen:
            yield key, _("Wanted a key that no other question has.")
        if question.type not in TYPES:
            yield key, _("Wanted one of the types of questions.")
        seen.add(key)


def _of_text(question: Question, language: str) -> Iterator[str]:
    if not question.texts.get(language, "").strip():
        yield _("Wanted a text in the first language (%(language)s), found none.") % {"language": language}
    longest = max(map(len, (*question.texts.values(), *question.hints.values())), default=0)
    if longest > LONGEST_TEXT:
        yield _("Wanted texts of at most %(most)s characters, found one of %(longest)s.") % {
            "most": LONGEST_TEXT,
            "longest": longest,
        }


def _of_type(question: Question, group: Question | None, lists: Collection[str] | None) -> Iterator[str]:
    if question.type == "group" and group is not None:
        yield _("A group cannot be inside another group.")
    if question.questions and question.type != "group":
        yield _("Wanted a group around questions, found another type.")
    if question.type == "list":
        if not question.choice_list:
            yield _("Wanted a list from which the answer is chosen.")
        elif lists is not None and question.choice_list not in lists:
            yield _("Wanted one of your lists or a shared one; this list is not available.")
    if question.type in ("one", "many"):
        yield from _of_choices(question.choices)
    if question.privacy not in PRIVACY:
        yield _("Wanted identifying, known, sensitive, items or nothing as its privacy role.")


def _of_choices(choices: tuple[Choice, ...]) -> Iterator[str]:
    keys = [choice.key for choice in choices]
    if all(choice.retired for choice in choices):
        yield _("Wanted at least one option to choose from.")
    if len(set(keys)) < len(keys):
        yield _("Wanted options with different keys.")
    if any(len(key) > LONGEST_KEY or not key.strip() for key in keys):
        yield _("Wanted keys of options with 1 to %(most)s characters.") % {"most": LONGEST_KEY}
    if any(not any(text.strip() for text in choice.texts.values()) for choice in choices):
        yield _("Wanted a text for each option.")
    offered = [tuple(sorted(choice.texts.items())) for choice in choices if not choice.retired]
    if len(set(offered)) < len(offered):
        yield _("Wanted options with different texts.")


def _of_range(question: Question) -> Iterator[str]:
    if question.type in ("integer", "decimal", "date"):
        yield from _of_bounds(question, question.low, question.high)


def _of_bounds(question: Question, low: str, high: str) -> Iterator[str]:
    bounds: list[Any] = []
    for text in (low, high):
        try:
            bounds.append(value_of(question, text) if text else None)
        except ValueError:
            yield _("Wanted bounds of the type of the question, such as 0 or 2026-12-31.")
            return
    if None not in bounds and type(bounds[0]) is type(bounds[1]) and bounds[0] > bounds[1]:
        yield _("Wanted a least value that is not greater than the greatest.")


def _of_group(question: Question) -> Iterator[str]:
    if question.type != "group":
        return
    if not any(inner.is_answered for inner in question.questions if inner.type in TYPES):
        yield _("Wanted at least one question in the group.")
    dates = {inner.key for inner in question.questions if inner.type == "date"}
    if question.starts and question.starts not in dates:
        yield _("Wanted a date question of the group as the start of an episode.")
    if question.ends and question.ends not in dates:
        yield _("Wanted a date question of the group as the end of an episode.")
    if question.starts and question.starts == question.ends:
        yield _("Wanted two different questions as the start and the end of an episode.")
    if question.most is not None and question.most < 1:
        yield _("Wanted at least 1 as the number of episodes.")


def _of_rules(form: Form, question: Question, group: Question | None, position: dict[str, int]) -> Iterator[str]:
    if question.when.join not in ("all", "any"):
        yield _("Branching: wanted that all or any of the rules hold.")
    for rule in question.when.rules:
        sentence = _of_rule(form, question, group, rule, position)
        if sentence:
            yield _("Branching: %(sentence)s.") % {"sentence": sentence}


def _of_rule(form: Form, question: Question, group: Question | None, rule: Rule, position: dict[str, int]) -> str:
    if rule.question not in form.by_key:
        return _("it depends on a question that is not in the form")
    enabling, other = form.by_key[rule.question]
    if not enabling.is_answered:
        return _("it depends on a title or a group, which has no answer")
    if other is not None and (group is None or other.key != group.key):
        return _("it depends on a question of another group, which has an answer in each episode")
    if position[rule.question] >= position[question.key]:
        return _("it depends on a question that comes later")
    if rule.values:
        return _of_values(enabling, rule)
    if rule.low or rule.high:
        if enabling.type not in _RANGED:
            return _("it names a range of a question that is no number and no date")
        return next(
            (sentence[:1].lower() + sentence[1:-1] for sentence in _of_bounds(enabling, rule.low, rule.high)), ""
        )
    return ""


def _of_values(enabling: Question, rule: Rule) -> str:
    if enabling.type == "yes_no" and not set(rule.values) <= {"yes", "no"}:
        return _("wanted yes or no")
    if enabling.type in ("one", "many") and not set(rule.values) <= {choice.key for choice in enabling.choices}:
        return _("it names an option that the question does not have")
    return ""


def _path(form: Form, circle: list[str], key: str) -> str:
    start = circle.index(key)
    texts = [form.question(other).text(form.languages[0]) for other in (*circle[start:], *circle[:start], key)]
    return _(" needs ").join(texts[:6]) + (_(" and so on") if len(texts) > 6 else "")
