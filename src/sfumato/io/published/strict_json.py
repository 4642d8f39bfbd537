"""JSON that somebody else wrote: every field once, numbers that are numbers, and no more levels than anybody needs."""

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
_LARGEST = 2**63  # a whole number that no count, seed or parameter reaches
_BRACKETS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class _Refused(ValueError):
    """What JSON allows and these files do not."""


def parse_json(raw: bytes, path: str | Path) -> Any:
    """The value that the bytes of a file spell; whatever is no plain JSON is refused with one sentence.

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
            text, object_pairs_hook=_fields, parse_int=_whole, parse_float=_broken, parse_constant=_constant
        )
    except _Refused as error:
        raise FileError(path, str(error)) from None
    except json.JSONDecodeError as error:
        raise FileError(path, "wanted JSON, found something else", line=error.lineno) from None
    if "\\u" in text and not _encodable(value):
        raise FileError(path, "wanted characters in every text, found half of a surrogate pair")
    return value


def shown(name: str) -> str:
    """A name from the file inside a sentence: quoted, with control characters escaped, and not too long."""
    return ascii(name if len(name) <= 40 else f"{name[:40]}...") if not name.isprintable() else repr(name[:60])


def _levels(text: str) -> int:
    """The depth of the deepest list or object, found without recursion."""
    depth = deepest = 0
    inside = False
    for found in _BRACKETS.finditer(text):
        mark = found[0]
        if mark == '"':
            inside = not inside
        elif not inside and mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif not inside and mark in "]}":
            depth -= 1
    return deepest


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"wanted every field once, found {shown(twice)} twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > 20 or not -_LARGEST <= int(digits) < _LARGEST:
        raise _Refused("wanted whole numbers of at most 64 bits, found a larger one")
    return int(digits)


def _broken(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Refused("wanted finite numbers, found one that is too large")
    return value


def _constant(name: str) -> float:
    raise _Refused(f"wanted finite numbers, found {name}")


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
