"""The language of calculated questions: parsed into a tree, with the kind of value that a formula gives.

    years({born}, {admitted})            round(weight / (height * height), 1)
    if(temperature > 38, "fever", "no")  sum(dose) / count(treatments)

A name is the key of a question, in braces or without; numbers, texts in quotation marks, + - * / ( ) = != < <= > >= and
or not, and the functions of FUNCTIONS.  There is no "today": the same answers give the same result on every day.
`entered` is the day on which the entry was created.

Inside a group a name stands for the answer of the same episode.  sum, mean, count, min and max with a single argument
read a question of a group in all its episodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError

__all__ = ["ENTERED", "FUNCTIONS", "LONGEST", "OVER_EPISODES", "FormulaRefused", "Node", "names", "parse", "renamed"]

# function: least and most arguments
FUNCTIONS = {
    "abs": (1, 1),
    "answered": (1, 1),
    "count": (1, 1),
    "days": (2, 2),
    "has": (2, 2),
    "if": (3, 3),
    "max": (1, 20),
    "mean": (1, 1),
    "min": (1, 20),
    "round": (1, 2),
    "sum": (1, 1),
    "years": (2, 2),
}
OVER_EPISODES = frozenset({"count", "max", "mean", "min", "sum"})  # with one argument
ENTERED = "entered"
LONGEST = 1000
_DEEPEST = 30
_WORDS = frozenset({"and", "or", "not"})
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d{1,20}(?:\.\d{1,10})?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |\{(?P<key>[^{}]{1,40})\}
    |(?P<text>"[^"]*"|'[^']*')
    |(?P<sign><=|>=|!=|[-+*/()=<>,]))""",
    re.VERBOSE | re.ASCII,
)


class FormulaRefused(ParameterError):
    """A formula that cannot be read; the sentence is shown beside it."""


@dataclass(frozen=True)
class Node:
    """A part of a formula.

    op : number, text, name, call, chain (several parts with a sign between each two), compare, not, minus.  value : the
    number, the text, the key, the name of the function, or the signs.
    """

    op: str
    value: Decimal | str | tuple[str, ...]
    parts: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """This part and all parts of it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.parts


@lru_cache(maxsize=4096)
def parse(formula: str) -> Node:
    """The tree of a formula; `FormulaRefused` with a sentence if it cannot be read."""
    if len(formula) > LONGEST:
        raise FormulaRefused(
            _("wanted a formula of at most %(longest)s characters, found %(count)s")
            % {"longest": LONGEST, "count": len(formula)}
        )
    reader = _Reader(list(_tokens(formula)))
    node = reader.either()
    if reader.position < len(reader.tokens):
        raise FormulaRefused(
            _("wanted an operator such as + or the end of the formula, found %(shown)s") % {"shown": reader.shown()}
        )
    return node


def names(formula: str) -> set[str]:
    """The keys of the questions that a formula reads; empty if it cannot be read."""
    try:
        tree = parse(formula)
    except FormulaRefused:
        return set()
    return {str(node.value) for node in tree.walk() if node.op == "name"} - {ENTERED}


def renamed(formula: str, keys: dict[str, str]) -> str:
    """The formula with other keys of questions; as it is where it cannot be read."""
    try:
        parse(formula)
    except FormulaRefused:
        return formula
    parts, end = list[str](), 0
    for token in _TOKEN.finditer(formula):
        key = (token["key"] or token["name"] or "").strip()
        is_call = token["name"] and formula[token.end() :].lstrip().startswith("(")
        if key in keys and not is_call and key not in _WORDS:
            braces = "{" + keys[key] + "}"
            parts += [formula[end : token.start()], token[0][: len(token[0]) - len(token[0].lstrip())], braces]
            end = token.end()
    return "".join((*parts, formula[end:]))


def _tokens(formula: str) -> Iterator[tuple[str, str]]:
    position, end = 0, len(formula.rstrip())
    while position < end:
        token = _TOKEN.match(formula, position)
        if token is None or token.lastgroup is None:
            raise FormulaRefused(
                _("wanted a number, a question, a text in quotation marks or a sign at character %(position)s")
                % {"position": position + 1}
            )
        position = token.end()
        yield token.lastgroup, token[token.lastgroup]


class _Reader:
    """Reads tokens by recursive descent; chains of one operator are one part, so that only brackets nest."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.position, self.depth = tokens, 0, 0

    def shown(self) -> str:
        """The token that is next, for a sentence."""
        return f"“{self.tokens[self.position][1]}”" if self.position < len(self.tokens) else _("the end")

    def takes(self, *texts: str, kinds: tuple[str, ...] = ("sign",)) -> str:
        """The next token if it is one of these, which is then read; otherwise nothing."""
        if self.position < len(self.tokens):
            kind, text = self.tokens[self.position]
            if kind in kinds and text in texts:
                self.position += 1
                return text
        return ""

    def chain(self, part: Callable[[], Node], *signs: str, kinds: tuple[str, ...] = ("sign",)) -> Node:
        """Parts with signs of one rank between them."""
        parts, between = [part()], []
        while sign := self.takes(*signs, kinds=kinds):
            between.append(sign)
            parts.append(part())
        return parts[0] if not between else Node("chain", tuple(between), tuple(parts))

    def either(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise FormulaRefused(_("wanted at most %(deepest)s brackets inside each other") % {"deepest": _DEEPEST})
        node = self.chain(self.both, "or", kinds=("name",))
        self.depth -= 1
        return node

    def both(self) -> Node:
        return self.chain(self.negated, "and", kinds=("name",))

    def negated(self) -> Node:
        if self.takes("not", kinds=("name",)):
            return Node("not", "", (self.compared(),))
        return self.compared()

    def compared(self) -> Node:
        left = self.terms()
        sign = self.takes("=", "!=", "<", "<=", ">", ">=")
        return Node("compare", sign, (left, self.terms())) if sign else left

    def terms(self) -> Node:
        return self.chain(self.factors, "+", "-")

    def factors(self) -> Node:
        return self.chain(self.signed, "*", "/")

    def signed(self) -> Node:
        if self.takes("-"):
            return Node("minus", "", (self.atom(),))
        return self.atom()

    def atom(self) -> Node:
        if self.takes("("):
            node = self.either()
            self.require(")")
            return node
        kind, text = self.tokens[self.position] if self.position < len(self.tokens) else ("", "")
        if kind not in ("number", "text", "key", "name") or (kind == "name" and text in _WORDS):
            raise FormulaRefused(
                _("wanted a number, a question or a function, found %(shown)s") % {"shown": self.shown()}
            )
        self.position += 1
        if kind == "number":
            return Node("number", Decimal(text))
        if kind == "text":
            return Node("text", text[1:-1])
        if kind == "name" and self.takes("("):
            return self.call(text)
        return Node("name", text.strip())

    def call(self, function: str) -> Node:
        if function not in FUNCTIONS:
            raise FormulaRefused(
                _("wanted one of the functions %(functions)s, found “%(function)s”")
                % {"functions": ", ".join(sorted(FUNCTIONS)), "function": function}
            )
        arguments = [self.either()]
        while self.takes(","):
            arguments.append(self.either())
        self.require(")")
        least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else _("%(low)s to %(high)s") % {"low": least, "high": most}
            raise FormulaRefused(
                _("%(function)s: wanted %(wanted)s arguments, found %(count)s")
                % {"function": function, "wanted": wanted, "count": len(arguments)}
            )
        return Node("call", function, tuple(arguments))

    def require(self, sign: str) -> None:
        if not self.takes(sign):
            raise FormulaRefused(_("wanted “%(sign)s”, found %(shown)s") % {"sign": sign, "shown": self.shown()})
