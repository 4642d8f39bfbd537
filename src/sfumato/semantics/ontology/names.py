"""Short names of IRIs, such as bq:Place, and IRIs of short names."""

from __future__ import annotations

import re

from sfumato.errors import DataError, either
from sfumato.semantics.vocabulary import BQ, PREFIXES

__all__ = ["TIMES", "expanded", "prefixed"]

TIMES = "http://www.seek-project.eu/Baquara02/time/"  # of the time facet
_SPACES = {**PREFIXES, "bqt": TIMES}
_LOCAL = re.compile(r"\w[\w.-]*(?<!\.)")


def prefixed(iri: str) -> str:
    """An IRI as prefix and name where a prefix is known, else as it is.

    >>> prefixed("http://www.seek-project.eu/Baquara02#Place"), prefixed("http://example.org/Place")
    ('bq:Place', 'http://example.org/Place')
    """
    fits = [(space, prefix) for prefix, space in _SPACES.items() if iri.startswith(space)]
    for space, prefix in sorted(fits, reverse=True):
        if _LOCAL.fullmatch(iri[len(space) :]):
            return f"{prefix}:{iri[len(space) :]}"
    return iri


def expanded(name: str) -> str:
    """The IRI of a name with a prefix, or of a name of the ontology without one; an IRI stays as it is.

    >>> expanded("Place"), expanded("dbo:City")
    ('http://www.seek-project.eu/Baquara02#Place', 'http://dbpedia.org/ontology/City')
    """
    head, colon, local = name.strip().partition(":")
    if not colon:
        return BQ + head
    if local.startswith("//") or head == "urn":
        return name.strip()
    if head not in _SPACES:
        raise DataError(f"wanted a whole IRI or one of the prefixes {either(sorted(_SPACES))}, found {head!r}")
    return _SPACES[head] + local
