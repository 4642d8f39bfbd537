"""Every class and property that the papers name is in the ontology, with words of its own."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.semantics.ontology.names import expanded
from sfumato.semantics.ontology.terms import ontology_classes, ontology_properties, ontology_text


def words(text: str) -> list[str]:
    return text.split()


WORLD = Path(__file__).parents[2] / "papers" / "baquara" / "world.ttl"
MOVEMENT = words("""
    MovementData MovingObjectPosition MovementSegment Trail Trajectory Episode Stop Move MovementPattern MovementModel
    STMovModel STSnapshot STSequence SemanticMovModel MOTrace RawTraceDescription SemanticTrace SemanticTrajectory
    TrajectoryPattern EpisodePattern
""")
GEOMETRY_AND_ANNOTATIONS = words("""
    Geometry SimpleGeometry ComplexGeometry Annotation SemanticAnnotation FreeTextAnnotation NumericAnnotation
    MovementDescription MSC MPC
""")
FACETS = words("""
    MovementAnalysisFacet Space Place Time Goal Eat WatchSoccerGame Behavior Flock Chasing Avoidance TransportationMeans
    Bus EnvironmentCondition Windy Sunny Activity Running Event MOGroup PlaceRelation EventRelation
""")
OBJECTS = words("""
    MovingObject MovingEntity Person European Animal Vehicle Storm MovementMonitoringMeans MovementMonitoringSystem
    SocialMedia MovementMonitoringDevice CellPhone
""")
EVENTS = words("""
    Season SocialEvent Party Meeting Carnival TraditionalParty CulturalEvent MusicFestival DanceFestival SportEvent
""")
PLACES = words("Country City Airport Hotel Restaurant Cafe Bar Market LandMark Stadium TouristicPlace")
SECOND_NAMES = {"SemanticAnalysisDimensions": "MovementAnalysisFacet", "Device": "MovementMonitoringDevice"}
LINKED = words("""
    dbo:Mountain dbo:City dbo:Country dbo:Stadium dbo:SportsEvent dbo:SoccerTournament dbo:FootballMatch
    dbo:PopulatedPlace dbo:NaturalPlace dbo:SportsTeam dbo:SoccerClub dbo:SambaSchool schema:Mountain lgdo:Amenity
    lgdo:Marketplace lgdo:Restaurant lgdo:FastFood lgdo:Shop lgdo:TouristShop lgdo:NatureReserve lgdo:City lgdo:Hotel
    lgdo:Nightclub lgdo:Pub
""")
PROPERTIES = words("""
    father prev next level ord hasDuration begin end isOfMOclass hasEpisode hasAnnotation target property hasValue isAt
    occursIn occursAt visits observes mentions comesFrom goesTo takesPartIn preparesFor usesTransportationMeans hasGoal
    ppText PART_OF IS_A isOfMO hasMovingEntity hasMonitoringMeans firstPosition lastPosition
""")


def test_every_class_of_the_papers_is_declared() -> None:
    named = [*MOVEMENT, *GEOMETRY_AND_ANNOTATIONS, *FACETS, *OBJECTS, *EVENTS, *PLACES]
    assert len(named) == len(set(named)) == 85
    declared = set(ontology_classes()["class"])
    assert {expanded(name) for name in (*named, *SECOND_NAMES, *LINKED)} <= declared
    assert len(LINKED) == 24


def test_every_property_of_the_papers_is_declared() -> None:
    assert len(PROPERTIES) == len(set(PROPERTIES)) == 34
    assert {expanded(name) for name in PROPERTIES} <= set(ontology_properties()["property"])


def test_every_own_term_has_a_label_and_a_comment_that_ends_as_a_sentence() -> None:
    for frame in (ontology_classes(), ontology_properties()):
        own = frame.filter(pl.col("name").str.starts_with("bq:"))
        assert own.height > 40
        assert own["label"].null_count() == own["comment"].null_count() == 0
        assert own["comment"].str.contains(r"^[A-Z].*\.$").all()


def test_the_ontology_declares_every_term_of_the_small_world() -> None:
    ox = pytest.importorskip("pyoxigraph")
    space = "http://www.seek-project.eu/Baquara02#"
    used = {
        term.value
        for triple in ox.parse(path=str(WORLD))
        for term in (triple.subject, triple.predicate, triple.object)
        if isinstance(term, ox.NamedNode) and term.value.startswith(space)
    }
    terms = set(ontology_classes()["class"]) | set(ontology_properties()["property"])
    assert len(used) > 70
    assert used <= terms


def test_second_names_are_equivalent_classes() -> None:
    equivalent = dict(ontology_classes().select("class", "equivalent").rows())
    for second, first in SECOND_NAMES.items():
        assert expanded(first) in equivalent[expanded(second)]


def test_terms_carry_their_axioms() -> None:
    classes = {row["name"]: row for row in ontology_classes().iter_rows(named=True)}
    properties = {row["name"]: row for row in ontology_properties().iter_rows(named=True)}
    assert expanded("Move") in classes["bq:Stop"]["disjoint"]
    assert expanded("MovementPattern") in classes["bq:MovementSegment"]["disjoint"]
    assert expanded("geo:Feature") in classes["bq:Place"]["parents"]
    assert properties["bq:next"]["inverse"] == [expanded("prev")]
    assert "functional" in properties["bq:father"]["characteristics"]
    assert properties["bq:hasValue"]["kind"] == "any"


def test_the_ontology_imports_nothing() -> None:
    assert "owl:imports" not in ontology_text()
