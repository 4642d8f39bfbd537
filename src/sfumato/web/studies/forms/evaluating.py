"""The value of a formula, given the answers that it reads.

A missing answer, a division by zero and a number beyond 10^60 give no value.  "and" and "or" give a value where one
side decides.  Numbers are decimal, with 28 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Protocol

from sfumato.web.studies.forms.formulas import OVER_EPISODES, Node

__all__ = ["Quantity", "Scope", "evaluate", "text_of", "years_between"]

Quantity = Decimal | date | bool | str | frozenset[str]
_EXACT = Context(prec=28, Emin=-60, Emax=60, traps=[])
_WIDE = Context(prec=160)
_DECIMALS = 10
_SMALLEST = Decimal(1).scaleb(-_DECIMALS)


class Scope(Protocol):
    """Where a formula reads answers: outside of groups, or in an episode.

    over_episodes : values over all episodes that are known already, by the part of the formula; they are the same in
    every place.
    """

    over_episodes: dict[int, Quantity | None]

    def value(self, key: str) -> Quantity | None:
        """The answer to a question; None if it is missing or not asked."""

    def over(self, argument: Node) -> Sequence[Scope] | None:
        """The episodes of the group whose questions an argument reads; None if it reads none."""

    def count(self, key: str) -> int | None:
        """How many episodes a group has, or in how many a question is answered, or how many options are chosen."""


def evaluate(node: Node, scope: Scope) -> Quantity | None:
    """The value of a formula; None if it has none."""
    return _BY_OP[node.op](node, scope)


def text_of(value: Quantity | None) -> str | None:
    """The text in which a calculated answer is kept: 10 decimals at most, an ISO date, yes or no."""
    if value is None or isinstance(value, frozenset):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        short = value if value.as_tuple().exponent >= -_DECIMALS else _WIDE.quantize(value, _SMALLEST)  # type: ignore[operator]
        text = format(short, "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text
    return value.isoformat() if isinstance(value, date) else value


def years_between(start: date, end: date) -> int:
    """Full years from one day to another, as an age is counted; negative if the second is earlier."""
    if end < start:
        return -years_between(end, start)
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def _name(node: Node, scope: Scope) -> Quantity | None:
    return scope.value(str(node.value))


def _chain(node: Node, scope: Scope) -> Quantity | None:
    if node.value[0] in ("and", "or"):  # type: ignore[index]
        return _logic([evaluate(part, scope) for part in node.parts], decides=node.value[0] == "or")  # type: ignore[index]
    numbers = [_number(evaluate(part, scope)) for part in node.parts]
    total = numbers[0]
    for sign, number in zip(node.value, numbers[1:], strict=True):  # type: ignore[arg-type]
        total = None if total is None or number is None else _ARITHMETIC[sign](total, number)
    return _finite(total)


def _logic(values: list[Quantity | None], *, decides: bool) -> bool | None:
    if decides in values:
        return decides
    return None if None in values else not decides


def _compare(node: Node, scope: Scope) -> bool | None:
    left, right = (evaluate(part, scope) for part in node.parts)
    if left is None or right is None or type(left) is not type(right):
        return None
    return _COMPARED[str(node.value)](left, right)


def _not(node: Node, scope: Scope) -> bool | None:
    value = evaluate(node.parts[0], scope)
    return not value if isinstance(value, bool) else None


def _minus(node: Node, scope: Scope) -> Decimal | None:
    number = _number(evaluate(node.parts[0], scope))
    return None if number is None else _EXACT.minus(number)


def _call(node: Node, scope: Scope) -> Quantity | None:
    function, arguments = str(node.value), node.parts
    if function in OVER_EPISODES and len(arguments) == 1:
        if id(node) not in scope.over_episodes:
            scope.over_episodes[id(node)] = _over_episodes(function, arguments[0], scope)
        return scope.over_episodes[id(node)]
    if function == "if":
        chosen = evaluate(arguments[0], scope)
        return evaluate(arguments[1 if chosen else 2], scope) if isinstance(chosen, bool) else None
    values = [evaluate(argument, scope) for argument in arguments]
    if function == "answered":
        return values[0] is not None
    if function == "has":
        return None if values[0] is None else isinstance(values[0], frozenset) and values[1] in values[0]
    if None in values:
        return None
    return _FUNCTIONS[function](*values)


def _over_episodes(function: str, argument: Node, scope: Scope) -> Quantity | None:
    if function == "count":
        count = scope.count(str(argument.value))
        return None if count is None else Decimal(count)
    episodes = scope.over(argument)
    values = [value for place in episodes or () if (value := evaluate(argument, place)) is not None]
    if episodes is None or not values:
        return None
    if function in ("min", "max"):
        return _FUNCTIONS[function](*values)
    total: Decimal | None = Decimal(0)
    for value in values:
        number = _number(value)
        total = None if total is None or number is None else _EXACT.add(total, number)
    return _finite(_EXACT.divide(total, Decimal(len(values))) if total is not None and function == "mean" else total)


def _number(value: Quantity | None) -> Decimal | None:
    return value if isinstance(value, Decimal) else None


def _finite(number: Decimal | None) -> Decimal | None:
    return number if number is not None and number.is_finite() else None


def _extreme(chosen: Callable[..., Quantity]) -> Callable[..., Quantity | None]:
    def extreme(*values: Quantity) -> Quantity | None:
        comparable = isinstance(values[0], Decimal | date) and len({type(value) for value in values}) == 1
        return chosen(values) if comparable else None

    return extreme


def _round(value: Quantity, digits: Quantity = Decimal(0)) -> Decimal | None:
    if not isinstance(value, Decimal) or not isinstance(digits, Decimal) or not 0 <= digits <= _DECIMALS:
        return None
    return value.quantize(Decimal(1).scaleb(-int(digits)), rounding=ROUND_HALF_UP, context=_WIDE)


def _between(count: Callable[[date, date], int]) -> Callable[..., Decimal | None]:
    def between(start: Quantity, end: Quantity) -> Decimal | None:
        return Decimal(count(start, end)) if isinstance(start, date) and isinstance(end, date) else None

    return between


_ARITHMETIC: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": _EXACT.add,
    "-": _EXACT.subtract,
    "*": _EXACT.multiply,
    "/": _EXACT.divide,
}
_COMPARED: dict[str, Callable[..., bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
_FUNCTIONS: dict[str, Callable[..., Quantity | None]] = {
    "abs": lambda value: _EXACT.abs(value) if isinstance(value, Decimal) else None,
    "days": _between(lambda start, end: (end - start).days),
    "max": _extreme(max),
    "min": _extreme(min),
    "round": _round,
    "years": _between(years_between),
}
_BY_OP: dict[str, Callable[[Node, Scope], Quantity | None]] = {
    "number": lambda node, _scope: node.value,  # type: ignore[dict-item,return-value]
    "text": lambda node, _scope: str(node.value),
    "name": _name,
    "chain": _chain,
    "compare": _compare,
    "not": _not,
    "minus": _minus,
    "call": _call,
}
