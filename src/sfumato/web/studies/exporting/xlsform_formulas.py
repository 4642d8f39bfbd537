"""Formulas of calculated questions as expressions of XLSForm."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.web.studies.forms.formulas import ENTERED, FormulaRefused, Node, parse
from sfumato.web.studies.forms.tree import Form

__all__ = ["xpath_of"]


def xpath_of(formula: str, form: Form, names: Mapping[str, str]) -> str | None:
    """The expression of a formula; None if it cannot be read or XLSForm has nothing like it."""
    try:
        tree = parse(formula)
    except FormulaRefused:
        return None
    try:
        return _written(tree, form, names)
    except KeyError:
        return None


def _written(node: Node, form: Form, names: Mapping[str, str]) -> str:
    parts = [_written(part, form, names) for part in node.parts]
    if node.op == "number":
        return str(node.value)
    if node.op == "text":
        return f"'{node.value}'"
    if node.op == "name":
        if node.value == ENTERED and node.value not in form.by_key:
            return "today()"
        return f"${{{names[str(node.value)]}}}"
    if node.op in ("chain", "compare"):
        signs = [node.value] if isinstance(node.value, str) else list(node.value)  # type: ignore[arg-type]
        text = parts[0]
        for sign, part in zip(signs, parts[1:], strict=True):
            text = f"{text} {'div' if sign == '/' else sign} {part}"
        return f"({text})"
    if node.op == "not":
        return f"not({parts[0]})"
    if node.op == "minus":
        return f"-({parts[0]})"
    return _call(str(node.value), parts)


def _call(function: str, parts: list[str]) -> str:
    if function == "years":
        first, last = (f"decimal-date-time({part})" for part in parts)
        return f"int(({last} - {first}) div 365.2425)"
    if function == "days":
        return f"int(decimal-date-time({parts[1]}) - decimal-date-time({parts[0]}))"
    if function == "answered":
        return f"{parts[0]} != ''"
    if function == "has":
        return f"selected({parts[0]}, {parts[1]})"
    if function == "mean":
        return f"(sum({parts[0]}) div count({parts[0]}))"
    if function == "round":
        return f"round({parts[0]}, {parts[1] if len(parts) > 1 else 0})"
    return f"{function}({', '.join(parts)})"
