"""Sensitive classes by label, IRI or the end of an IRI, with everything below them."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.publishing.sensitive_classes import SENSITIVE, sensitive_classes

DBO = "http://dbpedia.org/ontology/"
OSM = "https://wiki.openstreetmap.org/wiki/Tag:"
GRAPH = ClassGraph.of(
    [
        (DBO + "Hospital", DBO + "Building"),
        (DBO + "EyeHospital", DBO + "Hospital"),
        (DBO + "Cafe", DBO + "Building"),
        (OSM + "amenity%3Dplace_of_worship", OSM + "amenity"),
        ("http://example.org/Q1", DBO + "Building"),
    ]
)
LABELS = pl.DataFrame(
    [("http://example.org/Q1", "Gewerkschaftshaus", "de"), ("http://example.org/Q1", "Trade Unions", "en")],
    schema=["resource", "label", "language"],
    orient="row",
)


def ends(classes: frozenset[str]) -> set[str]:
    return {name.rpartition("/")[2] for name in classes}


def test_the_default_list() -> None:
    expected = {"Hospital", "EyeHospital", "Tag:amenity%3Dplace_of_worship", "Q1"}
    assert ends(sensitive_classes(GRAPH, LABELS)) == expected


@pytest.mark.parametrize("word", ["cafe", "Cafés".replace("é", "e"), "dbo:Cafe", DBO + "Cafe", f"<{DBO}Cafe>"])
def test_a_class_by_any_of_its_names(word: str) -> None:
    assert ends(sensitive_classes(GRAPH, LABELS, [word])) == {"Cafe"}


def test_named_classes_replace_the_default() -> None:
    assert ends(sensitive_classes(GRAPH, LABELS, ["gewerkschaftshaus"])) == {"Q1"}
    assert sensitive_classes(GRAPH, LABELS, []) == frozenset()


def test_an_unknown_class_is_refused() -> None:
    with pytest.raises(DataError, match="no class of the knowledge base is called 'hospitl'; did you mean 'Hospital'"):
        sensitive_classes(GRAPH, LABELS, ["hospitl"])


def test_the_page_lists_the_default_classes() -> None:
    page = Path(__file__).parents[3] / "docs" / "sensitive-places.md"
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", page.read_text("utf-8"), re.MULTILINE)
    assert {about: tuple(classes.split(", ")) for about, classes in rows if about in SENSITIVE} == SENSITIVE
