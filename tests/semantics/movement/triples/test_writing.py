"""The triples of a movement: their words, what is added once, and what cannot be written."""

from __future__ import annotations

import pytest

from semantics.movement.triples.stores import Memory
from sfumato.errors import DataError
from sfumato.semantics import Movement
from sfumato.semantics.vocabulary import BQ, GEO, RDF, XSD

NOTE = {"target_kind": "segment", "target": 0, "property": BQ + "visits", "kind": "resource", "value": "http://a/b"}
POSITIONS = {
    "object": ["a"],
    "begin": [0.5],
    "end": [60.5],
    "x": [1.0],
    "y": [2.0],
    "wkt": ["POLYGON((0 0,2 0,1 3,0 0))"],
}


def stop(**more: object) -> Movement:
    segments = {"object": ["a"], "type": ["STOP"], "first": [0], "last": [0]}
    return Movement.of({"object": ["a"]}, POSITIONS, segments, annotations=[{**NOTE, "metres": 1.5}], **more)  # type: ignore[arg-type]


def test_the_words_are_those_of_the_ontology() -> None:
    lines = set(stop().to_triples("http://m/").decode().splitlines())
    own, place = "<http://m/segment/a/stop/1>", "<http://m/position/a/1>"
    for line in (
        f"{own} <{RDF}type> <{BQ}Stop> .",
        f"{own} <{BQ}isOfMO> <http://m/object/a> .",
        f'{own} <{BQ}begin> "1970-01-01T00:00:00.5Z"^^<{XSD}dateTime> .',
        f'{own} <{BQ}hasDuration> "1"^^<{XSD}integer> .',
        f"{own} <{BQ}father> <http://m/segment/a/history> .",
        f"{own} <{BQ}firstPosition> {place} .",
        f"{own} <{BQ}visits> <http://a/b> .",
        f'{place} <{BQ}order> "1"^^<{XSD}integer> .',
        f"<http://m/positions/a> <{BQ}hasPosition> {place} .",
        f'<http://m/position/a/1/geometry> <{GEO}asWKT> "POLYGON((0 0,2 0,1 3,0 0))"^^<{GEO}wktLiteral> .',
        f'<http://m/position/a/1/centroid> <{GEO}asWKT> "POINT(1.0 2.0)"^^<{GEO}wktLiteral> .',
        f'<http://m/segment/a/stop/1/geometry> <{GEO}asWKT> "POINT(1.0 2.0)"^^<{GEO}wktLiteral> .',
    ):
        assert line in lines


def test_more_annotations_add_only_themselves() -> None:
    movement = stop()
    more = movement.annotated([{**NOTE, "target_kind": "position", "value": "http://a/c"}])
    once, twice = Memory(more), Memory(movement, movement, more)
    assert len(once.store) == len(twice.store) > len(Memory(movement).store)
    assert Movement.from_knowledge_base(twice).equals(more)


@pytest.mark.parametrize(
    ("movement", "base", "sentence"),
    [
        (stop(geographic=False), "http://m/", "wanted longitude and latitude for triples, found plane coordinates"),
        (stop(), "m/", "wanted a base IRI that ends with / or #"),
        (stop(), "http://m", "wanted a base IRI that ends with / or #"),
        (
            Movement.of({"object": ["a"]}, {"object": ["a"], "begin": [1e12], "x": [0], "y": [0]}),
            "http://m/",
            "wanted years from 1 to 9999 in positions",
        ),
    ],
)
def test_what_cannot_be_written(movement: Movement, base: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        movement.to_triples(base)
