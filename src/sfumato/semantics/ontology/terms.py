"""The classes and properties of the ontology as frames."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import polars as pl

from sfumato.errors import MissingExtra
from sfumato.semantics.ontology.names import prefixed
from sfumato.semantics.vocabulary import OWL, RDF, RDFS, SKOS

__all__ = ["ontology_classes", "ontology_properties", "ontology_text"]

_KINDS = {
    OWL + "ObjectProperty": "object",
    OWL + "DatatypeProperty": "data",
    OWL + "AnnotationProperty": "annotation",
    RDF + "Property": "any",
}
_CHARACTERISTICS = {
    OWL + "FunctionalProperty": "functional",
    OWL + "InverseFunctionalProperty": "inverse functional",
    OWL + "AsymmetricProperty": "asymmetric",
    OWL + "IrreflexiveProperty": "irreflexive",
    OWL + "TransitiveProperty": "transitive",
}


def ontology_text(name: str = "baquara.ttl") -> str:
    """The text of a file of the ontology: `baquara.ttl`, `shapes.ttl` or a file in `checks/`."""
    return files("sfumato.semantics.ontology").joinpath(name).read_text("utf-8")


def ontology_classes() -> pl.DataFrame:
    """Every class that the ontology declares, in order of its short name.

    Columns: class (IRI), name (such as bq:Stop), label, comment (null for classes of other vocabularies), other_labels,
    parents, equivalent, disjoint and see_also (lists of IRIs).

    >>> ontology_classes().filter(name="bq:Stop")["comment"].item()
    'An episode in which the moving object stays near its first position.'
    """
    facts = _facts()
    rows = [
        {
            "class": iri,
            "name": prefixed(iri),
            "label": _first(facts[iri], RDFS + "label"),
            "comment": _first(facts[iri], RDFS + "comment"),
            "other_labels": sorted(facts[iri].get(SKOS + "altLabel", ())),
            "parents": _named(facts[iri], RDFS + "subClassOf"),
            "equivalent": sorted(_both_ways(facts, iri, OWL + "equivalentClass")),
            "disjoint": sorted(_both_ways(facts, iri, OWL + "disjointWith") | _disjoint_lists(facts, iri)),
            "see_also": _named(facts[iri], RDFS + "seeAlso") + _named(facts[iri], SKOS + "closeMatch"),
        }
        for iri in facts
        if OWL + "Class" in facts[iri].get(RDF + "type", ()) and not iri.startswith("_:")
    ]
    texts, lists = (
        ("class", "name", "label", "comment"),
        ("other_labels", "parents", "equivalent", "disjoint", "see_also"),
    )
    return pl.DataFrame(rows, schema=_schema(texts, lists)).sort("name")


def ontology_properties() -> pl.DataFrame:
    """Every property that the ontology declares, in order of its short name.

    Columns: property (IRI), name, label, comment, kind (object, data, annotation or any), domain, range, parents,
    inverse, equivalent and see_also (lists of IRIs), characteristics (such as functional).
    """
    facts = _facts()
    rows = []
    for iri in facts:
        types = facts[iri].get(RDF + "type", ())
        kinds = [_KINDS[each] for each in types if each in _KINDS]
        if not kinds:
            continue
        rows.append(
            {
                "property": iri,
                "name": prefixed(iri),
                "label": _first(facts[iri], RDFS + "label"),
                "comment": _first(facts[iri], RDFS + "comment"),
                "kind": kinds[0],
                "domain": _named(facts[iri], RDFS + "domain"),
                "range": _named(facts[iri], RDFS + "range"),
                "parents": _named(facts[iri], RDFS + "subPropertyOf"),
                "inverse": sorted(_both_ways(facts, iri, OWL + "inverseOf")),
                "equivalent": sorted(_both_ways(facts, iri, OWL + "equivalentProperty")),
                "see_also": _named(facts[iri], RDFS + "seeAlso"),
                "characteristics": [name for each, name in _CHARACTERISTICS.items() if each in types],
            }
        )
    texts = ("property", "name", "label", "comment", "kind")
    lists = ("domain", "range", "parents", "inverse", "equivalent", "see_also", "characteristics")
    return pl.DataFrame(rows, schema=_schema(texts, lists)).sort("name")


def _schema(texts: tuple[str, ...], lists: tuple[str, ...]) -> pl.Schema:
    return pl.Schema([*((name, pl.String()) for name in texts), *((name, pl.List(pl.String())) for name in lists)])


@lru_cache(maxsize=1)
def _facts() -> dict[str, dict[str, list[str]]]:
    """The triples of the ontology: subject, then predicate, then the objects as texts."""
    try:
        import pyoxigraph as ox
    except ImportError as absent:
        raise MissingExtra("pyoxigraph", "semantics") from absent
    facts: dict[str, dict[str, list[str]]] = {}
    for triple in ox.parse(input=ontology_text().encode(), format=ox.RdfFormat.TURTLE):
        subject = facts.setdefault(_name(triple.subject, ox), {})
        subject.setdefault(triple.predicate.value, []).append(_name(triple.object, ox))
    return facts


def _name(term: Any, ox: Any) -> str:
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


def _first(facts: dict[str, list[str]], predicate: str) -> str | None:
    return next(iter(facts.get(predicate, ())), None)


def _named(facts: dict[str, list[str]], predicate: str) -> list[str]:
    return sorted(name for name in facts.get(predicate, ()) if not name.startswith("_:"))


def _both_ways(facts: dict[str, dict[str, list[str]]], iri: str, predicate: str) -> set[str]:
    """What a symmetric predicate relates to a term, whichever of the two states it."""
    stated = set(_named(facts[iri], predicate))
    return stated | {other for other in facts if iri in facts[other].get(predicate, ()) and other != iri}


def _disjoint_lists(facts: dict[str, dict[str, list[str]]], iri: str) -> set[str]:
    """The other members of the lists of disjoint classes that a class is in."""
    disjoint: set[str] = set()
    for node in facts.values():
        if OWL + "AllDisjointClasses" in node.get(RDF + "type", ()):
            members = _members(facts, node[OWL + "members"][0])
            disjoint |= set(members) - {iri} if iri in members else set()
    return disjoint


def _members(facts: dict[str, dict[str, list[str]]], node: str) -> list[str]:
    members = []
    while node != RDF + "nil":
        members.append(facts[node][RDF + "first"][0])
        node = facts[node][RDF + "rest"][0]
    return members
