"""The facets of the papers' small world, compared with SPARQL and with the tables behind it."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.facets import facets_of, materialize_times
from sfumato.semantics.knowledge.facets.extraction import trails_of
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.ontology.names import expanded
from sfumato.semantics.vocabulary import prefix_lines

WORLD = Path(__file__).parents[3] / "papers" / "baquara" / "world.ttl"
HEAD = prefix_lines("bq", "rdfs", "rdf")
BY_CLASS = """SELECT ?node (COUNT(DISTINCT ?stop) AS ?stops) (COUNT(DISTINCT ?trail) AS ?trails)
  (COUNT(DISTINCT ?person) AS ?persons) {
  ?segment a/rdfs:subClassOf* bq:MovementSegment ; bq:visits ?place ; bq:isOfMO/bq:hasMovingEntity ?person .
  ?place a/rdfs:subClassOf* ?node . ?node rdfs:subClassOf* bq:Place .
  OPTIONAL { ?segment a bq:Stop BIND(?segment AS ?stop) }
  OPTIONAL { ?segment bq:father* ?trail . ?trail a/rdfs:subClassOf* bq:SemanticTrajectory }
} GROUP BY ?node"""
BY_BUS = """SELECT (COUNT(DISTINCT ?trail) AS ?trails) {
  ?episode bq:usesTransportationMeans/rdf:type?/rdfs:subClassOf* bq:Bus ; bq:father* ?trail .
  ?trail a/rdfs:subClassOf* bq:SemanticTrajectory }"""
ON_SUNDAY_EVENING = """SELECT (COUNT(DISTINCT ?stop) AS ?stops) {
  ?stop a bq:Stop ; bq:duringTime/bq:PART_OF* <http://www.seek-project.eu/Baquara02/time/%s> }"""
SUNDAY_BY_HAND = """SELECT (COUNT(DISTINCT ?stop) AS ?stops) {
  VALUES ?day { 6 13 } ?stop a bq:Stop ; bq:begin ?b ; bq:end ?e
  FILTER(DAY(?b) <= ?day && ?day <= DAY(?e)
  && (DAY(?e) > ?day || HOURS(?e) * 60 + MINUTES(?e) > 1020) && MONTH(?b) = 7) }"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory):
    with KnowledgeBase.create(tmp_path_factory.mktemp("facets") / "kb") as base:
        base.load(WORLD)
        yield base


def test_counts_by_class_of_place_agree_with_sparql(kb: KnowledgeBase) -> None:
    counts = facets_of(kb, relation="visits")["place"].roll_up()
    linked = {row[0]: row[1:] for row in counts.drop("label", "level").rows() if any(row[3:])}
    answer = {row[0]: row[1:] for row in kb.answer(HEAD + BY_CLASS).frame.rows()}
    assert len(answer) > 20
    assert linked == answer


def test_the_facets_of_the_world(kb: KnowledgeBase) -> None:
    facets = kb.facets()
    assert set(facets.names) == {
        *("Activity", "Behavior", "EnvironmentCondition", "Event", "EventRelation", "Goal", "MOGroup", "MovingObject"),
        *("Place", "PlaceParts", "PlaceRelation", "Space", "Time", "TransportationMeans"),
    }
    groups = {row["label"]: row for row in facets["MOGroup"].roll_up().iter_rows(named=True)}
    assert (groups["European"]["persons"], groups["person"]["persons"]) == (5, 7)
    buses = facets["TransportationMeans"].under(expanded("Bus")).roll_up()
    assert buses["trails"].to_list() == kb.answer(HEAD + BY_BUS).frame["trails"].to_list() == [5]
    parts = dict(facets["PlaceParts"].roll_up().select("label", "stops").rows())
    assert parts["Chile"] == 2
    assert parts["Brazil"] > parts["São Paulo"] == 9
    assert facets.frame()["facet"].to_list() == sorted(facets.names)
    frame = facets["Event"].frame()
    assert frame.filter(label="carnival")["parents"].to_list() == [[expanded("TraditionalParty")]]


def test_an_unknown_facet_or_node_is_refused(kb: KnowledgeBase) -> None:
    facets = facets_of(kb)
    with pytest.raises(DataError, match="no facet is called 'Plaec'; did you mean 'Place'"):
        _ = facets["Plaec"]
    with pytest.raises(DataError, match=r"facet Place: wanted one of its \d+ nodes, found bq:Stop"):
        facets["Place"].under(expanded("Stop"))


def test_sunday_evening_can_be_asked_after_the_times_are_written(kb: KnowledgeBase) -> None:
    grown = materialize_times(kb, hemisphere="south")
    assert grown > 0
    assert materialize_times(kb, hemisphere="south") == 0
    times = dict(facets_of(kb, hemisphere="south")["Time"].roll_up().select("node", "stops").rows())
    for name in ("sunday", "evening", "sunday-evening", "hour-17", "2014-07-13", "july", "winter", "2014"):
        asked = kb.answer(HEAD + ON_SUNDAY_EVENING % name).frame["stops"].item()
        assert asked == times[expanded(f"bqt:{name}")], name
    evening = times[expanded("bqt:sunday-evening")]
    assert evening == kb.answer(HEAD + SUNDAY_BY_HAND).frame["stops"].item() > 0


@pytest.mark.parametrize("seed", range(10))
def test_the_trail_of_a_segment_is_its_nearest(seed: int) -> None:
    chance = random.Random(seed)
    fathers = [None if row == 0 else chance.choice([None, *range(row)]) for row in range(12)]
    trails = [row for row in range(12) if chance.random() < 0.4]
    expected = {}
    for row in range(12):
        node: int | None = row
        while node is not None and node not in trails:
            node = fathers[node]
        if node is not None:
            expected[str(row)] = str(node)
    texts = [None if father is None else str(father) for father in fathers]
    segments = pl.DataFrame(
        {"segment": [str(row) for row in range(12)], "father": texts}, schema_overrides={"father": pl.String}
    )
    assert dict(trails_of(segments, pl.Series([str(row) for row in trails], dtype=pl.String)).rows()) == expected


def test_a_cycle_of_fathers_is_refused() -> None:
    segments = pl.DataFrame({"segment": ["a", "b"], "father": ["b", "a"]})
    with pytest.raises(DataError, match="fathers without a cycle"):
        trails_of(segments, pl.Series([], dtype=pl.String))


def test_an_empty_knowledge_base_has_empty_facets(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        facets = facets_of(base)
        assert facets.frame()["nodes"].sum() == 0
        assert materialize_times(base) == 0
