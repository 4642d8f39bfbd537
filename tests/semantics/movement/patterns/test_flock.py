"""Flocks, compared with every middle, every window and every other move."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest

from sfumato.semantics import Flock, Movement
from sfumato.semantics.vocabulary import BQ


def walkers(seed: int) -> Movement:
    """Walks on a plane, in groups that drift apart; some persons carry two devices."""
    draw = random.Random(seed)
    objects, positions, segments = [], [], []
    for number in range(9):
        objects.append({"object": f"o{number}", "person": f"p{max(number, 1)}"})
        speed = (1.0, 0.0, 1.3)[number % 3]
        shift, time, first = draw.uniform(0, 60), draw.choice([0.0, 37.0, 400.0]), len(positions)
        for step in range(draw.randint(5, 12)):
            length = draw.choice([0.0, 20.0])
            x = speed * time + shift + draw.uniform(-10, 10)
            positions.append(
                {"object": number, "begin": time, "end": time + length, "x": x, "y": draw.uniform(-30, 30)}
            )
            time += length + draw.uniform(50, 200)
            if step and draw.random() < 0.15:
                segments.append({"object": number, "type": "MOVE", "first": first, "last": len(positions) - 1})
                first = len(positions)
        if first < len(positions):
            segments.append({"object": number, "type": "MOVE", "first": first, "last": len(positions) - 1})
    return Movement.of(objects, positions, segments, geographic=False)


def place(movement: Movement, row: int, time: float) -> tuple[float, float] | None:
    """Where a move is: at a position while it lasts, on the straight line between two positions else."""
    segment = movement.segments.row(row, named=True)
    rows = movement.positions.to_dicts()[segment["first"] : segment["last"] + 1]
    for own, following in zip(rows, [*rows[1:], None], strict=True):
        if own["begin"] <= time <= own["end"]:
            return own["x"], own["y"]
        if following and own["end"] < time < following["begin"]:
            share = (time - own["end"]) / (following["begin"] - own["end"])
            return tuple(own[axis] + share * (following[axis] - own[axis]) for axis in "xy")  # type: ignore[return-value]
    return None


def literal(movement: Movement, flock: Flock) -> set[frozenset[int]]:
    moves = movement.of_type("MOVE")["row"].to_list()
    person = {row: movement.objects["person"][movement.segments["object"][row]] for row in moves}
    last = math.ceil(movement.positions["end"].max() / flock.step_s)  # type: ignore[operator, arg-type]
    where = {(row, tick): place(movement, row, tick * flock.step_s) for row, tick in product(moves, range(last + 1))}
    length = math.ceil(60 * flock.minutes / flock.step_s) + 1
    groups = set()
    for middle, start in product(moves, range(last + 2 - length)):
        ticks = range(start, start + length)
        path = [where[middle, tick] for tick in ticks]
        if None in path or sum(map(math.dist, path, path[1:])) < flock.travelled_m:
            continue
        near = [
            row
            for row in moves
            if all(where[row, t] and math.dist(where[row, t], where[middle, t]) <= flock.radius_m for t in ticks)  # type: ignore[arg-type]
        ]
        if len({person[row] for row in near}) >= flock.persons:
            groups.add(frozenset(near))
    return {group for group in groups if not any(group < other for other in groups)}


@pytest.mark.parametrize("seed", range(4))
def test_flocks_are_those_of_the_definition(seed: int) -> None:
    movement = walkers(seed)
    flock = Flock(persons=3, radius_m=90, minutes=5, travelled_m=50, step_s=30)
    wanted = literal(movement, flock)
    found = movement.with_patterns(flock)
    sets = found.members.group_by("pattern").agg("segment")["segment"].to_list()
    assert {frozenset(group) for group in sets} == wanted
    assert len(sets) == len(wanted)
    assert wanted or seed != 0
    times = found.patterns.select("begin", "end").rows()
    assert all(end - begin >= 300 for begin, end in times)
    assert set(found.annotations["value"]) <= {BQ + "Flock"}


def test_persons_are_counted_and_those_who_stand_are_no_flock() -> None:
    def walk(persons: list[str], speed: float) -> Movement:
        positions = [
            {"object": number, "begin": 60.0 * k, "x": 12.5 + speed * k, "y": 41.9}
            for number in range(3)
            for k in range(20)
        ]
        segments = [{"object": k, "type": "MOVE", "first": 20 * k, "last": 20 * k + 19} for k in range(3)]
        return Movement.of({"object": ["a", "b", "c"], "person": persons}, positions, segments).with_patterns(Flock())

    assert walk(["p", "q", "r"], 0.001).members["segment"].to_list() == [0, 1, 2]
    assert walk(["p", "q", "q"], 0.001).patterns.is_empty()
    assert walk(["p", "q", "r"], 0.0).patterns.is_empty()
