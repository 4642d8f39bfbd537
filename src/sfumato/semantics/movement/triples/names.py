"""IRIs of the things of a movement, and the names back from the IRIs.

A name that is an IRI stands for itself.  Any other name is put behind the base IRI and its kind, with the characters
that an IRI cannot have as %XX.
"""

from __future__ import annotations

from urllib.parse import unquote

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.movement.frames import IRI

__all__ = ["BASE", "iris", "names", "require_base"]

BASE = "http://example.org/movement/"
_UNSAFE = "%\x7f" + '<>"{}|^`\\' + "".join(map(chr, range(0x21)))
_ESCAPED = [f"%{ord(character):02X}" for character in _UNSAFE]


def require_base(base: str) -> str:
    """A base IRI, which ends with / or #."""
    if not pl.Series([base]).str.contains(IRI).all() or base[-1] not in "/#":
        raise DataError("Movement: wanted a base IRI that ends with / or #, such as http://example.org/rio/")
    return base


def iris(values: pl.Series, kind: str, base: str) -> pl.Series:
    """The IRI of each name; null stays null.

    >>> iris(pl.Series(["ana", "two words", "http://example.org/rio/ana"]), "person", "http://a/").to_list()
    ['http://a/person/ana', 'http://a/person/two%20words', 'http://example.org/rio/ana']
    """
    prefix = f"{base}{kind}/"
    own = values.str.contains(IRI) & ~values.str.starts_with(prefix)
    local = prefix + values.str.replace_many(list(_UNSAFE), _ESCAPED)
    return pl.select(pl.when(own).then(values).otherwise(local)).to_series().alias(kind)


def names(values: pl.Series, kind: str, base: str) -> pl.Series:
    """The name of each IRI; null stays null.

    >>> names(pl.Series(["http://a/person/two%20words", "http://a/other/ana"]), "person", "http://a/").to_list()
    ['two words', 'http://a/other/ana']
    """
    prefix = f"{base}{kind}/"
    own = values.str.starts_with(prefix)
    local = values.str.strip_prefix(prefix)
    escaped = own & local.str.contains("%", literal=True)
    if escaped.any():
        texts = local.filter(escaped).unique()
        decoded = pl.Series([unquote(text, errors="strict") for text in texts.to_list()], dtype=pl.String)
        local = local.replace(texts, decoded)
    return pl.select(pl.when(own).then(local).otherwise(values)).to_series().alias(kind)
