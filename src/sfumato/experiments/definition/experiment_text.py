"""An experiment as the text of a file: JSON values written as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sfumato.errors import Bug

__all__ = ["experiment_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def experiment_text(values: Mapping[str, Any]) -> str:
    """The text that `read_experiment` reads back as these values; None is left out.

    >>> print(experiment_text({"title": "Two", "data": {"file": "a.csv"}, "configuration": [{"method": "seqanon"}]}))
    title = "Two"
    <BLANKLINE>
    [data]
    file = "a.csv"
    <BLANKLINE>
    [[configuration]]
    method = "seqanon"
    <BLANKLINE>
    """
    lines = [f"{_key(name)} = {_value(value)}" for name, value in _given(values) if not _is_section(value)]
    for name, value in _given(values):
        if not _is_section(value):
            continue
        for table in [value] if isinstance(value, Mapping) else value:
            heading = f"[{_key(name)}]" if isinstance(value, Mapping) else f"[[{_key(name)}]]"
            lines += ["", heading, *(f"{_key(field)} = {_value(part)}" for field, part in _given(table))]
    return "\n".join(lines) + "\n"


def _given(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in values.items() if value is not None]


def _is_section(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(part, Mapping) for part in value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        parts = [f"{_key(name)} = {_value(part)}" for name, part in _given(value)]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(part) for part in value)}]"
    raise Bug(f"experiment_text: a {type(value).__name__} is not a JSON value")


def _text(text: str) -> str:
    """A text in quotation marks; JSON escapes all that TOML wants escaped, except the character 127."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
