"""Classes of places that are sensitive: those that a person names, or by default those of special personal data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from sfumato.errors import DataError, did_you_mean
from sfumato.semantics.publishing.readable_names import local_name
from sfumato.semantics.vocabulary import PREFIXES

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.class_graph import ClassGraph

__all__ = ["SENSITIVE", "sensitive_classes"]

SENSITIVE = {
    "health": (
        "clinic", "hospital", "doctor", "doctor's office", "dentist", "health centre", "health center", "healthcare",
        "medical centre", "medical center", "psychiatrist", "psychotherapist", "pharmacy", "hospice", "nursing home",
        "rehabilitation centre", "rehabilitation center", "abortion clinic",
    ),
    "religion": (
        "place of worship", "religious building", "church", "cathedral", "chapel", "mosque", "synagogue", "temple",
        "shrine", "monastery",
    ),
    "politics and unions": (
        "political party", "party office", "party headquarters", "trade union", "labour union", "labor union",
        "union office",
    ),
    "sexual life": (
        "gay bar", "gay club", "gay venue", "lgbt venue", "lgbtq venue", "lgbt bar", "brothel", "sex shop",
        "love hotel", "strip club", "swingerclub",
    ),
    "offences and shelter": ("prison", "shelter", "refugee shelter"),
}  # fmt: skip
"""The classes that are sensitive unless others are named, by their labels in English or the ends of their IRIs."""


def sensitive_classes(graph: ClassGraph, labels: pl.DataFrame, named: Sequence[str] | None = None) -> frozenset[str]:
    """The named classes of a graph, and all below them.

    named : labels, IRIs, prefixed names such as ``dbo:Hospital``, or ends of IRIs; None for those of `SENSITIVE` that
    the graph has.  A name that no class has is refused.
    """
    words = _words(graph, labels)
    if named is None:
        defaults = (word for group in SENSITIVE.values() for word in group)
        marked = {name for word in defaults for name in words.get(_plain(word), ())}
    else:
        marked = {name for word in named for name in _classes(word, graph, words)}
    return graph.sensitive(marked)


def _classes(word: str, graph: ClassGraph, words: dict[str, set[str]]) -> Iterable[str]:
    prefix, _, end = word.partition(":")
    iri = PREFIXES[prefix] + end if prefix in PREFIXES else word.strip("<>")
    if iri in graph:
        return [graph.name_of(iri)]
    if _plain(word) not in words:
        names = sorted({local_name(name) for name in graph.classes})
        raise DataError(f"no class of the knowledge base is called {word!r}; {did_you_mean(word, names)}")
    return words[_plain(word)]


def _words(graph: ClassGraph, labels: pl.DataFrame) -> dict[str, set[str]]:
    """The classes by every word that names them: labels in any language, ends of IRIs, values of tags."""
    words: dict[str, set[str]] = {}
    names = {alias: name for name in graph.classes for alias in graph.names_of(name)}
    for alias, name in names.items():
        end = local_name(alias)
        for word in (end, end.rpartition("=")[2]):
            words.setdefault(_plain(word), set()).add(name)
    for resource, label in labels.select("resource", "label").rows():
        if resource in names:
            words.setdefault(_plain(label), set()).add(names[resource])
    words.pop("", None)
    return words


def _plain(word: str) -> str:
    """A word without case, blanks, signs and the s of a plural."""
    letters = re.sub(r"[\W_]+", "", word.casefold())
    return letters[:-1] if letters.endswith("s") and not letters.endswith("ss") else letters
