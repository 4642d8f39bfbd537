"""The part of linked data that concerns a movement."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from papers.baquara_world import FOLDER
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.knowledge.selection import Selection, around
from sfumato.semantics.movement.movement import Movement

HEAD = """@prefix bq: <http://www.seek-project.eu/Baquara02#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
CITY = (
    HEAD
    + """
<urn:cafe> a <urn:Cafe> ; rdfs:label "Cafe"@en ; <urn:in> <urn:town> ;
  geo:hasGeometry [ geo:asWKT "POINT(1 1)"^^geo:wktLiteral ] .
<urn:bar> a <urn:Bar> ; rdfs:label "Bar" ; geo:hasGeometry [ geo:asWKT "POINT(5 5)"^^geo:wktLiteral ] .
<urn:park> a <urn:Park> ; geo:hasGeometry [ geo:asWKT "POLYGON((1.5 1.5,9 1.5,9 9,1.5 1.5))"^^geo:wktLiteral ] .
<urn:town> a <urn:Town> ; rdfs:label "Town" ; <urn:mayor> <urn:somebody> .
<urn:entity> owl:sameAs <urn:cafe> ; rdfs:label "Entity" .
<urn:lonely> a <urn:Thing> ; rdfs:label "Lonely" .
<urn:Cafe> rdfs:subClassOf <urn:Amenity> ; rdfs:label "cafe" . <urn:Amenity> rdfs:subClassOf bq:Place .
<urn:concert> a bq:Event ;
  bq:begin "2014-07-01T20:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T22:00:00Z"^^xsd:dateTime ;
  bq:occursIn <urn:cafe> .
<urn:match> a bq:Event ;
  bq:begin "2014-07-01T20:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T22:00:00Z"^^xsd:dateTime ;
  bq:occursIn <urn:bar> .
<urn:feast> a bq:Event ;
  bq:begin "2014-07-01T20:00:00Z"^^xsd:dateTime ; bq:end "2014-07-01T22:00:00Z"^^xsd:dateTime .
<urn:later> a bq:Event ;
  bq:begin "2015-07-01T20:00:00Z"^^xsd:dateTime ; bq:end "2015-07-01T22:00:00Z"^^xsd:dateTime ;
  bq:occursIn <urn:cafe> .
"""
)
JULY = (1404172800.0, 1404259200.0)  # the first day of July 2014


def subjects(tmp_path: Path, number: int, **options: object) -> set[str]:
    (tmp_path / "city.ttl").write_text(CITY)
    with KnowledgeBase.create(tmp_path / f"kb{number}", ontology=False) as kb:
        kb.load(tmp_path / "city.ttl", same_as_within_m=None, **options)  # type: ignore[arg-type]
        rows = kb.answer("SELECT DISTINCT ?s WHERE { ?s ?p ?o FILTER(isIRI(?s)) }").frame["s"].to_list()
        geometries = kb.geometries()["resource"].to_list()
    assert len(geometries) == len(set(geometries))
    return {name.removeprefix("urn:") for name in rows} - {"Cafe", "Amenity"}


def test_places_in_the_box_and_events_in_the_period_with_what_is_said_of_them(tmp_path: Path) -> None:
    both = subjects(tmp_path, 1, box=(0, 0, 2, 2), period=JULY)
    assert both == {"cafe", "park", "town", "entity", "concert", "feast"}
    assert subjects(tmp_path, 2, box=(0, 0, 2, 2)) == {"cafe", "park", "town", "entity", "concert", "later"}
    everything_else = {"cafe", "bar", "park", "town", "entity", "lonely"}
    assert subjects(tmp_path, 3, period=JULY) == everything_else | {"concert", "match", "feast"}
    with KnowledgeBase.open(tmp_path / "kb1") as kb:
        assert kb.answer('ASK { <urn:town> <http://www.w3.org/2000/01/rdf-schema#label> "Town" }')
        assert not kb.answer("ASK { <urn:town> <urn:mayor> ?x }")  # what is said of a thing that is only named
        assert kb.answer("ASK { <urn:Cafe> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:Amenity> }")


def test_an_empty_box_is_one_sentence_and_loads_nothing(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        with pytest.raises(DataError) as refused:
            kb.load(FOLDER / "world.ttl", box=(0, 0, 1, 1), period=(0, 1))
        assert str(refused.value) == (
            "world.ttl: no place lies in the box and no event in the period; nothing was loaded"
        )
        (tmp_path / "a.csv").write_text("osm,key,value,name,lat,lon\nnode/1,a,b,c,41,12\n")
        with pytest.raises(FileError, match="no row lies in the box and the period; nothing was loaded"):
            kb.load(tmp_path / "a.csv", mapping="osm", box=(0, 0, 1, 1))
        assert len(kb) == 0


def test_another_box_of_the_same_file_adds_its_places(tmp_path: Path) -> None:
    (tmp_path / "city.ttl").write_text(CITY)
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        kb.load(tmp_path / "city.ttl", box=(0, 0, 2, 2))
        assert kb.load(tmp_path / "city.ttl", box=(0, 0, 2, 2)).triples == 0
        assert kb.load(tmp_path / "city.ttl", box=(4, 4, 6, 6)).triples > 0
        assert "urn:bar" in kb.geometries()["resource"].to_list()


def test_boxes_agree_with_comparing_every_point() -> None:
    draw = random.Random(5)
    points = [(draw.uniform(-180, 180), draw.uniform(-90, 90)) for _ in range(300)]
    frame = pl.DataFrame({":x": [x for x, _ in points], ":y": [y for _, y in points]})
    for _ in range(20):
        west, east = draw.uniform(-180, 180), draw.uniform(-180, 180)
        south, north = sorted(draw.uniform(-90, 90) for _ in range(2))
        selection = Selection((west, south, east, north))
        expected = [
            south <= y <= north and (west <= x <= east if west <= east else x >= west or x <= east) for x, y in points
        ]
        assert selection.rows(frame, "").tolist() == expected
        assert selection.touches([f"POINT({x!r} {y!r})" for x, y in points]).tolist() == expected


def test_boxes_and_periods_that_are_not_any() -> None:
    for box in ((0, 5, 1, 4), (0, 0, 200, 1), (0, -91, 1, 1)):
        with pytest.raises(ParameterError, match="box: wanted west, south, east, north"):
            Selection(box)
    with pytest.raises(ParameterError, match="period: wanted a begin"):
        Selection(period=(2, 1))


def movement(places: list[tuple[float, float]]) -> Movement:
    times = np.arange(len(places), dtype=float) * 60
    positions = pl.DataFrame(
        {
            "object": ["o"] * len(places),
            "begin": times,
            "end": times + 1,
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
        }
    )
    return Movement.of(pl.DataFrame({"object": ["o"], "person": ["p"]}), positions)


def test_around_a_movement_also_across_the_date_line() -> None:
    selection = around(movement([(12.0, 41.0), (13.0, 42.0)]), 1000.0)
    assert selection.period == (0, 61)
    assert selection.box == pytest.approx((11.9879, 40.9910, 13.0121, 42.0090), abs=1e-4)
    west, south, east, north = around(movement([(179.9, 0.0), (-179.9, 1.0)]), 0.0).box or ()
    assert (west, south, east, north) == pytest.approx((179.9, 0, -179.9, 1))
