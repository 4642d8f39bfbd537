"""Error rates of roads, against counting by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from driving import along, drives, town
from sfumato import BfP2ka, Icba, RoadTrajectories
from sfumato.data.ragged import Ragged
from sfumato.utility.road_errors import RoadError, RoadErrorDeviation, road_errors


def seen(data: Any) -> Any:
    return SimpleNamespace(data=data, origin=None)


def by_hand(original: Ragged, published: Ragged) -> list[float]:
    before, after = original.to_lists(), published.to_lists()
    errors = []
    for road in sorted({road for row in before for road in row}):
        true, shown = (sum(road in row for row in rows) for rows in (before, after))
        errors.append(abs(shown - true) / true)
    return errors


@pytest.mark.parametrize("seed", range(3))
def test_every_release_as_counted_by_hand(seed: int) -> None:
    data = drives(seed, vehicles=100)
    for release in (
        Icba(k=3, interval=1200).anonymize(data),
        BfP2ka(k=2).anonymize(data.as_trajectories()),
    ):
        expected = by_hand(data, release.data)
        assert np.allclose(sorted(road_errors(data, release.data)), sorted(expected))
        assert RoadError()(data, release).value == pytest.approx(np.mean(expected))
        assert RoadErrorDeviation()(data, release).value == pytest.approx(np.std(expected))


def test_a_trajectory_that_passes_twice_travels_a_road_once() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([["ab+", "ab-", "ab+"], ["ab+"]], network=net)
    published = RoadTrajectories.from_lists([["ab+"]] * 3, network=net)
    assert road_errors(data, published).tolist() == [0.5, 1.0]  # ab+: 2 and 3; ab-: 1 and 0


def test_nothing_is_no_error_and_nothing_left_is_all_of_it() -> None:
    net = town("ab bc")
    none = RoadTrajectories.from_lists([[]], network=net)
    data = RoadTrajectories.from_lists([along("abc", net)], network=net)
    assert RoadError()(none, seen(data)).value == RoadErrorDeviation()(none, seen(none)).value == 0
    assert RoadError()(data, seen(none)).value == 1
