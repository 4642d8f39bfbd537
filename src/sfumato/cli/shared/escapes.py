"""Escaping texts from files for a terminal: control characters become escapes."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["escaped", "escaped_json", "escaped_line"]

# C0 except tab and line feed, DEL, C1, marks without width, line and paragraph separators, bidirectional controls and
# lone surrogates
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def escaped(text: str) -> str:
    """A text without control characters; line ends and tabs stay.

    >>> print(escaped("\x1b[2Jdone"))
    \\x1b[2Jdone
    """
    return _STEERING.sub(lambda match: ascii(match[0])[1:-1], text)


def escaped_line(text: str) -> str:
    """The escaped text on one line."""
    return escaped(text).replace("\n", "\\n").replace("\t", "\\t")


def escaped_json(value: Any) -> str:
    """JSON for people and machines: readable letters, everything else as JSON escapes."""
    return _STEERING.sub(_json_escape, json.dumps(value, indent=2, ensure_ascii=False))


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
