"""The kind of value that a formula gives, and what is wrong with one that cannot give any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.studies.forms.formulas import ENTERED, OVER_EPISODES, FormulaRefused, Node, parse

if TYPE_CHECKING:
    from sfumato.web.studies.forms.tree import Form, Question

__all__ = ["formula_problem", "kind_of", "kind_of_formula", "kinds_of"]

_KINDS = {
    "string": "text",
    "integer": "number",
    "decimal": "number",
    "date": "date",
    "yes_no": "yes_no",
    "one": "text",
    "many": "options",
    "list": "text",
}
_SHOWN = {
    "number": gettext_noop("a number"),
    "date": gettext_noop("a date"),
    "text": gettext_noop("a text"),
    "yes_no": gettext_noop("yes or no"),
    "options": gettext_noop("several options"),
}


def formula_problem(form: Form, key: str, formula: str) -> str:
    """A sentence about what is wrong with a formula of a question; empty if it can be used.

    key : of the calculated question, whose group decides what the formula can read.
    """
    try:
        kind_of_formula(form, key, formula)
    except FormulaRefused as refusal:
        return str(refusal)
    return ""


def kind_of(form: Form, key: str) -> str:
    """The kind of an answer: number, date, text, yes_no, options (several); "" if it has none."""
    return form.kinds.get(key, "")


def kinds_of(form: Form) -> dict[str, str]:
    """The kind of the answers to each question, as `kind_of` gives it; "" for a formula that cannot be used."""
    kinds = {question.key: _KINDS.get(question.type, "") for question, _group in form.walk()}
    for key in form.order:  # a formula after those that it reads
        if form.question(key).type == "calculated":
            try:
                kinds[key] = _kind(form, key, form.question(key).formula, kinds)
            except FormulaRefused:
                kinds[key] = ""
    return kinds


def kind_of_formula(form: Form, key: str, formula: str) -> str:
    """The kind of value that a formula gives; `FormulaRefused` with a sentence if it gives none."""
    return _kind(form, key, formula, form.kinds)


def _kind(form: Form, key: str, formula: str, kinds: dict[str, str]) -> str:
    tree = parse(formula)
    if key in {node.value for node in tree.walk() if node.op == "name"}:
        raise FormulaRefused(_("wanted a formula that reads other questions, found the question itself"))
    group = form.group_of(key) if key in form.by_key else None
    kind = _Kinds(form, group.key if group else "", kinds).of(tree)
    if kind == "options":
        raise FormulaRefused(_("wanted a formula that gives one value, found a question with several options"))
    return kind


class _Kinds:
    """Kinds of the parts of a formula that reads a group (or "") and questions outside of groups."""

    def __init__(self, form: Form, group: str, kinds: dict[str, str]) -> None:
        self.form, self.group, self.kinds = form, group, kinds

    def of(self, node: Node) -> str:
        if node.op == "chain":
            kind = "yes_no" if node.value[0] in ("and", "or") else "number"  # type: ignore[index]
            for part in node.parts:
                self.require(part, kind)
            return kind
        if node.op == "compare":
            return self.compared(node)
        if node.op in ("not", "minus"):
            kind = "yes_no" if node.op == "not" else "number"
            self.require(node.parts[0], kind)
            return kind
        if node.op == "name":
            return self.named(str(node.value))
        return self.called(str(node.value), node.parts) if node.op == "call" else node.op

    def require(self, node: Node, *kinds: str) -> str:
        kind = self.of(node)
        if kind not in kinds:
            raise FormulaRefused(
                _("wanted %(kinds)s, found %(kind)s")
                % {"kinds": _(" or ").join(_(_SHOWN[name]) for name in kinds), "kind": _(_SHOWN[kind])}
            )
        return kind

    def same(self, parts: tuple[Node, ...], *kinds: str) -> str:
        """The kind that all parts have."""
        kind = self.require(parts[0], *kinds)
        for part in parts[1:]:
            self.require(part, kind)
        return kind

    def compared(self, node: Node) -> str:
        kinds = ("number", "date") if node.value not in ("=", "!=") else ("number", "date", "text", "yes_no")
        self.same(node.parts, *kinds)
        return "yes_no"

    def named(self, key: str) -> str:
        if key == ENTERED and key not in self.form.by_key:
            return "date"
        question, group = self.question(key)
        if group is not None and group.key != self.group:
            raise FormulaRefused(
                _("“%(key)s” has an answer in each episode: wanted sum, mean, count, min or max of it") % {"key": key}
            )
        return self.kind(question)

    def question(self, key: str) -> tuple[Question, Question | None]:
        if key not in self.form.by_key:
            raise FormulaRefused(_("wanted a question of the form, found “%(key)s”") % {"key": key})
        return self.form.by_key[key]

    def kind(self, question: Question) -> str:
        if not question.is_answered:
            raise FormulaRefused(_("wanted a question with an answer, found “%(key)s”") % {"key": question.key})
        if not self.kinds[question.key]:
            raise FormulaRefused(
                _("wanted a question whose own formula can be used, found “%(key)s”") % {"key": question.key}
            )
        return self.kinds[question.key]

    def called(self, function: str, parts: tuple[Node, ...]) -> str:
        if function in OVER_EPISODES and len(parts) == 1:
            return self.over_episodes(function, parts[0])
        if function == "if":
            self.require(parts[0], "yes_no")
            return self.same(parts[1:], "number", "date", "text", "yes_no")
        if function in ("min", "max"):
            return self.same(parts, "number", "date")
        if function in ("years", "days"):
            self.same(parts, "date")
            return "number"
        if function == "has":
            self.require(parts[0], "options")
            self.require(parts[1], "text")
            return "yes_no"
        if function == "answered":
            self.of(parts[0])
            return "yes_no"
        self.same(parts, "number")  # abs, round
        return "number"

    def over_episodes(self, function: str, part: Node) -> str:
        if function == "count":
            if part.op != "name":
                raise FormulaRefused(_("count: wanted a group or a question"))
            question, group = self.question(str(part.value))
            if question.type not in ("group", "many") and group is None:
                raise FormulaRefused(
                    _("count: wanted a group, a question of a group or one with several options, found “%(value)s”")
                    % {"value": part.value}
                )
            return "number"
        read = {str(node.value) for node in part.walk() if node.op == "name"}
        groups = {group.key for key in read if key in self.form.by_key and (group := self.form.by_key[key][1])}
        if len(groups) != 1:
            raise FormulaRefused(
                _("%(function)s: wanted questions of one group, found those of %(count)s")
                % {"function": function, "count": len(groups)}
            )
        inside = _Kinds(self.form, groups.pop(), self.kinds)
        return inside.require(part, *(("number", "date") if function in ("min", "max") else ("number",)))
