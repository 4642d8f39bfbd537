"""RDF/XML whose entities cannot grow: abbreviations of namespaces are read, nested or long ones are refused.

A few lines of entities that consist of each other stand for gigabytes of text.
"""

from __future__ import annotations

import re
from typing import IO, Any

__all__ = ["without_large_entities"]

_ENTITY = b"<!ENTITY"
_SHORT = re.compile(rb"""<!ENTITY\s+[^\s%"'&<>]+\s+(?:"[^"&%]{0,512}"|'[^'&%]{0,512}')\s*>""")
_HEAD = 1 << 20  # bytes in which the declarations must lie


def without_large_entities(file: IO[bytes]) -> Any:
    """A file of RDF/XML to read; a SyntaxError for an entity that is not a short text without other entities."""
    head = file.read(_HEAD)
    if head.count(_ENTITY) != len(_SHORT.findall(head)):
        raise SyntaxError("an entity that is long or holds others")
    return _Rest(head, file)


class _Rest:
    """The bytes that were read, and what follows; no entity may be declared there."""

    def __init__(self, head: bytes, file: IO[bytes]) -> None:
        self._head, self._file, self._last = head, file, head[-len(_ENTITY) :]

    def read(self, size: int = -1) -> bytes:
        if self._head:
            part, self._head = (self._head, b"") if size < 0 else (self._head[:size], self._head[size:])
            return part
        part = self._file.read(size)
        if _ENTITY in self._last + part:
            raise SyntaxError("an entity that is declared late")
        self._last = (self._last + part)[-len(_ENTITY) :]
        return part
