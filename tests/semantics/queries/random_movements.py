"""Random small movements, what is known of their places, and random descriptions, for the comparison with the twin."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.queries.pattern_category import PERSONS, Companion, PatternCategory
from sfumato.semantics.queries.segment_category import (
    POSITIONS,
    RELATIONS,
    WEEKDAYS,
    AnnotationCondition,
    EventCondition,
    Relative,
    SegmentCategory,
    ThingCondition,
)
from sfumato.semantics.vocabulary import BQ, GEO, RDF, RDFS, XSD
from twins.segment_categories import World

EX = "http://example.org/t/"
LABEL, LOCATION = RDFS + "label", EX + "in"
CLASSES = {
    "bar": {"place"},
    "pub": {"bar"},
    "market": {"place"},
    "stall": {"market", "bar"},
    "place": set(),
    "town": set(),
}
PROPERTIES = ("visits", "isAt", "mentions")
NAMES = ("North", "South", 'Quote " \\ and more')
START = 1_720_000_000 // 60 * 60


def random_world(rng: random.Random) -> World:
    world = World(parents={EX + name: {EX + parent for parent in parents} for name, parents in CLASSES.items()})
    world.parents |= {BQ + "visits": {BQ + "isAt"}, EX + "Guest": {BQ + "Tourist"}, BQ + "Tourist": {BQ + "Person"}}
    world.parents |= {BQ + "Stop": {BQ + "Episode"}, BQ + "Move": {BQ + "Episode"}, BQ + "Trail": {BQ + "Journey"}}
    for number in range(2):
        world.types[f"{EX}town{number}"] = {EX + "town"}
        world.labels[f"{EX}town{number}"] = {NAMES[number]}
    for number in range(6):
        place = f"{EX}p{number}"
        world.types[place] = {
            EX + kind for kind in rng.sample(["bar", "pub", "market", "stall"], rng.choice([1, 1, 2]))
        }
        world.labels[place] = set(rng.sample(NAMES, rng.choice([0, 1, 2])))
        world.points[place] = (rng.randrange(10) / 1000, rng.randrange(10) / 1000)
        world.things[place] = [(LOCATION, f"{EX}town{rng.randrange(2)}")]
    for number in range(3):
        event, begin = f"{EX}e{number}", START + 60 * rng.randrange(1500)
        world.types[event] = {BQ + rng.choice(["Event", "Party"])}
        world.events[event] = (f"{EX}p{rng.randrange(6)}", float(begin), float(begin + 60 * rng.randrange(1, 200)))
    world.parents[BQ + "Party"] = {BQ + "Event"}
    return world


def world_triples(world: World) -> str:
    lines = [f"<{name}> <{RDFS}sub{'Property' if name.endswith('visits') else 'Class'}Of> <{parent}> ."
             for name, parents in world.parents.items() for parent in parents]  # fmt: skip
    lines += [f"<{name}> <{RDF}type> <{kind}> ." for name, kinds in world.types.items() for kind in kinds]
    for name, labels in world.labels.items():
        lines += [f"<{name}> <{LABEL}> {quoted(label)}@en ." for label in labels]
    for name, (x, y) in world.points.items():
        lines += [
            f"<{name}> <{GEO}hasGeometry> <{name}/g> .",
            f'<{name}/g> <{GEO}asWKT> "POINT({x} {y})"^^<{GEO}wktLiteral> .',
        ]
    lines += [f"<{name}> <{key}> <{other}> ." for name, pairs in world.things.items() for key, other in pairs]
    for name, (place, begin, end) in world.events.items():
        lines.append(f"<{name}> <{BQ}occursIn> <{place}> .")
        for key, seconds in (("begin", begin), ("end", end)):
            lines.append(
                f'<{name}> <{BQ}{key}> "{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"^^<{XSD}dateTime> .'
            )
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def random_movement(rng: random.Random) -> Movement:
    """Three moving objects of two persons, each with day trails, stops and moves in up to three levels."""
    objects = {
        "object": ["a", "b", "c"],
        "person": ["ann", "ann", "bob"],
        "person_class": [BQ + "Tourist", BQ + "Tourist", EX + "Guest"],
        "means": [None, EX + "site", EX + "site"],
        "means_class": [None, BQ + "SocialMedia", BQ + "SocialMedia"],
    }
    positions: dict[str, list] = {"object": [], "begin": [], "x": [], "y": []}
    segments: dict[str, list] = {"object": [], "type": [], "first": [], "last": []}
    for name in objects["object"]:
        first, time = len(positions["begin"]), START
        for _ in range(rng.randrange(14, 22)):
            time += 60 * rng.choice([1, 7, 20, 45, 120])
            for key, value in (
                ("object", name),
                ("begin", time),
                ("x", rng.randrange(4) / 2000),
                ("y", rng.randrange(4) / 2000),
            ):
                positions[key].append(value)
        _divide(name, first, len(positions["begin"]) - 1, 0, segments, rng)
    rows = range(len(segments["object"]))
    notes = [
        (row, rng.choice(PROPERTIES), f"{EX}p{rng.randrange(6)}", "resource")
        for row in rows
        for _ in range(rng.choice([0, 1, 2]))
    ]
    notes += [(row, "mentions", EX + rng.choice(["bar", "pub"]), "resource") for row in rows if rng.random() < 0.2]
    notes += [(row, "mentions", rng.choice([*NAMES, "Northern"]), "text") for row in rows if rng.random() < 0.3]
    annotations = {
        "target_kind": ["segment"] * len(notes),
        "target": [note[0] for note in notes],
        "property": [BQ + note[1] for note in notes],
        "kind": [note[3] for note in notes],
        "value": [note[2] for note in notes],
    }
    return Movement.of(objects, positions, segments, annotations=annotations)


def _divide(name: str, first: int, last: int, depth: int, segments: dict[str, list], rng: random.Random) -> None:
    """Disjoint segments between two positions, and finer ones inside."""
    start = first
    while start <= last:
        end = min(last, start + rng.randrange(8 if depth == 0 else 3))
        if depth == 0 or rng.random() < 0.8:
            kind = "TRAIL" if depth == 0 else rng.choice(["STOP", "STOP", "MOVE"])
            for key, value in (("object", name), ("type", kind), ("first", start), ("last", end)):
                segments[key].append(value)
            if depth < 3 and end > start:
                _divide(name, start, end, depth + 1, segments, rng)
        start = end + 1


def random_category(rng: random.Random, depth: int = 0) -> SegmentCategory:
    chance = rng.random
    hours = sorted(rng.sample(range(25), 2))
    relatives = rng.choice([0, 1, 1, 2 - depth]) if depth < 2 else 0
    return SegmentCategory(
        type=rng.choice([None, "STOP", "STOP", "MOVE", "TRAIL", BQ + "Episode", BQ + "Journey"]),
        person=rng.choice([*[None] * 8, BQ + "Tourist", EX + "Guest", BQ + "Person"]),
        means=rng.choice([*[None] * 7, BQ + "SocialMedia"]),
        least_minutes=rng.choice([0, 7.5, 20, 30]) if chance() < 0.2 else None,
        most_minutes=rng.choice([45, 60, 119.5]) if chance() < 0.2 else None,
        weekdays=tuple(rng.sample(WEEKDAYS, 4)) if chance() < 0.15 else (),
        from_hour=hours[0] if chance() < 0.15 else None,
        to_hour=hours[1] if chance() < 0.15 else None,
        position=rng.choice(POSITIONS) if chance() < 0.15 else None,
        annotations=tuple(random_annotation(rng) for _ in range(rng.choice([0, 0, 1, 1, 2]))),
        events=(random_event(rng),) if chance() < 0.12 else (),
        relatives=tuple(random_relative(rng, depth + 1) for _ in range(relatives)),
    )  # fmt: skip


def random_relative(rng: random.Random, depth: int) -> Relative:
    return Relative(relation=rng.choice(RELATIONS), segment=random_category(rng, depth), absent=rng.random() < 0.2)


def random_event(rng: random.Random) -> EventCondition:
    minutes = rng.choice([0, 0, 10])
    return EventCondition(value=BQ + rng.choice(["Event", "Party"]), property=BQ + "isAt", least_shared_minutes=minutes)


def random_annotation(rng: random.Random) -> AnnotationCondition:
    known = BQ + rng.choice(PROPERTIES)
    if rng.random() < 0.15:
        return AnnotationCondition(
            property=rng.choice([None, known]), text=rng.choice(["North", '"', "ort", "nowhere"])
        )
    having = ThingCondition(
        property=LOCATION, value=EX + rng.choice(["town", "town0"]), label=rng.choice([None, "North"])
    )
    return AnnotationCondition(
        property=rng.choice([None, known, known]),
        value=rng.choice([None, EX + "p1", *(EX + name for name in CLASSES)]),
        label=rng.choice([None, None, None, *NAMES]),
        at_most_m=rng.choice([None, None, None, 300, 600]),
        having=(having,) if rng.random() < 0.2 else (),
    )


def random_pattern(rng: random.Random) -> PatternCategory:
    companion = Companion(
        segment=random_category(rng, 2),
        person=rng.choice(PERSONS),
        at_most_m=rng.choice([None, 100, 250]),
        least_shared_minutes=rng.choice([0, 5, 15]),
        begins_within_minutes=None,
    )
    later = Companion(segment=random_category(rng, 2), person="any", begins_within_minutes=rng.choice([10, 60, 300]))
    answer = rng.choice(["segment", "segment", "object", "person"])
    return PatternCategory(segment=random_category(rng, 2), companions=(rng.choice([companion, later]),), answer=answer)
