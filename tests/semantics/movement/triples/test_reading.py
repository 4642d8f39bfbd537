"""Movements from triples: the small world, the broken one, and everything that was written, without loss."""

from __future__ import annotations

import random

import polars as pl
import pytest

from semantics.movement.triples.stores import FOLDER, Memory, unchecked
from sfumato.errors import DataError
from sfumato.semantics import Meeting, Movement
from sfumato.semantics.movement.triples.reading import read_frames
from sfumato.semantics.movement.violations import violations
from sfumato.semantics.vocabulary import BQ, DBR, GEO, RDFS
from twins.movements import random_frames

RIO = "http://example.org/rio/"


@pytest.fixture(scope="module")
def world() -> Movement:
    return Movement.from_knowledge_base(Memory(FOLDER / "world.ttl"))


def test_the_small_world_is_a_movement(world: Movement) -> None:
    assert {name: len(frame) for name, frame in world.frames().items()} == {
        "objects": 9, "positions": 17, "segments": 142, "annotations": 214, "patterns": 1, "members": 0,
        "descriptions": 1,
    }  # fmt: skip
    assert world.objects.filter(object=RIO + "ana_gps").row(0, named=True) == {
        "object": RIO + "ana_gps", "person": RIO + "ana", "person_class": BQ + "European",
        "means": RIO + "ana_navigator", "means_class": BQ + "GPSNavigator",
    }  # fmt: skip
    stop = world.segments.filter(name=RIO + "g31").row(0, named=True)
    assert (stop["type"], stop["begin"], stop["end"], stop["ord"]) == ("STOP", 1404298800.0, 1404486000.0, 1)
    assert stop["first"] is None
    texts = world.annotations.filter(pl.col("property") == BQ + "ppText")
    assert sorted(texts["value"])[:2] == ["Alto Mar", "Clube Lapa"]
    assert set(world.annotations["target_kind"]) == {"object", "position", "segment", "pattern", "description"}
    assert world.annotations.filter(pl.col("kind") == "number").select("value", "number").rows() == [("27", 27.0)]


def test_the_small_world_comes_back_from_its_own_triples(world: Movement) -> None:
    assert Movement.from_knowledge_base(Memory(world)).equals(world)
    met = world.with_patterns(Meeting(), lambda _: [[5, 6, 7]])
    assert Movement.from_knowledge_base(Memory(met)).equals(met)


def test_the_meetings_are_those_of_the_query(world: Movement) -> None:
    rows = (FOLDER / "expected" / "b15_meeting.csv").read_text("utf-8").split()[1:]
    wanted = {frozenset(row.split(",")[:2]) for row in rows}
    members = world.with_patterns("MEETING").members.group_by("pattern").agg("segment")["segment"].to_list()
    assert {frozenset(world.segments["name"][row] for row in pair) for pair in members} == wanted


def test_the_broken_world_is_broken_in_the_same_places() -> None:
    """Every rule of the query, on its own data; positions get a place, which a movement needs."""
    lines = [f"<{RIO}{name}> <{GEO}hasGeometry> <{RIO}g> ." for name in ("v01_first", "v01_second", "v03_p")]
    lines += [f'<{RIO}g> <{GEO}asWKT> "POINT(0 0)" .', f"<{RIO}q03> <{BQ}isOfMO> <{RIO}o03> ."]
    more = "\n".join([*lines, f"<{RIO}q03> <{BQ}hasPosition> <{RIO}v03_p> ."])
    memory = Memory(FOLDER / "broken.ttl", more.encode())
    frames, minutes = read_frames(memory, "http://example.org/movement/")
    found = violations(frames, minutes)
    mine = {(rule[:2], frames["segments"]["name"][row]) for rule, frame, row in found.rows() if frame == "segments"} | {
        (rule[:2], RIO + "v01_second") for rule, frame, _ in found.rows() if frame == "positions"
    }
    numbered = {pair for pair in mine if pair[0] <= "11"}
    assert numbered == memory.broken_rules()
    assert {rule for rule, _ in numbered} == {f"{number:02}" for number in range(1, 12)}
    with pytest.raises(DataError, match="rule '01 positions in strict order of time' does not hold in 1 row"):
        Movement.from_knowledge_base(memory)


@pytest.mark.parametrize("seed", range(4))
def test_random_movements_come_back(seed: int) -> None:
    given = random_frames(seed)
    movement = Movement.of(**given, annotations=annotations(given, seed)).with_patterns(
        lambda m: [range(len(m.segments))]
    )
    assert Movement.from_knowledge_base(Memory(movement, movement)).equals(movement)


def annotations(frames: dict[str, list[dict[str, object]]], seed: int) -> list[dict[str, object]]:
    """Texts with every character that is written in a special way, tags, numbers and links."""
    draw = random.Random(seed)
    texts = ["", 'a "quoted" \\ text\n\twith\rlines', "naïve 日本 \\n", "C:\\new", "%20 <>", "\x1f\x7f"]
    rows = []
    for _ in range(30):
        kind = draw.choice(["text", "tag", "number", "resource"])
        words = {"tag": BQ + "tag", "text": draw.choice([RDFS + "comment", BQ + "ppText"])}
        number = draw.choice([27.0, -0.5, 1e300, 1 / 3]) if kind == "number" else None
        rows.append(
            {
                "target_kind": "position" if draw.random() < 0.5 else "object",
                "target": draw.randrange(len(frames["objects"])) if len(frames["positions"]) >= 3 else 0,
                "property": words.get(kind, BQ + "about"),
                "kind": kind,
                "value": DBR + "Niterói" if kind == "resource" else draw.choice(texts),
                "number": number,
                "language": draw.choice([None, "pt-BR"]) if kind == "text" else None,
                "metres": draw.choice([None, 12.345678901234567]),
                "similarity": draw.choice([None, 1.0]),
                "source": draw.choice([None, 'a "rule"\n']),
            }
        )
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_the_query_over_triples_finds_the_same_damage(seed: int) -> None:
    """One damaged link or number; both must name the rule, and for the rules that do not depend on ord, the segment."""
    given = random_frames(seed, objects=2)
    movement = Movement.of(
        **{**given, "segments": [{**row, "tree": ""} for row in given["segments"] if not row["tree"]]}
    )
    assert Memory(movement).broken_rules() == set()
    draw = random.Random(seed)
    frames = {name: frame.to_dicts() for name, frame in movement.frames().items()}
    if not frames["segments"]:
        return
    row = draw.randrange(len(frames["segments"]))
    column = draw.choice(["level", "father", "begin", "end"])
    value = {"level": 7, "father": None, "begin": -1e6, "end": 1e9}[column]
    frames["segments"][row][column] = value
    damaged = unchecked(frames)
    names = damaged.segments["name"]
    mine = {
        (rule[:2], f"http://example.org/movement/segment/{names[number]}")
        for rule, _, number in Movement.violations(frames).rows()
        if rule[:2] <= "08"
    }
    theirs = {(rule, subject) for rule, subject in Memory(damaged).broken_rules() if rule <= "08"}
    assert mine == theirs


def test_names_that_are_iris_keep_their_iri(world: Movement) -> None:
    content = world.to_triples("http://other.org/")
    assert b"<http://example.org/rio/g31> <" in content
    assert b"http://other.org/segment/" not in content


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (f"<x:o> a <{BQ}Place> .", "wanted a knowledge base with moving objects, found none"),
        (f"<x:s> a <{BQ}Stop> ; <{BQ}isOfMO> <x:o> .", "wanted begin, end, level and ord of every segment, found 1"),
        (f"<x:q> <{BQ}isOfMO> <x:o> ; <{BQ}hasPosition> <x:p> .", "wanted begin, end and a point of every position"),
    ],
)
def test_triples_that_are_no_movement(lines: str, sentence: str) -> None:
    import pyoxigraph as ox

    memory = Memory()
    memory.store.load(lines.encode(), format=ox.RdfFormat.TURTLE)
    with pytest.raises(DataError, match=sentence):
        Movement.from_knowledge_base(memory)


def test_two_movements_with_the_same_names_are_not_mixed() -> None:
    walks = [
        Movement.of({"object": ["a"]}, {"object": ["a"], "begin": [begin], "x": [0], "y": [0]}) for begin in (1.0, 2.0)
    ]
    with pytest.raises(DataError, match="wanted one value of 'begin' for each thing, found 2 values"):
        Movement.from_knowledge_base(Memory(*walks))
