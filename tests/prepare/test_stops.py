"""Stops: an established library's definition, slow twins, hand-made days, refusals."""

from __future__ import annotations

from math import sin
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import speed_clusters, stay_points
from sfumato import Places, Positions, Trajectories
from sfumato.errors import DataError, MissingKnowledge, ParameterError
from sfumato.prepare import Grid, SpeedClusters, StayPoints, StaysAtPlaces
from twins.segmentation import Fix, Twin

# ---- agreement with trackintel, on two made-up days

# place: longitude, latitude.  A stretch: where, how many positions, seconds between them.
HOME, WORK, CAFE, PARK = (9.1900, 45.4642), (9.2270, 45.4781), (9.2015, 45.4700), (9.1790, 45.4725)
DAYS = {
    "ann": [(HOME, 30, 120), (WORK, 50, 240), (CAFE, 5, 300), (WORK, 16, 200), (PARK, 4, 240), (HOME, 25, 150)],
    "bob": [(PARK, 12, 200), (CAFE, 10, 90), (CAFE, 20, 100), (HOME, 9, 250), (WORK, 3, 60), (PARK, 13, 100)],
}
GAPS = {("ann", 4): 2400, ("bob", 2): 1900}  # seconds without a position before a stretch
LEG = 6  # positions on the way between two places
DAWN = 1_750_000_000


def shared_days() -> pl.DataFrame:
    rows: list[tuple[Any, ...]] = []
    for person, stretches in DAYS.items():
        time, here = DAWN, None
        for number, (place, count, every) in enumerate(stretches):
            time += GAPS.get((person, number), 0)
            for step in range(1, LEG + 1) if here not in (None, place) else ():
                share = step / (LEG + 1)
                rows.append((person, time, *(a + share * (b - a) for a, b in zip(here, place, strict=True))))
                time += 50
            for _ in range(count):  # a receiver at rest wanders
                lon, lat = place[0] + 6e-4 * sin(7.3 * len(rows)), place[1] + 4e-4 * sin(5.1 * len(rows) + 1)
                rows.append((person, time, lon, lat))
                time += every
            here = place
    return pl.DataFrame(rows, schema=["person", "time", "lon", "lat"], orient="row")


# generate_staypoints(method="sliding") of trackintel 1.4.2 on these days: person, started_at, finished_at, lon, lat
ANN_HOME, ANN_WORK = ("ann", 0, 3650, 9.1901849, 45.4642551), ("ann", 4380, 15950, 9.2269306, 45.4780772)
ANN_LATER, ANN_LAST = ("ann", 18000, 23650, 9.2265497, 45.4780516), ("ann", 25160, 28760, 9.1899931, 45.4642032)
BOB_PARK = ("bob", 0, 2450, 9.1792641, 45.472471)
BOB_REST = [("bob", 2650, 7700, 9.2009515, 45.4697833), ("bob", 7700, 10100, 9.1907511, 45.464542)]
TRACKINTEL = {
    # dist_threshold=500, time_threshold=30, no gap_threshold, include_last=True
    "last": (StayPoints(), [ANN_HOME, ANN_WORK, ANN_LATER, ANN_LAST, BOB_PARK, *BOB_REST]),
    # the same with include_last=False
    "finished": (StayPoints(unfinished=False), [ANN_HOME, ANN_WORK, ANN_LATER, BOB_PARK, *BOB_REST]),
    # the same with gap_threshold=30
    "gap": (
        StayPoints(unfinished=False, gap_s=1800),
        [
            ANN_HOME,
            ANN_WORK,
            BOB_PARK,
            ("bob", 5500, 7650, 9.2010801, 45.469788),
            ("bob", 7800, 10050, 9.1898666, 45.4641592),
        ],
    ),
    # dist_threshold=100, time_threshold=10, gap_threshold=15, include_last=False
    "small": (
        StayPoints(within_m=100, shortest_s=600, gap_s=900, unfinished=False),
        [
            ("ann", 0, 3600, 9.1900149, 45.4641908),
            ("ann", 3900, 4620, 9.2269684, 45.4783186),
            ("ann", 4620, 5340, 9.2270687, 45.4779326),
            ("ann", 5820, 6780, 9.2272087, 45.4780321),
            ("ann", 7260, 14220, 9.2270273, 45.4780847),
            ("ann", 14700, 15900, 9.2270577, 45.4780952),
            ("ann", 16200, 17100, 9.2016275, 45.4698138),
            ("ann", 17100, 17700, 9.2016466, 45.4702964),
            ("ann", 18000, 18600, 9.2266409, 45.4779938),
            ("ann", 18600, 19200, 9.2273757, 45.4781147),
            ("ann", 23900, 24620, 9.1792602, 45.4725969),
            ("bob", 0, 2400, 9.1790182, 45.4724983),
            ("bob", 6900, 7500, 9.2015105, 45.4700383),
            ("bob", 7800, 8550, 9.1896049, 45.4639931),
            ("bob", 8550, 9300, 9.1904036, 45.4643465),
            ("bob", 9300, 10050, 9.1895913, 45.4641379),
        ],
    ),
}


@pytest.mark.parametrize("case", TRACKINTEL)
def test_stay_points_agree_with_trackintel(case: str) -> None:
    finder, wanted = TRACKINTEL[case]
    found = finder.apply(Positions.from_frame(shared_days())).data.to_polars()
    rows = found.select("person", pl.col("arrival", "departure") - DAWN, "lon", "lat").rows()
    assert [row[:3] for row in rows] == [row[:3] for row in wanted]
    np.testing.assert_allclose([row[3:] for row in rows], [row[3:] for row in wanted], atol=2e-7)


def test_a_stay_before_a_gap_counts_although_nobody_saw_it_end() -> None:
    found = StayPoints(gap_s=1800).apply(Positions.from_frame(shared_days())).data.to_polars()
    rows = found.select("person", pl.col("arrival", "departure") - DAWN).rows()
    assert ("ann", 18000.0, 21000.0) in rows  # at work until the last position before the gap


# ---- twins


@st.composite
def tracks(draw: Any) -> tuple[list[list[tuple[float, float]]], list[list[float]]]:
    """A few short tracks on a lattice, with equal places and equal times among them."""
    where, times = [], []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(0, 12))
        near = st.tuples(st.integers(0, 4), st.integers(0, 2))
        where.append([(float(x), float(y)) for x, y in draw(st.lists(near, min_size=size, max_size=size))])
        waits = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
        times.append(np.cumsum([0, *waits])[:size].astype(float).tolist())
    return where, times


def positions(where: list[list[tuple[float, float]]], times: list[list[float]], **facts: Any) -> Positions:
    return Positions(
        offsets=np.concatenate(([0], np.cumsum([len(track) for track in where]))),
        times=[time for track in times for time in track],
        where=np.array([point for track in where for point in track]).reshape(-1, 2),
        geographic=False,
        **facts,
    )


def check(done: Any, where: Any, times: Any, twin: list[list[tuple[int, int, float]]]) -> None:
    """The stops of each track are the twin's, with arrival, departure, centre and number of positions."""
    assert done.data.lengths.tolist() == [len(stops) for stops in twin]
    flat = [(track, *stop) for track, stops in enumerate(twin) for stop in stops]
    assert done.data.times.tolist() == [times[track][first] for track, first, _, _ in flat]
    assert done.data.departures.tolist() == [departure for *_, departure in flat]
    assert done.data.fixes.tolist() == [end - first for _, first, end, _ in flat]
    centres = [np.mean(where[track][first:end], axis=0) for track, first, end, _ in flat]
    np.testing.assert_allclose(done.data.where, np.array(centres).reshape(-1, 2), atol=1e-12)
    moving = sum(len(track) for track in where) - sum(end - first for _, first, end, _ in flat)
    assert done.counts == {"stops": len(flat), "moving": moving}


@given(tracks(), st.sampled_from([1.0, 2.0]), st.integers(0, 5), st.sampled_from([None, 1.0, 2.0]), st.booleans())
def test_stay_points_agree_with_the_definition(made: Any, within: float, shortest: int, gap: Any, rest: bool) -> None:
    where, times = made
    finder = StayPoints(within_m=within, shortest_s=shortest, gap_s=gap, unfinished=rest)
    twin = [stay_points(*track, within, shortest, gap or np.inf, rest) for track in zip(where, times, strict=True)]
    check(finder.apply(positions(where, times)), where, times, twin)


@pytest.mark.parametrize("lasting", [0, 2])
def test_stays_that_end_at_their_last_position_agree_with_the_twin(lasting: int) -> None:
    draw = np.random.default_rng(6)
    size = 40 * 15
    begin = np.sort(draw.integers(0, 40, (40, 15)), axis=1).ravel().astype(float)
    where = draw.integers(0, 4, (size, 2)).astype(float)
    details = pl.DataFrame({"end": begin + draw.integers(0, 1 + lasting, size)})
    data = Positions(
        offsets=np.arange(41) * 15, times=begin, where=where, geographic=False, details=details if lasting else None
    )
    done = StayPoints(within_m=2, shortest_s=4, ends_at="last").apply(data).data
    wanted = []
    for track in range(40):
        rows = range(15 * track, 15 * track + 15)
        fixes = [Fix("", begin[row], data.ends[row], *where[row]) for row in rows]
        wanted += [(fixes[first].begin, fixes[end - 1].end) for first, end, _ in Twin(radius=2, shortest=4).near(fixes)]
    assert list(zip(done.times.tolist(), done.departures.tolist(), strict=True)) == wanted
    assert len(wanted) > 20


def test_a_stop_that_ends_at_its_last_position_can_be_too_short() -> None:
    # half an hour passes only until somebody is seen elsewhere
    data = positions([[(0.0, 0.0), (0.0, 1.0), (9000.0, 0.0)]], [[0.0, 1700.0, 1800.0]])
    assert StayPoints().apply(data).data.durations.tolist() == [1800.0]
    assert StayPoints(ends_at="last").apply(data).counts["stops"] == 0
    with pytest.raises(ParameterError, match=r"^StayPoints: ends_at must be one of 'outside', 'last', got 'first'$"):
        StayPoints(ends_at="first")


@given(tracks(), st.sampled_from([0.5, 1.0, 2.0, 3.5]), st.integers(0, 8))
def test_speed_clusters_agree_with_clustering_by_hand(made: Any, reach: float, shortest: int) -> None:
    where, times = made
    twin = [
        [(first, end, moments[end - 1]) for first, end in speed_clusters(track, moments, reach, shortest)]
        for track, moments in zip(where, times, strict=True)
    ]
    check(SpeedClusters(reach_m=reach, shortest_s=shortest).apply(positions(where, times)), where, times, twin)


# ---- by hand


def test_the_reach_is_a_quantile_of_the_steps_of_each_trajectory() -> None:
    # steps 1, 1, 7: mean 3, deviation sqrt(8); the second trajectory is ten times as large
    where = [[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (9.0, 0.0)], [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (90.0, 0.0)]]
    times = [[0.0, 100.0, 200.0, 300.0]] * 2
    stops = SpeedClusters(shortest_s=200).apply(positions(where, times)).data  # at 0.5 the mean: 3 and 30
    assert stops.lengths.tolist() == [1, 1]
    assert stops.departures.tolist() == [200.0, 200.0]
    wide = SpeedClusters(shortest_s=300, area=0.93).apply(positions(where, times)).data  # 3 + 1.48 sqrt(8) > 7
    assert wide.departures.tolist() == [300.0, 300.0]
    narrow = SpeedClusters(shortest_s=1, area=0.1).apply(positions(where, times))  # below 0: nothing is close
    assert narrow.counts == {"stops": 0, "moving": 8}


def test_a_stop_of_two_clusters_keeps_them_apart() -> None:
    # two rests with a step of 4 between them: within reach of the rests' edges, not of their cores
    where = [[(0.0, 0.0), (0.0, 0.0), (4.0, 0.0), (8.0, 0.0), (8.0, 0.0)]]
    times = [[0.0, 100.0, 101.0, 102.0, 202.0]]
    stops = SpeedClusters(reach_m=4, shortest_s=100).apply(positions(where, times)).data
    # every position is a core: (4, 0) reaches both rests, so all is one cluster
    assert stops.to_polars().select("arrival", "departure").rows() == [(0.0, 202.0)]
    apart = SpeedClusters(reach_m=3, shortest_s=100).apply(positions(where, times)).data
    assert apart.to_polars().select("arrival", "departure").rows() == [(0.0, 100.0), (102.0, 202.0)]


@pytest.mark.parametrize(("end", "later"), [(202.0, [(102.0, 202.0)]), (201.5, [])], ids=["long", "too short"])
def test_a_position_between_two_clusters_belongs_to_the_earlier_one(end: float, later: Any) -> None:
    # the second and the fourth are cores, and both reach the third, whose own surroundings are fast
    where = [[(x, 0.0) for x in (0.0, 1.0, 3.0, 5.0, 6.0)]]
    times = [[0.0, 100.0, 101.0, 102.0, end]]
    stops = SpeedClusters(reach_m=2, shortest_s=100).apply(positions(where, times)).data
    assert stops.to_polars().select("arrival", "departure").rows() == [(0.0, 101.0), *later]
    twin = speed_clusters(where[0], times[0], 2, 100)
    assert [(times[0][first], times[0][last - 1]) for first, last in twin] == [(0.0, 101.0), *later]


PLACES = Places.planar({"bar": (10, 0), "home": (0, 0)})


def test_stays_at_places_are_maximal_stretches_in_one_circle() -> None:
    x = [0.0, 5.0, 4.0, 6.0, 10.0, 30.0, 0.0, 0.0]
    times = [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 650.0]
    data = positions([[(at, 0.0) for at in x]], [times], places=PLACES)
    done = StaysAtPlaces(radius_m=6, shortest_s=100).apply(data)
    # (5, 0) is as near to the bar as to home: the first by name; it cuts the stay at home
    assert done.data.to_polars().select("arrival", "departure", "location", "fixes").rows() == [
        (300.0, 400.0, "bar", 2)
    ]
    assert done.counts == {"stops": 1, "moving": 6, "elsewhere": 0}
    done = StaysAtPlaces(radius_m=4.5, shortest_s=0).apply(data)
    assert done.data.to_trajectories().to_lists() == [["home", "home", "bar", "home"]]
    assert done.data.to_trajectories().times.tolist() == [0.0, 200.0, 300.0, 600.0]


def test_stops_are_named_after_the_nearest_place() -> None:
    data = positions([[(1.0, 0.0), (1.0, 2.0)], [(50.0, 0.0), (50.0, 0.0)]], [[0.0, 2000.0]] * 2, places=PLACES)
    done = StayPoints(within_m=5, place_within_m=3).apply(data)
    assert done.data.locations.to_list() == ["home", None]
    assert done.counts == {"stops": 2, "moving": 0, "elsewhere": 1}
    walks = done.data.to_trajectories()
    assert walks.to_lists() == [["home"], []]
    assert walks.places is PLACES
    assert SpeedClusters(reach_m=5, place_within_m=3).apply(data).data.locations.to_list() == ["home", None]


def test_stops_become_cells() -> None:
    data = positions([[(1.0, 0.0), (1.0, 2.0), (99.0, 99.0), (99.0, 100.0)]], [[0.0, 2000.0, 4000.0, 9000.0]])
    stops = StayPoints(within_m=5).apply(data).data
    assert Grid(cells=2, west=0, south=0, east=100, north=100).apply(stops).data.to_lists() == [["x1y1", "x2y2"]]


def test_stops_on_the_date_line_have_their_centre_there() -> None:
    data = Positions(offsets=[0, 2], times=[0, 2000], where=[[179.999, 10.0], [-179.999, 10.0]], geographic=True)
    stops = StayPoints().apply(data).data
    assert abs(stops.where[0, 0]) == pytest.approx(180, abs=1e-9)
    assert stops.where[0, 1] == pytest.approx(10, abs=1e-6)


def test_checkins_have_stops_too() -> None:
    walks = Trajectories.from_frame(
        {"trajectory": [1, 1, 1], "location": ["a", "b", "c"], "time": [0, 1800, 1900], "x": [0, 1, 9], "y": [0, 0, 0]}
    )
    assert StayPoints(within_m=2).apply(walks).data.durations.tolist() == [1900.0]


@pytest.mark.parametrize("finder", [StayPoints(), SpeedClusters(), StaysAtPlaces()], ids=lambda one: one.name)
def test_corner_cases(finder: Any) -> None:
    nothing = positions([], [], places=PLACES)
    assert finder.apply(nothing).counts["stops"] == 0
    empty = positions([[], []], [[], []], places=PLACES)
    assert finder.apply(empty).data.lengths.tolist() == [0, 0]
    one = positions([[(0.0, 0.0)]], [[7.0]], places=PLACES)
    assert finder.apply(one).counts["stops"] == 0
    still = positions([[(0.0, 0.0)] * 3], [[0.0, 900.0, 1800.0]], places=PLACES)
    assert finder.apply(still).data.durations.tolist() == [1800.0]
    assert finder.apply(still).data.ids is None


def test_refusals() -> None:
    data = positions([[(0.0, 0.0)]], [[7.0]])
    with pytest.raises(MissingKnowledge, match=r"^StaysAtPlaces: wanted places with coordinates"):
        StaysAtPlaces().apply(data)
    with pytest.raises(MissingKnowledge, match=r"^StayPoints: wanted places with coordinates"):
        StayPoints(place_within_m=5).apply(data)
    globe = Places.from_frame({"location": ["a"], "lat": [1.0], "lon": [2.0]})
    with pytest.raises(DataError, match=r"^StaysAtPlaces: wanted positions and places both as lat and lon, or both as"):
        StaysAtPlaces().apply(data.with_places(globe))
    walks = Trajectories.from_lists([["a"]], places={"a": (0, 0)})
    with pytest.raises(MissingKnowledge, match=r"^StayPoints: wanted the time of each visit"):
        StayPoints().apply(walks)
    with pytest.raises(ParameterError, match=r"^StayPoints: within_m must be a number above 0, got 0$"):
        StayPoints(within_m=0)
    with pytest.raises(ParameterError, match=r"^SpeedClusters: area must be a number above 0 and below 1, got 1$"):
        SpeedClusters(area=1)
    with pytest.raises(DataError, match=r"^StayPoints: wanted positions or trajectories"):
        StayPoints().apply([])
