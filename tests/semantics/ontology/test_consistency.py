"""The ontology under a reasoner for OWL 2 RL: no contradiction, no empty class; planted contradictions are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.semantics.ontology.names import expanded
from sfumato.semantics.ontology.terms import ontology_classes, ontology_text
from sfumato.semantics.vocabulary import prefix_lines

rdflib = pytest.importorskip("rdflib")
owlrl = pytest.importorskip("owlrl")

WORLD = Path(__file__).parents[2] / "papers" / "baquara" / "world.ttl"
RIO = rdflib.Namespace("http://example.org/rio/")
BQ = rdflib.Namespace("http://www.seek-project.eu/Baquara02#")
ERROR = rdflib.URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
WORDS = [rdflib.URIRef(expanded(name)) for name in ("rdfs:label", "rdfs:comment", "rdfs:seeAlso", "skos:altLabel")]
HEAD = prefix_lines("bq", "geo", "owl", "xsd", "dbo") + "\nPREFIX ex: <http://example.org/>\n"
MOMENT = '"2014-07-01T10:00:00Z"^^xsd:dateTime'


DATA = f"""
ex:p a bq:European , bq:Tourist . ex:m a bq:SocialMedia .
ex:o a bq:MovingObject ; bq:hasMovingEntity ex:p ; bq:hasMonitoringMeans ex:m .
ex:q a bq:MovingObjectPositionsSequence ; bq:isOfMO ex:o ; bq:hasPosition ex:k .
ex:k a bq:MovingObjectPosition ; bq:order 1 ; bq:begin {MOMENT} ; bq:end {MOMENT} ; geo:hasGeometry ex:g .
ex:h a bq:MovementHistory ; bq:isOfMO ex:o ; bq:level 0 ; bq:ord 1 ; bq:hasDuration 1.5e0 .
ex:s a bq:Stop ; bq:father ex:h ; bq:firstPosition ex:k ; bq:lastPosition ex:k ; bq:next ex:t ; bq:visits ex:c ;
  bq:mentions ex:e , ex:c ; bq:hasAnnotation ex:a ; bq:usesTransportationMeans bq:Bus ; bq:isOfMOclass bq:European .
ex:t a bq:Move ; bq:father ex:h ; bq:prev ex:s .
ex:a a bq:SemanticAnnotation ; bq:property bq:visits ; bq:hasValue ex:c .
ex:l a bq:LinkCandidate ; bq:target ex:k ; bq:hasValue ex:c .
ex:c a dbo:Stadium . ex:e a dbo:FootballMatch ; bq:occursIn ex:c ; bq:begin {MOMENT} .
"""


def contradictions(*texts: str) -> list[str]:
    """What the reasoner reports on the ontology with some data."""
    graph = rdflib.Graph()
    for text in (ontology_text(), *texts):
        graph.parse(data=text, format="turtle")
    for predicate in WORDS:
        graph.remove((None, predicate, None))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return sorted(str(sentence) for sentence in graph.objects(None, ERROR))


def part_of_the_world() -> str:
    """The movements of one person in the papers' small world, with everything that they lead to."""
    world = rdflib.Graph().parse(WORLD)
    part = rdflib.Graph()
    waiting, seen = [*world.subjects(BQ.isOfMO, RIO.carla_fl), RIO.final], set()
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            for predicate, value in world.predicate_objects(node):
                part.add((node, predicate, value))
                waiting.append(value)
    assert (RIO.mops_carla, BQ.isOfMO, RIO.carla_fl) in part
    return str(part.serialize(format="turtle"))


def test_the_ontology_has_no_contradiction_alone_nor_with_data_and_every_class_can_have_an_instance() -> None:
    classes = ontology_classes()["class"]
    instances = "\n".join(f"ex:instance{row} a <{iri}> ." for row, iri in enumerate(classes))
    assert len(classes) > 140
    assert contradictions(HEAD + instances, HEAD + DATA, part_of_the_world()) == []


PLANTED = {
    "stop and move": "ex:s a bq:Stop , bq:Move .",
    "trail and episode": "ex:s a bq:Trail , bq:Episode .",
    "position and segment": "ex:s bq:order 1 ; bq:ord 1 .",
    "place and event by the values of properties": "ex:s bq:visits ex:x . ex:t bq:takesPartIn ex:x .",
    "two fathers that differ": "ex:s bq:father ex:f , ex:g . ex:f owl:differentFrom ex:g .",
    "its own father": "ex:s bq:father ex:s .",
    "father of its father": "ex:s bq:father ex:t . ex:t bq:father ex:s .",
    "two entities that differ": "ex:o bq:hasMovingEntity ex:a , ex:b . ex:a owl:differentFrom ex:b .",
    "next of two that differ": "ex:a bq:next ex:s . ex:b bq:next ex:s . ex:a owl:differentFrom ex:b .",
    "text and number": "ex:a a bq:FreeTextAnnotation , bq:NumericAnnotation .",
    "a moving object that is a person": "ex:o a bq:Person ; bq:hasMovingEntity ex:p .",
    "a person that is a vehicle": "ex:p a bq:European , bq:Vehicle .",
    "a sports event that is a city": "ex:x a dbo:FootballMatch , dbo:City .",
    "Sunday and evening at once": "ex:t a bq:Weekday , bq:PartOfDay .",
}


def test_every_planted_contradiction_is_found_by_itself() -> None:
    """All mistakes in one closure, each with names of its own: each has to be reported."""
    renamed = [text.replace("ex:", f"ex:c{number}_") for number, text in enumerate(PLANTED.values())]
    sentences = contradictions(HEAD + "\n".join(renamed))
    for number, name in enumerate(PLANTED):
        assert any(f"http://example.org/c{number}_" in sentence for sentence in sentences), name


@pytest.mark.parametrize("name", ["father", "prev", "next", "isOfMO", "hasMovingEntity", "level", "begin"])
def test_what_the_definitions_call_one_is_functional(name: str) -> None:
    graph = rdflib.Graph().parse(data=ontology_text(), format="turtle")
    functional = rdflib.URIRef(expanded("owl:FunctionalProperty"))
    assert (rdflib.URIRef(expanded(name)), rdflib.RDF.type, functional) in graph
