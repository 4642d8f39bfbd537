"""Expressions of XLSForm that say the same as our branching, ranges and formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.formulas import FormulaRefused, parse
from sfumato.web.studies.forms.tree import Rule, When

__all__ = ["ExpressionRefused", "bounds_of", "formula_of", "when_of"]

_LONGEST = 5000
_NAME = r"\$\{\s*([\w.-]+)\s*\}"
_VALUE = r"(?:'([^']*)'|\"([^\"]*)\"|(-?\d+(?:\.\d+)?)|date\(\s*['\"](\d{4}-\d\d-\d\d)['\"]\s*\))"
_SELECTED = re.compile(rf"selected\(\s*{_NAME}\s*,\s*(?:'([^']*)'|\"([^\"]*)\")\s*\)")
_COMPARED = re.compile(rf"(?:{_NAME}|(\.))\s*(<=|>=|!=|=|<|>)\s*{_VALUE}")


class ExpressionRefused(ParameterError):
    """An expression that our forms cannot say."""


def when_of(expression: str) -> When:
    """The branching of a `relevant` expression.

    >>> when_of("(${a} = 'x' or ${a} = 'y') and (${age} >= 18)").rules[0].values
    ('x', 'y')
    """
    join, parts = _split(_bare(expression[:_LONGEST]))
    rules: list[Rule] = []
    for part in parts:
        inner_join, inner = _split(_bare(part))
        group = [_rule(_bare(atom)) for atom in inner]
        rule = _merged(group, inner_join if len(inner) > 1 else "and")
        rules.append(rule)
    if len(rules) > 1 and (whole := _one_rule(rules, join)):
        return When((whole,))
    return When(tuple(rules), "any" if join == "or" and len(rules) > 1 else "all")


def bounds_of(expression: str, kind: str) -> tuple[str, str]:
    """The least and greatest value of a `constraint` expression on the answer itself."""
    join, parts = _split(_bare(expression[:_LONGEST]))
    if join == "or":
        raise ExpressionRefused(_("wanted a range"))
    low = high = ""
    for part in parts:
        name, sign, value = _compared(_bare(part))
        if name != "." or sign not in ("<=", ">=", "<", ">"):
            raise ExpressionRefused(_("wanted a range"))
        bound = _inclusive(sign, value, kind)
        if sign.startswith(">"):
            low = bound
        else:
            high = bound
    return low, high


def formula_of(expression: str, keys: Mapping[str, str] | None = None) -> str:
    """A calculation as a formula, where it is written alike; empty otherwise.  keys : of questions by their names."""
    text = re.sub(_NAME, lambda name: f"{{{(keys or {}).get(name[1], name[1])}}}", expression[:_LONGEST])
    text = re.sub(r"\bdiv\b", "/", text)
    try:
        parse(text)
    except FormulaRefused:
        return ""
    return text


def _split(text: str) -> tuple[str, list[str]]:
    """The parts of an expression between the words `and` or `or` outside of brackets and quotation marks."""
    parts, words, depth, quote, start, place = [], set(), 0, "", 0, 0
    while place < len(text):
        letter = text[place]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "(){}":
            depth += 1 if letter in "({" else -1
        elif depth == 0 and (word := re.match(r"\s(and|or)\s", text[place:])):
            words.add(word[1])
            parts.append(text[start:place])
            place += len(word[0]) - 1
            start = place
        place += 1
    parts.append(text[start:])
    if len(words) > 1:
        raise ExpressionRefused(_("it mixes 'and' with 'or' without brackets"))
    return (words.pop() if words else "and"), [part.strip() for part in parts]


def _bare(text: str) -> str:
    """Without brackets around the whole."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for place, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and place < len(text) - 1:
                return text
        text = text[1:-1].strip()
    return text


def _rule(text: str) -> Rule:
    if chosen := _SELECTED.fullmatch(text):
        return Rule(chosen[1], (chosen[2] or chosen[3] or "",))
    name, sign, value = _compared(text)
    if name == ".":
        raise ExpressionRefused(_("wanted a question"))
    if sign == "=" and value:
        return Rule(name, (value,))
    if sign == "!=" and value == "":
        return Rule(name)
    if sign in ("<=", ">=", "<", ">"):
        bound = _inclusive(sign, value, "integer" if re.fullmatch(r"-?\d+", value) else "")
        return Rule(name, low=bound) if sign.startswith(">") else Rule(name, high=bound)
    raise ExpressionRefused(_("it says more than that an answer is one of some values or in a range"))


def _compared(text: str) -> tuple[str, str, str]:
    parts = _COMPARED.fullmatch(text)
    if parts is None:
        raise ExpressionRefused(_("it says more than that an answer is one of some values or in a range"))
    name, itself, sign, *values = parts.groups()
    return name or itself, sign, next((value for value in values if value is not None), "")


def _inclusive(sign: str, value: str, kind: str) -> str:
    """A bound that is part of the range; a strict one only of whole numbers."""
    if sign in ("<=", ">="):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal("NaN")
    if kind != "integer" or not number.is_finite() or number != number.to_integral_value():
        raise ExpressionRefused(_("it leaves out the bound of a range"))
    return str(int(number) + (1 if sign == ">" else -1))


def _merged(rules: list[Rule], join: str) -> Rule:
    """The rule that several on the same question make."""
    if len(rules) == 1:
        return rules[0]
    merged = _one_rule(rules, join)
    if merged is None:
        raise ExpressionRefused(_("it has brackets inside brackets"))
    return merged


def _one_rule(rules: list[Rule], join: str) -> Rule | None:
    """One of several values of a question, or its lower and upper bound, as one rule."""
    if len({rule.question for rule in rules}) > 1:
        return None
    if join == "or" and all(rule.values for rule in rules):
        return Rule(rules[0].question, tuple(value for rule in rules for value in rule.values))
    lows, highs = [rule.low for rule in rules if rule.low], [rule.high for rule in rules if rule.high]
    if join == "and" and len(rules) == 2 and len(lows) == 1 and len(highs) == 1:
        return Rule(rules[0].question, low=lows[0], high=highs[0])
    return None
