"""IRIs and texts in SPARQL: checked and escaped, so that nothing that a user writes can change a query's structure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sfumato.errors import ParameterError, did_you_mean
from sfumato.semantics.movement.frames import IRI
from sfumato.semantics.vocabulary import PREFIXES

__all__ = ["QUERY_PREFIXES", "full_iri", "iri_term", "is_iri", "literal_term", "number_term", "require_variable"]

QUERY_PREFIXES = {**PREFIXES, "dbp": "http://dbpedia.org/property/"}
"""The prefixes that a description may use without declaring them."""

_IRI = re.compile(IRI)
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def is_iri(text: str) -> bool:
    """Whether a text is an IRI that needs no escapes in SPARQL."""
    return _IRI.fullmatch(text) is not None


def full_iri(text: str, prefixes: Mapping[str, str] | None = None) -> str:
    """The IRI of a prefixed name; a whole IRI stays as it is.

    prefixes : more prefixes, by name.

    >>> full_iri("lgdo:Bar")
    'http://linkedgeodata.org/ontology/Bar'
    """
    known = {**QUERY_PREFIXES, **(prefixes or {})}
    prefix, colon, local = text.partition(":")
    if colon and not local.startswith("//") and (prefix in known or _PREFIX.fullmatch(prefix)):
        if prefix not in known:
            raise ParameterError(f"no prefix is called {prefix!r}; {did_you_mean(prefix, known)}, or declare it")
        text = known[prefix] + local
    if not is_iri(text):
        raise ParameterError("wanted an IRI or a prefixed name such as bq:Stop, found another text")
    return text


def iri_term(iri: str, used: set[str] | None = None) -> str:
    """An IRI as SPARQL writes it: with a built-in prefix where there is one, otherwise in angle brackets.

    used : collects the prefixes that are used.

    >>> iri_term("http://linkedgeodata.org/ontology/Bar"), iri_term("http://example.org/a/b")
    ('lgdo:Bar', '<http://example.org/a/b>')
    """
    if not is_iri(iri):
        raise ParameterError("wanted an IRI, found another text")
    for prefix, namespace in QUERY_PREFIXES.items():
        local = iri.removeprefix(namespace)
        if local != iri and _LOCAL.fullmatch(local):
            if used is not None:
                used.add(prefix)
            return f"{prefix}:{local}"
    return f"<{iri}>"


def literal_term(text: str) -> str:
    """A text as a SPARQL literal.

    >>> print(literal_term('a "b" \\\\ c'))
    "a \\"b\\" \\\\ c"
    """
    if any(0xD800 <= ord(mark) <= 0xDFFF or mark == "\0" for mark in text):
        raise ParameterError("wanted a text of Unicode characters, found others")
    return '"' + "".join(_ESCAPES.get(mark, mark) for mark in text) + '"'


def number_term(value: float) -> str:
    """A finite number as SPARQL writes it.

    >>> number_term(60), number_term(0.5), number_term(1e-7)
    ('60', '0.5', '1e-07')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))


def require_variable(name: str) -> str:
    """A name of a column of the answer, which becomes a variable."""
    if not _VARIABLE.fullmatch(name):
        raise ParameterError("wanted a name of letters and digits that begins with a letter, found another text")
    return name
