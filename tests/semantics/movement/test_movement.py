"""Movements: what follows from the given columns, parts, annotations, the order of rows, and refusals."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics import Movement
from sfumato.semantics.vocabulary import BQ
from twins.movements import random_frames

POSITIONS = {"object": ["a"] * 3, "begin": [0, 60, 120], "x": [179.9, -179.9, -179.7], "y": [10.0, 10.0, 10.0]}


def walk(**more: Any) -> Movement:
    segments = {"object": ["a", "a"], "type": ["STOP", "MOVE"], "first": [0, 2], "last": [1, 2]}
    return Movement.of({"object": ["a"]}, POSITIONS, segments, **more)


def test_what_follows_from_the_columns() -> None:
    movement = walk()
    assert movement.objects["person"].to_list() == ["a"]
    assert movement.positions["end"].to_list() == [0.0, 60.0, 120.0]
    assert movement.segments["name"].to_list() == ["a/stop/1", "a/move/1", "a/history"]
    assert movement.segments["tree"].to_list() == [""] * 3
    assert movement.minutes().to_list() == [1.0, 0.0, 2.0]
    assert movement.stops()["row"].to_list() == [0]
    assert movement.trails().is_empty()


def test_geometries_follow_from_the_positions_also_across_the_date_line() -> None:
    movement = walk()
    assert movement.geometries().to_list() == ["POINT(180.0 10.0)", "POINT(-179.7 10.0)", None]
    line = Movement.of({"object": ["a"]}, POSITIONS, {"object": ["a"], "type": ["TRAIL"], "first": [0], "last": [2]})
    assert line.geometries()[0] == "LINESTRING(179.9 10.0,-179.9 10.0,-179.7 10.0)"
    x, y = line.centres().row(0)
    assert (round(x, 9), round(y, 9)) == (-179.9, 10.0)


def test_segments_without_positions() -> None:
    segments = {
        "object": ["a"],
        "type": ["STOP"],
        "begin": [5.0],
        "end": [9.0],
        "wkt": ["POLYGON((0 0,2 0,2 2,0 2,0 0))"],
    }
    movement = Movement.of({"object": ["a"]}, None, segments)
    assert movement.segments.select("name", "begin", "end", "father").rows() == [
        ("a/stop/1", 5.0, 9.0, 1), ("a/history", 5.0, 9.0, None),
    ]  # fmt: skip
    assert movement.centres().rows() == [(1.0, 1.0), (None, None)]


def test_annotations_are_sets_and_numbers_have_a_text() -> None:
    row = {"target_kind": "segment", "target": 0, "property": BQ + "temperature", "kind": "number", "number": 27.0}
    movement = walk(annotations=[row]).annotated([row, {**row, "number": 0.5}])
    assert movement.annotations["value"].to_list() == ["27", "0.5"]
    text = {
        "target_kind": "object",
        "target": 0,
        "property": BQ + "about",
        "kind": "text",
        "value": "x",
        "language": "pt-BR",
    }
    assert movement.annotated([text]).annotations["language"].to_list() == [None, None, "pt-br"]
    assert len(walk().annotations) == 0, "the movement that was annotated is untouched"


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    frames = random_frames(seed)
    movement = Movement.of(**frames)
    shuffled = Movement.of(**{**frames, "segments": frames["segments"][::-1]})
    assert movement.equals(shuffled)
    assert movement.canonical().equals(movement)
    other = [dict(row) for row in frames["objects"]]
    other[0]["person"] = "somebody"
    assert not movement.equals(Movement.of(**{**frames, "objects": other}))


def test_frames_of_other_libraries() -> None:
    movement = Movement.of(pl.LazyFrame({"object": ["a"]}), pl.DataFrame(POSITIONS).to_arrow())
    assert len(movement.positions) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"objects": {"person": ["a"]}}, "wanted the columns object, person, .* in objects, found no 'object'"),
        ({"objects": {"object": ["a"], "persn": ["x"]}}, "objects has no column 'persn'"),
        ({"objects": {"object": [None]}}, "wanted a value of 'object' in every row of objects, found none in row 0"),
        ({"objects": 7}, "wanted a frame .*, found int"),
        ({"positions": {**POSITIONS, "object": ["a", "b", "a"]}}, "in every row of positions, found none in row 1"),
        ({"positions": {**POSITIONS, "x": [0.0, float("nan"), 1]}}, "wanted finite numbers in 'x' of positions"),
        ({"positions": {**POSITIONS, "x": ["1", "2", "left"]}}, "wanted numbers in 'x' of positions"),
        ({"segments": {"object": [0], "type": ["STOP"], "first": [0], "last": [9]}}, "first or last is no row"),
        ({"segments": {"object": [0], "type": ["STOP"], "first": [2], "last": [0]}}, "rule '02 begins before it ends'"),
        ({"segments": {"object": [0], "type": ["STOP"]}}, "wanted a value of 'begin' in every row of segments"),
        ({"segments": {"object": [0], "first": [0], "last": [0]}}, "found no 'type'"),
        ({"segments": {"object": [0], "type": ["STOP"], "first": [0], "last": [0], "level": [1]}}, "derives level"),
        ({"geographic": "yes"}, "wanted geographic as true or false, found str"),
    ],
)
def test_refusals(change: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {"objects": {"object": ["a"]}, "positions": POSITIONS, "segments": None}
    with pytest.raises(DataError, match=sentence):
        Movement.of(**{**given, **change})


def test_messages_quote_no_record() -> None:
    frames = walk().frames()
    frames["segments"] = frames["segments"].with_columns(name=pl.lit("Ana"))
    with pytest.raises(DataError) as caught:
        Movement(**frames)
    assert "Ana" not in str(caught.value)
    assert str(caught.value) == (
        "Movement: rule '18 names are unique' does not hold in 2 rows, the first is row 1 of segments"
    )
