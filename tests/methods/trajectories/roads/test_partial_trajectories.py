"""Partial trajectories: the literal twin, and their order."""

from __future__ import annotations

import pytest

from driving import along, drives, steps_of, town
from sfumato import RoadTrajectories
from sfumato.methods.trajectories.roads.partial_trajectories import Different, Partial
from sfumato.methods.trajectories.roads.time_intervals import Intervals
from twins.icba import partial_trajectories


@pytest.mark.parametrize("interval", [None, 900, "300,1500,1600"])
@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_the_literal_twin_cuts_the_same(interval: object, people: bool) -> None:
    data = drives(4, vehicles=80, people=people)
    cut = None if interval is None else Intervals.read(interval)
    found = Partial.of(data, 4, cut)
    names = [found.fragments.interval_names[n] for n in found.fragments.intervals]
    rows = zip(found.units.tolist(), names, map(tuple, found.fragments.to_lists()), strict=True)
    expected = partial_trajectories(steps_of(data, cut), 4)
    assert list(rows) == expected
    assert found.infrequent + found.outside + len(found.fragments.codes) == len(data.codes)


def test_the_most_frequent_come_first_and_ties_by_content() -> None:
    net = town("ab bc")
    rows = [along(way, net) for way in ("bc", "abc", "bc", "ab", "ab")]
    found = Different.of(Partial.of(RoadTrajectories.from_lists(rows, network=net), 2, None))
    assert found.paths.to_lists() == [["ab+"], ["bc+"], ["ab+", "bc+"]]
    assert found.supports.tolist() == [2, 2, 1]
    assert found.ranks.tolist() == [0, 2, 1]
    assert found.of_fragment.tolist() == [1, 2, 1, 0, 0]


def test_no_road_and_no_record() -> None:
    net = town("ab")
    for rows in ([], [[], []], [["ab+"]]):
        found = Different.of(Partial.of(RoadTrajectories.from_lists(rows, network=net), 2, None))
        assert len(found.paths) == 0
