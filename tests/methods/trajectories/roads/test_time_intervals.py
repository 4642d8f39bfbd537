"""Intervals: what may be written, and what lies where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sfumato.methods.trajectories.roads.time_intervals import Intervals


@pytest.mark.parametrize(
    ("written", "json"),
    [(3600, 3600), ("3600", 3600), (0.5, 0.5), ("0,10,30", [0, 10, 30]), ([-5, 0.5], [-5, 0.5]), ((1, 2), [1, 2])],
)
def test_what_is_written_is_written_again(written: Any, json: Any) -> None:
    found = Intervals.read(written)
    assert found is not None
    assert found.to_json() == json
    assert Intervals.read(found.to_json()) == found


@pytest.mark.parametrize("wrong", [0, -1, "", "x", "1,x", "2,1", "1,1", [3], [], None, True, float("nan"), "inf", {}])
def test_what_is_no_interval_is_refused(wrong: Any) -> None:
    assert Intervals.read(wrong) is None


@pytest.mark.parametrize(
    "written",
    [
        "2024-01-01 08:00,2024-01-01 10:00",
        "2024-01-01T08:00:00, 2024-01-01T10:00:00",
        ["2024-01-01T08:00Z", "2024-01-01T12:00+02:00"],
    ],
)
def test_borders_may_be_dates(written: Any) -> None:
    found = Intervals.read(written)
    assert found is not None
    assert found.to_json() == [1704096000, 1704103200]
    assert Intervals.read("2024-01-01,2024-01-02").to_json() == [1704067200, 1704153600]


@pytest.mark.parametrize("wrong", ["2024-01-01", "2024-01-02,2024-01-01", "2024-01-01,noon", "2024-01-01,1704153600"])
def test_dates_that_are_no_borders_are_refused(wrong: str) -> None:
    assert Intervals.read(wrong) is None


def test_an_interval_holds_its_beginning_and_not_its_end() -> None:
    times = np.array([-0.1, 0.0, 9.9, 10.0, 29.9, 30.0])
    assert Intervals.read("0,10,30").numbers(times).tolist() == [-1, 0, 0, 1, 1, -1]
    assert Intervals.read(10).numbers(times).tolist() == [-1, 0, 0, 1, 2, 3]
    assert Intervals.read(10).label(-1) == "-10-0"
