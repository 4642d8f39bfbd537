"""Places of a knowledge base: names, coordinates, categories, sensitivity, facts."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.io import read_places, read_taxonomy, write_places, write_taxonomy
from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces
from sfumato.semantics.vocabulary import BQ
from tests.semantics.publishing.small_city import EX, city_places, frames, graph


def test_the_places_of_a_small_city() -> None:
    city = city_places()
    assert city.names[f"{EX}cafe1"] == "Cafe 1"
    assert city.taxonomy.ancestors("Clinic 2") == ("Clinic", "Amenity", "Site", "any place")
    assert city.taxonomy.sensitive >= {"Clinic", "Church", "Clinic 1", "Church 3"}
    assert city.places.facts(["Clinic 1", "Cafe 1"], "sensitive") == {"Clinic 1": True, "Cafe 1": False}
    assert city.places.facts(["Clinic 1"], "category") == {"Clinic 1": "Clinic"}
    assert city.places.geographic
    assert set(city.facts.classes.filter(pl.col("place") == "Cafe 1")["class"]) == {"Cafe", "Amenity", "Site"}
    assert "Church 1" not in city.facts.hours["place"].to_list()
    assert city.facts.popularity.filter(pl.col("place") == "Cafe 2")["popularity"].to_list() == [0.5]


def test_a_place_is_not_called_like_a_class() -> None:
    given = frames()
    given["labels"] = given["labels"].with_columns(
        pl.when(pl.col("resource") == f"{EX}cafe1").then(pl.lit("Church")).otherwise(pl.col("label")).alias("label")
    )
    city = KnowledgePlaces.from_frames(graph(), **given)
    assert city.names[f"{EX}cafe1"] == "Church (cafe1)"


def test_movements_and_events_are_no_places() -> None:
    types = [("cafe", "Cafe"), ("stop", BQ + "Stop"), ("match", BQ + "SportEvent"), ("bare", "x")]
    above = [(BQ + "Stop", BQ + "MovementData"), (BQ + "SportEvent", BQ + "Event")]
    geometries = pl.DataFrame({"resource": ["cafe", "stop", "match", "untyped"], "x": [1.0] * 4, "y": [2.0] * 4})
    labels = pl.DataFrame(schema={"resource": pl.String, "label": pl.String, "language": pl.String})
    events = pl.DataFrame({"resource": ["match"], "begin": [1.0], "end": [2.0], "place": ["cafe"]})
    city = KnowledgePlaces.from_frames(ClassGraph.of(above, types), labels, geometries, events=events)
    assert set(city.names) == {"cafe", "untyped"}
    assert city.taxonomy.parent("untyped") == "unclassified place"
    assert city.facts.events.rows() == [("cafe", 1.0, 2.0)]


def test_hours_that_are_not_understood_are_counted_and_exclude_nothing() -> None:
    given = frames()
    given["hours"] = pl.DataFrame({"resource": [f"{EX}cafe1", f"{EX}cafe2"], "value": ["sunrise-sunset", "24/7"]})
    city = KnowledgePlaces.from_frames(graph(), **given)
    assert city.unread_hours == 1
    assert city.facts.hours["place"].to_list() == ["Cafe 2"]


def test_no_place_at_all() -> None:
    given = frames() | {"geometries": frames()["geometries"].clear()}
    with pytest.raises(DataError, match=r"^wanted at least one place with a geometry"):
        KnowledgePlaces.from_frames(graph(), **given)


def test_the_area_of_places() -> None:
    names = ["point", "big", "small", "line", "both", "both"]
    box = "POLYGON((0 60, {0} 60, {0} 62, 0 62, 0 60))"
    wkt = ["POINT(1 2)", box.format(4), box.format(2), "LINESTRING(0 0, 1 1)", "POINT(1 61)", box.format(1)]
    geometries = pl.DataFrame({"resource": names, "wkt": wkt, "x": [1.0] * 6, "y": [0.0, 60, 60, 0, 61, 60]})
    labels = pl.DataFrame(schema={"resource": pl.String, "label": pl.String, "language": pl.String})
    city = KnowledgePlaces.from_frames(ClassGraph.of([], [("point", "x")]), labels, geometries)
    assert city.areas == pytest.approx({"big": 4.0, "small": 2.0, "both": 1.0})


def _base(folder: Path, walk: Movement | None, *, around: bool = False, ontology: bool = True) -> KnowledgePlaces:
    """Places of a knowledge base with two cafés, and with a movement if there is one."""
    table = folder / "cafes.csv"
    table.write_text("osm,key,value,name,lon,lat\nn1,amenity,cafe,Near,12.0,41.0\nn2,amenity,cafe,Far,13.0,42.0\n")
    directory = folder / f"kb{len(list(folder.iterdir()))}"
    with KnowledgeBase.create(directory, ontology=ontology) as base:
        base.load(table, mapping="osm", around=walk if around else None)
        if walk is not None and not around:
            walk.write(directory / "walk")
            base.load(directory / "walk")
        return KnowledgePlaces.of(base)


def _walk() -> Movement:
    rows = {"object": ["ann"] * 3, "begin": [0.0, 60.0, 120.0], "x": [12.0, 12.001, 12.0], "y": [41.0, 41.0, 41.001]}
    stops = {"name": ["home"], "object": ["ann"], "type": ["STOP"], "first": [0], "last": [2]}
    return Movement.of({"object": ["ann"], "person": ["ann"]}, rows, stops)


@pytest.mark.parametrize("ontology", [True, False])
def test_the_lists_do_not_depend_on_movements_in_the_knowledge_base(tmp_path: Path, ontology: bool) -> None:
    with_walk, without = (_base(tmp_path, walk, ontology=ontology) for walk in (_walk(), None))
    assert with_walk.places.frame.equals(without.places.frame)
    assert with_walk.taxonomy == without.taxonomy
    assert len(with_walk.names) == 2


def test_places_chosen_by_the_box_of_a_movement_are_private(tmp_path: Path) -> None:
    city = _base(tmp_path, _walk(), around=True)
    assert set(city.names.values()) == {"Near"}
    assert city.places.derived
    assert city.taxonomy.rule == "around-movement"
    write_taxonomy(city.taxonomy, tmp_path / "tree.csv")
    write_places(city.places, tmp_path / "places.csv")
    assert read_taxonomy(tmp_path / "tree.csv").rule == "around-movement"
    assert read_places(tmp_path / "places.csv").derived
