"""The facets of a knowledge base, read by a few queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.knowledge.facets.facet import COUNTED, Facet, Facets
from sfumato.semantics.knowledge.facets.place_parts import contained_places
from sfumato.semantics.knowledge.facets.times import TIMES, clock_seconds, time_hierarchy, time_members
from sfumato.semantics.knowledge.hierarchy import Hierarchy
from sfumato.semantics.ontology.names import expanded
from sfumato.semantics.vocabulary import BQ, prefix_lines

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

__all__ = ["class_graph_of", "facets_of", "materialize_times", "trails_of"]

_SUBCLASSES = (
    "SELECT DISTINCT ?class ?parent { ?class rdfs:subClassOf ?parent FILTER(isIRI(?class) && isIRI(?parent)) }"
)
_EQUIVALENT = (
    "SELECT DISTINCT ?first ?second { ?first owl:equivalentClass ?second FILTER(isIRI(?first) && isIRI(?second)) }"
)
_TYPES = """SELECT DISTINCT ?resource ?class { ?resource a ?class FILTER(isIRI(?resource) && isIRI(?class)
  && !STRSTARTS(STR(?class), STR(owl:)) && !STRSTARTS(STR(?class), STR(rdfs:))
  && !STRSTARTS(STR(?class), STR(rdf:))) }"""
_SEGMENTS = """SELECT DISTINCT ?segment ?class ?father ?object ?entity ?means (STR(?b) AS ?begin) (STR(?e) AS ?end) {
  { SELECT DISTINCT ?class { ?class rdfs:subClassOf* bq:MovementSegment } }
  ?segment a ?class .
  OPTIONAL { ?segment bq:father ?father }
  OPTIONAL { ?segment bq:begin ?b ; bq:end ?e }
  OPTIONAL { ?segment bq:isOfMO ?object
    OPTIONAL { ?object bq:hasMovingEntity ?entity } OPTIONAL { ?object bq:hasMonitoringMeans ?means } }
}"""
_LINKS = """SELECT DISTINCT ?segment ?property ?value {
  { ?segment bq:hasAnnotation ?a . ?a bq:property ?property ; bq:hasValue ?value }
  UNION
  { { SELECT DISTINCT ?property { ?property rdfs:subPropertyOf* ?top
      VALUES ?top { bq:hasPlaceRelation bq:hasEventRelation bq:hasGoal bq:hasActivity bq:hasBehavior
        bq:hasEnvironmentCondition bq:usesTransportationMeans } } }
    ?segment ?property ?value }
  FILTER(isIRI(?value))
}"""
_PROPERTIES = """SELECT DISTINCT ?class ?parent {
  ?class rdfs:subPropertyOf ?parent FILTER(isIRI(?class) && isIRI(?parent)) }"""
_PARTS = """SELECT DISTINCT ?child ?parent {
  ?child bq:PART_OF|geo:sfWithin|<http://purl.org/dc/terms/isPartOf>|<http://dbpedia.org/property/location>|dbo:location
    |dbo:country|<http://www.geonames.org/ontology#parentFeature> ?parent
  FILTER(isIRI(?child) && isIRI(?parent) && ?child != ?parent)
}"""
_LABELS = "SELECT ?node (MIN(STR(?l)) AS ?label) { ?node rdfs:label ?l FILTER(LANG(?l) IN ('', 'en')) } GROUP BY ?node"
_ANY_LABELS = "SELECT ?node (MIN(STR(?l)) AS ?label) { ?node rdfs:label ?l } GROUP BY ?node"
_NO_CLASSES = {BQ + name for name in ("Time", "MovingObject", "MOGroup", "PlaceRelation", "EventRelation")}
_MOST_LEVELS = 10_000


def class_graph_of(kb: KnowledgeBase) -> ClassGraph:
    """The classes of a knowledge base with their superclasses and their named instances."""
    subclasses = _texts(kb, _SUBCLASSES)
    equivalent = _texts(kb, _EQUIVALENT)
    return ClassGraph.of(subclasses, _texts(kb, _TYPES), equivalent)


def facets_of(
    kb: KnowledgeBase, *, relation: str | None = None, zone: str | None = None, hemisphere: str = "north"
) -> Facets:
    """The facets of a knowledge base with the segments that are linked to them.

    relation : a property, such as bq:visits; only annotations with it or with a property below it are links.
    zone : the time zone whose clock the time facet shows; without it, the clock that each time shows.
    hemisphere : north or south, for the seasons.
    """
    graph = class_graph_of(kb)
    segments = _segments(kb, graph)
    properties = Hierarchy.of(_texts(kb, _PROPERTIES).rename({"class": "child"}), who="subproperties")
    links = _links(kb, properties, relation).join(segments.select("segment", *COUNTED), on="segment")
    labels = dict(_texts(kb, _ANY_LABELS).rows()) | dict(_texts(kb, _LABELS).rows())
    facets = [
        *_class_facets(graph, links, labels),
        _places_facet(kb, graph, links, labels),
        _times_facet(segments, zone, hemisphere),
        _entity_facet("MOGroup", "MovingEntity", "entity", graph, segments, labels),
        _entity_facet("MovingObject", "MovementMonitoringMeans", "means", graph, segments, labels),
        _property_facet("PlaceRelation", properties, links, labels),
        _property_facet("EventRelation", properties, links, labels),
    ]
    return Facets({facet.name: facet for facet in sorted(facets, key=lambda facet: facet.name)})


def materialize_times(kb: KnowledgeBase, *, zone: str | None = None, hemisphere: str = "north") -> int:
    """Write the time facet into a knowledge base, so that queries can ask for Sunday evenings.

    Every segment gets bq:duringTime for its dates, parts of the week and hours; these are bq:PART_OF weekdays, months,
    years, parts of the day and seasons.  What an earlier call wrote is replaced.
    Returns by how many triples the knowledge base grew.
    """
    segments = _segments(kb, class_graph_of(kb)).select("segment", "begin", "end")
    members = time_members(_on_the_clock(segments, zone))
    hierarchy, labels, classes = time_hierarchy(members["node"].unique(), hemisphere)
    lines = [f'<{node}> a <{BQ}{classes[node]}> ; rdfs:label "{labels[node]}"@en .' for node in hierarchy.nodes]
    lines += [f"<{child}> bq:PART_OF <{parent}> ." for child, parent in hierarchy.edges.rows()]
    lines += [f"<{segment}> bq:duringTime <{node}> ." for segment, node in members.rows()]
    earlier = f'DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o FILTER(STRSTARTS(STR(?s), "{TIMES}")) }}'
    update = f"DELETE WHERE {{ ?s bq:duringTime ?t }} ;\n{earlier} ;\nINSERT DATA {{\n" + "\n".join(lines) + "\n}"
    return kb.update(f"{prefix_lines('bq', 'rdfs')}\n{update}")


def trails_of(segments: pl.DataFrame, trails: pl.Series) -> pl.DataFrame:
    """Per segment the nearest trail that it is or belongs to; columns segment and trail.

    segments : frame with segment and father, which is null for roots.  trails : the segments that are trails.
    """
    fathers = segments.select("segment", "father").unique("segment")
    kept, step = [], fathers.select("segment", node="segment")
    is_trail = pl.col("node").is_in(trails.to_list())
    for _ in range(min(_MOST_LEVELS, fathers.height) + 1):
        kept.append(step.filter(is_trail).rename({"node": "trail"}))
        above = fathers.rename({"segment": "node"}).drop_nulls()
        step = step.filter(~is_trail).join(above, on="node").select("segment", node="father")
        if not step.height:
            return pl.concat(kept)
    raise DataError(f"segments: wanted fathers without a cycle, found one, or more than {_MOST_LEVELS:,} levels")


def _texts(kb: KnowledgeBase, query: str) -> pl.DataFrame:
    frame = kb.answer(f"{prefix_lines('bq', 'geo', 'rdf', 'rdfs', 'owl', 'dbo')}\n{query}").frame
    return frame.cast(dict.fromkeys(frame.columns, pl.String))


def _segments(kb: KnowledgeBase, graph: ClassGraph) -> pl.DataFrame:
    """segment, begin, end (texts), entity, means, and stop, trail and person: what is counted of a segment."""
    rows = _texts(kb, _SEGMENTS)
    stops = rows.filter(pl.col("class").is_in([*_below(graph, "Stop")]))["segment"].unique()
    trails = rows.filter(pl.col("class").is_in([*_below(graph, "SemanticTrajectory")]))["segment"].unique()
    single = rows.drop("class").unique("segment", keep="first", maintain_order=True)
    named = single.join(trails_of(single, trails), on="segment", how="left")
    return named.select(
        "segment",
        "begin",
        "end",
        "entity",
        "means",
        "trail",
        stop=pl.when(pl.col("segment").is_in(stops.to_list())).then(pl.col("segment")),
        person=pl.coalesce("entity", "object"),
    )


def _below(graph: ClassGraph, name: str) -> set[str]:
    """A class of the ontology and its subclasses, under all their names."""
    if BQ + name not in graph:
        return {BQ + name}
    return {
        each for below in {graph.name_of(BQ + name), *graph.subclasses(BQ + name)} for each in graph.names_of(below)
    }


def _links(kb: KnowledgeBase, properties: Hierarchy, relation: str | None) -> pl.DataFrame:
    """segment, property, value: the annotations of segments whose value is a resource."""
    links = _texts(kb, _LINKS)
    if relation is None:
        return links
    top = expanded(relation)
    wanted = {top, *(properties.descendants(top) if top in properties else ())}
    return links.filter(pl.col("property").is_in(list(wanted)))


def _class_facets(graph: ClassGraph, links: pl.DataFrame, labels: dict[str, str]) -> list[Facet]:
    """A facet for each class directly under the class of facets, and one of the classes of places."""
    root = BQ + "MovementAnalysisFacet"
    if root not in graph:
        return []
    names = [name for name in (*graph.children(root), BQ + "Place") if name in graph and name not in _NO_CLASSES]
    return [_class_facet(name, graph.under(name), links, "value", labels) for name in names]


def _class_facet(root: str, graph: ClassGraph, links: pl.DataFrame, resource: str, labels: dict[str, str]) -> Facet:
    named = links.select(*COUNTED, resource=pl.col(resource)).drop_nulls("resource")
    by_type = named.join(graph.types.rename({"class": "node"}), on="resource").select("node", *COUNTED)
    itself = named.select(pl.col("resource").replace(graph.aliases).alias("node"), *COUNTED)
    classes = itself.filter(pl.col("node").is_in(list(graph.classes)))
    members = pl.concat([by_type, classes]).unique()
    return Facet(root.removeprefix(BQ), "classes", graph.hierarchy, members, labels)


def _entity_facet(
    name: str, root: str, column: str, graph: ClassGraph, segments: pl.DataFrame, labels: dict[str, str]
) -> Facet:
    """A facet of the classes of moving entities or of the means that record them."""
    below = graph.under(BQ + root) if BQ + root in graph else ClassGraph.of([])
    facet = _class_facet(BQ + root, below, segments, column, labels)
    return Facet(name, "classes", facet.hierarchy, facet.members, labels)


def _property_facet(name: str, properties: Hierarchy, links: pl.DataFrame, labels: dict[str, str]) -> Facet:
    """A facet of the properties that relate segments to places or events."""
    top = BQ + ("hasPlaceRelation" if name == "PlaceRelation" else "hasEventRelation")
    below = properties.under(top) if top in properties else Hierarchy.of([])
    members = links.select(*COUNTED, node=pl.col("property")).filter(pl.col("node").is_in(list(below.nodes)))
    return Facet(name, "properties", below, members.select("node", *COUNTED).unique(), labels)


def _places_facet(kb: KnowledgeBase, graph: ClassGraph, links: pl.DataFrame, labels: dict[str, str]) -> Facet:
    """A facet of the places themselves: each is part of the places that it is stated to lie in, or that cover it."""
    place = BQ + "Place"
    places = graph.under(place).types["resource"].unique() if place in graph else pl.Series([], dtype=pl.String)
    stated = _texts(kb, _PARTS).filter(
        pl.col("child").is_in(places.to_list()) & pl.col("parent").is_in(places.to_list())
    )
    shapes = kb.geometries().filter(pl.col("resource").is_in(places.to_list()))
    covered = contained_places(shapes).filter(~pl.col("child").is_in(stated["child"].to_list()))
    hierarchy = Hierarchy.of(pl.concat([stated, covered]), places, who="parts of places", relation="is part of")
    members = links.select(*COUNTED, node=pl.col("value")).filter(pl.col("node").is_in(places.to_list()))
    return Facet("PlaceParts", "parts", hierarchy, members.select("node", *COUNTED).unique(), labels)


def _times_facet(segments: pl.DataFrame, zone: str | None, hemisphere: str) -> Facet:
    spans = _on_the_clock(segments.select(*COUNTED, "begin", "end"), zone)
    members = time_members(spans)
    hierarchy, labels, _ = time_hierarchy(members["node"].unique(), hemisphere)
    return Facet("Time", "times", hierarchy, members.select("node", *COUNTED), labels)


def _on_the_clock(segments: pl.DataFrame, zone: str | None) -> pl.DataFrame:
    times = [clock_seconds(segments[name], zone).alias(name) for name in ("begin", "end")]
    return segments.with_columns(times)
