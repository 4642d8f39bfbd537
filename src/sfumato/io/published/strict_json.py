"""A strict JSON parser for untrusted files: every field once, finite numbers, and a limited depth."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from sfumato.errors import FileError
from sfumato.io.files import text_of

__all__ = ["LEVELS", "parse_json"]

LEVELS = 64  # of objects and lists inside each other
_LARGEST = 2**63  # limit of whole numbers; no count, seed or parameter reaches it
_BRACKETS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class _Refused(ValueError):
    """The file is JSON, but not in the strict form."""


def parse_json(raw: bytes, path: str | Path) -> Any:
    """The value of the JSON in a file; refuses everything but strict JSON.

    >>> parse_json(b'{"k": 2}', "certificate.json")
    {'k': 2}
    >>> parse_json(b'{"k": 2, "k": 3}', "certificate.json")
    Traceback (most recent call last):
    sfumato.errors.FileError: certificate.json: wanted every field once, found 'k' twice
    """
    text = text_of(raw, path)
    if _levels(text) > LEVELS:
        raise FileError(path, f"wanted at most {LEVELS} lists and objects inside each other, found more")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_fields,
            parse_int=_parse_whole,
            parse_float=_parse_decimal,
            parse_constant=_refuse_constant,
        )
    except _Refused as error:
        raise FileError(path, str(error)) from None
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted JSON, found something else", line=error.lineno) from None
    if "\\u" in text and not _encodable(value):
        raise FileError(path, "wanted valid Unicode in every text, found half of a surrogate pair")
    return value


def shown(name: str) -> str:
    """A name from the file inside a sentence: quoted, with control characters escaped, and not too long."""
    return ascii(name if len(name) <= 40 else f"{name[:40]}...") if not name.isprintable() else repr(name[:60])


def _levels(text: str) -> int:
    """The depth of the deepest list or object, found without recursion."""
    depth = deepest = 0
    in_text = False
    for match in _BRACKETS.finditer(text):
        mark = match[0]
        if mark == '"':
            in_text = not in_text
        elif not in_text and mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif not in_text and mark in "]}":
            depth -= 1
    return deepest


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        repeated = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"wanted every field once, found {shown(repeated)} twice")
    return fields


def _parse_whole(digits: str) -> int:
    if len(digits) > 20 or not -_LARGEST <= int(digits) < _LARGEST:
        raise _Refused("wanted whole numbers of at most 64 bits, found a larger one")
    return int(digits)


def _parse_decimal(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Refused("wanted finite numbers, found a number that is too large")
    return value


def _refuse_constant(name: str) -> float:
    raise _Refused(f"wanted finite numbers, found {name}")


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
