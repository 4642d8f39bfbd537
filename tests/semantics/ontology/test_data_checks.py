"""The checks of data: good data pass, each planted mistake is named, and SHACL and SPARQL find the same."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.ontology.data_checks import check_data, data_checks
from sfumato.semantics.ontology.names import expanded
from sfumato.semantics.ontology.terms import ontology_text
from sfumato.semantics.vocabulary import prefix_lines

rdflib = pytest.importorskip("rdflib")
pyshacl = pytest.importorskip("pyshacl")
ox = pytest.importorskip("pyoxigraph")

PAPERS = Path(__file__).parents[2] / "papers" / "baquara"
SHAPE = "http://www.seek-project.eu/Baquara02/shape/"
SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")
SMALL = (
    prefix_lines("bq", "geo", "rdfs", "xsd", "dbo")
    + """
PREFIX ex: <http://example.org/>
ex:o a bq:MovingObject ; bq:hasMovingEntity ex:p ; bq:hasMonitoringMeans ex:m . ex:m a bq:SocialMedia .
ex:q a bq:MovingObjectPositionsSequence ; bq:isOfMO ex:o ; bq:hasPosition ex:k1 , ex:k2 , ex:k3 .
ex:k1 a bq:MovingObjectPosition ; bq:order 1 ; bq:begin "2014-07-01T10:00:00Z"^^xsd:dateTime ;
  bq:end "2014-07-01T10:00:00Z"^^xsd:dateTime ; geo:hasGeometry ex:g1 .
ex:k2 a bq:MovingObjectPosition ; bq:order 2 ; bq:begin "2014-07-01T11:00:00Z"^^xsd:dateTime ;
  bq:end "2014-07-01T11:30:00Z"^^xsd:dateTime ; geo:hasGeometry ex:g1 .
ex:k3 a bq:MovingObjectPosition ; bq:order 3 ; bq:begin "2014-07-01T12:00:00Z"^^xsd:dateTime ;
  bq:end "2014-07-01T12:00:00Z"^^xsd:dateTime ; geo:hasGeometry ex:g2 .
ex:g1 geo:asWKT "POINT(1 2)"^^geo:wktLiteral . ex:g2 geo:asWKT "POINT(2 2)"^^geo:wktLiteral .
ex:h a bq:MovementHistory ; bq:isOfMO ex:o ; bq:level 0 ; bq:ord 1 ; bq:begin "2014-07-01T10:00:00Z"^^xsd:dateTime ;
  bq:end "2014-07-01T12:00:00Z"^^xsd:dateTime ; bq:firstPosition ex:k1 ; bq:lastPosition ex:k3 ; bq:hasDuration 120 .
ex:t a bq:Trail ; bq:isOfMO ex:o ; bq:father ex:h ; bq:level 1 ; bq:ord 1 ;
  bq:begin "2014-07-01T10:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T12:00:00Z"^^xsd:dateTime ;
  bq:hasEpisode ex:s , ex:v ; bq:hasDuration 1.2e2 .
ex:s a bq:Stop ; bq:isOfMO ex:o ; bq:father ex:t ; bq:level 2 ; bq:ord 1 ;
  bq:begin "2014-07-01T10:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T11:30:00Z"^^xsd:dateTime ;
  bq:next ex:v ; bq:hasAnnotation ex:a , ex:b , ex:c ; bq:hasDuration 90 .
ex:v a bq:Move ; bq:isOfMO ex:o ; bq:father ex:t ; bq:level 2 ; bq:ord 2 ;
  bq:begin "2014-07-01T12:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T12:00:00Z"^^xsd:dateTime ; bq:prev ex:s .
ex:a a bq:SemanticAnnotation ; bq:property bq:visits ; bq:hasValue ex:place .
ex:b a bq:FreeTextAnnotation ; bq:property bq:tag ; bq:hasValue "beach"@en .
ex:c a bq:NumericAnnotation ; bq:property bq:temperature ; bq:hasValue 27.5 .
ex:place a dbo:City ; rdfs:label "City" ; geo:hasGeometry ex:g2 .
ex:event a dbo:FootballMatch ; rdfs:label "Match" ; bq:begin "2014-07-01T10:00:00Z"^^xsd:dateTime ;
  bq:end "2014-07-01T12:00:00Z"^^xsd:dateTime .
"""
)


@pytest.fixture(scope="module", autouse=True)
def parsed_once():
    """Parse each SPARQL constraint once, not for every node: pyshacl asks the same text again."""
    from rdflib.plugins.sparql import processor

    parse, translate = cache(processor.parseQuery), processor.translateQuery
    algebras: dict[int, object] = {}

    def algebra(tree, base=None, names=None):
        if id(tree) not in algebras:
            algebras[id(tree)] = translate(tree, base, names)
        return algebras[id(tree)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processor, "parseQuery", parse)
        patch.setattr(processor, "translateQuery", algebra)
        yield


@cache
def shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=ontology_text("shapes.ttl"), format="turtle")


@cache
def subclasses() -> rdflib.Graph:
    """All that shapes need of the ontology."""
    graph = rdflib.Graph()
    for triple in (
        rdflib.Graph().parse(data=ontology_text(), format="turtle").triples((None, rdflib.RDFS.subClassOf, None))
    ):
        if isinstance(triple[2], rdflib.URIRef):
            graph.add(triple)
    return graph


def by_shapes(data: rdflib.Graph) -> set[tuple[str, str]]:
    """Pairs of a shape and a node that breaks it, by pyshacl."""
    _, report, _ = pyshacl.validate(data + subclasses(), shacl_graph=shapes(), inplace=True)
    pairs = set()
    for result in report.subjects(rdflib.RDF.type, SH.ValidationResult):
        shape = report.value(result, SH.sourceShape)
        while isinstance(shape, rdflib.BNode):
            shape = next(shapes().subjects(None, shape))
        pairs.add((str(shape).removeprefix(SHAPE), str(report.value(result, SH.focusNode))))
    return pairs


def by_queries(data: rdflib.Graph | Path) -> set[tuple[str, str]]:
    """The same pairs, by the queries in checks/."""
    store = ox.Store()
    for graph in (subclasses(), data):
        if isinstance(graph, Path):
            store.load(path=str(graph))
        else:
            store.load(graph.serialize(format="nt").encode(), format=ox.RdfFormat.N_TRIPLES)
    return {(check.name, row[0].value) for check in data_checks() for row in store.query(check.query)}


def small() -> rdflib.Graph:
    return rdflib.Graph().parse(data=SMALL, format="turtle")


def test_shapes_and_checks_have_the_same_names_sentences_and_severities() -> None:
    declared = {
        str(shape).removeprefix(SHAPE): (
            "warning" if shapes().value(shape, SH.severity) == SH.Warning else "violation",
            str(shapes().value(shape, SH.message)),
        )
        for shape in shapes().subjects(rdflib.RDF.type, SH.NodeShape)
    }
    assert declared == {check.name: (check.severity, check.sentence) for check in data_checks()}
    assert len(declared) == 29


def test_good_data_break_no_shape() -> None:
    assert by_shapes(small()) == by_queries(small()) == set()


def test_the_small_world_of_the_papers_only_lacks_two_geometries() -> None:
    broken = {(name, subject.rpartition("/")[2]) for name, subject in by_queries(PAPERS / "world.ttl")}
    assert broken == {("place-geometry", "United_States"), ("place-geometry", "European_Union")}


def test_each_rule_of_the_definitions_is_broken_where_the_papers_queries_say() -> None:
    """`broken.ttl` breaks the rules of check_segments.rq, each on a moving object of its own."""
    broken = rdflib.Graph().parse(PAPERS / "broken.ttl")
    pairs = {(name, subject.rpartition("/")[2]) for name, subject in by_queries(broken)}
    assert pairs == {(name, subject.rpartition("/")[2]) for name, subject in by_shapes(broken)}
    assert pairs == {
        ("position-order", "v01_second"),
        ("begin-before-end", "v02"),
        ("spans-positions", "v03"),
        ("father-covers", "v04_child"),
        ("father-object", "v05_child"),
        ("siblings-apart", "v06_second"),
        ("level", "v07"),
        ("number-among-siblings", "v08"),
        ("number-among-siblings", "v09_second"),
        ("prev-and-next", "v09_second"),
        ("one-root", "v10_b"),
        ("duration", "v11"),
    }


ORDERED = ("#begin", "#end", "#order", "#ord", "#level", "#hasDuration")
PLANTED = {
    "position-number": "ex:k3 bq:order 5",
    "position-complete": "ex:k4 a bq:MovingObjectPosition",
    "segment-complete": "ex:s bq:father ex:h",
    "segment-type": "ex:s a bq:Move",
    "siblings-numbered": "ex:y bq:father ex:t ; bq:ord 1",
    "same-father": "ex:h bq:next ex:s",
    "episode-father": "ex:h bq:hasEpisode ex:s",
    "semantic-annotation": 'ex:a bq:hasValue "city"',
    "free-text-annotation": "ex:b bq:hasValue 7",
    "numeric-annotation": 'ex:c bq:hasValue "warm"',
    "annotation-target": "ex:z a bq:NumericAnnotation",
    "place-name": "ex:x a bq:Hotel",
    "place-geometry": "ex:x a bq:Hotel",
    "event-name": "ex:x a bq:Carnival",
    "event-time": "ex:x a bq:Carnival",
    "moving-object": "ex:o bq:hasMovingEntity ex:other",
    "monitoring-means": "ex:x a bq:MovingObject",
    "well-known-text": 'ex:g3 geo:asWKT "<http://www.opengis.net/def/crs/EPSG/0/4326> POINT(2 1)"^^geo:wktLiteral',
}


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_a_planted_mistake_is_named(name: str) -> None:
    data = rdflib.Graph().parse(data=f"{SMALL}\n{PLANTED[name]} .", format="turtle")
    assert name in {shape for shape, _ in by_queries(data)}


def test_every_check_is_broken_by_some_test() -> None:
    broken = {name for name, _ in by_queries(PAPERS / "broken.ttl")}
    assert broken | set(PLANTED) == {check.name for check in data_checks()}


@pytest.mark.parametrize("seed", range(8))
def test_shapes_and_queries_agree_on_data_with_random_mistakes(seed: int) -> None:
    chance = random.Random(seed)
    data = small()
    for _ in range(chance.randint(1, 5)):
        _spoil(data, chance)
    assert by_queries(data) == by_shapes(data)


def _spoil(data: rdflib.Graph, chance: random.Random) -> None:
    """Remove a triple, add another value of its property, or replace its value.

    Times and numbers get values of their own kind: rdflib orders values of different kinds, SPARQL does not.
    """
    triples = sorted(data)
    subject, predicate, value = chance.choice(triples)
    values = sorted({o for _, p, o in triples if p == predicate})
    if predicate == rdflib.RDF.type or not str(predicate).endswith(ORDERED):
        values.append(rdflib.URIRef("http://example.org/new"))
    if predicate != rdflib.RDF.type and not str(predicate).endswith(ORDERED):
        values.append(rdflib.Literal(7))
    action = chance.choice(("remove", "add", "replace"))
    if action != "add":
        data.remove((subject, predicate, value))
    if action != "remove":
        data.add((subject, predicate, chance.choice(values)))


@pytest.mark.parametrize(("subject", "predicate"), [("k3", "begin"), ("k3", "order"), ("v", "end"), ("v", "level")])
def test_a_value_of_a_wrong_kind_makes_a_position_or_segment_incomplete(subject: str, predicate: str) -> None:
    data = small()
    node, path = rdflib.URIRef(f"http://example.org/{subject}"), rdflib.URIRef(expanded(predicate))
    data.set((node, path, rdflib.Literal("soon")))
    wanted = ("position-complete" if subject == "k3" else "segment-complete", str(node))
    assert wanted in by_queries(data) & by_shapes(data)


def test_a_knowledge_base_is_checked_as_a_frame(tmp_path: Path) -> None:
    file = tmp_path / "broken.ttl"
    file.write_text(f"{SMALL}\nex:s a bq:Move .", encoding="utf-8")
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.load(file)
        broken = check_data(kb)
        assert kb.check().equals(broken)
    assert broken.columns == ["check", "severity", "sentence", "subject"]
    assert broken.rows() == [("segment-type", "violation", "A segment has one type.", "http://example.org/s")]
