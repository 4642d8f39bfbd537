"""Every constraint: one planted violation each, random damage compared with the definitions, and the query."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics import Movement
from sfumato.semantics.movement.frames import FRAMES
from sfumato.semantics.vocabulary import BQ
from twins.movements import broken_rules, random_frames

Frames = dict[str, list[dict[str, Any]]]


@cache
def _sound() -> Frames:
    """Two objects; the first has a history, two trails, and a stop and a move in the first trail."""
    positions = [{"object": 0, "begin": 10.0 * k, "end": 10.0 * k + 1, "x": 0.0, "y": 0.0} for k in range(6)]
    positions += [{"object": 1, "begin": 5.0, "end": 5.0, "x": 0.0, "y": 0.0}]
    spans = [("TRAIL", 0, 3), ("TRAIL", 4, 5), ("STOP", 0, 1), ("MOVE", 2, 3)]
    segments = [{"object": 0, "type": kind, "first": first, "last": last} for kind, first, last in spans]
    segments += [{"object": 1, "type": "TRAIL", "first": 6, "last": 6}]
    annotations = [
        {"target_kind": "segment", "target": 2, "property": BQ + "visits", "kind": "resource", "value": "http://a/b"},
        {"target_kind": "position", "target": 0, "property": BQ + "tag", "kind": "tag", "value": "rio"},
    ]
    objects = [{"object": "a", "person": "p"}, {"object": "b", "person": "p"}]
    movement = Movement.of(objects, positions, segments, annotations=annotations).with_patterns(lambda _: [[2, 3]])
    return {name: frame.to_dicts() for name, frame in movement.frames().items()}


def sound() -> Frames:
    return deepcopy(_sound())


def changed(frame: str, row: int, **values: Any) -> Callable[[Frames], None]:
    return lambda frames: frames[frame][row].update(values)


def copied(frame: str, row: int, **values: Any) -> Callable[[Frames], None]:
    return lambda frames: frames[frame].append({**frames[frame][row], **values})


PLANTED = {
    "01 positions in strict order of time": changed("positions", 1, begin=1.0),
    "02 begins before it ends": changed("patterns", 0, begin=2.0, end=1.0),
    "03 spans its positions": changed("segments", 2, last=2),
    "04 father covers it": changed("segments", 1, father=0, level=2, prev=None),
    "05 father is of the same moving object": changed("segments", 4, father=0),
    "06 siblings share no instant": changed("segments", 3, first=1, begin=10.0),
    "07 level": changed("segments", 2, level=3),
    "08 ord": changed("segments", 3, ord=3),
    "09 prev and next": changed("segments", 3, prev=None),
    "10 one root": copied("segments", 5, name="z"),
    "12 a root is a history": changed("segments", 5, type="TRAIL"),
    "13 positions in the order of their moving objects": lambda frames: frames["positions"].reverse(),
    "14 father is of the same tree": changed("segments", 2, tree="other"),
    "15 references name existing rows": changed("segments", 2, father=77),
    "16 fathers lead to a root": changed("segments", 5, father=2),
    "17 a moving object has a position or a segment": copied("objects", 0, object="c"),
    "18 names are unique": changed("segments", 2, name="a/move/1"),
    "19 a history covers all positions": changed("segments", 5, last=4, end=41.0),
    "20 an annotation has a target": changed("annotations", 0, target=7),
    "21 the value of an annotation is of its kind": changed("annotations", 0, value="no iri"),
    "22 annotations are distinct": copied("annotations", 0),
    "23 a pattern is a set of segments": copied("members", 0),
    "24 a class is an IRI": changed("objects", 0, person_class="European"),
    "25 a person has one class, and so has a means": changed("objects", 0, person_class=BQ + "European"),
}


def rules_of(frames: Frames) -> set[str]:
    return set(Movement.violations(frames)["rule"])


def test_the_sound_movement_is_sound() -> None:
    assert rules_of(sound()) == set()


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_violation_is_named(rule: str) -> None:
    frames = sound()
    PLANTED[rule](frames)
    assert rule in rules_of(frames)
    with pytest.raises(DataError, match=r"^Movement: rule '\d\d .* does not hold in [\d,]+ rows?, the first is row"):
        Movement(**{name: frames[name] for name in FRAMES})


@pytest.mark.parametrize("column", ["father", "prev", "next", "first", "last"])
@pytest.mark.parametrize("row", [-1, -2, 50])
def test_a_row_that_does_not_exist_is_no_row(column: str, row: int) -> None:
    frames = sound()
    frames["segments"][1][column] = row
    assert "15 references name existing rows" in rules_of(frames)


def test_durations_that_are_stated_are_compared() -> None:
    from sfumato.semantics.movement.violations import violations

    movement = Movement(**sound())  # type: ignore[arg-type]
    minutes = movement.minutes()
    assert violations(movement.frames(), minutes).is_empty()
    wrong = violations(movement.frames(), minutes.scatter(3, 2.0))
    assert wrong.rows() == [("11 duration in minutes", "segments", 3)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"kind": "number", "number": 27.5, "value": "27.5"}, True),
        ({"kind": "number", "number": 27.5, "value": "28"}, False),
        ({"kind": "number", "number": None, "value": "27.5"}, False),
        ({"kind": "text", "value": "x", "language": "pt-br"}, True),
        ({"kind": "text", "value": "x", "language": "p t"}, False),
        ({"kind": "resource", "value": "http://a/b", "language": "en"}, False),
        ({"kind": "tag", "value": "x"}, False),
        ({"kind": "text", "value": "x", "property": BQ + "tag"}, False),
        ({"kind": "text", "value": "x", "property": "no iri"}, False),
        ({"kind": "song", "value": "x"}, False),
    ],
)
def test_values_of_annotations(values: dict[str, Any], expected: bool) -> None:
    frames = sound()
    row = {"target_kind": "object", "target": 1, "property": BQ + "about", "number": None, "language": None}
    frames["annotations"] = [{**row, "metres": None, "similarity": None, "source": None, **values}]
    assert rules_of(frames) == (set() if expected else {"21 the value of an annotation is of its kind"})


def damaged(frames: Frames, draw: random.Random) -> None:
    """Change one link, number, time or type at random."""
    count = len(frames["segments"])
    segment = draw.choice(frames["segments"])
    column = draw.choice(["father", "prev", "next", "level", "ord", "begin", "end", "object", "tree", "type", "first"])
    options = {
        "level": draw.randrange(4),
        "ord": draw.randrange(4),
        "begin": draw.choice(frames["segments"])["begin"],
        "end": draw.choice(frames["segments"])["end"] + draw.choice([0.0, 1.0]),
        "object": draw.randrange(len(frames["objects"])),
        "tree": draw.choice(["", "week"]),
        "type": draw.choice(["HISTORY", "STOP"]),
        "first": draw.randrange(len(frames["positions"])),
    }
    if draw.random() < 0.2:
        position = draw.choice(frames["positions"])
        position["end"] += draw.choice([-100.0, 1000.0])
    segment[column] = options.get(column, draw.choice([None, draw.randrange(count)]))


@pytest.mark.parametrize("seed", range(30))
def test_damage_is_judged_as_the_definitions_do(seed: int) -> None:
    given = random_frames(seed, objects=2)
    movement = Movement.of(
        **{name: pl.DataFrame(rows) for name, rows in given.items()} if given["segments"] else sound_input()
    )
    frames = {name: frame.to_dicts() for name, frame in movement.frames().items()}
    draw = random.Random(seed)
    for _ in range(draw.randint(1, 3)):
        damaged(frames, draw)
    rows = Movement.violations(frames).rows()
    judged = {"01", "02", "03", "04", "05", "06", "07", "08", "10", "12", "14"}
    got = {(rule[:2], frame, row) for rule, frame, row in rows if rule[:2] in judged}
    wanted = {entry for entry in broken_rules(frames) if entry[0] in judged}
    assert got == wanted
    begins = [(segment["father"], segment["begin"]) for segment in frames["segments"]]
    if len(set(begins)) == len(begins):  # else there is no first of the next siblings
        mine = {row for rule, _, row in rows if rule.startswith("09")}
        assert mine == {row for rule, _, row in broken_rules(frames) if rule == "09"}


def sound_input() -> dict[str, Any]:
    frames = sound()
    keys = ("object", "type", "first", "last")
    segments = pl.DataFrame(frames["segments"]).select(keys).filter(pl.col("type") != "HISTORY")
    return {"objects": frames["objects"], "positions": frames["positions"], "segments": segments}
