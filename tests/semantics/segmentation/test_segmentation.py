"""Segmentation: a literal twin on random tracks, by every rule; the definitions on every result; refusals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import Places, Positions
from sfumato.data.areas.regions import Regions
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.semantics import Movement, Segmentation, segment
from sfumato.semantics.vocabulary import BQ, RDFS
from twins.segmentation import Fix, Twin, by_day, by_gap, by_jump, by_travel, globe, never, plane

DAY = 86_400


def fixes(seed: int, *, geographic: bool = False, lasting: bool = True) -> list[Fix]:
    """Positions of 200 people on a lattice, in any order, with equal times, overlaps and two days among them."""
    draw = np.random.default_rng(seed)
    size = 200 * 12
    begin = draw.integers(0, 15, size) + DAY * (draw.random(size) < 0.3)
    end = begin + 2 * (draw.random(size) < 0.25) * lasting
    x, y = draw.integers(0, 9, size) * 1.0, draw.integers(0, 4, size) * 1.0
    if geographic:
        x, y = 9 + x / 1000, 45 + y / 1000
    people = draw.integers(0, 200, size)
    columns = (begin.astype(float), end.astype(float), x, y)
    return [Fix(f"p{row[0]}", *row[1:]) for row in zip(people, *(column.tolist() for column in columns), strict=True)]


def positions(rows: list[Fix], *, geographic: bool = False, **facts: Any) -> Positions:
    frame = pl.DataFrame(rows, schema=["person", "time", "end", "x", "y"], orient="row")
    return Positions.from_frame(frame.rename({"x": "lon", "y": "lat"}) if geographic else frame, **facts)


def described(movement: Movement) -> list[tuple[Any, ...]]:
    """Each segment as the twin tells it."""
    named = movement.annotations.filter(pl.col("target_kind") == "segment")
    region = dict(named.select("target", "value").rows())
    rows = movement.segments.select("object", "type", "begin", "end").rows()
    people = movement.objects["object"].to_list()
    return [(people[row[0]], *row[1:], region.get(number)) for number, row in enumerate(rows)]


def order(segments: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(segments, key=str)


def check_definitions(movement: Movement) -> None:
    """Definitions 1 to 3, literally: positions in strict order, spans, fathers, siblings, one root an object."""
    assert len(Movement.violations(movement.frames())) == 0
    rows = movement.positions.rows(named=True)
    segments = movement.segments.rows(named=True)
    for before, after in pairwise(rows):
        assert before["object"] != after["object"] or before["end"] < after["begin"]
    children: dict[int, list[dict[str, Any]]] = {}
    for part in segments:
        assert (part["begin"], part["end"]) == (rows[part["first"]]["begin"], rows[part["last"]]["end"])
        assert (part["father"] is None) == (part["type"] == "HISTORY")
        if part["father"] is not None:
            father = segments[part["father"]]
            assert father["first"] <= part["first"] <= part["last"] <= father["last"]
            assert part["level"] == father["level"] + 1
            children.setdefault(part["father"], []).append(part)
    for father, parts in children.items():
        ordered = sorted(parts, key=lambda part: part["first"])
        assert all(one["last"] < other["first"] for one, other in pairwise(ordered))
        if segments[father]["type"] != "HISTORY":  # stops and moves leave no position out
            assert sum(part["last"] - part["first"] + 1 for part in parts) == (
                segments[father]["last"] - segments[father]["first"] + 1
            )


@pytest.mark.parametrize("seed", range(3))
def test_days_agree_with_the_twin(seed: int) -> None:
    rows = fixes(seed)
    twin = Twin(fastest_mps=2.5).run(rows)
    done = Segmentation(fastest_kmh=9, stop_radius_m=2, stop_minutes=0.05).apply(positions(rows))
    assert order(described(done.movement)) == order(twin.segments)
    assert (done.counts["ties_merged"], done.counts["trails_dropped"]) == (twin.ties, twin.dropped)
    assert min(twin.ties, twin.dropped) > 50
    kinds = [kind for _, kind, *_ in twin.segments]
    assert [done.counts[name] for name in ("trails", "stops", "moves")] == [
        kinds.count(kind) for kind in ("TRAIL", "STOP", "MOVE")
    ]
    check_definitions(done.movement)


RULES = {
    "gap": ({"trails": "gap", "gap_minutes": 0.05}, by_gap(3.0)),
    "jump": ({"trails": "jump", "distance_m": 3}, by_jump(3.0, plane)),
    "travel": ({"trails": "travel", "distance_m": 6}, by_travel(6.0, plane)),
    "whole": ({"trails": "whole"}, never),
}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_agrees_with_the_twin(rule: str) -> None:
    parameters, cuts = RULES[rule]
    rows = fixes(4)
    done = Segmentation(fastest_kmh="any", stop_radius_m=2, stop_minutes=0.05, **parameters).apply(positions(rows))
    twin = Twin(cuts=cuts).run(rows)
    assert order(described(done.movement)) == order(twin.segments)
    check_definitions(done.movement)


def test_the_globe_agrees_with_the_twin() -> None:
    rows = fixes(5, geographic=True)
    # steps on the lattice are about 79 and 111 metres
    done = segment(positions(rows, geographic=True), fastest_kmh="any", stop_radius_m=150, stop_minutes=0.05)
    assert order(described(done)) == order(Twin(metric=globe, cuts=by_day, radius=150).run(rows).segments)
    assert done.geographic


REGIONS = Regions.from_frame(
    {
        "region": ["west", "east", "corner", "far"],
        "west": [0, 6, 0.5, 6],
        "south": [0, 0, 0.5, 0],
        "east": [4, 8, 2.5, 7],
        "north": [3, 3, 2.5, 1],
        "level": ["city", "city", "place", "place"],
    }
)


def region_of(level: str) -> Any:
    def holder(fix: Fix) -> Any:
        rows = [row for row in range(len(REGIONS)) if REGIONS.levels[REGIONS.level_of[row]] == level]
        inside = [row for row in rows if REGIONS.outlines[row].intersects(_point(fix))]
        return REGIONS.names[inside[0]] if inside else None

    return holder


def _point(fix: Fix) -> Any:
    from shapely import Point

    return Point(fix.x, fix.y)


def test_levels_of_regions_agree_with_the_twin() -> None:
    rows = fixes(6)
    data = positions(rows).with_regions(REGIONS)
    done = Segmentation(fastest_kmh="any", stop_radius_m=1, stop_minutes=0.05).apply(data)
    twin = Twin(radius=1, levels=(region_of("city"), region_of("place"))).run(rows)
    assert order(described(done.movement)) == order(twin.segments)
    check_definitions(done.movement)
    kept = [Fix("", 0.0, 0.0, x, y) for x, y in done.movement.positions.select("x", "y").rows()]
    outside = sum(region_of("city")(fix) is None for fix in kept)
    by_region = Segmentation(trails="region", fastest_kmh="any").apply(data)
    assert done.counts["outside_regions"] == by_region.counts["outside_regions"] == outside > 0


def test_figure_1_in_small() -> None:
    """Trajectories in countries, stops in a city, in a place of it, and in a part of that place."""
    boxes = {
        "Brazil": (0, 0, 99, 99, "country"),
        "Spain": (200, 0, 299, 99, "country"),
        "Rio": (0, 0, 40, 40, "city"),
        "market": (10, 10, 20, 20, "place"),
        "bar": (11, 11, 12, 12, "part"),
    }
    columns = zip(*boxes.values(), strict=True)
    regions = Regions.from_frame(
        {
            "region": list(boxes),
            **dict(zip(("west", "south", "east", "north", "level"), map(list, columns), strict=True)),
        }
    )
    way = [(1, 1), (2, 2), (11, 11), (12, 12), (15, 15), (30, 30), (60, 60), (250, 5), (251, 5)]
    rows = [Fix("eva", 3600.0 * hour, 3600.0 * hour, *map(float, at)) for hour, at in enumerate(way)]
    data = positions(rows).with_regions(regions)
    movement = segment(data, trails="region", fastest_kmh="any", stops="none")
    shown = [(kind, begin / 3600, end / 3600, region) for _, kind, begin, end, region in described(movement)]
    assert shown == [
        ("HISTORY", 0, 8, None),
        ("TRAIL", 0, 6, "Brazil"),
        ("TRAIL", 7, 8, "Spain"),
        ("STOP", 0, 5, "Rio"),
        ("MOVE", 6, 6, None),
        ("MOVE", 0, 1, None),
        ("STOP", 2, 4, "market"),
        ("MOVE", 5, 5, None),
        ("STOP", 2, 3, "bar"),
        ("MOVE", 4, 4, None),
    ]
    names = movement.segments["name"].to_list()
    assert names[3] == "eva/1/1"
    assert names[-2:] == ["eva/1/1/2/1", "eva/1/1/2/2"]
    assert movement.segments["level"].to_list() == [0, 1, 1, 2, 2, 3, 3, 3, 4, 4]


def test_a_stop_that_repeats_the_stop_around_it_is_left_out() -> None:
    rows = [Fix("a", 0.0, 0.0, 1.0, 1.0), Fix("a", 5.0, 5.0, 1.0, 1.0)]
    movement = segment(positions(rows).with_regions(REGIONS), stop_radius_m=9, stop_minutes=0.05, fastest_kmh="any")
    assert [(kind, region) for _, kind, _, _, region in described(movement)] == [
        ("HISTORY", None), ("TRAIL", None), ("STOP", "west"), ("STOP", "corner"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("type_name", "column", "shift", "rule"),
    [
        ("STOP", "last", 1, "06 siblings share no instant"),  # a stop that ends at the first position outside
        ("MOVE", "last", 1, "04 father covers it"),
        ("STOP", "end", 60.0, "03 spans its positions"),
    ],
)
def test_planted_violations_are_named(type_name: str, column: str, shift: float, rule: str) -> None:
    rows = [
        Fix("a", 600.0 * step, 600.0 * step, x, 0.0) for step, x in enumerate([0.0, 1.0, 2.0, 3.0, 9000.0, 18000.0])
    ]
    rows.append(Fix("a", DAY * 2.0, DAY * 2.0, 0.0, 0.0))
    movement = segment(positions(rows))
    part = movement.segments.filter(pl.col("type") == type_name).row(0, named=True)
    changed = pl.when(pl.col("name") == part["name"])
    columns = {column: changed.then(pl.col(column) + shift).otherwise(column)}
    if column == "last":
        ends = movement.positions["end"].gather(part["last"] + 1)[0]
        columns["end"] = changed.then(ends).otherwise("end")
    frames = {**movement.frames(), "segments": movement.segments.with_columns(**columns)}
    assert rule in Movement.violations(frames)["rule"].to_list()


def test_ties_keep_the_first_position_and_unite_the_annotations() -> None:
    posts = Positions.from_frame(
        {
            "person": ["ann"] * 4,
            "time": [5, 5, 5, 9],
            "lon": [1.0, 2.0, 3.0, 4.0],
            "lat": [0.0] * 4,
            "tags": ["sea, sun", "sun", "sand", ""],
            "text": ["hello", None, "hello", "bye"],
            "place": [None, "beach", None, None],
            "wkt": ["POINT (1 0)", "POINT (2 0)", None, "POLYGON ((0 0, 8 0, 8 1, 0 0))"],
        }
    )
    done = Segmentation(fastest_kmh="any").apply(posts)
    assert done.counts["ties_merged"] == 2
    assert done.movement.positions.select("begin", "x", "wkt").rows() == [
        (5.0, 1.0, None),
        (9.0, 4.0, "POLYGON ((0 0, 8 0, 8 1, 0 0))"),
    ]
    annotations = done.movement.annotations.select("target_kind", "target", "property", "kind", "value").rows()
    assert order(annotations) == order(
        [
            *(("position", 0, BQ + "tag", "tag", tag) for tag in ("sea", "sun", "sand")),
            ("position", 0, RDFS + "comment", "text", "hello"),
            ("position", 1, RDFS + "comment", "text", "bye"),
            ("position", 0, BQ + "ppText", "text", "beach"),
        ]
    )


def test_annotations_follow_their_positions_when_others_are_left_out() -> None:
    frame = {
        "person": ["ann"] * 5,
        "time": [0, 1, DAY, DAY + 600, DAY + 1200],
        "x": [0.0, 9e6, 0.0, 10.0, 20.0],
        "y": [0.0] * 5,
        "tags": ["lost", "", "first", "", "last"],
    }
    done = Segmentation(compress_m=5).apply(frame)
    assert done.counts["compressed"] == 1
    assert done.movement.positions["begin"].to_list() == [float(DAY), DAY + 1200.0]
    assert done.movement.annotations.select("target", "value").rows() == [(0, "first"), (1, "last")]


@pytest.mark.parametrize("within", [0.5, 2.0])
def test_compression_keeps_every_segment(within: float) -> None:
    rows = fixes(7, lasting=False)
    parameters: dict[str, Any] = {"fastest_kmh": "any", "stop_radius_m": 2, "stop_minutes": 0.05}
    whole = segment(positions(rows), **parameters)
    fewer = segment(positions(rows), **parameters, compress_m=within)
    assert described(whole) == described(fewer)
    assert set(fewer.positions.rows()) < set(whole.positions.rows())
    check_definitions(fewer)


def test_whole_objects_are_dropped_where_the_second_paper_does() -> None:
    rows = [Fix("a", 0.0, 0.0, 0.0, 0.0), Fix("a", 1.0, 1.0, 900.0, 0.0), Fix("a", 2.0 * DAY, 2.0 * DAY, 0.0, 0.0)]
    rows.append(Fix("b", 0.0, 0.0, 0.0, 0.0))
    by_trail = Segmentation(fastest_kmh=500).apply(positions(rows))
    assert (by_trail.counts["trails_dropped"], by_trail.counts["positions_dropped"]) == (1, 2)
    assert by_trail.movement.objects["object"].to_list() == ["a", "b"]
    by_object = Segmentation(fastest_kmh=500, drop="object").apply(positions(rows))
    assert (by_object.counts["objects_dropped"], by_object.counts["positions_dropped"]) == (1, 3)
    assert by_object.movement.objects["object"].to_list() == ["b"]


def test_persons_with_several_trajectories() -> None:
    frame = {"person": ["ann"] * 4, "trajectory": ["x/1", "y", "x/1", "y"], "time": [0, 1, 2, 3]}
    data = Positions.from_frame({**frame, "x": [0.0] * 4, "y": [0.0] * 4})
    pooled = segment(data, fastest_kmh="any")
    assert pooled.objects.select("object", "person").rows() == [("ann", "ann")]
    assert len(pooled.trails()) == 1
    apart = segment(data, fastest_kmh="any", objects="trajectory")
    assert apart.objects.select("object", "person").rows() == [("x/1", "ann"), ("y", "ann")]
    alone = segment(Positions.from_frame({"person": ["ann"], "trajectory": ["t"], "time": [0], "x": [0], "y": [0]}))
    assert alone.objects["object"].to_list() == ["ann"]
    assert apart.segments["name"].to_list()[:2] == ["x%2F1/history", "y/history"]


def test_stops_at_places_and_slow_stops() -> None:
    places = Places.planar({"home": (0, 0), "bar": (10, 0)})
    rows = [
        Fix("a", 60.0 * minute, 60.0 * minute, x, 0.0) for minute, x in enumerate([0.0, 1.0, 5.0, 10.0, 10.0, 10.0])
    ]
    data = positions(rows, places=places)
    parameters = {"stop_radius_m": 2, "stop_minutes": 1, "fastest_kmh": "any"}
    at_places = segment(data, stops="place", **parameters)
    assert at_places.stops().select("begin", "end").rows() == [(0.0, 60.0), (180.0, 300.0)]
    slow = segment(data, stops="slow", **parameters)
    assert slow.stops().select("begin", "end").rows() == [(0.0, 60.0), (180.0, 300.0)]
    check_definitions(slow)


def test_refusals() -> None:
    data = positions([Fix("a", 0.0, 0.0, 0.0, 0.0)])
    with pytest.raises(MissingKnowledge, match=r"^segment: wanted regions with outlines, found none$"):
        segment(data, trails="region")
    with pytest.raises(ParameterError, match=r"^Segmentation: trails='jump' needs distance_m, got None$"):
        segment(data, trails="jump")
    with pytest.raises(ParameterError, match=r"no parameter is called 'trail'; did you mean 'trails'\?$"):
        segment(data, trail="day")
    empty = Positions(offsets=[0, 0], times=[], where=np.zeros((0, 2)), geographic=False)
    with pytest.raises(DataError, match=r"^segment: wanted at least one position, found none$"):
        segment(empty)
    with pytest.raises(MissingKnowledge, match=r"^StaysAtPlaces: wanted places with coordinates"):
        segment(data, stops="place")
