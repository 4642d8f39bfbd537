"""Who works where, by days and hours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sfumato.data import Trajectories
from sfumato.methods.trajectories.cast.workplaces import visits_to_work

MONDAY = 4 * 86_400  # 5 January 1970


def at(day: int, hour: float) -> float:
    return MONDAY + day * 86_400 + hour * 3_600


def timed(visits: list[tuple[str, str, int, float]]) -> Trajectories:
    """Visits as (person, place, day after that Monday, hour), one trajectory each."""
    data = Trajectories.from_lists([[place] for _, place, _, _ in visits], persons=[who for who, *_ in visits])
    return replace(data, times=np.array([at(day, hour) for *_, day, hour in visits]))


@pytest.mark.parametrize(
    ("visits", "works"),
    [
        ([("u", "e", day, 9) for day in range(3)], True),
        ([("u", "e", day, 9) for day in range(2)], False),  # two days are not enough
        ([("u", "e", 0, hour) for hour in (9, 10, 11, 12)], False),  # nor four visits on one
        ([("u", "e", day, 19) for day in range(5)], False),  # in the evening
        ([("u", "e", day, 7.99) for day in range(5)], False),
        ([("u", "e", day, 17.99) for day in range(5)], True),
        ([("u", "e", day, 9) for day in (5, 6, 12, 13)], False),  # at weekends
        ([("u", "e", day, 9) for day in (0, 7, 14)], True),
        ([("u", "e", day, 9) for day in range(3)] + [("u", "x", day, 9) for day in range(3, 5)], True),
        ([("u", "e", day, 9) for day in range(3)] + [("u", "x", day, 9) for day in (3, 4, 7, 8)], False),  # 3 of 7
        ([(who, "e", day, 9) for day, who in enumerate("uvw")], False),  # three persons, one day each
    ],
)
def test_by_hand(visits: list[tuple[str, str, int, float]], works: bool) -> None:
    found = visits_to_work(timed(visits))
    assert {bool(one) for one, (_, place, _, _) in zip(found, visits, strict=True) if place == "e"} == {works}


def test_other_visits_to_a_workplace_count_as_work_too() -> None:
    data = timed([("u", "e", day, 9) for day in range(3)] + [("u", "e", 6, 22), ("v", "e", 0, 9)])
    assert visits_to_work(data).tolist() == [True] * 4 + [False]


def test_without_times_nobody_works() -> None:
    assert not visits_to_work(Trajectories.from_lists(["ee", "e"])).any()
    assert len(visits_to_work(Trajectories.from_lists([[]]))) == 0
