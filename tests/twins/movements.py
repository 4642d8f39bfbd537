"""Definitions 1 to 3 of Baquara2 (2015), literally: every segment is compared with every other one."""

from __future__ import annotations

import random
from typing import Any

Row = dict[str, Any]

TYPES = ("TRAIL", "TRAJ", "STOP", "MOVE", "DISTRICT")


def random_frames(seed: int, objects: int = 3, longest: int = 14) -> dict[str, list[Row]]:
    """Moving objects with positions, and segments nested at random in one or two trees; rows in random order."""
    draw = random.Random(seed)
    things, positions, segments = [], [], []
    for number in range(objects):
        things.append({"object": f"o{number}", "person": f"p{draw.randrange(2)}"})
        first = len(positions)
        time = float(draw.randrange(1000))
        for _ in range(draw.randint(1, longest)):
            length = draw.choice([0.0, 0.0, 5.5, 60.0])
            place = {"x": draw.uniform(-180, 180), "y": draw.uniform(-80, 80)}
            positions.append({"object": number, "begin": time, "end": time + length, **place})
            time += length + draw.choice([0.25, 1.0, 300.0])
        for tree in draw.choice([("",), ("", "week")]):
            parts = _nested(draw, first, len(positions) - 1, 0)
            segments += [{"object": number, "tree": tree, "type": t, "first": a, "last": b} for t, a, b in parts]
    draw.shuffle(segments)
    for number, segment in enumerate(segments):
        segment["name"] = f"s{number}"
    return {"objects": things, "positions": positions, "segments": segments}


def _nested(draw: random.Random, first: int, last: int, depth: int) -> list[tuple[str, int, int]]:
    """Disjoint runs of positions, with runs inside them; none has the span of one above it."""
    parts: list[tuple[str, int, int]] = []
    start = first
    while start <= last and depth < 4:
        end = draw.randint(start, last)
        whole = (start, end) == (first, last)
        if draw.random() < 0.7 and not (whole and depth):
            parts.append((draw.choice(TYPES), start, end))
            parts += _nested(draw, start, end, depth + 1)
        start = end + 1
    return parts


def father(segments: list[Row], own: Row) -> Row | None:
    """The shortest other segment of the same object and tree that covers it; of equal ones the deepest."""
    covers = [
        other
        for other in segments
        if other is not own
        and (other["object"], other["tree"]) == (own["object"], own["tree"])
        and other["begin"] <= own["begin"]
        and own["end"] <= other["end"]
        and not ((other["begin"], other["end"]) == (own["begin"], own["end"]) and other["type"] != "HISTORY")
        and own["type"] != "HISTORY"
    ]
    return min(covers, key=lambda other: (other["end"] - other["begin"], other["type"] == "HISTORY"), default=None)


def siblings(segments: list[Row], own: Row) -> list[Row]:
    return [x for x in segments if x is not own and own["father"] is not None and x["father"] == own["father"]]


def children(segments: list[Row], number: int) -> list[int]:
    return [child for child, segment in enumerate(segments) if segment["father"] == number]


def descendants(segments: list[Row], number: int) -> list[int]:
    below = children(segments, number)
    return below + [row for child in below for row in descendants(segments, child)]


def ancestors(segments: list[Row], number: int) -> list[int]:
    above = segments[number]["father"]
    return [] if above is None else [above, *ancestors(segments, above)]


def broken_rules(frames: dict[str, list[Row]]) -> set[tuple[str, str, int]]:
    """The number of each rule that does not hold, with the frame and the row, from the definitions."""
    positions, segments = frames["positions"], frames["segments"]
    broken: set[tuple[str, str, int]] = set()
    for row, position in enumerate(positions):
        if position["begin"] > position["end"]:
            broken.add(("02", "positions", row))
        before = positions[row - 1] if row else None
        if before and before["object"] == position["object"] and before["end"] >= position["begin"]:
            broken.add(("01", "positions", row))
    for row, segment in enumerate(segments):
        broken |= {(rule, "segments", row) for rule in _broken_by(frames, row, segment)}
    return broken


def _broken_by(frames: dict[str, list[Row]], row: int, own: Row) -> set[str]:
    positions, segments = frames["positions"], frames["segments"]
    rules: set[str] = set()
    if own["begin"] > own["end"]:
        rules.add("02")
    if own["first"] is not None:
        first, last = positions[own["first"]], positions[own["last"]]
        ends = (first["begin"], last["end"]) == (own["begin"], own["end"])
        own_positions = first["object"] == last["object"] == own["object"]
        if not (own["first"] <= own["last"] and ends and own_positions):
            rules.add("03")
    above = None if own["father"] is None else segments[own["father"]]
    if above is not None:
        if not (above["begin"] <= own["begin"] and own["end"] <= above["end"]):
            rules.add("04")
        if above["object"] != own["object"]:
            rules.add("05")
        if above["tree"] != own["tree"]:
            rules.add("14")
    if own["level"] != (0 if above is None else above["level"] + 1):
        rules.add("07")
    others = siblings(segments, own)
    for other in others:
        earlier = (other["begin"], other["name"]) < (own["begin"], own["name"])
        if earlier and other["begin"] <= own["begin"] <= other["end"]:
            rules.add("06")
    before = [other for other in others if other["begin"] < own["begin"]]
    after = [other for other in others if other["begin"] > own["begin"]]
    if own["ord"] != len(before) + 1:
        rules.add("08")
    following = min(after, key=lambda other: other["begin"], default=None)
    if own["next"] != (None if following is None else segments.index(following)):
        rules.add("09")
    if following is not None and following["prev"] != row:
        rules.add("09")
    if not before and own["prev"] is not None:
        rules.add("09")
    roots = [x for x in segments if x["father"] is None and (x["object"], x["tree"]) == (own["object"], own["tree"])]
    if above is None and any(root["name"] < own["name"] for root in roots):
        rules.add("10")
    if (above is None) != (own["type"] == "HISTORY"):
        rules.add("12")
    return rules
