"""Movement segment and pattern categories decided segment by segment on a movement: the twin of their SPARQL."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime

import polars as pl

from sfumato.semantics.knowledge.geometry import shape_distance_m, shape_of
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.queries.pattern_category import Companion, PatternCategory
from sfumato.semantics.queries.segment_category import AnnotationCondition, EventCondition, Relative, SegmentCategory
from sfumato.semantics.vocabulary import SEGMENT_CLASSES

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass
class World:
    """What a knowledge base states beside a movement."""

    parents: dict[str, set[str]] = field(default_factory=dict)  # of classes and of properties
    types: dict[str, set[str]] = field(default_factory=dict)
    labels: dict[str, set[str]] = field(default_factory=dict)
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    things: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    events: dict[str, tuple[str, float, float]] = field(default_factory=dict)  # place, begin, end

    def above(self, name: str) -> set[str]:
        return {name}.union(*(self.above(parent) for parent in self.parents.get(name, ())))

    def is_a(self, thing: str, wanted: str | None) -> bool:
        kinds = set().union(*(self.above(kind) for kind in {thing, *self.types.get(thing, ())}))
        return wanted is None or wanted in kinds


class Twin:
    """Decides categories on one movement."""

    def __init__(self, movement: Movement, world: World) -> None:
        self.world = world
        self.rows = movement.segments.to_dicts()
        self.objects = movement.objects.to_dicts()
        self.shapes = [None if wkt is None else shape_of(wkt) for wkt in movement.geometries()]
        self.notes: dict[int, list[dict]] = {}
        for note in movement.annotations.filter(pl.col("target_kind") == "segment").iter_rows(named=True):
            self.notes.setdefault(note["target"], []).append(note)

    def answer(self, pattern: PatternCategory) -> set[str]:
        """The names of the segments, objects or persons that a pattern without names of companions answers."""
        found = set()
        for row in range(len(self.rows)):
            if self.fits(row, pattern.segment) and all(self.partners(row, entry) for entry in pattern.companions):
                thing = self.objects[self.rows[row]["object"]]
                found.add(self.rows[row]["name"] if pattern.answer == "segment" else thing[pattern.answer])
        return found

    def partners(self, row: int, companion: Companion) -> list[int]:
        return [other for other in range(len(self.rows)) if self.accompanies(row, other, companion)]

    def accompanies(self, row: int, other: int, companion: Companion) -> bool:
        one, two = self.rows[row], self.rows[other]
        person, somebody = (self.objects[entry["object"]]["person"] for entry in (one, two))
        if row == other or not self.fits(other, companion.segment):
            return False
        if companion.person != "any" and (person == somebody) != (companion.person == "same"):
            return False
        if companion.once and not person < somebody:
            return False
        if companion.least_shared_minutes is not None:
            shared = min(one["end"], two["end"]) - max(one["begin"], two["begin"])
            touches = not (one["begin"] < two["end"] and two["begin"] < one["end"])
            if touches or shared < 60 * companion.least_shared_minutes:
                return False
        gap = two["begin"] - one["end"]
        if companion.begins_within_minutes is not None and not 0 <= gap <= 60 * companion.begins_within_minutes:
            return False
        return companion.at_most_m is None or self.metres(row, self.shapes[other]) <= companion.at_most_m

    def metres(self, row: int, shape: object) -> float:
        return math.inf if self.shapes[row] is None or shape is None else shape_distance_m(self.shapes[row], shape)

    def fits(self, row: int, category: SegmentCategory) -> bool:
        segment, minutes = self.rows[row], (self.rows[row]["end"] - self.rows[row]["begin"]) / 60
        thing, begin = self.objects[segment["object"]], datetime.fromtimestamp(segment["begin"], UTC)
        hour = begin.hour + begin.minute / 60 + begin.second / 3600
        kind = SEGMENT_CLASSES.get(category.type or "", category.type)
        checks = [
            kind is None or kind in self.world.above(SEGMENT_CLASSES[segment["type"]]),
            category.person is None
            or self.world.is_a(thing["person"], category.person)
            or (thing["person_class"] is not None and category.person in self.world.above(thing["person_class"])),
            category.means is None
            or (thing["means_class"] is not None and category.means in self.world.above(thing["means_class"])),
            category.least_minutes is None or minutes >= category.least_minutes,
            category.most_minutes is None or minutes <= category.most_minutes,
            not category.weekdays or DAYS[begin.weekday()] in category.weekdays,
            category.from_hour is None or hour >= category.from_hour,
            category.to_hour is None or hour < category.to_hour,
            category.position != "first" or segment["ord"] == 1,
            category.position != "last" or segment["next"] is None,
        ]
        return (
            all(checks)
            and all(self.annotated(row, condition) for condition in category.annotations)
            and all(self.attended(row, condition) for condition in category.events)
            and all(self.has(row, relative) for relative in category.relatives)
        )

    def annotated(self, row: int, condition: AnnotationCondition) -> bool:
        return any(self.says(row, note, condition) for note in self.notes.get(row, []))

    def says(self, row: int, note: dict, condition: AnnotationCondition) -> bool:
        world, value = self.world, note["value"]
        if condition.property is not None and condition.property not in world.above(note["property"]):
            return False
        if condition.text is not None:
            texts = world.labels.get(value, set()) if note["kind"] == "resource" else {value}
            return any(condition.text in text for text in texts)
        if note["kind"] != "resource":
            return False
        far = condition.at_most_m is not None and (
            value not in world.points
            or self.metres(row, shape_of("POINT({} {})".format(*world.points[value]))) > condition.at_most_m
        )
        return (
            not far
            and world.is_a(value, condition.value)
            and (condition.label is None or condition.label in world.labels.get(value, ()))
            and all(
                any(
                    name == thing.property
                    and world.is_a(other, thing.value)
                    and (thing.label is None or thing.label in world.labels.get(other, ()))
                    for name, other in world.things.get(value, ())
                )
                for thing in condition.having
            )
        )

    def attended(self, row: int, condition: EventCondition) -> bool:
        segment = self.rows[row]
        for event, (place, begin, end) in self.world.events.items():
            there = any(
                note["value"] == place and condition.property in self.world.above(note["property"])
                for note in self.notes.get(row, [])
            )
            overlaps = begin < segment["end"] and segment["begin"] < end
            shared = min(end, segment["end"]) - max(begin, segment["begin"])
            if (
                there
                and overlaps
                and shared >= 60 * condition.least_shared_minutes
                and self.world.is_a(event, condition.value)
            ):
                return True
        return False

    def has(self, row: int, relative: Relative) -> bool:
        related = [other for other in range(len(self.rows)) if self.is_relative(row, other, relative.relation)]
        return any(self.fits(other, relative.segment) for other in related) != relative.absent

    def is_relative(self, row: int, other: int, relation: str) -> bool:
        one, two = self.rows[row], self.rows[other]
        if relation in ("father", "next", "prev"):
            return one[relation] == other
        if relation == "child":
            return two["father"] == row
        if relation == "ancestor":
            return other in self.up(row)
        if relation == "descendant":
            return row in self.up(other)
        if row == other or one["father"] is None or one["father"] != two["father"]:
            return False
        if relation == "sibling":
            return True
        low, high = sorted((one["ord"], two["ord"]))
        if (two["ord"] > one["ord"]) != relation.endswith("followed-by"):
            return False
        between = [
            entry for entry in self.rows
            if entry["father"] == one["father"] and entry["type"] == "STOP" and low < entry["ord"] < high
        ]  # fmt: skip
        return not (relation.startswith("immediately") and between)

    def up(self, row: int) -> list[int]:
        father = self.rows[row]["father"]
        return [] if father is None else [father, *self.up(father)]
