"""Meetings, compared with every pair of stops."""

from __future__ import annotations

import math
import random

import pytest

from sfumato.errors import ParameterError
from sfumato.semantics import Meeting, Movement
from sfumato.semantics.vocabulary import BQ

RADIUS_M = 6_371_008.8


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    (x1, y1), (x2, y2) = (map(math.radians, point) for point in (a, b))
    h = math.sin((y1 - y2) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x1 - x2) / 2) ** 2
    return 2 * RADIUS_M * math.asin(math.sqrt(h))


def stops(seed: int, *, geographic: bool) -> Movement:
    """Stops around a few places, one of them on the date line, one near the pole; persons with two devices."""
    draw = random.Random(seed)
    places = [(12.5, 41.9), (180.0, -17.0), (77.0, 89.9995)] if geographic else [(0.0, 0.0), (500.0, 500.0)]
    spread = 0.001 if geographic else 120.0
    objects, segments = [], []
    for number in range(12):
        objects.append({"object": f"o{number}", "person": f"p{number // 2}"})
        time = draw.uniform(0, 86400)
        for _ in range(6):
            length = draw.choice([60.0, 900.0, 5000.0, 200_000.0])
            x, y = (value + draw.uniform(-spread, spread) for value in draw.choice(places))
            x = x - 360 if geographic and x > 180 else x
            y = min(y, 90.0) if geographic else y
            point = f"POINT({x!r} {y!r})"
            segments.append({"object": number, "type": "STOP", "begin": time, "end": time + length, "wkt": point})
            time += length + draw.uniform(1, 3000)
    return Movement.of(objects, None, segments, geographic=geographic)


@pytest.mark.parametrize("geographic", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_meetings_are_those_of_every_pair(seed: int, geographic: bool) -> None:
    movement = stops(seed, geographic=geographic)
    person = movement.objects["person"].to_list()
    centres = movement.centres().rows()
    rows = movement.stops().to_dicts()
    wanted = {}
    for first in rows:
        for second in rows:
            shared = min(first["end"], second["end"]) - max(first["begin"], second["begin"])
            ends = centres[first["row"]], centres[second["row"]]
            apart = metres(*ends) if geographic else math.dist(*ends)
            strangers = person[first["object"]] != person[second["object"]]
            if first["row"] < second["row"] and strangers and apart <= 80 and shared >= 600:
                wanted[first["row"], second["row"]] = (max(first["begin"], second["begin"]), apart)
    met = movement.with_patterns(Meeting(within_m=80, minutes=10))
    assert len(wanted) > 20
    pairs = met.members.group_by("pattern", maintain_order=True).agg("segment")["segment"].to_list()
    found = {tuple(sorted(pair)): row for row, pair in enumerate(pairs)}
    assert found.keys() == wanted.keys()
    assert len(met.patterns) == len(wanted)
    for pair, row in found.items():
        begin, apart = wanted[pair]
        assert met.patterns["begin"][row] == begin
        assert met.annotations["metres"][row] == pytest.approx(apart, abs=1e-6)
    assert set(met.annotations["value"]) == {BQ + "Meeting"}


def test_devices_of_one_person_do_not_meet() -> None:
    segments = {
        "object": [0, 1],
        "type": ["STOP"] * 2,
        "begin": [0.0] * 2,
        "end": [9000.0] * 2,
        "wkt": ["POINT(1 1)"] * 2,
    }
    one = Movement.of({"object": ["a", "b"], "person": ["p", "p"]}, None, segments)
    two = Movement.of({"object": ["a", "b"], "person": ["p", "q"]}, None, segments)
    assert len(one.with_patterns(Meeting()).patterns) == 0
    assert two.with_patterns(Meeting()).patterns["name"].to_list() == ["meeting/1"]


def test_a_wrong_parameter_is_refused() -> None:
    with pytest.raises(ParameterError, match="Meeting: within_m must be a number above 0, got 0"):
        Meeting(within_m=0)
