"""What a map shows, compared with counting by hand; projection, clusters and areas."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Places, SeqAnon, Table, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.experiments.reports.maps import limits
from sfumato.experiments.reports.maps import scene as scenes
from sfumato.experiments.reports.maps.clusters import Flows, clustered, hull_of
from sfumato.experiments.reports.maps.panels import Panel
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.scene import scene_of
from sfumato.experiments.reports.maps.style import MapStyle
from sfumato.generate import Roads

WHERE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
WALKS = Trajectories.from_lists([*map(list, ("dace", "baec", "ade", "bdec", "dc", "de"))], places=WHERE)


def moves_by_hand(data: Trajectories) -> Counter[tuple[str, str]]:
    return Counter((a, b) for walk in data.to_lists() for a, b in pairwise(walk) if a != b)


def moves_of(panel: Panel) -> dict[tuple[str, str], int]:
    names, flows = panel.marks.names, panel.flows
    return {
        (names[start], names[end]): moves
        for start, end, moves in zip(flows.start, flows.end, flows.moves.tolist(), strict=True)
    }


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_visits_and_flows_are_counted_one_by_one(walks: list[list[str]]) -> None:
    if not any(set(walk) & set(WHERE) for walk in walks):
        return
    data = Trajectories.from_lists(walks, places=WHERE)  # f has no coordinates
    scene = scene_of({"all": data})
    (panel,) = scene.panels
    visits = Counter(place for walk in walks for place in walk)
    drawn = dict(zip(panel.marks.names.tolist(), panel.marks.visits.tolist(), strict=True))
    assert drawn == {place: number for place, number in visits.items() if place in WHERE}
    assert moves_of(panel) == {ends: n for ends, n in moves_by_hand(data).items() if "f" not in ends}
    assert panel.flows.moves.tolist() == sorted(panel.flows.moves.tolist(), reverse=True)
    if visits["f"]:
        lost = f"{visits['f']} visit{'s' if visits['f'] > 1 else ''}"
        assert scene.notes == (f"all: 1 label without coordinates, with {lost}, cannot be drawn.",)


@given(st.integers(0, 10_000), st.floats(0.05, 3))
@settings(max_examples=25, deadline=None)
def test_clusters_keep_every_visit_and_every_move_between_squares(seed: int, side: float) -> None:
    random = np.random.default_rng(seed)
    where = {str(place): tuple(random.uniform(-2, 2, 2)) for place in range(15)}
    walks = [[str(place) for place in random.integers(0, 15, 6)] for _ in range(8)]
    (panel,) = scene_of({"all": Trajectories.from_lists(walks, places=where)}).panels
    square = {name: tuple(np.floor(np.array(point) / side)) for name, point in where.items()}
    marks, flows = clustered(panel.marks, panel.flows, side)
    visits = Counter(square[place] for walk in walks for place in walk)
    assert sorted(marks.visits.tolist()) == sorted(visits.values())
    assert int(marks.visits.sum()) == sum(map(len, walks))
    steps = ((square[a], square[b]) for walk in walks for a, b in pairwise(walk))
    moves = Counter(ends for ends in steps if ends[0] != ends[1])
    assert sorted(flows.moves.tolist()) == sorted(moves.values())
    for point, number, name in zip(marks.points, marks.visits, marks.names, strict=True):
        assert visits[tuple(np.floor(point / side))] == number
        assert not name or tuple(point) == where[name]


def test_hulls_are_those_of_an_established_library() -> None:
    from shapely import MultiPoint, Polygon

    random = np.random.default_rng(3)
    for number in range(3, 40):
        points = random.integers(0, 9, (number, 2)).astype(float)
        hull = MultiPoint(points).convex_hull
        mine = hull_of(points)
        if hull.geom_type == "Polygon":
            assert Polygon(mine).equals(hull)
            assert len(mine) == len(hull.exterior.coords) - 1
        else:
            assert len(mine) <= 2


def test_a_release_has_the_areas_of_its_labels() -> None:
    release = SeqAnon(k=2, m=2).anonymize(WALKS)
    before, after = scene_of({"before": WALKS, "after": release.data}).panels
    assert before.areas == ()
    (area,) = after.areas
    assert (area.name, area.members, area.outline.tolist()) == ("g1", 3, [[-1.0, 0.0], [1.0, 0.0]])
    assert after.summary == "6 trajectories, 19 visits, 3 labels, 1 of them for several places"
    centre = after.marks.points[after.marks.names.tolist().index("g1")]
    assert centre.tolist() == [0.0, 0.0]
    (alone,) = scene_of({"after": release.data}, style=MapStyle(layers="visits")).panels
    assert (alone.areas, len(alone.flows)) == ((), 0)


def test_a_map_of_cells_shows_their_rectangles() -> None:
    where = {f"x{x}y{y}": (10 * x, 5 * y) for x in (1, 2, 3) for y in (1, 2)}
    data = Trajectories.from_lists([["x1y1", "x2y2", "x3y1"]], places=where)
    (panel,) = scene_of({"cells": data}).panels
    assert panel.areas[0].outline.tolist() == [[5.0, 2.5], [15.0, 2.5], [15.0, 7.5], [5.0, 7.5]]
    assert len(panel.areas) == 3


def test_the_map_is_cut_where_nobody_is() -> None:
    """Fiji lies on both sides of the date line."""
    points = np.array([[179.2, -16.5], [-179.8, -17.5], [178.1, -18.1]])
    projection = Projection.around(points, geographic=True)
    flat = projection.flat(points)
    assert np.ptp(flat[:, 0]) < 300_000
    assert flat[0, 0] < flat[1, 0]
    towns = Places.from_frame({"location": ["a", "b", "c"], "lat": points[:, 1], "lon": points[:, 0]})
    for pair, chord in ((("a", "b"), (0, 1)), (("b", "c"), (1, 2))):
        assert np.hypot(*(flat[chord[0]] - flat[chord[1]])) == pytest.approx(towns.distance(*pair), rel=0.01)


def test_too_many_places_are_drawn_by_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_MARKS", 20)
    random = np.random.default_rng(1)
    where = {str(place): tuple(random.uniform(0, 100, 2)) for place in range(300)}
    data = Trajectories.from_lists(
        [[str(place) for place in random.integers(0, 300, 5)] for _ in range(90)], places=where
    )
    scene = scene_of({"all": data})
    assert len(scene.panels[0].marks) <= 20
    assert int(scene.panels[0].marks.visits.sum()) == 450
    assert len(scene.panels[0].ends) > 20, "flows are few enough to join places"
    (note,) = scene.notes
    assert note.startswith("There are too many places for one page: those in a square of ")
    side = float(re.search(r"square of (.*) are drawn as one", note)[1])
    joined = clustered(scene.panels[0].ends, Flows.none(), side)[0]
    assert abs(len(joined) - len(scene.panels[0].marks)) <= 3, "the note rounds the side"
    monkeypatch.setattr(limits, "_MOST_FLOWS", 30)
    scene = scene_of({"all": data})
    assert len(scene.panels[0].flows) <= 30
    assert int(scene.panels[0].flows.moves.sum()) <= sum(moves_by_hand(data).values())
    assert len(scene.notes) == 2


def test_the_most_visited_areas_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenes, "_MOST_AREAS", 1)
    data = Trajectories.from_lists([["g1", "g2"], ["g2"]], places=WHERE)
    data = type(data)(offsets=data.offsets, codes=data.codes, names=data.names, places=data.places,
                      members={"g1": ("a", "b"), "g2": ("c", "d")})  # fmt: skip
    scene = scene_of({"all": data})
    assert [area.name for area in scene.panels[0].areas] == ["g2"]
    assert scene.notes == ("all: of 2 areas, the 1 most visited are drawn.",)


def test_roads_and_their_vehicles() -> None:
    drives = Roads(nodes=12, degree=3, vehicles=60, distance_km=12).make(seed=4)
    before, after = scene_of({"before": drives, "after": drives.take([0, 1])}).panels
    assert int(before.roads.vehicles.sum()) == len(drives.codes)
    by_hand = Counter(road[:-1] for walk in drives.to_lists() for road in walk)
    assert {n: v for n, v in zip(before.roads.names, before.roads.vehicles.tolist(), strict=True) if v} == by_hand
    assert int(after.roads.vehicles.sum()) == int(drives.lengths[:2].sum())
    assert before.summary.startswith("60 trajectories on ")
    other = Roads(nodes=10, degree=3, vehicles=5).make(seed=1)
    with pytest.raises(DataError, match="wanted data on one network, found several"):
        scene_of({"one": drives, "other": other})
    with pytest.raises(DataError, match="wanted trajectories throughout or road trajectories throughout, found both"):
        scene_of({"one": drives, "other": WALKS})


def test_refusals() -> None:
    with pytest.raises(DataError, match=r"^a map: wanted trajectories or road trajectories, found table$"):
        scene_of({"one": Table({"age": [1]})})
    bare = Trajectories.from_lists([["a"]])
    with pytest.raises(MissingKnowledge, match=r"^a map: wanted places with coordinates, found none; give places, or"):
        scene_of({"one": bare})
    with pytest.raises(MissingKnowledge, match="wanted coordinates of the places in the data, found none; give places"):
        scene_of({"one": bare}, places=Places.planar({"z": (0, 0)}))
    globe = Places.from_frame({"location": ["a"], "lat": [1], "lon": [2]})
    with pytest.raises(DataError, match="wanted all places as lat and lon, or all as x and y, found both"):
        scene_of({"one": WALKS}, places=globe)
    with pytest.raises(ParameterError, match=r"^layers: no layer is called 'visit'; did you mean 'visits'\?$"):
        scene_of({"one": WALKS}, style=MapStyle(layers="visit"))
    with pytest.raises(
        ParameterError, match=r"^layers: wanted at least one layer of visits, flows, areas, .*, found none$"
    ):
        scene_of({"one": WALKS}, style=MapStyle(layers=","))
    with pytest.raises(ParameterError, match="top_flows must be a whole number of at least 0"):
        MapStyle(top_flows=-1)
