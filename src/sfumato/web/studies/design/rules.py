"""Branching rules on a page: which questions may enable another, the rules in words, and the rules of a posted form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.forms.branching import cycle
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule, When
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = [
    "MOST_OFFERED",
    "RuleRefused",
    "RuleRow",
    "candidates",
    "require_order",
    "rule_rows",
    "values_in_words",
    "when_of",
]

Choices = Mapping[str, Sequence[Choice]]
MOST_OFFERED = 300
_MOST_RULES = 50
_NUMBERS = ("integer", "decimal", "date", "calculated")


class RuleRefused(AnswerRefused):
    """Rules that the form does not take; the sentence is shown beside them."""


@dataclass
class RuleRow:
    """A rule as a page edits it: its enabling question, the questions that may take its place, its values."""

    number: int
    rule: Rule
    offered: list[tuple[str, str]]
    kind: str
    options: list[tuple[str, str, bool]]


def candidates(form: Form, key: str, language: str, *, also: str = "") -> list[tuple[str, str]]:
    """The questions that may enable another, with number and text: earlier ones, outside of groups or of its own.

    Of a long form the nearest ones, and `also`.
    """
    group = form.group_of(key)
    offered = []
    for number, (question, other) in enumerate(form.walk(), 1):
        if question.key == key:
            break
        if question.is_answered and (other is None or (group is not None and other.key == group.key)):
            offered.append((question.key, f"{number}. {question.text(language)}"))
    far, near = offered[:-MOST_OFFERED], offered[-MOST_OFFERED:]
    return [pair for pair in far if pair[0] == also] + near


def rule_rows(form: Form, question: Question, choices: Choices, language: str) -> list[RuleRow]:
    """The rules of a question as a page edits them."""
    rows = []
    for number, rule in enumerate(question.when.rules):
        enabling = form.by_key[rule.question][0] if rule.question in form.by_key else None
        kind, options = "", []
        if enabling is not None:
            kind = "range" if enabling.type in _NUMBERS else "options" if _options(enabling, choices) else ""
            options = [
                (choice.key, choice.text(language), choice.key in rule.values)
                for choice in _options(enabling, choices)
                if not choice.retired or choice.key in rule.values
            ]
        offered = candidates(form, question.key, language, also=rule.question)
        if rule.question not in dict(offered):
            offered.insert(0, (rule.question, enabling.text(language) if enabling else _("a removed question")))
        rows.append(RuleRow(number, rule, offered, kind, options))
    return rows


def values_in_words(form: Form, rule: Rule, choices: Choices, language: str) -> str:
    """The answers that enable, in words."""
    if rule.values and rule.question in form.by_key:
        texts = {choice.key: choice.text(language) for choice in _options(form.question(rule.question), choices)}
        return _(" or ").join(str(texts.get(value, value)) for value in rule.values)
    if rule.low and rule.high:
        return _("%(low)s to %(high)s") % {"low": rule.low, "high": rule.high}
    if rule.low:
        return _("at least %(low)s") % {"low": rule.low}
    return _("at most %(high)s") % {"high": rule.high} if rule.high else _("any answer")


def when_of(form: Form, question: Question, post: Any, choices: Choices) -> When:
    """The rules that a page posted for a question.

    post : rule-N-question, rule-N-was (the enabling question that the page showed), rule-N-values, rule-N-low and
    rule-N-high, rule-new (a question, or rule-new-number its number in the form), join.
    """
    rules = []
    for number in range(_MOST_RULES):
        key = post.get(f"rule-{number}-question", "")
        if key not in form.by_key:  # a rule that reads a removed question stays until somebody removes it
            rules += [rule for rule in question.when.rules[number : number + 1] if rule.question == key]
        elif key != post.get(f"rule-{number}-was", key):
            rules.append(Rule(key))
        else:
            name = f"rule-{number}-"
            values = post.getlist(name + "values")
            rules.append(
                _rule(form.question(key), values, post.get(name + "low", ""), post.get(name + "high", ""), choices)
            )
    if (added := _added(form, post)) is not None:
        rules.append(Rule(added))
    for rule in rules:
        if rule.question in form.by_key:
            _require_reachable(form, question, rule)
    return When(tuple(rules), "any" if post.get("join") == "any" else "all")


def require_order(form: Form, key: str, language: str) -> None:
    """Refuse rules of a question by which questions wait for each other, or that read a later question.

    The sentence names the questions.
    """

    def name(other: str) -> str:
        return f"“{form.question(other).text(language)}”"

    if keys := cycle(form):
        names = " → ".join(map(name, (*keys, keys[0])))
        raise RuleRefused(_("These questions would wait for each other: %(names)s.") % {"names": names})
    places = {question.key: place for place, (question, _group) in enumerate(form.walk())}
    for rule in form.question(key).when.rules:
        if places.get(rule.question, -1) > places[key]:
            facts = {"enabling": name(rule.question), "question": name(key)}
            raise RuleRefused(_("%(enabling)s comes after %(question)s, so it cannot enable it.") % facts)


def _added(form: Form, post: Any) -> str | None:
    number = post.get("rule-new-number", "").strip()
    if number:
        keys = [question.key for question, _group in form.walk()]
        if not number.isdecimal() or len(number) > 9 or not 1 <= int(number) <= len(keys):
            raise RuleRefused(_("There is no question with this number."))
        return keys[int(number) - 1]
    key = post.get("rule-new", "")
    return key if key in form.by_key else None


def _require_reachable(form: Form, question: Question, rule: Rule) -> None:
    enabling, other = form.by_key[rule.question]
    group = form.group_of(question.key)
    if rule.question == question.key:
        raise RuleRefused(_("A question cannot enable itself."))
    if not enabling.is_answered:
        raise RuleRefused(_("A title or a group has no answer that could enable a question."))
    if other is not None and (group is None or other.key != group.key):
        raise RuleRefused(_("A question of a recurring group can enable only questions of the same group."))


def _options(question: Question, choices: Choices) -> Sequence[Choice]:
    if question.type == "yes_no":
        return Choice("yes", {"": _("yes")}), Choice("no", {"": _("no")})
    return choices.get(question.key, ())


def _rule(enabling: Question, values: Sequence[str], low: str, high: str, choices: Choices) -> Rule:
    if enabling.type in _NUMBERS:
        low, high = _bound(enabling, low), _bound(enabling, high)
        return Rule(enabling.key, (), low, high)
    known = {choice.key for choice in _options(enabling, choices)}
    return Rule(enabling.key, tuple(dict.fromkeys(value for value in values if value in known)))


def _bound(enabling: Question, typed: str) -> str:
    kind = "decimal" if enabling.type == "calculated" else enabling.type
    stored = canonical(Question(enabling.key, kind), typed)
    return stored if isinstance(stored, str) else ""
