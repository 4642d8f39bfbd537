"""What is left of visits and pairs, by hand and from the definitions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from datasets import records
from sfumato import Trajectories
from sfumato.utility.places.appearance import LocationAppearance, PairsLost, VisitsKept
from twins.random_releases import walks


def release(rows: Any, **more: Any) -> Any:
    return SimpleNamespace(data=replace(Trajectories.from_lists(rows), **more), origin=None)


def test_appearance_by_hand() -> None:
    walks = Trajectories.from_lists(["aab", "bc", "d"])
    # a: 1 of 2, b: 2 of 2, c: 0 of 1, d: 1 of 1
    assert LocationAppearance()(walks, release(["a", "bb", "d"])).value == pytest.approx(100 * 2.5 / 4)
    assert LocationAppearance()(walks, release([])).value == 0
    # more visits than there were, and a place that was not there
    assert LocationAppearance()(walks, release(["aaaa", "bb", "c", "d", "x"])).value == pytest.approx(100 * 5 / 4)


def test_a_generalized_location_is_each_member_with_equal_probability() -> None:
    walks = Trajectories.from_lists(["ab", "c"])
    blurred = release([["g", "g"], ["c"]], members={"g": ("a", "b")})
    assert LocationAppearance()(walks, blurred).value == 100
    assert LocationAppearance()(walks, release([["g"], ["c"]], members={"g": ("a", "b")})).value == pytest.approx(
        100 * (0.5 + 0.5 + 1) / 3
    )


def test_pairs_lost_by_hand() -> None:
    walks = Trajectories.from_lists(["abcd", "ab", "a", ""])  # 6 + 1 pairs
    assert PairsLost()(walks, release(["ab", "cd", "ab", "a"])).value == pytest.approx(100 * (1 - 3 / 7))
    assert PairsLost()(walks, release(["abcdef"])).value == pytest.approx(100 * (1 - 15 / 7))
    assert PairsLost()(Trajectories.from_lists(["a", "b"]), release(["a"])).value == 0
    assert PairsLost()(Trajectories.from_lists([]), release([])).value == 0
    assert LocationAppearance()(Trajectories.from_lists([]), release([])).value == 100


def test_a_name_that_no_trajectory_carries_is_not_counted() -> None:
    walks = Trajectories.from_lists(["a", "b"])
    first = walks.take(walks.units[:1])
    assert first.names == ("a", "b")
    assert LocationAppearance()(first, release(["a"])).value == 100


@settings(max_examples=50, deadline=None)
@given(records(), records())
def test_both_are_their_definitions(before: Any, after: Any) -> None:
    walks = Trajectories.from_lists(before)
    flat, left = [place for row in before for place in row], [place for row in after for place in row]
    ratios = [left.count(place) / flat.count(place) for place in set(flat)]
    wanted = 100 * sum(ratios) / len(ratios) if ratios else 100
    assert LocationAppearance()(walks, release(after)).value == pytest.approx(wanted)
    pairs = [sum(1 for row in rows for at in range(len(row)) for _ in row[:at]) for rows in (before, after)]
    lost = 100 * (1 - pairs[1] / pairs[0]) if pairs[0] else 0
    assert PairsLost()(walks, release(after)).value == pytest.approx(lost)


def test_every_shape_is_its_literal_definition() -> None:
    for case in walks(10):
        before = [name for row in case.before for name in row]
        after = [
            (name, 1 / len(case.stands_for(label)))
            for row in case.after
            for label in row
            for name in case.stands_for(label)
        ]
        ratios = [sum(part for name, part in after if name == place) / before.count(place) for place in set(before)]
        expected = 100 * sum(ratios) / len(ratios) if ratios else 100
        assert LocationAppearance()(case.original, case.published).value == pytest.approx(expected)
        pairs = [sum(len(list(combinations(row, 2))) for row in rows) for rows in (case.before, case.after)]
        lost = 100 * (1 - pairs[1] / pairs[0]) if pairs[0] else 0
        assert PairsLost()(case.original, case.published).value == pytest.approx(lost)


def test_visits_kept_are_distinct_visits_of_the_original() -> None:
    """An invented visit is not kept, and one that is published twice is kept once."""
    published = Trajectories.from_lists(["ab", "xb"])
    origin = np.array([0, 1, -1, 1])
    walks = Trajectories.from_lists(["abc", "d"])
    assert VisitsKept()(walks, SimpleNamespace(data=published, origin=origin)).value == 50
    assert VisitsKept()(walks, Trajectories.from_lists(["abcde"])).value == 100
    assert VisitsKept()(Trajectories.from_lists([]), release([])).value == 100
