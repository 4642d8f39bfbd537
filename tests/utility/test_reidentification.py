"""Re-identification: by interval, by direction, and at most 1/k."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from driving import drives, town
from sfumato import Icba, RoadTrajectories
from sfumato.errors import ParameterError
from sfumato.utility.reidentification import Reidentification


def test_equal_trajectories_of_two_intervals_are_apart() -> None:
    net = town("ab")
    data = RoadTrajectories.from_lists([["ab+"]] * 6, network=net, intervals=["2", "1", "2", "2", "2", "1"])
    release = SimpleNamespace(data=data, origin=None)
    values = [Reidentification(of=which)(data, release).value for which in ("min", "mean", "max")]
    assert values == [0.25, 0.375, 0.5]


@pytest.mark.parametrize("seed", range(3))
def test_it_is_at_most_one_in_k(seed: int) -> None:
    data = drives(seed, vehicles=120)
    release = Icba(k=4, interval=1800).anonymize(data)
    low, mean, high = (Reidentification(of=which)(data, release).value for which in ("min", "mean", "max"))
    assert 0 < low <= mean <= high <= 1 / 4


def test_nothing_identifies_nobody() -> None:
    none = RoadTrajectories.from_lists([[], []], network=town("ab"))
    assert Reidentification()(none, SimpleNamespace(data=none, origin=None)).value == 0
    with pytest.raises(ParameterError, match="of must be one of 'max', 'mean', 'min'"):
        Reidentification(of="median")
